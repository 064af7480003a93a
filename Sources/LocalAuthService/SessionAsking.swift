import LocalAuthCore
import LocalAuthSensor

/// Who asks the person, the caller itself or an agent, and what is shown.
extension Session {
  /// Who shows the prompt and may answer it; nil while nobody does.
  var answerer: Caller? {
    guard let conversation else { return caller }
    return conversation.agent?.caller
  }

  /// There is somebody to show the prompt: for the first time, or again.
  func shown() { meet { $0.shown(id, at: $1) } }

  /// Nobody shows the prompt any more: no nonce answers it and no finger, until somebody does.
  func hidden() { meet { machine, _ in machine.hidden(id) } }

  /// The prompt is wanted again, for its nonce is spent.
  func present() { meet { $0.showAnew(id, at: $1) } }

  func hide() {
    engine.forgetPrompt(of: self)
    device.sensor?.disarm(for: id)
  }

  /// Shows the prompt anew, with a nonce of its own, and lets script and waiting touches go on.
  func show(_ live: FactorSet) {
    guard outcome == nil, answerer != nil else { return }
    if live.contains(.biometry) {
      // A touch that is being judged needs no sensor, which may be another's or gone by now.
      guard isTouchJudged || arm() else { return }
    } else if device.sensor?.armedFor == id {
      device.sensor?.disarm(for: id)
    }
    if case .device = device.record.passcode {
      question = live.contains(.passcode) && !isPasscodeJudged ? ("Passcode:", false) : nil
    }
    if let asking = request.password { question = (asking.question, false) }
    onEvent(.prompt(promptState(live)))
    engine.runner.afterEffects(on: device) { [self] in
      continueScript()
      if isWaitingForFinger { engine.fingerIsAwaited(on: device) }
    }
  }

  func continueScript() {
    engine.runner.afterEffects(on: device) { [self] in
      guard outcome == nil else { return }
      script?.step(self)
    }
  }

  private var isTouchJudged: Bool { device.machine[AttemptID(id, .biometry)] != nil }
  private var isPasscodeJudged: Bool { device.machine[AttemptID(id, .passcode)] != nil }

  /// Makes the sensor wait for a finger; false when it refused and the evaluation went on without.
  private func arm() -> Bool {
    guard let sensor = device.sensor, sensor.armedFor != id else { return true }
    switch sensor.arm(for: id) {
    case .ready(let liftFinger):
      if liftFinger { onEvent(.retry(.removeFinger)) }
      return true
    case .refused(let fault):
      faulted(fault)
      return false
    case .lockedOut(let retryAfter):
      sensorLocked(retryAfter: retryAfter)
      return false
    }
  }

  /// The prompt as it is now, with a nonce of its own.
  private func promptState(_ live: FactorSet) -> ShownPrompt {
    let now = device.now(engine.clock.now())
    return ShownPrompt(
      nonce: engine.freshNonce(for: self),
      id: id,
      live: live,
      authenticators: live.factors.compactMap { describing($0) },
      passcodePrompt: question?.text,
      passcodeEchoes: question?.echoes ?? false,
      offersFallback: evaluation.offersFallback,
      fallbackTitle: request.fallbackTitle ?? policy.fallbackTitle,
      items: request.items,
      isSimulated: device.record.isSimulated,
      attemptsLeft: attemptsLeft,
      timeLeft: max(.zero, deadline - now.boot),
      remembers: remembering?.rule.maxAge
    )
  }

  /// Misses left before the lock, or nil without a lock.
  var attemptsLeft: UInt32? {
    let moment = engine.clock.now()
    return device.current(moment)
      .attemptsLeft(and: policyProfile, from: caller.origin, at: device.now(moment))
  }
}
