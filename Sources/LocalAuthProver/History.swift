import LocalAuthCore

/// What really happened, as the environment records it; no machine can read or lose it.
struct History: Hashable {
  /// The attempts at one factor.
  struct Count: Hashable {
    /// Attempts judged since the last success.
    var judged: UInt32 = 0
    /// Attempts charged since the last success, judged or not.
    var charged: UInt32 = 0
    /// The length of the refusal after the last judged attempt, and what remains of it, in
    /// nanoseconds.
    var left: Int64 = 0
    var length: Int64 = 0
    /// The last charge, and the last one on the disk; nil if none was, or no table forgets anything.
    var last: Charge?
    var stored: Charge?

    mutating func clear() { self = Count() }

    mutating func passed(_ time: Int64, _ tables: [DelayTable]) {
      left = max(0, left - time)
      let spans = tables.compactMap { $0.forgets?.span(of: charged) }
      last?.passed(time, spans)
      stored?.passed(time, spans)
    }

    mutating func rebooted() {
      left = left > 0 ? length : 0
      last?.age = 0
      stored?.age = 0
    }

    /// How many failures the next charge forgets.
    func forgotten(by tables: [DelayTable]) -> UInt32 {
      guard let last else { return 0 }
      return tables.map { $0.forgotten(after: last.age, refusedFor: last.length) }.min() ?? 0
    }
  }

  /// A charge, of which time forgets.
  struct Charge: Hashable {
    /// Nanoseconds since it, or since a reboot after it.
    var age: Int64
    /// The refusal that it led to, in nanoseconds.
    let length: Int64

    mutating func passed(_ time: Int64, _ spans: [Int64]) {
      age = min(age + time, max(length, spans.max() ?? 0))
    }
  }

  /// The conditions of a grant, as promised to its owner.
  struct Promise: Hashable {
    let id: EvaluationID
    let scope: UInt8
    let idle: Int64?
    let factors: FactorSet
    /// Nanoseconds since the proof, and since the last use.
    var age: Int64
    var unused: Int64
    let maxAge: Int64
    var usesLeft: UInt32?
    /// The number of commits that precede the one that makes its end durable; nil if it has not
    /// ended, negative if that commit failed.
    var endsIn: Int?
  }

  var finger = Count()
  var passcode = Count()
  var possession = Count()
  var othersFinger = Count()
  var othersPasscode = Count()
  /// Which wrong passcodes of others are whose; a success of one user's clears that user's alone.
  var othersShares: [UInt32] = [0, 0]
  /// Nanoseconds since the passcode was proven or set, and since the last match, in this boot.
  var sincePasscode: Int64?
  var sinceMatch: Int64?
  var isDistrusted = false
  var promises: [Promise] = []
  /// Nanoseconds since the last unlock by finger that may still be reused.
  var sinceUnlock: Int64?
  /// The first property violated.
  var violated: Property?

  /// The attempts of this count.
  subscript(count: Counted) -> Count {
    get {
      switch count {
      case .finger: finger
      case .passcode: passcode
      case .possession: possession
      case .othersFinger: othersFinger
      case .othersPasscode: othersPasscode
      }
    }
    set {
      switch count {
      case .finger: finger = newValue
      case .passcode: passcode = newValue
      case .possession: possession = newValue
      case .othersFinger: othersFinger = newValue
      case .othersPasscode: othersPasscode = newValue
      }
    }
  }

  /// Whether any attempts are refused for a while.
  var isRefusing: Bool { Counted.allCases.contains { self[$0].left > 0 } }

  mutating func passed(_ time: Int64, _ setup: Setup) {
    let horizon = setup.horizon
    for count in Counted.allCases { self[count].passed(time, setup.tables(of: count)) }
    sincePasscode = sincePasscode.map { min($0 + time, horizon) }
    sinceMatch = sinceMatch.map { min($0 + time, horizon) }
    sinceUnlock = sinceUnlock.map { min($0 + time, horizon) }
    for index in promises.indices {
      let longest = promises[index].maxAge
      promises[index].age = min(promises[index].age + time, longest)
      promises[index].unused = min(promises[index].unused + time, longest)
    }
  }

  mutating func rebooted() {
    for count in Counted.allCases { self[count].rebooted() }
    sincePasscode = nil
    sinceMatch = nil
    promises = []
    sinceUnlock = nil
  }

  /// Ends all grants, by an act whose commit follows `commits` others.
  mutating func forgetGrants(after commits: Int) {
    for index in promises.indices { promises[index].endsIn = commits }
    sinceUnlock = nil
  }

  /// Records the end of a commit; if it is durable, the grants it ends are gone for good.
  mutating func committed(isDurable: Bool) {
    if isDurable { promises.removeAll { $0.endsIn == 0 } }
    for index in promises.indices where promises[index].endsIn != nil {
      promises[index].endsIn = max(-1, (promises[index].endsIn ?? 0) - 1)
    }
  }

  /// Records that the service was killed: grant ends that were not durable did not happen.
  mutating func crashed() {
    for count in Counted.allCases { self[count].last = self[count].stored }
    for index in promises.indices { promises[index].endsIn = nil }
    sinceUnlock = nil
  }
}

/// The rules of requirements, implemented independently of the machines.
extension Requirement {
  /// Whether `proven` meets the requirement.
  func isProven(by proven: Proven) -> Bool {
    switch self {
    case .biometry(.any): proven.factors.contains(.biometry)
    case .biometry(.current(let generation)):
      proven.factors.contains(.biometry) && proven.biometryGeneration == generation
    case .passcode: proven.factors.contains(.passcode)
    case .applicationPassword: proven.factors.contains(.applicationPassword)
    case .companion: proven.factors.contains(.companion)
    case .possession: proven.factors.contains(.possession)
    case .allOf(let parts): !parts.isEmpty && parts.allSatisfy { $0.isProven(by: proven) }
    case .anyOf(let parts): parts.contains { $0.isProven(by: proven) }
    }
  }

  /// The sets of fingers that the requirement names.
  var generations: Set<UInt64> {
    switch self {
    case .biometry(.current(let generation)): [generation]
    case .allOf(let parts), .anyOf(let parts): Set(parts.flatMap(\.generations))
    case .biometry, .passcode, .applicationPassword, .companion, .possession: []
    }
  }
}

/// The rules of delay tables, implemented independently of the machines.
extension DelayTable {
  /// Returns the refusal after the n-th failure, in nanoseconds.
  func promisedWait(after failures: UInt32) -> Int64 {
    guard let row = rows.last(where: { $0.from <= failures }) else { return 0 }
    if let through = row.through, failures > through { return 0 }
    var wait = row.delay.wholeNanoseconds
    guard let step = row.doublesEvery, step > 0 else { return wait }
    var steps = min((failures - row.from) / step, 20)
    while steps > 0 {
      wait = wait > .max / 2 ? .max : wait * 2
      steps -= 1
    }
    return wait
  }

  /// How many failures a charge forgets if the last one was `since` nanoseconds ago, and brought a
  /// refusal of `length`.
  func forgotten(after since: Int64, refusedFor length: Int64) -> UInt32 {
    switch locksAt == nil ? forgets : nil {
    case nil: 0
    case .all(let pause, let withRefusal):
      since >= pause.wholeNanoseconds || withRefusal && length > 0 && since >= length ? .max : 0
    case .one(let interval): UInt32(clamping: since / interval.wholeNanoseconds)
    }
  }

  /// Whether `failures` have used up all attempts.
  func isExhausted(by failures: UInt32) -> Bool { locksAt.map { failures >= $0 } ?? false }
}
