import LocalAuthSensor

extension FingerStateChain {
  /// How often `attempts` attempts in a row all miss, when a good and an impaired finger miss at these rates:
  /// pi D (T D)^(k-1) 1 with D = diag(good, impaired).
  ///
  /// Bursts make it larger than the mean rate to the power of k: a finger that is wet stays wet.
  func falseReject(attempts: UInt64, good: Double, impaired: Double) -> Double {
    guard attempts > 0 else { return 1 }
    var dry = (1 - impairedShare) * good
    var wet = impairedShare * impaired
    for _ in 1..<attempts {
      (dry, wet) = (
        (dry * (1 - worsening) + wet * recovering) * good,
        (dry * worsening + wet * (1 - recovering)) * impaired
      )
    }
    return dry + wet
  }

  /// The mean miss rate in the long run.
  func meanMiss(good: Double, impaired: Double) -> Double {
    falseReject(attempts: 1, good: good, impaired: impaired)
  }
}
