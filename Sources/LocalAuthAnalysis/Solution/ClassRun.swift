import LocalAuthSensor

/// People of one class through all days: their shares in each state, login after login.
struct ClassRun {
  let people: PersonClass
  private(set) var sums = Sums()
  /// The share locked out at least once so far.
  private(set) var lockedOut = 0.0
  /// The share that needed a passcode at least once although a finger would do.
  private(set) var fellBack = 0.0
  /// The share that gave up at least once.
  private(set) var denied = 0.0

  private let plan: PolicyCase
  /// The share below which people are dropped.
  private let nobody: Double
  private var odds: [LoginOutcomes] = []
  /// The logins that begin on each graph, by finger state.
  private var begun: [FingerShares] = []
  /// Four crowds: everyone, and those so far without a lockout, without a fallback, or always
  /// accepted.
  private var crowds: [Crowd]

  init(_ people: PersonClass, _ plan: PolicyCase, dropping nobody: Double) {
    self.people = people
    self.plan = plan
    self.nobody = nobody
    let impaired = plan.sensor.fingerState.impairedShare
    let start = FingerShares(good: 1 - impaired, impaired: impaired)
    crowds = LoginOutcomes.Crossing.allCases.map { _ in Crowd(start) }
  }

  /// Runs one more day; `gathering` is empty and is left so.
  mutating func liveOneDay(_ year: inout LoginYear, _ gathering: inout Gathering) {
    let changes = FingerChanges(plan)
    for login in 0..<plan.habits.loginsPerDay {
      let pause = Transfer(changes.pausing(after: login))
      for crossing in LoginOutcomes.Crossing.allCases { step(&year, crossing, pause, &gathering) }
    }
  }

  /// Returns the logins that this class began, on the graphs of `year`.
  func crowd(_ year: LoginYear) -> LoginCrowd {
    LoginCrowd(people: people, plan: plan, graphs: year.graphs, begun: begun)
  }

  /// Advances everyone in one crowd by one login and the `pause` after it.
  private mutating func step(
    _ year: inout LoginYear,
    _ crossing: LoginOutcomes.Crossing,
    _ pause: Transfer,
    _ gathering: inout Gathering
  ) {
    for (place, shares) in crowds[crossing.rawValue].people {
      let graph = year.graph(of: place)
      while odds.count <= graph {
        odds.append(LoginOutcomes(year.graphs[odds.count], people, plan))
      }
      count(shares, graph, crossing)
      for way in odds[graph].ways[crossing.rawValue] {
        let moved = shares.moved(by: way.transfer)
        guard moved.total > nobody else { continue }
        gathering.add(moved.moved(by: pause), at: year.next(place, end: way.end))
      }
    }
    gathering.move(into: &crowds[crossing.rawValue])
  }

  /// Counts the logins that `shares` of a crowd begin on a graph.
  private mutating func count(
    _ shares: FingerShares,
    _ graph: Int,
    _ crossing: LoginOutcomes.Crossing
  ) {
    switch crossing {
    case .all:
      odds[graph].add(shares, to: &sums)
      while begun.count <= graph { begun.append(FingerShares()) }
      begun[graph] += shares
    case .withoutLockout: lockedOut += shares.weighting(odds[graph].lockedOut)
    case .withoutFallback: fellBack += shares.weighting(odds[graph].fallbacks)
    case .accepted: denied += shares.weighting(odds[graph].denied)
    }
  }
}

/// The states that people are in, and their shares in each by finger state.
private struct Crowd {
  fileprivate(set) var people: [(place: Int, shares: FingerShares)]

  init(_ shares: FingerShares) { people = [(0, shares)] }
}

/// Where a crowd gets to: its shares by state, with room for every state of a year.
///
/// One does for all crowds, one after the other, so that only it grows with the number of states.
struct Gathering {
  private var places: [Int] = []
  private var shares: [FingerShares] = []

  fileprivate mutating func add(_ more: FingerShares, at place: Int) {
    while shares.count <= place { shares.append(FingerShares()) }
    // A sum of 0 means nobody is there yet, because nothing added is ever 0.
    if shares[place].total == 0 { places.append(place) }
    shares[place] += more
  }

  fileprivate mutating func move(into crowd: inout Crowd) {
    crowd.people.removeAll(keepingCapacity: true)
    for place in places {
      crowd.people.append((place, shares[place]))
      shares[place] = FingerShares()
    }
    places.removeAll(keepingCapacity: true)
  }
}
