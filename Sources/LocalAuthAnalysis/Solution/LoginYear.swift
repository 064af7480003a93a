import LocalAuthCore
import LocalAuthSensor

/// People's days, login after login: the device state that each end of a login leads to.
///
/// Only states that are reached are unfolded. Within one login, whether fingers are allowed stays
/// as at its beginning unless the passcode is proven, because the limits involved are hours and
/// days.
struct LoginYear {
  /// A device at the beginning of a login.
  struct Place: Hashable {
    /// The number of the login within its day.
    var login: UInt32
    var device: DeviceAttempts
  }

  private struct Known {
    var place: Place
    var graph: Int
    /// The place that each end of the graph leads to; -1 until someone gets there.
    var next: [Int32]
  }

  private var plan: PolicyCase
  private let calendar: Calendar
  private let hasFinger: Bool
  private var known: [Known] = []
  private var numbers: [Place: Int] = [:]
  private(set) var graphs: [LoginGraph] = []
  private var graphNumbers: [DeviceAttempts: Int] = [:]

  init(_ plan: PolicyCase, hasFinger: Bool) {
    self.plan = plan
    calendar = Calendar(plan.habits)
    self.hasFinger = hasFinger
    setUp()
  }

  /// Begins anew under other freshness; the graphs stay.
  mutating func begin(under freshness: FreshnessRules) {
    plan.policy.freshness = freshness
    known = []
    numbers = [:]
    setUp()
  }

  private mutating func setUp() {
    // The device is set up at the start of the first day.
    let device = plan.device(hasFinger: hasFinger, at: .virtual(0)).attempts
    let first = calendar.start(of: 0, on: 0)
    _ = number(of: device.seen(from: first, plan), login: 0)
  }

  /// The number of places so far; people begin at the first.
  var count: Int { known.count }

  /// The device at the beginning of the logins at `number`.
  func place(_ number: Int) -> Place { known[number].place }

  func graph(of place: Int) -> Int { known[place].graph }

  /// Returns the place that a login at `place` leads to if it ends so, as its graph counts the ends.
  mutating func next(_ place: Int, end number: Int) -> Int {
    let next = known[place].next[number]
    return next >= 0 ? Int(next) : unfold(place, number)
  }

  private mutating func unfold(_ place: Int, _ number: Int) -> Int {
    let from = known[place].place
    let end = graphs[known[place].graph].ends[number].end
    var device = end.device
    device.freshness = from.device.freshness.updated(by: end.device.freshness)
    let later = calendar.gap(after: from.login)
    let next = self.number(
      of: device.seen(from: later, plan),
      login: (from.login + 1) % calendar.logins
    )
    known[place].next[number] = Int32(next)
    return next
  }

  private mutating func number(of device: DeviceAttempts, login: UInt32) -> Int {
    let place = Place(login: login, device: device)
    if let number = numbers[place] { return number }
    let graph = graphNumber(of: device)
    known.append(
      Known(
        place: place,
        graph: graph,
        next: Array(repeating: -1, count: graphs[graph].ends.count)
      )
    )
    numbers[place] = known.count - 1
    return known.count - 1
  }

  /// Returns the graph for a login on `device`.
  ///
  /// Logins with equal counters take the same course, whatever their stamps, if the same factor is
  /// due.
  private mutating func graphNumber(of device: DeviceAttempts) -> Int {
    let isDue = device.freshness.needsPasscode(under: plan.policy.freshness, at: .virtual(0))
    var typical = device
    typical.freshness = isDue ? Freshness() : .fresh
    if let number = graphNumbers[typical] { return number }
    graphs.append(LoginGraph(plan, hasFinger: hasFinger, on: typical))
    graphNumbers[typical] = graphs.count - 1
    return graphs.count - 1
  }
}

extension Freshness {
  /// Stands for any stamps under which a finger is allowed: a passcode proven a moment ago.
  fileprivate static var fresh: Freshness {
    var freshness = Freshness()
    freshness.passcodeUsed(at: .virtual(-1))
    return freshness
  }

  /// Returns these stamps with those set by a login that began on ``fresh`` or on none.
  fileprivate func updated(by end: Freshness) -> Freshness {
    let isTyped = end.passcode != nil && end.passcode != Self.fresh.passcode
    return Freshness(passcode: isTyped ? end.passcode : passcode, match: end.match ?? match)
  }
}
