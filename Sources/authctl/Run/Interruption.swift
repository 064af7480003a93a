import Glibc
import LocalAuthTerminal

/// A signal that ends a long calculation early, with what it has found so far.
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
}

extension Interruption {
  /// Does `body`, in which a deadly signal ends what a person is asked, and not this process.
  ///
  /// Ignored signals stay ignored.
  static func survived<Value>(_ body: () throws(Failure) -> Value) throws(Failure) -> Value {
    let numbers = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]
    let handlers = numbers.map { Glibc.signal($0, SIG_IGN) }
    for (number, handler) in zip(numbers, handlers) where !isIgnored(handler) {
      Glibc.signal(number) { _ in }
    }
    defer { for (number, handler) in zip(numbers, handlers) { Glibc.signal(number, handler) } }
    return try body()
  }

  private static func isIgnored(_ handler: __sighandler_t?) -> Bool {
    // SAFETY: only the pointers' bits are compared.
    unsafe unsafeBitCast(handler, to: Int.self) == unsafeBitCast(SIG_IGN, to: Int.self)
  }
}
