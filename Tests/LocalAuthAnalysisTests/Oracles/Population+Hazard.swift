import LocalAuthAnalysis
import LocalAuthSensor

extension Population {
  /// How often the attempt after `misses` misses in a row misses too: E[p^(j+1)] / E[p^j].
  ///
  /// It rises with each miss, for whoever missed is likely a goat.
  func hazard(after misses: UInt64) -> Double {
    let before = falseReject(attempts: misses)
    return before > 0 ? falseReject(attempts: misses + 1) / before : 0
  }

  /// How much likelier `attempts` misses in a row are than if everybody had the mean miss rate.
  func excess(attempts: UInt64) -> Double {
    let alike = Chance.all(of: attempts, each: mean)
    return alike > 0 ? falseReject(attempts: attempts) / alike : 1
  }

  /// E[(b + (1 - b) p)^k]: the same, where a finger is taken for a fake with probability `b` and that
  /// counts as a miss.
  func falseReject(attempts: UInt64, takenForFake b: Double) -> Double {
    var sum = 0.0
    var choices = 1.0
    for misses in 0...attempts {
      let fakes = Chance.all(of: attempts - misses, each: b)
      let others = Chance.all(of: misses, each: 1 - b)
      sum += choices * fakes * others * falseReject(attempts: misses)
      choices *= Double(attempts - misses) / Double(misses + 1)
    }
    return sum
  }
}
