import LocalAuthSensor

/// How long it takes until misses in a row lock the finger, though all of them were the right person's.
struct MissRun: Hashable, Sendable {
  /// p: how often an attempt misses.
  var miss: Double
  /// L: how many misses in a row lock.
  var length: UInt32

  /// E[attempts until the lock]: (p^-L - 1) / (1 - p).
  var expectedAttempts: Double {
    guard miss < 1 else { return Double(length) }
    return (1 / Chance.all(of: UInt64(length), each: miss) - 1) / (1 - miss)
  }

  /// That the lock comes within `attempts` attempts: what has left the chain of 0 to L - 1 misses.
  ///
  /// Takes L steps an attempt.
  func probability(within attempts: UInt64) -> Double {
    guard length > 0 else { return 1 }
    var standing = [Double](repeating: 0, count: Int(length))
    standing[0] = 1
    var locked = 0.0
    for _ in 0..<attempts {
      let matched = standing.reduce(0, +) * (1 - miss)
      locked += standing[standing.count - 1] * miss
      for place in stride(from: standing.count - 1, to: 0, by: -1) {
        standing[place] = standing[place - 1] * miss
      }
      standing[0] = matched
    }
    return locked
  }
}
