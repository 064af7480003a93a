import LocalAuthSensor

/// How long it takes until misses in a row lock the finger, though all of them were the right person's.
public struct MissRun: Hashable, Sendable {
  /// p: how often an attempt misses.
  public var miss: Double
  /// L: how many misses in a row lock.
  public var length: UInt32

  /// The run of this length.
  public init(miss: Double, length: UInt32) {
    self.miss = miss
    self.length = length
  }

  /// E[attempts until the lock]: (p^-L - 1) / (1 - p).
  public var expectedAttempts: Double {
    guard miss < 1 else { return Double(length) }
    return (1 / Chance.all(of: UInt64(length), each: miss) - 1) / (1 - miss)
  }

  /// That the lock comes within `attempts` attempts: what has left the chain of 0 to L - 1 misses.
  ///
  /// Takes L steps an attempt.
  public func probability(within attempts: UInt64) -> Double {
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

/// Touches that nobody meant, among those somebody did: why a capture of poor quality must not count.
///
/// Android's CDD asks for that (7.3.10, C-1-3).
public struct AccidentalTouches: Hashable, Sendable {
  /// lambda: touches an hour that miss for certain.
  public var accidents: Double
  /// mu: uses an hour.
  public var uses: Double
  /// p: how often a use misses.
  public var miss: Double

  /// The touches with these rates.
  public init(accidents: Double, uses: Double, miss: Double) {
    self.accidents = accidents
    self.uses = uses
    self.miss = miss
  }

  /// f: how often a touch of either kind misses, (lambda + mu p) / (lambda + mu).
  public var missOfAny: Double { (accidents + uses * miss) / (accidents + uses) }

  /// E[hours] until `length` misses in a row: (f^-L - 1) / ((1 - f)(lambda + mu)).
  public func hoursToLock(length: UInt32) -> Double {
    MissRun(miss: missOfAny, length: length).expectedAttempts / (accidents + uses)
  }
}
