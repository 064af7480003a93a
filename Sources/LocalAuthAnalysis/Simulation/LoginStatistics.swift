import LocalAuthSensor

/// The results of simulated people, as sums.
///
/// The size does not depend on the number of logins, nor the result on the order in which people
/// are added.
public struct LoginStatistics: Hashable, Sendable {
  /// The number of days simulated for each person.
  public let days: UInt32
  /// Logins whose first use of the finger was refused, among those that began with one.
  public private(set) var rejected = ClusteredRate()
  /// Logins that needed a passcode although a finger alone meets the policy.
  public private(set) var fallbacks = ClusteredRate()
  /// Logins that people gave up.
  public private(set) var denied = ClusteredRate()
  /// Lockouts caused by the right person's finger, per day.
  public private(set) var lockouts = ClusteredRate()
  /// People by number of lockouts.
  public private(set) var lockoutsOfUsers = CountHistogram(most: 1023)
  /// People by the share of their fingers that were refused, in percent.
  public private(set) var refusedOfUsers = CountHistogram(most: 100)
  /// People by the day of their first lockout, in thousandths of all days; the last bin counts
  /// those never locked out.
  public private(set) var firstLockouts = CountHistogram(most: 1000)
  /// The durations of successful logins.
  public private(set) var times = DurationHistogram()
  /// People who were locked out at least once.
  public private(set) var everLockedOut: UInt64 = 0
  /// People who needed a passcode at least once although a finger would do.
  public private(set) var everFellBack: UInt64 = 0
  /// People who gave up at least once.
  public private(set) var everDenied: UInt64 = 0
  /// Presentations, judged or not.
  public private(set) var presentations: UInt64 = 0
  /// Fingers that were judged.
  public private(set) var fingers: UInt64 = 0

  /// Creates empty statistics over this many days.
  public init(days: UInt32) { self.days = days }

  /// The number of people.
  public var users: UInt64 { denied.people }
  /// The number of logins.
  public var logins: UInt64 { denied.trials }
  /// Returns the share of people who experienced an event at least once.
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

  /// Adds the durations of a person's logins.
  mutating func add(_ times: DurationHistogram) { self.times.merge(times) }

  /// Adds the statistics of other people, simulated over the same number of days.
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

  /// The share of people not yet locked out at each thousandth of the days, starting at 1.
  public var survival: [Double] {
    guard users > 0 else { return [] }
    var left = users
    return firstLockouts.bins.map { count in
      defer { left -= count }
      return Double(left) / Double(users)
    }
  }

  /// The lockouts per year that this share of people does not exceed.
  public func lockoutsPerYear(percentile: Double) -> Double {
    Double(lockoutsOfUsers.percentile(percentile)) * Year.days / Double(days)
  }
}

/// The year that rates refer to.
enum Year {
  static let days = 365.25
}

/// The counts of one person.
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
  /// The number of the login with the first lockout.
  var firstLockout: UInt64?
}
