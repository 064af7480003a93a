import Glibc
import LocalAuthTerminal

/// A signal that ends a long calculation early, with what it has found so far.
///
/// A verb that computes has one from its beginning to its end, so that no signal ends it between two
/// calculations.
struct Interruption: ~Copyable {
  private var signals = try? SignalWatch()
  /// The signal that came; nil for none.
  private(set) var signal: TerminalSignal?

  /// Whether the signal has come; a stop and a resume are performed here.
  mutating func hasCome() -> Bool {
    while signal == nil, let next = signals?.next() {
      switch next {
      case .interrupt, .terminate, .hangUp, .quit: signal = next
      case .stop: signals?.stopProcess()
      case .resume, .resize: break
      }
    }
    return signal != nil
  }

  /// Waits for a signal, for a moment at most.
  mutating func wait() {
    var descriptor = pollfd(fd: signals?.fileDescriptor ?? -1, events: Int16(POLLIN), revents: 0)
    // SAFETY: `poll` gets one descriptor, which outlives the call.
    _ = unsafe poll(&descriptor, 1, 20)
  }
}

extension Interruption {
  /// The signals that end a program, and that a person or a terminal sends.
  static let deadly = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

  /// Asks a person by `body`; a deadly signal ends the question, and not this process.
  ///
  /// Ignored signals stay ignored. `body` does nothing but ask: elsewhere a signal would have no effect at all.
  static func survived<Value: ~Copyable>(
    _ body: () throws(Failure) -> Value
  ) throws(Failure) -> Value {
    try ignored { (handlers) throws(Failure) in
      for (number, handler) in zip(deadly, handlers) where !isIgnored(handler) {
        Glibc.signal(number) { _ in }
      }
      return try body()
    }
  }

  /// Does `body`, which no deadly signal ends; it gets what the signals did before.
  static func ignored<Value: ~Copyable>(
    _ body: ([__sighandler_t?]) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    let handlers = deadly.map { Glibc.signal($0, SIG_IGN) }
    defer { for (number, handler) in zip(deadly, handlers) { Glibc.signal(number, handler) } }
    return try body(handlers)
  }

  private static func isIgnored(_ handler: __sighandler_t?) -> Bool {
    // SAFETY: only the pointers' bits are compared.
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
