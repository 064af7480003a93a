import LocalAuthCore
import LocalAuthSensor

/// The operations a script performs on a session, in place of a person.
extension Session {
  /// Whether an answer is accepted now.
  var takesAnswer: Bool { question != nil }

  /// Performs an event at the sensor; `body` is called once it has taken effect.
  func present(_ presentation: Presentation, then body: @escaping () -> Void) {
    engine.present(presentation, on: device, isScripted: true) { _ in body() }
  }

  /// Calls `body` when `delay` has passed.
  func after(_ delay: Duration, _ body: @escaping () -> Void) {
    engine.after(delay, on: device, isScripted: true, body)
  }

  /// Handles the end of the script.
  ///
  /// The prompt stays open until its timeout, to which a stopped clock jumps. If no person is there
  /// to answer, the evaluation ends at once.
  func scriptRanOut() {
    if !request.hasPerson, outcome == nil, !isJudging { return end(Outcome(.notInteractive)) }
    guard device.clock.isStopped, outcome == nil, !isJudging else { return }
    let left = deadline - device.now(engine.clock.now()).boot
    engine.advance(device, by: max(.zero, left))
  }

  /// Performs an event that changes the sensor.
  func changeSensor(_ event: ScriptEvent) { engine.changeSensor(of: device, event) }
}

extension SensorEffect {
  /// The effect of a touch with this verdict.
  init(_ verdict: Verdict) {
    switch verdict {
    case .proven: self = .match
    case .miss: self = .miss
    case .unjudged(let outcome): self = outcome.code == .biometryLockout ? .lockedOut : .dropped
    }
  }
}
