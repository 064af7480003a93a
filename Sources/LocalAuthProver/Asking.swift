public import LocalAuthCore

/// What a device currently asks of a person.
public enum Asking: Hashable, Sendable {
  /// No program has asked yet.
  case nothing
  /// These factors are asked for; the fallback is offered or not.
  case open(FactorSet, offersFallback: Bool)
  /// The last evaluation ended with this outcome.
  case over(OutcomeCode)
}

extension Asking {
  /// Whether `event`, a prompt event, has an effect.
  func takes(_ event: Event) -> Bool {
    guard case .open(let live, let offersFallback) = self else { return false }
    switch event {
    case .touch: return live.contains(.biometry)
    case .passcode: return live.contains(.passcode)
    case .fallback: return offersFallback
    default: return event.isAtThePrompt
    }
  }
}

/// The result of an event that a script plays.
public enum Playing: Hashable, Sendable {
  /// The event had its effect.
  case taken
  /// The passcode was not asked for, so the script chose the fallback first.
  case afterFallback
  /// Nothing asked for the event.
  case leftOver
  /// The evaluation had already ended.
  case late
}

extension Model {
  /// What the evaluation at the prompt asks for; nil if there is none.
  var asking: Asking? {
    guard let index = state.machine.armedIndex else { return nil }
    let live = live(index)
    let machine = state.machine.evaluations[index].machine
    let offersFallback = machine.offersFallback && live.contains(.biometry)
    return .open(live, offersFallback: offersFallback)
  }

  /// Plays `event` as the daemon's `ScriptPlayer` does, and completes everything it causes.
  mutating func play(_ event: Event) -> Playing {
    state.answers = []
    guard event.isAtThePrompt else {
      apply(event, .calm)
      return .taken
    }
    guard let asking else { return .late }
    if asking.takes(event) {
      apply(event, .calm)
      return .taken
    }
    guard case .passcode = event, asking.takes(.fallback), canSkipToPasscode else {
      return .leftOver
    }
    apply(.fallback, .calm)
    apply(event, .calm)
    return .afterFallback
  }

  /// Whether the passcode could replace the finger that is asked for.
  private var canSkipToPasscode: Bool {
    guard let index = state.machine.armedIndex else { return false }
    let conditions = state.machine.conditions(ofEvaluation: index, at: now)
    return state.machine.evaluations[index].machine.canSkipBiometry(conditions: conditions)
  }
}

extension Event {
  /// Whether a person does this at a prompt.
  fileprivate var isAtThePrompt: Bool {
    switch self {
    case .touch, .passcode, .fallback, .cancel(.first): true
    case .request, .cancel(.second), .timeout, .stray, .question, .agent, .fault, .commit, .verdict,
      .refusal, .word, .presence,
      .prints, .programs, .settle, .act, .lock, .revoke, .pass, .wall, .reboot, .crash:
      false
    }
  }
}
