import LocalAuthClient
import LocalAuthUnix
import LocalAuthWire
import Synchronization

/// Tells when something was done with a device, which the audit tells of: fingers and passcodes that
/// change, a lock, the end of an evaluation.
///
/// It ends with the service, with ``end()``, and when nobody has it any more.
package final class DeviceWatch: Sendable {
  private let wakeUp: WakeUp

  /// Calls `onEvent` after each event from now on, on a thread of its own.
  ///
  /// - Throws: why the audit cannot be followed.
  package init(
    _ device: Device,
    _ onEvent: @escaping @Sendable () -> Void
  ) throws(AuthError) {
    let (choice, source) = try device.resolved()
    var call = DeviceMessages.AuditCall()
    call.device = choice.name
    call.limit = 1
    call.follow = true
    let line = AuditLine(
      try AuthError.translating { () throws(ClientError) in
        var connection = try source.connect()
        try connection.begin(Methods.audit, call)
        // The first answer is what was there before.
        _ = try connection.next(Methods.audit)
        return connection
      }
    )
    do throws(SystemError) {
      let wakeUp = try WakeUp()
      self.wakeUp = wakeUp
      _ = try SystemThread(name: "localauth-watch", stackSize: AuthContext.replyStackSize) {
        line.follow(until: wakeUp, onEvent)
      }
    } catch {
      throw .internalError("\(error)")
    }
  }

  deinit { end() }

  /// Ends it; a call that has begun is not waited for.
  package func end() { wakeUp.ring() }
}

/// A connection on which the audit is told, for the thread that reads it.
private final class AuditLine: Sendable {
  private let connection: Mutex<DaemonConnection?>

  init(_ connection: consuming DaemonConnection) { self.connection = Mutex(connection) }

  func follow(until wakeUp: WakeUp, _ onEvent: () -> Void) {
    guard var connection = connection.withLock({ $0.take() }) else { return }
    while let ready = try? connection.wait(alsoFor: [wakeUp.descriptor], until: nil),
      ready.descriptors.isEmpty,
      let (_, continues) = try? connection.next(Methods.audit), continues
    {
      onEvent()
    }
  }
}
