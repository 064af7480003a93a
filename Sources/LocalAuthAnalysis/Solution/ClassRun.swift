import LocalAuthSensor

/// People of one class through all days: their shares in each state, login after login.
struct ClassRun {
  /// The share below which people are dropped; all dropped shares of a year add up to hardly a
  /// millionth.
  private static let nobody = 1e-12

  private(set) var sums = Sums()
  /// The share not locked out by the end of each day, beginning with day 0.
  private(set) var notLockedOut: [Double] = [1]
  private(set) var notFallenBack = 1.0
  private(set) var notDenied = 1.0

  private let people: PersonClass
  private let plan: PolicyCase
  private let days: UInt32
  private let start: FingerShares
  private var odds: [LoginOutcomes] = []
  /// The logins that begin on each graph, by finger state.
  private var begun: [FingerShares] = []

  init(_ people: PersonClass, _ plan: PolicyCase, _ days: UInt32) {
    self.people = people
    self.plan = plan
    self.days = days
    let impaired = plan.sensor.fingerState.impairedShare
    start = FingerShares(good: 1 - impaired, impaired: impaired)
  }

  /// Runs all days for four crowds: everyone, and those so far without a lockout, without a
  /// fallback, or always accepted.
  mutating func live(_ year: inout LoginYear) {
    var crowds = LoginOutcomes.Crossing.allCases.map { _ in Crowd(start) }
    var next = Crowd()
    for _ in 0..<days {
      for _ in 0..<plan.habits.loginsPerDay {
        for crossing in LoginOutcomes.Crossing.allCases {
          step(&crowds[crossing.rawValue], &next, &year, crossing)
        }
      }
      notLockedOut.append(crowds[LoginOutcomes.Crossing.withoutLockout.rawValue].total)
    }
    notFallenBack = crowds[LoginOutcomes.Crossing.withoutFallback.rawValue].total
    notDenied = crowds[LoginOutcomes.Crossing.accepted.rawValue].total
  }

  /// Returns the logins that this class began, on the graphs of `year`.
  func crowd(_ year: LoginYear) -> LoginCrowd {
    LoginCrowd(people: people, plan: plan, graphs: year.graphs, begun: begun)
  }

  /// Advances everyone in `crowd` by one login; `next` is scratch space.
  private mutating func step(
    _ crowd: inout Crowd,
    _ next: inout Crowd,
    _ year: inout LoginYear,
    _ crossing: LoginOutcomes.Crossing
  ) {
    for place in crowd.places {
      let shares = crowd.shares[place]
      let graph = year.graph(of: place)
      while odds.count <= graph {
        odds.append(LoginOutcomes(year.graphs[odds.count], people, plan))
      }
      if crossing == .all {
        odds[graph].add(shares, to: &sums)
        while begun.count <= graph { begun.append(FingerShares()) }
        begun[graph] += shares
      }
      for way in odds[graph].ways[crossing.rawValue] {
        let moved = shares.moved(by: way.transfer)
        guard moved.total > Self.nobody else { continue }
        next.add(moved, at: year.next(place, end: way.node))
      }
    }
    crowd.empty()
    swap(&crowd, &next)
  }
}

/// The states that people are in, and their shares in each by finger state.
private struct Crowd {
  private(set) var places: [Int] = []
  private(set) var shares: [FingerShares] = []

  init() {}

  init(_ shares: FingerShares) { add(shares, at: 0) }

  var total: Double { places.reduce(0) { $0 + shares[$1].total } }

  mutating func add(_ more: FingerShares, at place: Int) {
    while shares.count <= place { shares.append(FingerShares()) }
    // A sum of 0 means nobody is there yet, because nothing added is ever 0.
    if shares[place].total == 0 { places.append(place) }
    shares[place] += more
  }

  mutating func empty() {
    for place in places { shares[place] = FingerShares() }
    places.removeAll(keepingCapacity: true)
  }
}

/// The ends of a login for people of one class, by what has not happened on the way there.
struct LoginOutcomes {
  struct Way {
    var node: Int
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
  private var fallbacks = FingerShares()
  private var denied = FingerShares()
  private var seconds = FingerShares()
  private var lockouts = FingerShares()
  private var presentations = FingerShares()

  init(_ graph: LoginGraph, _ people: PersonClass, _ plan: PolicyCase) {
    let odds = LoginOdds(graph, people, plan)
    lockouts = odds.lockouts
    presentations = odds.presentations
    for (number, node) in graph.nodes.enumerated() {
      guard case .end(let end) = node else { continue }
      let way = Way(node: number, transfer: odds.ends[number])
      let isFallback = end.needsPasscode && plan.isFingerEnough
      add(way, .all)
      add(Way(node: number, transfer: odds.endsWithoutLockout[number]), .withoutLockout)
      if !isFallback { add(way, .withoutFallback) }
      if end.isAccepted { add(way, .accepted) }
      let share = way.transfer.sums
      if end.isTransaction { transactions += share }
      if end.isRejected { rejected += share }
      if isFallback { fallbacks += share }
      if end.isAccepted { seconds += odds.seconds[number].sums } else { denied += share }
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
