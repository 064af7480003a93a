public import LocalAuthCore

/// What a person meets at a device.
public enum Asking: Hashable, Sendable {
  /// No program has asked yet.
  case nothing
  /// These factors are asked for, and the fallback is offered or not.
  case open(FactorSet, offersFallback: Bool)
  /// The last evaluation has ended so.
  case over(OutcomeCode)
}

extension Asking {
  /// Whether `event`, which is one at the prompt, has an effect.
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

/// How an event came out that a script was to bring about.
public enum Playing: Hashable, Sendable {
  /// It had its effect.
  case taken
  /// The passcode was not asked for, so the script asked for the fallback first.
  case afterFallback
  /// Nobody asked for it.
  case leftOver
  /// The evaluation was over before it.
  case late
}

extension Model {
  /// What the evaluation at the prompt asks for; nil when there is none.
  var asking: Asking? {
    guard let armed = state.machine.armed else { return nil }
    let live = live(armed)
    let offersFallback = armed.machine.offersFallback && live.contains(.biometry)
    return .open(live, offersFallback: offersFallback)
  }

  /// Does `event` as the daemon's `ScriptPlayer` does it, with all that it sets off.
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

  /// Whether the passcode would do without the finger that is asked for.
  private var canSkipToPasscode: Bool {
    guard let armed = state.machine.armed else { return false }
    return armed.machine.canSkipBiometry(conditions: state.machine.conditions(of: armed, at: now))
  }
}

extension Event {
  /// Whether it is something that a person does while being asked.
  fileprivate var isAtThePrompt: Bool {
    switch self {
    case .touch, .passcode, .fallback, .cancel(.first): true
    case .request, .cancel(.second), .fault, .commit, .verdict, .refusal, .settle, .act, .lock,
      .revoke, .pass, .wall, .reboot, .crash:
      false
    }
  }
}
