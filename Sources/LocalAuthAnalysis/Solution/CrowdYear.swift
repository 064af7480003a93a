import LocalAuthCore
import LocalAuthSensor

/// People of many classes on one kind of device, moved through all days together.
///
/// It yields the sums of ``ClassRun`` and nothing of how often something happens to one person, and
/// drops whom hardly anybody is like: the weight of a class counts.
struct CrowdYear {
  /// The share of all people below which a way is dropped; those of a fortnight add up to less than a
  /// millionth.
  private static let nobody = 1e-12

  /// A way from the beginning of logins to an end.
  private struct Way {
    var end: Int
    /// From login to login of a day.
    var byDay: [TransferLanes]
    /// The same over the night.
    var byNight: [TransferLanes]
  }

  let people: [PersonClass]
  private var plan: PolicyCase
  private var year: LoginYear
  /// What each class comes to on each graph.
  private var outcomes: [[LoginOutcomes]] = []
  private var ways: [[Way]] = []
  /// The logins that begin on each graph, by class.
  private var begun: [[ShareLanes]] = []
  private let weights: [SIMD4<Double>]
  private var crowd = CrowdShares()
  private var next = CrowdShares()

  init(_ plan: PolicyCase, _ people: [PersonClass], hasFinger: Bool) {
    self.plan = plan
    self.people = people.filter { $0.weight > Self.nobody }
    weights = Lanes.packed(self.people.map(\.weight))
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
    begun = begun.map { $0.map { _ in ShareLanes() } }
    crowd.empty()
    let impaired = plan.sensor.fingerState.impairedShare
    let start = ShareLanes(
      good: .init(repeating: 1 - impaired),
      impaired: .init(repeating: impaired)
    )
    crowd.add(weights.map { _ in start }, at: 0)
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
    let shares = crowd.rows[row]
    for index in shares.indices { begun[graph][index] += shares[index] }
    var moved = shares
    for way in ways[graph] {
      let total = Self.move(shares, atNight ? way.byNight : way.byDay, weights, into: &moved)
      guard total > Self.nobody else { continue }
      next.add(moved, at: year.next(place, end: way.end))
    }
  }

  /// Moves the shares of every class, and returns the share of all people that was moved.
  private static func move(
    _ shares: [ShareLanes],
    _ transfers: [TransferLanes],
    _ weights: [SIMD4<Double>],
    into moved: inout [ShareLanes]
  ) -> Double {
    var total = SIMD4<Double>()
    for index in shares.indices {
      let (from, way) = (shares[index], transfers[index])
      let good = from.good * way.goodToGood + from.impaired * way.impairedToGood
      let impaired = from.good * way.goodToImpaired + from.impaired * way.impairedToImpaired
      moved[index] = ShareLanes(good: good, impaired: impaired)
      total += weights[index] * (good + impaired)
    }
    return total.sum()
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
        transfers[way.end, default: people.map { _ in none }][index] = way.transfer
      }
    }
    ways.append(
      transfers.keys.sorted().map { end in
        let own = transfers[end] ?? []
        return Way(
          end: end,
          byDay: TransferLanes.packed(own.map { $0 * byDay }),
          byNight: TransferLanes.packed(own.map { $0 * byNight })
        )
      }
    )
    outcomes.append(all)
    begun.append(weights.map { _ in ShareLanes() })
  }

  /// Adds the results of all logins so far, each class by its weight.
  func add(to sums: inout Sums) {
    for (all, shares) in zip(outcomes, begun) {
      for index in people.indices {
        var own = Sums()
        all[index].add(shares[index / 4].of(index % 4), to: &own)
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
        begun: begun.map { $0[index / 4].of(index % 4) }
      )
      weights.add(own.weights, people[index].weight)
    }
  }
}

/// The places that people are at, and how many of each class, by finger state.
private struct CrowdShares {
  private(set) var places: [Int] = []
  private(set) var rows: [[ShareLanes]] = []
  /// The row of each place, or -1 if nobody is there.
  private var numbers: [Int] = []

  mutating func add(_ more: [ShareLanes], at place: Int) {
    while numbers.count <= place { numbers.append(-1) }
    let number = numbers[place]
    guard number >= 0 else {
      numbers[place] = places.count
      places.append(place)
      rows.append(more)
      return
    }
    for index in more.indices { rows[number][index] += more[index] }
  }

  mutating func empty() {
    for place in places { numbers[place] = -1 }
    places.removeAll(keepingCapacity: true)
    rows.removeAll(keepingCapacity: true)
  }
}

/// ``FingerShares`` of four classes.
private struct ShareLanes {
  var good = SIMD4<Double>()
  var impaired = SIMD4<Double>()

  static func += (_ sum: inout ShareLanes, _ other: ShareLanes) {
    sum.good += other.good
    sum.impaired += other.impaired
  }

  func of(_ lane: Int) -> FingerShares {
    FingerShares(good: good[lane], impaired: impaired[lane])
  }
}

/// ``Transfer`` of four classes.
private struct TransferLanes {
  var goodToGood: SIMD4<Double>
  var goodToImpaired: SIMD4<Double>
  var impairedToGood: SIMD4<Double>
  var impairedToImpaired: SIMD4<Double>

  static func packed(_ transfers: [Transfer]) -> [TransferLanes] {
    let goodToGood = Lanes.packed(transfers.map(\.goodToGood))
    let goodToImpaired = Lanes.packed(transfers.map(\.goodToImpaired))
    let impairedToGood = Lanes.packed(transfers.map(\.impairedToGood))
    let impairedToImpaired = Lanes.packed(transfers.map(\.impairedToImpaired))
    return goodToGood.indices.map { index in
      TransferLanes(
        goodToGood: goodToGood[index],
        goodToImpaired: goodToImpaired[index],
        impairedToGood: impairedToGood[index],
        impairedToImpaired: impairedToImpaired[index]
      )
    }
  }
}

/// Numbers of classes, four at a time; what is left of the last four is 0.
private enum Lanes {
  static func packed(_ values: [Double]) -> [SIMD4<Double>] {
    stride(from: 0, to: values.count, by: 4).map { first in
      var lanes = SIMD4<Double>()
      for lane in 0..<min(4, values.count - first) { lanes[lane] = values[first + lane] }
      return lanes
    }
  }
}
