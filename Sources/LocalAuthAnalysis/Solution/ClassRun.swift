import LocalAuthSensor

/// People of one class through all days: the shares of them that are in each state, login after login.
struct ClassRun {
  /// A share of people that is left out: so small that all of them together are hardly a millionth in a year.
  private static let nobody = 1e-12

  private(set) var sums = Sums()
  /// The share of them not locked out by the end of each day, from the beginning on.
  private(set) var notLockedOut: [Double] = [1]
  private(set) var notFallenBack = 1.0
  private(set) var notDenied = 1.0

  private let people: PersonClass
  private let plan: PolicyCase
  private let days: UInt32
  private let start: FingerShares
  private var odds: [LoginOutcomes] = []
  /// How many logins begin on each graph, by the states of their fingers.
  private var begun: [FingerShares] = []

  init(_ people: PersonClass, _ plan: PolicyCase, _ days: UInt32) {
    self.people = people
    self.plan = plan
    self.days = days
    let impaired = plan.sensor.fingerState.impairedShare
    start = FingerShares(good: 1 - impaired, impaired: impaired)
  }

  /// Four crowds set out alike: all, and those whom one thing has not happened to.
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

  /// The logins that they began, of `year`.
  func crowd(_ year: LoginYear) -> LoginCrowd {
    LoginCrowd(people: people, plan: plan, graphs: year.graphs, begun: begun)
  }

  /// One login of everybody in `crowd`; `next` is room.
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

/// People in states: the places where there are any, and their shares by the states of their fingers.
private struct Crowd {
  private(set) var places: [Int] = []
  private(set) var shares: [FingerShares] = []

  init() {}

  init(_ shares: FingerShares) { add(shares, at: 0) }

  var total: Double { places.reduce(0) { $0 + shares[$1].total } }

  mutating func add(_ more: FingerShares, at place: Int) {
    while shares.count <= place { shares.append(FingerShares()) }
    // Nobody is where the sum is 0, for what is added never is.
    if shares[place].total == 0 { places.append(place) }
    shares[place] += more
  }

  mutating func empty() {
    for place in places { shares[place] = FingerShares() }
    places.removeAll(keepingCapacity: true)
  }
}

/// The ends of a login for people of one class, sorted by what has not happened on the way.
struct LoginOutcomes {
  struct Way {
    var node: Int
    var transfer: Transfer
  }

  /// What has not happened on the way to an end.
  enum Crossing: Int, CaseIterable {
    case all
    case withoutLockout
    case withoutFallback
    case accepted
  }

  /// The ends that can be reached, by crossing.
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

  /// Adds what people expect of one login whose fingers are in these states.
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
