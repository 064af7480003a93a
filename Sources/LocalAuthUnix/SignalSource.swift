import CLocalAuthLinux

/// Delivers signals as events of the loop; it belongs to the loop's thread.
public final class SignalSource {
  /// A received signal.
  public struct Signal: Hashable, Sendable {
    /// Its number, as in signal(7).
    public let number: Int32
    /// The process that sent it; 0 when the kernel did.
    public let senderProcessID: Int32
    /// The user of that process.
    public let senderUserID: UInt32
  }

  private let descriptor: FileDescriptor
  private let loop: EventLoop

  /// Blocks `signals` in the calling thread and calls `handler` on the loop's thread instead.
  ///
  /// Call it before starting any thread: threads inherit the block, and a signal is delivered to
  /// any thread that does not block it. The signals stay blocked after ``stop()``.
  public init(
    _ signals: [Int32],
    on loop: EventLoop,
    handler: @escaping (Signal) -> Void
  ) throws(SystemError) {
    // SAFETY: the shim reads `count` numbers during the call.
    let number = unsafe la_signals_create(signals, Int32(signals.count))
    descriptor = FileDescriptor(owning: try SystemError.check(number, "signalfd"))
    self.loop = loop
    let reader = descriptor.rawValue
    try loop.add(reader, interest: .readable) { _ in
      var signal = la_signal()
      // SAFETY: the shim fills `signal`, which outlives the call. One signal per call, because the
      // handler may stop the source; the descriptor stays readable while signals are pending.
      guard unsafe la_signals_read(reader, &signal) == 1 else { return }
      handler(
        Signal(
          number: signal.number,
          senderProcessID: signal.sender,
          senderUserID: signal.sender_uid
        )
      )
    }
  }

  /// Stops calling the handler.
  public func stop() { loop.remove(descriptor.rawValue) }

  deinit { stop() }
}
