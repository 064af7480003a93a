import LocalAuthSensor

/// The results of simulated people, as sums.
///
/// The size does not depend on the number of logins, nor the result on the order in which people
/// are added. Rates, histograms and times give each stratum of people its share; the counts of
/// people, logins, presentations and fingers are those of the sample.
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
  /// People by the day of their first lockout, in thousandths of all days; the last bin counts
  /// those never locked out.
  public private(set) var firstLockouts = CountHistogram(most: 1000)
  /// The durations of successful logins.
  public private(set) var times = DurationHistogram()
  /// People who were locked out at least once.
  public private(set) var everLockedOut = ClusteredRate()
  /// People who needed a passcode at least once although a finger would do.
  public private(set) var everFellBack = ClusteredRate()
  /// People who gave up at least once.
  public private(set) var everDenied = ClusteredRate()
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

  /// Adds a person of `stratum`, whose successful logins took `times`.
  mutating func add(
    _ user: UserCounts,
    _ times: DurationHistogram,
    in stratum: PeopleSample.Stratum
  ) {
    func add(_ events: UInt64, of trials: UInt64, to rate: inout ClusteredRate) {
      rate.add(events: events, of: trials, in: stratum)
    }
    add(user.rejected, of: user.transactions, to: &rejected)
    add(user.fallbacks, of: user.logins, to: &fallbacks)
    add(user.denied, of: user.logins, to: &denied)
    add(user.lockouts, of: UInt64(days), to: &lockouts)
    add(min(user.lockouts, 1), of: 1, to: &everLockedOut)
    add(min(user.fallbacks, 1), of: 1, to: &everFellBack)
    add(min(user.denied, 1), of: 1, to: &everDenied)
    lockoutsOfUsers.add(user.lockouts, weight: stratum.weight)
    let first = user.firstLockout.map { $0 * 1000 / user.logins }
    firstLockouts.add(first ?? 1000, weight: stratum.weight)
    self.times.merge(times, weight: stratum.weight)
    presentations += user.presentations
    fingers += user.fingers
  }

  /// Adds the statistics of other people, simulated over the same number of days.
  public mutating func merge(_ other: LoginStatistics) {
    rejected.merge(other.rejected)
    fallbacks.merge(other.fallbacks)
    denied.merge(other.denied)
    lockouts.merge(other.lockouts)
    lockoutsOfUsers.merge(other.lockoutsOfUsers)
    firstLockouts.merge(other.firstLockouts)
    times.merge(other.times)
    everLockedOut.merge(other.everLockedOut)
    everFellBack.merge(other.everFellBack)
    everDenied.merge(other.everDenied)
    presentations += other.presentations
    fingers += other.fingers
  }

  /// The share of people not yet locked out at each thousandth of the days, starting at 1.
  public var survival: [Double] {
    let all = firstLockouts.total
    guard all > 0 else { return [] }
    var left = all
    return firstLockouts.bins.map { count in
      defer { left -= count }
      return Double(left) / Double(all)
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
  /// The number of the login with the first lockout.
  var firstLockout: UInt64?
}
