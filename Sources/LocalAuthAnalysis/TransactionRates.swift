import LocalAuthSensor

/// What a transaction is worth when every attempt has the same odds: the closed forms.
public struct TransactionRates: Hashable, Sendable {
  /// p: how often a counted attempt of the right person misses.
  public var miss: Double
  /// q: how often an impostor's comparison with one print matches.
  public var falseMatch: Double
  /// N: the enrolled prints.
  public var prints: UInt64
  /// k: the counted attempts before something else must be done.
  public var attempts: UInt64
  /// a: how often a presentation gives no sample and is not counted.
  public var notAcquired: Double

  /// The transaction with these rates.
  public init(
    miss: Double,
    falseMatch: Double,
    prints: UInt64 = 1,
    attempts: UInt64,
    notAcquired: Double = 0
  ) {
    self.miss = miss
    self.falseMatch = falseMatch
    self.prints = prints
    self.attempts = attempts
    self.notAcquired = notAcquired
  }

  /// GFRR: that the right person is not accepted, p^k.
  public var falseReject: Double { Chance.all(of: attempts, each: miss) }

  /// E[attempts] of the right person: (1 - p^k) / (1 - p).
  public var expectedAttempts: Double {
    // The sum 1 + p + ... + p^(k-1), which at p = 1 is k.
    miss < 1 ? (1 - falseReject) / (1 - miss) : Double(attempts)
  }

  /// E[presentations] of the right person: attempts, and those that gave no sample.
  public var expectedPresentations: Double { expectedAttempts / (1 - notAcquired) }

  /// E[T] of the right person, when one attempt and the fallback take this long.
  public func expectedTime(attempt: Duration, fallback: Duration) -> Duration {
    attempt * expectedAttempts + fallback * falseReject
  }

  /// q_N: how often an impostor's attempt matches any of the prints.
  public var falseMatchOfSet: Double { Chance.any(of: prints, each: falseMatch) }

  /// FAR: that an impostor is accepted, 1 - (1 - q)^(N k).
  public var falseAccept: Double {
    Chance.any(of: Self.comparisons(prints, attempts), each: falseMatch)
  }

  /// The highest FMR that keeps an impostor's FAR at `falseAccept`: 1 - (1 - F)^(1 / (N k)).
  public static func falseMatch(
    allowing falseAccept: Double,
    prints: UInt64,
    attempts: UInt64
  ) -> Double {
    Chance.each(of: comparisons(prints, attempts), any: falseAccept)
  }

  /// N k, or as much as there can be.
  private static func comparisons(_ prints: UInt64, _ attempts: UInt64) -> UInt64 {
    let (product, overflow) = prints.multipliedReportingOverflow(by: attempts)
    return overflow ? .max : product
  }

  /// That a presentation attack of this IAPAR is accepted: 1 - (1 - IAPAR)^k.
  ///
  /// The number of attempts is the one factor here that a policy owns.
  public func attackAccept(iapar: Double) -> Double { Chance.any(of: attempts, each: iapar) }
}

/// A transaction and then a passcode: k times a finger, then m times a secret.
public struct FallbackRates: Hashable, Sendable {
  /// The attempts with a finger.
  public var biometric: TransactionRates
  /// s: how often the right person mistypes.
  public var mistyped: Double
  /// g: how likely one guess is right, 10^-d for d digits chosen evenly.
  public var guess: Double
  /// m: the tries.
  public var tries: UInt64

  /// The rates with these values.
  public init(biometric: TransactionRates, mistyped: Double, guess: Double, tries: UInt64) {
    self.biometric = biometric
    self.mistyped = mistyped
    self.guess = guess
    self.tries = tries
  }

  /// That the right person gets nowhere, when `falseReject` of the finger is E[p^k]: E[p^k] s^m.
  public func denied(falseReject: Double? = nil) -> Double {
    (falseReject ?? biometric.falseReject) * Chance.all(of: tries, each: mistyped)
  }

  /// That an impostor gets in by either: 1 - (1 - q_N)^k (1 - g)^m.
  public var accepted: Double {
    let byFinger = biometric.falseAccept
    return byFinger + (1 - byFinger) * Chance.any(of: tries, each: guess)
  }
}
