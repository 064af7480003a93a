import LocalAuthCore

/// Who asks the person: the caller itself, or an agent.
extension Session {
  /// Who shows the prompt and may answer it; nil while nobody does.
  var answerer: Caller? {
    guard let conversation else { return caller }
    return conversation.agent?.caller
  }

  /// The arbiter gave it the device.
  func tookDevice() {
    if conversation == nil { shown() } else { engine.agentDesk.place(id) }
  }

  /// Whether nothing was offered that has not been refused already.
  var isUntouched: Bool {
    machine.outcome == nil && machine.proven.factors.isEmpty && !isDeciding && script == nil
  }

  /// There is somebody to show the prompt: for the first time, or again.
  func shown() {
    let action = machine.armed(conditions: conditions)
    if case .ignore = action {
      // It was shown before; what changed meanwhile counts.
      deviceChanged()
    } else {
      perform(action)
    }
  }

  /// Nobody shows the prompt any more: no nonce answers it and no finger, until somebody does.
  func hidden() {
    engine.forgetPrompt(of: self)
    if device.sensor?.armedFor == id { device.sensor?.disarm(for: id) }
  }

  /// What the audit line says of agents and callers has changed.
  func noteAgent() { audit.detail = detail() }

  /// The prompt as it is now, with a nonce of its own.
  func promptState(_ live: FactorSet) -> ShownPrompt {
    let now = device.now(engine.clock.now())
    return ShownPrompt(
      nonce: engine.freshNonce(for: self),
      id: id,
      live: live,
      passcodePrompt: passcodeQuestion?.text,
      passcodeEchoes: passcodeQuestion?.echoes ?? false,
      offersFallback: machine.offersFallback,
      fallbackTitle: request.fallbackTitle ?? policy.fallbackTitle,
      items: request.items,
      isSimulated: device.record.isSimulated,
      attemptsLeft: device.attemptsLeft(and: policyProfile, from: caller.origin, at: now),
      timeLeft: max(.zero, deadline - now.boot),
      remembers: grantRule?.maxAge
    )
  }
}
