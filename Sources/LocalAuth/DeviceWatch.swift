import LocalAuthClient
import LocalAuthUnix
import LocalAuthWire
import Synchronization

/// Reports each new line in a device's audit: changes of fingers and passcode, locks, ends of
/// evaluations.
///
/// The watch ends with the service, with ``end()``, and with its last reference.
package final class DeviceWatch: Sendable {
  private let wakeUp: WakeUp

  /// Calls `onEvent` after each event from now on, on the watch's own thread.
  ///
  /// - Throws: the reason why the audit cannot be followed.
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
        // The first reply holds earlier lines.
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

  /// Ends the watch without waiting for a call of `onEvent` in progress.
  package func end() { wakeUp.ring() }
}

/// A connection that follows the audit, handed to the thread that reads it.
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
