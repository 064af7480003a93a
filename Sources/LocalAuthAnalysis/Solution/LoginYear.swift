import LocalAuthCore
import LocalAuthSensor

/// The days of people, login after login: which state of a device each end of a login leads to.
///
/// Only states that somebody reaches are unfolded. Within one login, whether fingers count is taken to stay as
/// it was at its beginning, unless the passcode is proven: the limits of that are hours and days.
struct LoginYear {
  /// A device at the beginning of a login.
  struct Place: Hashable {
    /// The number of the login in its day.
    var login: UInt32
    var device: DeviceAttempts
  }

  private struct Known {
    var place: Place
    var graph: Int
    /// Where each node of the graph that is an end leads to; nil until somebody gets there.
    var next: [Int?]
  }

  private let plan: PolicyCase
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
    // The device is set up when the first day begins.
    let device = plan.device(hasFinger: hasFinger, at: .virtual(0)).attempts
    let first = calendar.start(of: 0, on: 0)
    _ = number(of: device.seen(from: first, memory: plan.policy.freshness.memory), login: 0)
  }

  /// The places so far; people begin at the first.
  var count: Int { known.count }

  func graph(of place: Int) -> Int { known[place].graph }

  /// Where a login at `place` leads that ends at this node of its graph.
  mutating func next(_ place: Int, end node: Int) -> Int {
    known[place].next[node] ?? unfold(place, node)
  }

  private mutating func unfold(_ place: Int, _ node: Int) -> Int {
    let from = known[place].place
    guard case .end(let end) = graphs[known[place].graph].nodes[node] else {
      preconditionFailure("a login leads on from its ends only")
    }
    var device = end.device
    device.freshness = from.device.freshness.updated(by: end.device.freshness)
    let later = calendar.gap(after: from.login)
    let next = number(
      of: device.seen(from: later, memory: plan.policy.freshness.memory),
      login: (from.login + 1) % calendar.logins
    )
    known[place].next[node] = next
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
        next: Array(repeating: nil, count: graphs[graph].nodes.count)
      )
    )
    numbers[place] = known.count - 1
    return known.count - 1
  }

  /// Logins that begin on equal counters go alike, however old the stamps are, if the same is due.
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
  /// What stands for any stamps under which a finger counts: a passcode that was just proven.
  fileprivate static var fresh: Freshness {
    var freshness = Freshness()
    freshness.passcodeUsed(at: .virtual(-1))
    return freshness
  }

  /// These stamps, with those that a login set that began on ``fresh`` or on none.
  fileprivate func updated(by end: Freshness) -> Freshness {
    let isTyped = end.passcode != nil && end.passcode != Self.fresh.passcode
    return Freshness(passcode: isTyped ? end.passcode : passcode, match: end.match ?? match)
  }
}
