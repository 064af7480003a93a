import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthService

/// What can be asked of an engine, each with whatever chance gives it.
extension Life {
  static let names = ["a", "b", "c"]
  private static let fingers: [Finger] = [.rightIndex, .leftThumb, .leftIndex]
  private static let events = [
    "match", "miss", "touch:left-thumb", "partial", "unplug", "plug", "finger-down", "finger-up",
    "busy", "free", "lockout", "set:latency=20ms", "set:latency=0", "set:timeout=2s",
  ]
  static let scripts = [
    "match", "miss,match", "miss,miss,miss", "sleep:5s,match", "passcode:1234", "fallback,cancel",
    "passcode:0,passcode:1234", "unplug,sleep:1s,plug", "cancel:system",
  ]

  var name: String { one(of: Self.names) }
  private var passcode: SecretBox { .of(draw(4) == 0 ? "0000" : "1234") }
  private var maybePasscode: SecretBox? { draw(4) == 0 ? nil : passcode }

  /// One thing happens.
  func step() {
    switch draw(40) {
    case 0...3: create()
    case 4:
      administer("delete") { $0.delete(name, passcode: maybePasscode, caller: caller, then: $1) }
    case 5: administer("erase") { $0.erase(name, caller: caller, then: $1) }
    case 6, 7: administer("lock") { $0.lock(name, caller: caller, then: $1) }
    case 8, 9:
      administer("unlock") { $0.unlock(name, passcode: passcode, caller: caller, then: $1) }
    case 10: administer("reboot") { $0.reboot(name, caller: caller, then: $1) }
    case 11, 12: advance()
    case 13: changePasscode()
    case 14...15: enroll()
    case 16: cancelEnrolment()
    case 17, 18: touch()
    case 19: callTouchOff()
    case 20, 21: happen()
    case 22: changeSensor()
    case 23...27: evaluate()
    case 28: cancel()
    case 29, 30: respond()
    case 31: comeOrLeave()
    case 32...35: callKeychain()
    case 36: endContexts()
    case 37, 38: turn(draw(16))
    default: clock.pass(.milliseconds(draw(12_000)))
    }
    if draw(slowness) == 0 { turn(1 + draw(4)) }
  }

  // MARK: Devices

  private func administer(
    _ verb: String,
    _ body: (Engine, @escaping Engine.Completion) -> Void
  ) {
    guard let engine else { return }
    let ended = begun(verb)
    body(engine) { _ in ended() }
  }

  private func create() {
    var description = DeviceDescription(name: name)
    description.fingers = draw(4) == 0 ? [] : [.rightIndex]
    description.passcode = draw(2) == 0 ? .of("1234") : nil
    description.lockout = one(of: [nil, "apple", "android", "faillock"])
    description.hasStoppedClock = draw(4) == 0
    administer("create") { $0.create(description, caller: caller, then: $1) }
  }

  private func advance() {
    let duration = Duration.milliseconds(draw(2) == 0 ? draw(15_000) : draw(86_400_000))
    administer("clock advance") { $0.advanceClock(name, by: duration, caller: caller, then: $1) }
  }

  private func changePasscode() {
    administer("passcode") { engine, then in
      switch draw(3) {
      case 0: engine.removePasscode(on: name, passcode: maybePasscode, caller: caller, then: then)
      case 1:
        engine.setLockout(
          one(of: ["apple", "three-strikes"]),
          delays: nil,
          on: name,
          passcode: maybePasscode,
          caller: caller,
          then: then
        )
      default:
        engine.setPasscode(
          .of("1234"),
          on: name,
          passcode: maybePasscode,
          caller: caller,
          then: then
        )
      }
    }
  }

  private func enroll() {
    let finger = one(of: Self.fingers)
    guard draw(4) != 0 else {
      return administer("finger remove") {
        $0.remove(finger, on: name, passcode: maybePasscode, caller: caller, then: $1)
      }
    }
    administer("enroll") {
      let id = $0.enroll(
        finger,
        on: name,
        isManual: draw(2) == 0,
        passcode: maybePasscode,
        caller: caller,
        onEvent: { _ in },
        then: $1
      )
      enrolments.append(id)
    }
  }

  /// A client leaves that enrolled a finger, a while ago or just now.
  private func cancelEnrolment() {
    guard !enrolments.isEmpty else { return }
    engine?.cancelEnrolment(enrolments.remove(at: draw(enrolments.count)))
  }

  // MARK: The sensor

  private func touch() {
    let finger = one(of: Self.fingers)
    let limit: Duration? = draw(4) == 0 ? nil : .milliseconds(draw(40_000))
    let ended = begun("touch")
    let id = engine?.touch(finger, on: name, waitingFor: limit, caller: caller) { _ in ended() }
    if let id { touches.append((id, lastCall)) }
  }

  private func callTouchOff() {
    guard !touches.isEmpty else { return }
    let touch = touches.remove(at: draw(touches.count))
    callOff(touch.call)
    engine?.cancelTouch(touch.id)
  }

  private func happen() {
    let source = ScriptSource(text: .of(one(of: Self.events)), isArgument: true)
    let ended = begun("sensor present")
    engine?.present(event: source, on: name, caller: caller) { _ in ended() }
  }

  private func changeSensor() {
    let source = ScriptSource(text: .of(one(of: Self.scripts)), isArgument: true)
    switch draw(3) {
    case 0: administer("sensor reset") { $0.resetSensor(on: name, caller: caller, then: $1) }
    case 1: _ = try? engine?.queueScript(source, times: draw(3), on: name, caller: caller)
    default:
      administer("sensor set") { $0.set("latency", "50ms", on: name, caller: caller, then: $1) }
    }
  }

  // MARK: Evaluations

  private func evaluate() {
    let policy = one(of: ["biometrics", "device-owner", "passcode"])
    var request = EvaluationRequest(
      policy: policy,
      reason: "test",
      device: draw(8) == 0 ? nil : name
    )
    request.allowsSimulated = draw(8) != 0
    request.isInteractive = draw(8) != 0
    request.asksAgent = draw(4) == 0
    request.timeout = .milliseconds(1 + draw(60_000))
    request.reuse = draw(4) == 0 ? .seconds(60) : .zero
    if draw(3) == 0 {
      request.script = ScriptSource(text: .of(one(of: Self.scripts)), isArgument: true)
    }
    if draw(8) == 0 { request.purpose = .unlock }
    let id = make("evaluate") { engine, ended throws(EngineError) in
      let hear = { [weak self] (event: SessionEvent) in
        if case .prompt(let prompt) = event { self?.nonces.append(prompt.nonce) }
        if case .finished = event { ended() }
      }
      guard request.purpose == .unlock else {
        return try engine.evaluate(request, caller: caller, onEvent: hear)
      }
      return try engine.unlockWithFinger(request, caller: caller, onEvent: hear)
    }
    if let id { evaluations.append((id, lastCall)) }
  }

  /// Whoever leaves an evaluation that others share hears nothing more of it.
  private func cancel() {
    guard !evaluations.isEmpty else { return }
    let evaluation = one(of: evaluations)
    callOff(evaluation.call)
    engine?.cancel(evaluation.id)
  }

  private func respond() {
    guard let nonce = nonces.popLast() else { return }
    let answers: [PromptResponse] = [
      .passcode(passcode), .passcode(.of("1234")), .cancel, .fallback,
    ]
    try? engine?.respond(nonce: nonce, caller: caller, answer: one(of: answers))
  }

  private func comeOrLeave() {
    if let agent = agents.popLast() {
      engine?.agentLeft(agent)
      return
    }
    let id = try? engine?.registerAgent(caller) { [weak self] event in
      if case .asking(.prompt(let prompt), _, _) = event { self?.nonces.append(prompt.nonce) }
    }
    if let id { agents.append(id) }
  }
}
