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
  /// What a bound of a share has to exceed, so that no rounding of the share itself is passed over.
  private static let hardlyNobody = nobody * (1 - 1e-9)

  let people: [PersonClass]
  private var plan: PolicyCase
  private var year: LoginYear
  /// What each class comes to on each graph.
  private var outcomes: [[LoginOutcomes]] = []
  private var ways = CrowdWays()
  /// The share of all people at the place that is left, by class.
  private var present: [SIMD4<Double>]
  /// The logins that begin on each graph, by class.
  private var begun: [ShareLanes] = []
  private let weights: [SIMD4<Double>]
  private var crowd: CrowdShares
  private var next: CrowdShares
  /// Room for those who are moved at once.
  private var moved: [ShareLanes]

  init(_ plan: PolicyCase, _ people: [PersonClass], hasFinger: Bool) {
    self.plan = plan
    self.people = people.filter { $0.weight > Self.nobody }
    weights = Lanes.packed(self.people.map(\.weight))
    crowd = CrowdShares(width: weights.count)
    next = crowd
    moved = weights.map { _ in ShareLanes() }
    present = weights
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
    begun = begun.map { _ in ShareLanes() }
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
  ///
  /// Most ways are taken by hardly anybody, and passed over by a bound of how many take them.
  private mutating func leave(_ row: Int, atNight: Bool) {
    let place = crowd.places[row]
    let graph = year.graph(of: place)
    while outcomes.count <= graph { learn() }
    // What is read is held here, because the rest changes.
    let (lanes, ways, weights) = (crowd.lanes, ways, weights)
    let width = weights.count
    let shares = lanes.span.extracting(row * width..<(row + 1) * width)
    let here = Self.begin(shares, weights.span, &begun, at: graph * width, &present)
    for way in ways.firsts[graph]..<ways.firsts[graph + 1] {
      let own = way * width..<(way + 1) * width
      guard here * ways.most[way] > Self.hardlyNobody,
        Self.most(present.span, ways.mostOfClass.span.extracting(own)) > Self.hardlyNobody
      else { continue }
      let total =
        atNight
        ? Self.move(shares, ways.byNight.span.extracting(own), weights.span, into: &moved)
        : Self.move(shares, ways.byDay.span.extracting(own), weights.span, into: &moved)
      guard total > Self.nobody else { continue }
      next.add(moved, at: year.next(place, end: ways.ends[way]))
    }
  }

  /// Notes the logins that begin, and returns the share of all people whose they are; `present` gets those
  /// of each class.
  private static func begin(
    _ shares: Span<ShareLanes>,
    _ weights: Span<SIMD4<Double>>,
    _ begun: inout [ShareLanes],
    at first: Int,
    _ present: inout [SIMD4<Double>]
  ) -> Double {
    var begun = begun.mutableSpan
    var present = present.mutableSpan
    var total = SIMD4<Double>()
    for index in shares.indices {
      begun[first + index] += shares[index]
      let own = weights[index] * (shares[index].good + shares[index].impaired)
      present[index] = own
      total += own
    }
    return total.sum()
  }

  /// The share of all people who take a way at most.
  private static func most(
    _ present: Span<SIMD4<Double>>,
    _ mostOfClass: Span<SIMD4<Double>>
  ) -> Double {
    var total = SIMD4<Double>()
    for index in present.indices { total += present[index] * mostOfClass[index] }
    return total.sum()
  }

  /// Moves the shares of every class, and returns the share of all people that was moved.
  private static func move(
    _ shares: Span<ShareLanes>,
    _ transfers: Span<TransferLanes>,
    _ weights: Span<SIMD4<Double>>,
    into moved: inout [ShareLanes]
  ) -> Double {
    var moved = moved.mutableSpan
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
    let graph = year.graphs[outcomes.count]
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
    for end in transfers.keys.sorted() {
      let own = transfers[end] ?? []
      ways.add(own, byDay: own.map { $0 * byDay }, byNight: own.map { $0 * byNight }, to: end)
    }
    ways.endGraph()
    outcomes.append(all)
    begun += weights.map { _ in ShareLanes() }
  }

  /// Adds the results of all logins so far, each class by its weight.
  func add(to sums: inout Sums) {
    for (graph, all) in outcomes.enumerated() {
      for index in people.indices {
        var own = Sums()
        all[index].add(begun(graph, index), to: &own)
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
        begun: outcomes.indices.map { begun($0, index) }
      )
      weights.add(own.weights, people[index].weight)
    }
  }

  /// The logins of a class that began on a graph.
  private func begun(_ graph: Int, _ index: Int) -> FingerShares {
    begun[graph * weights.count + index / 4].of(index % 4)
  }
}

/// The ways from the beginnings of logins to their ends, graph after graph.
///
/// Numbers by class are one array for all ways, because millions of moves a second read them.
private struct CrowdWays {
  /// The first way of each graph, and of the one that comes next.
  private(set) var firsts = [0]
  /// The end of each way, as its graph counts them.
  private(set) var ends: [Int] = []
  /// How often each way is taken at most, whatever the class and the finger.
  private(set) var most: [Double] = []
  /// The same of each class.
  private(set) var mostOfClass: [SIMD4<Double>] = []
  /// From login to login of a day.
  private(set) var byDay: [TransferLanes] = []
  /// The same over the night.
  private(set) var byNight: [TransferLanes] = []

  /// Adds a way that each class takes so often, without and with the time to the next login.
  mutating func add(
    _ transfers: [Transfer],
    byDay day: [Transfer],
    byNight night: [Transfer],
    to end: Int
  ) {
    let mosts = transfers.map(\.most)
    ends.append(end)
    most.append(mosts.max() ?? 0)
    mostOfClass += Lanes.packed(mosts)
    byDay += TransferLanes.packed(day)
    byNight += TransferLanes.packed(night)
  }

  mutating func endGraph() { firsts.append(ends.count) }
}

/// The places that people are at, and how many of each class, by finger state.
private struct CrowdShares {
  private(set) var places: [Int] = []
  /// The classes of all places, place after place.
  private(set) var lanes: [ShareLanes] = []
  private let width: Int
  /// The number of each place, or -1 if nobody is there.
  private var numbers: [Int] = []

  /// Nobody, of so many times four classes.
  init(width: Int) { self.width = width }

  mutating func add(_ more: [ShareLanes], at place: Int) {
    while numbers.count <= place { numbers.append(-1) }
    let number = numbers[place]
    guard number >= 0 else {
      numbers[place] = places.count
      places.append(place)
      lanes += more
      return
    }
    let (more, first) = (more.span, number * width)
    var lanes = lanes.mutableSpan
    for index in more.indices { lanes[first + index] += more[index] }
  }

  mutating func empty() {
    for place in places { numbers[place] = -1 }
    places.removeAll(keepingCapacity: true)
    lanes.removeAll(keepingCapacity: true)
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

extension Transfer {
  /// How often it is made at most, whatever the finger.
  fileprivate var most: Double {
    max(goodToGood + goodToImpaired, impairedToGood + impairedToImpaired)
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
