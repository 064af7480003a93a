import LocalAuthSensor

extension SensorModel {
  /// Somebody presents their own finger until it is accepted or was judged `most` times: how many judged
  /// attempts it took, or nil where none was accepted.
  func attemptsUntilAccepted(
    _ finger: EnrolledFinger,
    most: UInt32,
    state: inout FingerState,
    using stream: inout EventStream
  ) -> UInt32? {
    var attempts: UInt32 = 0
    let change = fingerState.step(over: latency.mean)
    while attempts < most {
      let conditions = CaptureConditions(finger: state)
      let presentation = present(finger, in: conditions, using: &stream)
      _ = latency.draw(using: &stream)
      state = change.next(after: state, using: &stream)
      if presentation.isJudged { attempts += 1 }
      if presentation.matches { return attempts }
    }
    return nil
  }
}
