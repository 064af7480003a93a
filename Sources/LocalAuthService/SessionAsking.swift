import LocalAuthCore
import LocalAuthSensor

/// Prompting: who shows the prompt, the caller or an agent, and what it shows.
extension Session {
  /// The process that shows the prompt and may answer it; nil while there is none.
  var answerer: Caller? {
    guard let conversation else { return caller }
    return conversation.agent?.caller
  }

  /// Tells the machine that someone can show the prompt, for the first time or again.
  func shown() { meet { $0.shown(id, at: $1) } }

  /// Tells the machine that no one shows the prompt, so that neither a nonce nor a finger answers
  /// it for now.
  func hidden() { meet { machine, _ in machine.hidden(id) } }

  /// Shows the prompt again, because its nonce was used up.
  func present() { meet { $0.showAnew(id, at: $1) } }

  func hide() {
    engine.forgetPrompt(of: self)
    device.sensor?.disarm(for: id)
  }

  /// Shows the prompt, with a new nonce, and lets the script and waiting touches continue.
  func show(_ live: FactorSet) {
    guard outcome == nil, answerer != nil else { return }
    if live.contains(.biometry) {
      // A touch being judged no longer needs the sensor, which may be in other use or gone by now.
      guard isTouchJudged || arm() else { return }
    } else if device.sensor?.armedFor == id {
      device.sensor?.disarm(for: id)
    }
    question = askedQuestion(live)
    wasActionShown = true
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

  /// The question to show with these `live` factors.
  ///
  /// While the passcode can be given, no other question is shown: a passcode must not go to a
  /// program that asked for something else.
  private func askedQuestion(_ live: FactorSet) -> Question? {
    if let asking = request.password {
      return Question(factor: .applicationPassword, text: asking.question, echoes: false)
    }
    guard live.contains(.passcode) else { return questions[.possession] }
    guard case .device = device.record.passcode else { return questions[.passcode] }
    return isPasscodeJudged
      ? nil : Question(factor: .passcode, text: "Passcode:", echoes: false)
  }

  private var isTouchJudged: Bool { device.machine[AttemptID(id, .biometry)] != nil }
  private var isPasscodeJudged: Bool { device.machine[AttemptID(id, .passcode)] != nil }

  /// Makes the sensor wait for a finger; returns false if it refused and the evaluation went on
  /// without it.
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

  /// The current prompt, with a new nonce.
  private func promptState(_ live: FactorSet) -> ShownPrompt {
    let now = device.now(engine.clock.now())
    return ShownPrompt(
      nonce: engine.freshNonce(for: self),
      id: id,
      live: live,
      authenticators: live.factors.compactMap { describing($0) },
      passcodePrompt: question?.text,
      passcodeEchoes: question?.echoes ?? false,
      // Without a finger there is nothing to fall back from.
      offersFallback: evaluation.offersFallback && live.contains(.biometry),
      fallbackTitle: request.fallbackTitle ?? policy.fallbackTitle,
      fallbackEnds: !canSkipBiometry,
      items: request.items,
      isSimulated: device.record.isSimulated,
      attemptsLeft: attemptsLeft,
      passcodesLeft: live.contains(.passcode) ? passcodesLeft : nil,
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

  /// Wrong passcodes left before the lock that only erasing ends, or nil without one.
  private var passcodesLeft: UInt32? {
    let moment = engine.clock.now()
    return device.current(moment).passcodesLeft(from: caller.origin, at: device.now(moment))
  }
}
