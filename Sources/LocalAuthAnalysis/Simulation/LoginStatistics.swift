import LocalAuthSensor

/// What simulated people met, in sums: as large for a thousand logins as for a billion, and the same in
/// whatever order people are added.
public struct LoginStatistics: Hashable, Sendable {
  /// The days that each person was simulated for.
  public let days: UInt32
  /// Logins whose first use of the finger was refused, of those that began with one.
  public private(set) var rejected = ClusteredRate()
  /// Logins that needed a passcode though a finger alone meets the policy.
  public private(set) var fallbacks = ClusteredRate()
  /// Logins that people gave up.
  public private(set) var denied = ClusteredRate()
  /// Times that the right person's finger closed the sensor, a day.
  public private(set) var lockouts = ClusteredRate()
  /// People by how often they were locked out.
  public private(set) var lockoutsOfUsers = CountHistogram(most: 1023)
  /// People by the share of their fingers that were refused, in hundredths.
  public private(set) var refusedOfUsers = CountHistogram(most: 100)
  /// People by the day of their first lockout, in thousandths of all days; the last bin has those
  /// who were never locked out.
  public private(set) var firstLockouts = CountHistogram(most: 1000)
  /// How long logins took that succeeded.
  public private(set) var times = DurationHistogram()
  /// People who were locked out at least once.
  public private(set) var everLockedOut: UInt64 = 0
  /// People who needed a passcode at least once though a finger would do.
  public private(set) var everFellBack: UInt64 = 0
  /// People who gave up at least once.
  public private(set) var everDenied: UInt64 = 0
  /// Presentations, judged or not.
  public private(set) var presentations: UInt64 = 0
  /// Fingers that were judged.
  public private(set) var fingers: UInt64 = 0

  /// The statistics of nobody over so many days.
  public init(days: UInt32) { self.days = days }

  /// The people.
  public var users: UInt64 { denied.people }
  /// All logins.
  public var logins: UInt64 { denied.trials }
  /// The share of people who met something at least once.
  public func share(_ people: UInt64) -> Proportion { Proportion(successes: people, trials: users) }

  /// Adds a person.
  mutating func add(_ user: UserCounts) {
    rejected.add(events: user.rejected, of: user.transactions)
    fallbacks.add(events: user.fallbacks, of: user.logins)
    denied.add(events: user.denied, of: user.logins)
    lockouts.add(events: user.lockouts, of: UInt64(days))
    lockoutsOfUsers.add(user.lockouts)
    if user.fingers > 0 { refusedOfUsers.add(user.refusedFingers * 100 / user.fingers) }
    firstLockouts.add(user.firstLockout.map { $0 * 1000 / user.logins } ?? 1000)
    everLockedOut += user.lockouts > 0 ? 1 : 0
    everFellBack += user.fallbacks > 0 ? 1 : 0
    everDenied += user.denied > 0 ? 1 : 0
    presentations += user.presentations
    fingers += user.fingers
  }

  /// Adds how long a person's logins took.
  mutating func add(_ times: DurationHistogram) { self.times.merge(times) }

  /// Adds other people, simulated over as many days.
  public mutating func merge(_ other: LoginStatistics) {
    rejected.merge(other.rejected)
    fallbacks.merge(other.fallbacks)
    denied.merge(other.denied)
    lockouts.merge(other.lockouts)
    lockoutsOfUsers.merge(other.lockoutsOfUsers)
    refusedOfUsers.merge(other.refusedOfUsers)
    firstLockouts.merge(other.firstLockouts)
    times.merge(other.times)
    everLockedOut += other.everLockedOut
    everFellBack += other.everFellBack
    everDenied += other.everDenied
    presentations += other.presentations
    fingers += other.fingers
  }

  /// The share of people who were not locked out by each thousandth of the days, from all of them on.
  public var survival: [Double] {
    guard users > 0 else { return [] }
    var left = users
    return firstLockouts.bins.map { count in
      defer { left -= count }
      return Double(left) / Double(users)
    }
  }

  /// Lockouts a year of the person whom this share of all does not exceed.
  public func lockoutsPerYear(percentile: Double) -> Double {
    Double(lockoutsOfUsers.percentile(percentile)) * Year.days / Double(days)
  }
}

/// A year, as rates are given in.
enum Year {
  static let days = 365.25
}

/// What one person met.
struct UserCounts {
  var logins: UInt64 = 0
  var transactions: UInt64 = 0
  var rejected: UInt64 = 0
  var fallbacks: UInt64 = 0
  var denied: UInt64 = 0
  var lockouts: UInt64 = 0
  var presentations: UInt64 = 0
  var fingers: UInt64 = 0
  var refusedFingers: UInt64 = 0
  /// The number of the login in which the first lockout was.
  var firstLockout: UInt64?
}
