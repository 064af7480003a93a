import LocalAuthSensor

/// The ends of a login for people of one class, by what has not happened on the way there.
struct LoginOutcomes {
  struct Way {
    /// The number of the end in its graph.
    var end: Int
    var transfer: Transfer
  }

  /// The condition on the paths to an end: everyone, or only those without a certain event.
  enum Crossing: Int, CaseIterable {
    case all
    case withoutLockout
    case withoutFallback
    case accepted
  }

  /// The reachable ends, by crossing.
  private(set) var ways: [[Way]] = [[], [], [], []]
  private var transactions = FingerShares()
  private var rejected = FingerShares()
  /// The probability of needing a passcode although a finger would do.
  private(set) var fallbacks = FingerShares()
  /// The probability of giving up.
  private(set) var denied = FingerShares()
  /// The probability of at least one lockout.
  private(set) var lockedOut = FingerShares()
  private var seconds = FingerShares()
  private var lockouts = FingerShares()
  private var presentations = FingerShares()

  init(_ graph: LoginGraph, _ people: PersonClass, _ plan: PolicyCase) {
    let odds = LoginOdds(graph, people, plan)
    lockouts = odds.lockouts
    lockedOut = odds.lockedOut
    presentations = odds.presentations
    for (number, found) in graph.ends.enumerated() {
      let (node, end) = found
      let way = Way(end: number, transfer: odds.ends[node])
      let isFallback = end.needsPasscode && plan.isFingerEnough
      add(way, .all)
      add(Way(end: number, transfer: odds.endsWithoutLockout[node]), .withoutLockout)
      if !isFallback { add(way, .withoutFallback) }
      if end.isAccepted { add(way, .accepted) }
      let share = way.transfer.sums
      if end.isTransaction { transactions += share }
      if end.isRejected { rejected += share }
      if isFallback { fallbacks += share }
      if end.isAccepted { seconds += odds.seconds[node].sums } else { denied += share }
    }
  }

  private mutating func add(_ way: Way, _ crossing: Crossing) {
    if way.transfer.sums.total > 0 { ways[crossing.rawValue].append(way) }
  }

  /// Adds the expected results of one login that begins in these finger states.
  func add(_ shares: FingerShares, to sums: inout Sums) {
    sums.logins += shares.total
    sums.transactions += shares.weighting(transactions)
    sums.rejected += shares.weighting(rejected)
    sums.fallbacks += shares.weighting(fallbacks)
    sums.denied += shares.weighting(denied)
    sums.lockouts += shares.weighting(lockouts)
    sums.presentations += shares.weighting(presentations)
    sums.seconds += shares.weighting(seconds)
  }
}
