import LocalAuthSensor

extension FingerStateProcess {
  /// How often `attempts` attempts in a row, `apart` from each other, all miss, when a good and an
  /// impaired finger miss at these rates: pi D (T D)^(k-1) 1 with D = diag(good, impaired).
  ///
  /// Bursts make it larger than the mean rate to the power of k: a finger that is wet stays wet.
  func falseReject(
    attempts: UInt64,
    apart: Duration,
    good: Double,
    impaired: Double
  ) -> Double {
    guard attempts > 0 else { return 1 }
    let step = step(over: apart)
    var dry = (1 - impairedShare) * good
    var wet = impairedShare * impaired
    for _ in 1..<attempts {
      (dry, wet) = (
        (dry * (1 - step.worsening) + wet * step.recovering) * good,
        (dry * step.worsening + wet * (1 - step.recovering)) * impaired
      )
    }
    return dry + wet
  }

  /// The rates of a good and an impaired finger whose mean is `rate`, of whoever has noise 1.
  func rates(meaning rate: Double, _ effects: ScoreEffects) -> (good: Double, impaired: Double) {
    let finger = EnrolledFinger(margin: StandardNormal.upperQuantile(rate), noise: 1)
      .calibrated(self, effects)
    return (finger.miss(), finger.miss(shift: effects.impairment))
  }
}
