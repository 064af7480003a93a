import LocalAuthCore

/// A trace as commands for a simulated device, so that people can see it happen.
public struct Reproduction: Sendable {
  /// The lines of an sh(1) script, which expects `authctl` on the path.
  public private(set) var lines: [String] = []
  /// Whether every step has a command; a step without one becomes a comment.
  public private(set) var isComplete = true

  private let device: String
  private var model: Model
  private var script: [String] = []
  private var options = ""
  private var isAsking = false

  /// The passcodes that the script uses.
  private static let right = "1234"
  private static let wrong = "0000"

  /// Creates the commands for `trace` on a new device called `device` with a passcode of `kind`.
  public init(
    _ trace: [Event],
    _ setup: Setup,
    _ pace: Pace,
    _ kind: PasscodeKind = .own,
    isDistrusted: Bool = false,
    device: String = "proof"
  ) {
    self.device = device
    model = Model(setup, kind, isDistrusted: isDistrusted)
    create(kind)
    if kind == .pam || isDistrusted {
      note("The device's passcode is PAM's, or its state was damaged: that needs preparation.")
    }
    if setup.surroundings == .byItself {
      note("The judges are authenticators of their own: their steps cannot be played.")
    }
    for event in trace { add(event, pace) }
    flush()
  }

  private mutating func create(_ kind: PasscodeKind) {
    let fingers = "--finger right-index --finger left-index"
    let rules =
      "--lockout \(model.setup.lockout.name) --passcode-delays \(model.setup.delays.name)"
    let create = "authctl device create \(device) \(fingers) \(rules)"
    lines.append(
      kind == .own ? "echo \(Self.right) | \(create) --passcode-stdin" : create
    )
  }

  private mutating func add(_ event: Event, _ pace: Pace) {
    guard play(event, pace) != .late else { return }
    switch event {
    case .request(.first, let request): ask(request)
    case .request(.second, _), .cancel(.second), .timeout, .stray, .question, .agent, .fault,
      .refusal, .commit(.failed),
      .commit(.failedButKept), .wall, .crash, .word, .presence, .prints, .programs:
      note(event.description)
    case .touch(let isRight): script.append(isRight ? "match" : "miss")
    case .passcode(let isRight):
      script.append("passcode:\(isRight ? Self.right : Self.wrong)")
    case .fallback: script.append("fallback")
    case .cancel(.first): script.append("cancel")
    case .commit(.durable), .verdict, .settle: break
    case .act(let act, let isRight): administer(act, isRight ? Self.right : Self.wrong)
    case .lock: command("device lock")
    case .revoke: command("grant revoke --all")
    case .pass(let time): command("device clock advance \(DurationText.format(time))")
    case .reboot: command("device reboot")
    }
    if model.state.running(.first) == nil { flush() }
  }

  /// Plays an event; at a calm pace everything it causes completes too, otherwise the trace
  /// decides.
  private mutating func play(_ event: Event, _ pace: Pace) -> Playing {
    if pace == .calm { return model.play(event) }
    model.apply(event)
    return .taken
  }

  private mutating func ask(_ request: Request) {
    isAsking = true
    options = ""
    if let wish = request.wish {
      options += " --max-age \(DurationText.format(wish.maxAge))"
      if let uses = wish.uses { options += " --max-uses \(uses)" }
    }
    if request.isUnlock || request.takesUnlock {
      note("The request is for an unlock, or takes one.")
    }
  }

  /// Writes the command of the evaluation, with everything done at its prompt.
  private mutating func flush() {
    guard isAsking else { return }
    // A script without events means that nobody was asked.
    let played =
      script.isEmpty
      ? "--non-interactive" : "--timeout 5s --script '\(script.joined(separator: ", "))'"
    lines.append(
      "authctl --device \(device) evaluate --policy \(model.setup.policy.name) --reason proof"
        + "\(options) \(played); echo \"exit $?\""
    )
    script = []
    isAsking = false
  }

  private mutating func administer(_ act: Act, _ passcode: String) {
    switch act {
    case .fingers: command("sensor remove left-index --passcode-stdin", input: passcode)
    case .passcode: command("passcode change --stdin", input: "\(passcode)\\n\(Self.right)")
    case .removal: command("passcode remove --passcode-stdin", input: passcode)
    case .erase: command("device erase --yes")
    case .other:
      command("device unlock --stdin", input: passcode)
    }
  }

  private mutating func command(_ words: String, input: String? = nil) {
    let isOpen = isAsking && model.state.running(.first) != nil
    if isOpen { note("While the evaluation is open:") } else { flush() }
    let typed = "authctl --device \(device) \(words)"
    lines.append(input.map { "printf '\($0)\\n' | \(typed)" } ?? typed)
  }

  private mutating func note(_ text: String) {
    isComplete = false
    lines.append("# \(text)")
  }
}
