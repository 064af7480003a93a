import LocalAuthCore
import LocalAuthSensor

/// People of many classes on one kind of device, moved through all days together.
///
/// It yields the sums of ``ClassRun`` and nothing of how often something happens to one person, and
/// drops whom hardly anybody is like: the weight of a class counts.
struct CrowdYear {
  /// The share of all people below which a way is dropped; those of a fortnight add up to less than a
  /// millionth.
  private static let nobody = 1e-13

  /// A way from the beginning of logins to an end, for each class.
  private struct Way {
    var node: Int
    /// From login to login of a day, and over the night.
    var byDay: [Transfer]
    var byNight: [Transfer]
  }

  let people: [PersonClass]
  private var plan: PolicyCase
  private var year: LoginYear
  /// What each class comes to on each graph.
  private var outcomes: [[LoginOutcomes]] = []
  private var ways: [[Way]] = []
  /// The logins that begin on each graph, by class.
  private var begun: [[FingerShares]] = []
  private var crowd = CrowdShares()
  private var next = CrowdShares()

  init(_ plan: PolicyCase, _ people: [PersonClass], hasFinger: Bool) {
    self.plan = plan
    self.people = people.filter { $0.weight > Self.nobody }
    year = LoginYear(plan, hasFinger: hasFinger)
    settle()
  }

  /// Begins anew under other freshness, which changes nothing within a login: what is known of logins
  /// stays.
  mutating func begin(under freshness: FreshnessRules) {
    plan.policy.freshness = freshness
    year.begin(under: freshness)
    settle()
  }

  private mutating func settle() {
    begun = begun.map { $0.map { _ in FingerShares() } }
    crowd.empty()
    let impaired = plan.sensor.fingerState.impairedShare
    let start = FingerShares(good: 1 - impaired, impaired: impaired)
    crowd.add(people.map { _ in start }, at: 0)
  }

  /// Runs one more day.
  mutating func liveOneDay() {
    guard !people.isEmpty else { return }
    let last = plan.habits.loginsPerDay - 1
    for login in 0...last {
      for row in crowd.places.indices { leave(row, atNight: login == last) }
      crowd.empty()
      swap(&crowd, &next)
    }
  }

  /// Moves everyone at a place to the next login.
  private mutating func leave(_ row: Int, atNight: Bool) {
    let place = crowd.places[row]
    let graph = year.graph(of: place)
    while ways.count <= graph { learn() }
    let shares = crowd.row(row)
    for index in shares.indices { begun[graph][index] += shares[index] }
    for way in ways[graph] {
      let transfers = atNight ? way.byNight : way.byDay
      var (moved, total) = (shares, 0.0)
      for index in moved.indices {
        moved[index] = shares[index].moved(by: transfers[index])
        total += people[index].weight * moved[index].total
      }
      guard total > Self.nobody else { continue }
      next.add(moved, at: year.next(place, end: way.node))
    }
  }

  /// Computes what the next graph comes to.
  private mutating func learn() {
    let graph = year.graphs[ways.count]
    let all = people.map { LoginOutcomes(graph, $0, plan) }
    let changes = FingerChanges(plan)
    let byDay = Transfer(changes.pausing(after: 0))
    let byNight = Transfer(changes.pausing(after: plan.habits.loginsPerDay - 1))
    let none = Transfer()
    var transfers: [Int: [Transfer]] = [:]
    for (index, outcomes) in all.enumerated() {
      for way in outcomes.ways[LoginOutcomes.Crossing.all.rawValue] {
        transfers[way.node, default: people.map { _ in none }][index] = way.transfer
      }
    }
    ways.append(
      transfers.keys.sorted().map { node in
        let own = transfers[node] ?? []
        return Way(node: node, byDay: own.map { $0 * byDay }, byNight: own.map { $0 * byNight })
      }
    )
    outcomes.append(all)
    begun.append(people.map { _ in FingerShares() })
  }

  /// Adds the results of all logins so far, each class by its weight.
  func add(to sums: inout Sums) {
    for (all, shares) in zip(outcomes, begun) {
      for index in people.indices where shares[index].total > 0 {
        var own = Sums()
        all[index].add(shares[index], to: &own)
        sums.add(own, people[index].weight)
      }
    }
  }

  /// Adds the durations of the successful logins, each class by its weight.
  func add(to weights: inout LoginWeights) {
    for index in people.indices {
      let own = LoginCrowd(
        people: people[index],
        plan: plan,
        graphs: year.graphs,
        begun: begun.map { $0[index] }
      )
      weights.add(own.weights, people[index].weight)
    }
  }
}

/// The places that people are at, and how many of each class, by finger state.
private struct CrowdShares {
  private(set) var places: [Int] = []
  private var rows: [[FingerShares]] = []
  /// The row of each place; nil if nobody is there.
  private var numbers: [Int?] = []

  func row(_ number: Int) -> [FingerShares] { rows[number] }

  mutating func add(_ more: [FingerShares], at place: Int) {
    while numbers.count <= place { numbers.append(nil) }
    guard let number = numbers[place] else {
      numbers[place] = places.count
      places.append(place)
      rows.append(more)
      return
    }
    for index in more.indices { rows[number][index] += more[index] }
  }

  mutating func empty() {
    for place in places { numbers[place] = nil }
    places.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
  }
}
