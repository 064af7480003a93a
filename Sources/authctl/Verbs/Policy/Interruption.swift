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
