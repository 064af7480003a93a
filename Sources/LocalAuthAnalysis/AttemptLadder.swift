public import LocalAuthCore
import LocalAuthSensor

/// A delay table as somebody meets it who never succeeds and tries again as soon as it may be: which
/// attempt is possible when.
///
/// Where failures are forgotten, the count goes back by what the waits themselves make forgotten. With
/// the shipped tables nobody gains by pausing longer; with another, somebody might.
public struct AttemptLadder: Hashable, Sendable {
  /// The table.
  public var table: DelayTable
  /// How long an attempt takes.
  public var attempt: Duration

  /// The ladder of `table`.
  public init(_ table: DelayTable, attempt: Duration = .zero) {
    self.table = table
    self.attempt = attempt
  }

  /// The wait after `failures` failures that still stand; nil when the table locks.
  public func delay(after failures: UInt32) -> Duration? {
    switch table.refusal(after: failures) {
    case .none: .zero
    case .wait(let delay): delay
    case .locked: nil
    }
  }

  /// How long `failures` failures have made somebody wait in all, or as many of them as the table allows.
  public func waiting(through failures: UInt32) -> Duration {
    waits.prefix(Int(failures) + 1).reduce(.zero, +)
  }

  /// A(t): how many attempts can be begun by `time`, and at most `most`, for a table without delays has
  /// no end.
  ///
  /// The largest n so that what comes before attempt n is not longer than `time`.
  public func attempts(within time: Duration, most: UInt32 = 1_000_000) -> UInt32 {
    var (count, began) = (0 as UInt32, Duration.zero)
    for delay in waits.prefix(Int(most)) {
      began += delay + (count > 0 ? attempt : .zero)
      if began > time { break }
      count += 1
    }
    return count
  }

  /// That somebody with chances of `rate` an attempt succeeds by `time`: 1 - (1 - q)^A(t).
  public func success(rate: Double, within time: Duration, most: UInt32 = 1_000_000) -> Double {
    Chance.any(of: UInt64(attempts(within: time, most: most)), each: rate)
  }

  /// That somebody who tries each of `secrets` equally likely ones once has found it by `time`: A(t) / n.
  public func guessed(of secrets: UInt32, within time: Duration) -> Double {
    secrets > 0 ? Double(attempts(within: time, most: secrets)) / Double(secrets) : 1
  }

  /// The ladder as a chain of at most `most` attempts that end accepted (0) or refused for good (1), in
  /// seconds; state j has seen j failures.
  public func chain(rate: Double, most: UInt32) throws(ChainError) -> AbsorbingChain {
    let waits = Array(waits.prefix(Int(most)))
    let states = waits.count
    var moves = [[Double]](repeating: Array(repeating: 0, count: states), count: states)
    var ends: [[Double]] = []
    var times: [Double] = []
    for state in 0..<states {
      let isLast = state == states - 1
      if !isLast { moves[state][state + 1] = 1 - rate }
      ends.append([rate, isLast ? 1 - rate : 0])
      // A delay is waited for by whoever goes on.
      times.append((waits[state] + attempt) / .seconds(1))
    }
    return try AbsorbingChain(moves: moves, ends: ends, times: times)
  }

  /// The waits before the first attempt, the second and so on, up to the lock.
  private var waits: UnfoldSequence<Duration, UInt32> {
    sequence(state: 0) { failures in
      guard let delay = delay(after: failures) else { return nil }
      let passed = delay + (failures > 0 ? attempt : .zero)
      let standing = table.failures(failures, refusedFor: delay, after: passed)
      failures = standing == .max ? .max : standing + 1
      return delay
    }
  }
}

/// An attacker whose attempts are not counted, as in BrutePrint (Chen and He, 2023).
public struct UnlimitedAttacker: Hashable, Sendable {
  /// q: how often one comparison matches.
  public var falseMatch: Double
  /// N: the enrolled prints.
  public var prints: UInt64
  /// r: the attempts a second.
  public var rate: Double

  /// The attacker with these rates.
  public init(falseMatch: Double, prints: UInt64, rate: Double) {
    self.falseMatch = falseMatch
    self.prints = prints
    self.rate = rate
  }

  /// E[T]: 1 / (q_N r).
  public var expectedTime: Duration {
    .seconds(1 / (Chance.any(of: prints, each: falseMatch) * rate))
  }
}
