import LocalAuthCore
import LocalAuthSensor

/// What a script can do to a session, in place of the person at the device.
extension Session {
  /// Whether an answer can be given now.
  var takesAnswer: Bool { question != nil }

  /// Lets something happen at the sensor; `body` is called when that has had its effect.
  func present(_ presentation: Presentation, then body: @escaping () -> Void) {
    engine.present(presentation, on: device, isScripted: true) { _ in body() }
  }

  /// Calls `body` when `delay` has passed.
  func after(_ delay: Duration, _ body: @escaping () -> Void) {
    engine.after(delay, on: device, isScripted: true, body)
  }

  /// The script has no more events: the prompt stays open until its time-out, to which a clock that
  /// stands still jumps; where nobody is there, nobody can answer it any more.
  func scriptRanOut() {
    if !request.hasPerson, outcome == nil, !isJudging { return end(Outcome(.notInteractive)) }
    guard device.clock.isStopped, outcome == nil, !isJudging else { return }
    let left = deadline - device.now(engine.clock.now()).boot
    engine.advance(device, by: max(.zero, left))
  }

  /// Changes the sensor as the event says.
  func changeSensor(_ event: ScriptEvent) { engine.changeSensor(of: device, event) }
}

extension SensorEffect {
  /// The effect of a touch that was judged so.
  init(_ verdict: Verdict) {
    switch verdict {
    case .proven: self = .match
    case .miss: self = .miss
    case .unjudged(let outcome): self = outcome.code == .biometryLockout ? .lockedOut : .dropped
    }
  }
}
