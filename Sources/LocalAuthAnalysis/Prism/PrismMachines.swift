import LocalAuthCore

/// A state of the machines in a written chain; its numbers are those of other nodes.
enum PrismNode {
  /// Between two logins, on a device with these counts; a login begins at the first or, if the
  /// passcode is due, the second node, as far as anybody gets there.
  case begin(DeviceAttempts, allowed: Int?, due: Int?)
  case finger(match: Int, miss: Int)
  /// A miss has closed the sensor.
  case lockout(then: Int)
  case passcode(right: Int, wrong: Int)
  case wait(Duration, then: Int)
  case end(PrismEnd)
}

/// The end of a login: its result, and where the next login begins.
struct PrismEnd {
  var result: LoginGraph.End
  /// The node that it leads to before another login of the same day; nil if nobody gets there.
  var sameDay: Int?
  /// The same before the first login of the next day.
  var nextDay: Int?

  /// The time from the beginning of the login to the right passcode in it, in nanoseconds; nil without
  /// one.
  var typed: Int64? { stamp(result.device.freshness.passcode) }
  /// The same to the match.
  var matched: Int64? { stamp(result.device.freshness.match) }

  private func stamp(_ stamp: Freshness.Stamp?) -> Int64? {
    // Earlier stamps are those that the login began with.
    stamp.flatMap { $0.at.nanoseconds >= 0 ? $0.at.nanoseconds : nil }
  }
}

/// The device states and logins that people get to within some days, as nodes with numbers.
struct PrismMachines {
  private let plan: PolicyCase
  private let calendar: Calendar
  private(set) var nodes: [PrismNode] = []
  /// The nodes at which people with and without a print begin.
  private(set) var first: [Bool: Int] = [:]
  /// Whether a proof is later than the beginning of the next login.
  private var isOverlapping = false
  private var begins: [DeviceAttempts: Int] = [:]
  private var graphs: [Int: Int] = [:]

  init(_ plan: PolicyCase) {
    self.plan = plan
    calendar = Calendar(plan.habits)
  }

  /// Adds all that people get to in this many logins; returns the number of states, by login, with a
  /// finger that is always the same.
  mutating func unfold(
    _ logins: Int,
    hasFinger: Bool,
    room: Int,
    _ isStopped: () -> Bool
  ) throws(PrismError) -> Int {
    var year = LoginYear(plan, hasFinger: hasFinger)
    (begins, graphs) = ([:], [:])
    first[hasFinger] = begin(0, year)
    var (states, reached) = (0, Set([0]))
    for login in 1...logins {
      guard !isStopped() else { throw .stopped }
      var later: Set<Int> = []
      for place in reached.sorted() {
        let graph = year.graphs[year.graph(of: place)]
        let nodes = graph.nodes
        states += 1 + nodes.count + nodes.count(where: \.isLockout)
        guard states <= room else { throw .tooManyStates(PrismChain.statesMax) }
        addLogin(place, year)
        guard !isOverlapping else { throw .overlappingLogins }
        guard self.nodes.count <= PrismChain.nodesMax else {
          throw .tooManyNodes(PrismChain.nodesMax)
        }
        guard login < logins else { continue }
        for (number, end) in graph.ends.enumerated() {
          let next = year.next(place, end: number)
          later.insert(next)
          lead(place, end.node, to: next, year)
        }
      }
      reached = later
    }
    return states
  }

  /// Returns the node at which logins on the device of `place` begin.
  private mutating func begin(_ place: Int, _ year: LoginYear) -> Int {
    let device = year.place(place).device
    for stamp in [device.freshness.passcode, device.freshness.match].compactMap(\.self) {
      isOverlapping = isOverlapping || stamp.at.nanoseconds > 0
    }
    let counts = DeviceAttempts(lockout: device.lockout, throttle: device.throttle)
    if let number = begins[counts] { return number }
    nodes.append(.begin(counts, allowed: nil, due: nil))
    begins[counts] = nodes.count - 1
    return nodes.count - 1
  }

  /// Connects the beginning at `place` with the nodes of its login.
  private mutating func addLogin(_ place: Int, _ year: LoginYear) {
    let number = begin(place, year)
    guard case .begin(let counts, var allowed, var due) = nodes[number] else { return }
    let start = graph(year.graph(of: place), year)
    let freshness = year.place(place).device.freshness
    if freshness.needsPasscode(under: plan.policy.freshness, at: .virtual(0)) {
      due = start
    } else {
      allowed = start
    }
    nodes[number] = .begin(counts, allowed: allowed, due: due)
  }

  /// Connects an end of the login at `place` with the beginning at `next`.
  private mutating func lead(_ place: Int, _ end: Int, to next: Int, _ year: LoginYear) {
    let number = graph(year.graph(of: place), year) + end
    guard case .end(var found) = nodes[number] else { return }
    if year.place(place).login == calendar.logins - 1 {
      found.nextDay = begin(next, year)
    } else {
      found.sameDay = begin(next, year)
    }
    nodes[number] = .end(found)
  }

  /// Returns the first node of a graph, whose other nodes follow it.
  private mutating func graph(_ number: Int, _ year: LoginYear) -> Int {
    if let start = graphs[number] { return start }
    let start = nodes.count
    let graph = year.graphs[number]
    var lockouts: [PrismNode] = []
    for node in graph.nodes {
      switch node {
      case .finger(let match, let miss, let isLockout):
        let missed = isLockout ? start + graph.nodes.count + lockouts.count : start + miss
        nodes.append(.finger(match: start + match, miss: missed))
        if isLockout { lockouts.append(.lockout(then: start + miss)) }
      case .passcode(let right, let wrong):
        nodes.append(.passcode(right: start + right, wrong: start + wrong))
      case .wait(let time, let next): nodes.append(.wait(time, then: start + next))
      case .end(let end): nodes.append(.end(PrismEnd(result: end)))
      }
    }
    nodes += lockouts
    graphs[number] = start
    return start
  }
}

extension LoginGraph.Node {
  fileprivate var isLockout: Bool {
    if case .finger(_, _, let isLockout) = self { isLockout } else { false }
  }
}

extension PrismMachines {
  /// Returns the same with numbers from 1 on by kind of node, so that a kind is a range of numbers.
  func numbered() -> PrismMachines {
    let order = nodes.indices.sorted { (nodes[$0].rank, $0) < (nodes[$1].rank, $1) }
    var numbers = [Int](repeating: 0, count: nodes.count)
    for (number, node) in order.enumerated() { numbers[node] = number + 1 }
    var sorted = self
    sorted.nodes = order.map { nodes[$0].renumbered { numbers[$0] } }
    sorted.first = first.mapValues { numbers[$0] }
    return sorted
  }
}

extension PrismNode {
  /// The place of its kind; ends are sorted by what they count as.
  fileprivate var rank: Int {
    switch self {
    case .begin: 0
    case .finger: 1
    case .lockout: 2
    case .passcode: 3
    case .wait: 4
    case .end(let end):
      5 + (end.result.isAccepted ? 0 : 8) + (end.result.needsPasscode ? 4 : 0)
        + (end.result.isTransaction ? 2 : 0) + (end.result.isRejected ? 1 : 0)
    }
  }

  fileprivate func renumbered(_ number: (Int) -> Int) -> Self {
    switch self {
    case .begin(let counts, let allowed, let due):
      .begin(counts, allowed: allowed.map(number), due: due.map(number))
    case .finger(let match, let miss): .finger(match: number(match), miss: number(miss))
    case .lockout(let next): .lockout(then: number(next))
    case .passcode(let right, let wrong): .passcode(right: number(right), wrong: number(wrong))
    case .wait(let time, let next): .wait(time, then: number(next))
    case .end(let end):
      .end(
        PrismEnd(
          result: end.result,
          sameDay: end.sameDay.map(number),
          nextDay: end.nextDay.map(number)
        )
      )
    }
  }
}
