import LocalAuthCore

/// What really happened, kept by the environment: no machine reads it, and none can forget it.
struct History: Hashable {
  /// What is known of one factor's attempts.
  struct Count: Hashable {
    /// Attempts judged since the last success.
    var judged: UInt32 = 0
    /// Attempts charged since the last success, judged or not.
    var charged: UInt32 = 0
    /// What is left of the refusal that the last judged attempt brought, and its length.
    var left: Int64 = 0
    var length: Int64 = 0
    /// Time since the last judged attempt was charged, or since a reboot after it.
    var since: Int64 = 0

    mutating func clear() { self = Count() }

    mutating func passed(_ time: Int64, _ tables: [DelayTable]) {
      left = max(0, left - time)
      let spans = tables.compactMap { $0.forgets?.span(of: judged) } + [length]
      since = min(since + time, spans.max() ?? 0)
    }

    mutating func rebooted() {
      left = left > 0 ? length : 0
      since = 0
    }

    /// Forgets what every table forgets: a table that says nothing of it forgets nothing.
    mutating func forget(_ tables: [DelayTable]) {
      judged =
        tables.map { table in
          switch table.locksAt == nil ? table.forgets : nil {
          case nil: judged
          case .all(let pause, let withRefusal):
            since >= pause.wholeNanoseconds || withRefusal && length > 0 && since >= length
              ? 0 : judged
          case .one(let interval):
            judged - min(judged, UInt32(since / interval.wholeNanoseconds))
          }
        }.max() ?? judged
    }
  }

  /// A grant as its owner understood it.
  struct Promise: Hashable {
    let id: EvaluationID
    let scope: UInt8
    let idle: Int64?
    let factors: FactorSet
    /// Time since the proof and since the last use.
    var age: Int64
    var unused: Int64
    let maxAge: Int64
    var usesLeft: UInt32?
    /// How many commits must end before it is durable that it ended; nil while it has not, negative
    /// where that commit failed.
    var endsIn: Int?
  }

  var finger = Count()
  var passcode = Count()
  /// Time since the last proven or set passcode and the last match of this boot.
  var sincePasscode: Int64?
  var sinceMatch: Int64?
  var isDistrusted = false
  var promises: [Promise] = []
  /// Time since an unlock by finger that still counts, and the generation of the enrolled set.
  var sinceUnlock: Int64?
  /// The first property that did not hold.
  var violated: Property?

  mutating func check(_ property: Property, _ holds: Bool) {
    if !holds, violated == nil { violated = property }
  }

  mutating func passed(_ time: Int64, _ setup: Setup) {
    let horizon = setup.horizon
    finger.passed(time, setup.fingerTables)
    passcode.passed(time, setup.passcodeTables)
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
    finger.rebooted()
    passcode.rebooted()
    sincePasscode = nil
    sinceMatch = nil
    promises = []
    sinceUnlock = nil
  }

  /// All grants end, by an act whose commit comes after `commits` others.
  mutating func forgetGrants(after commits: Int) {
    for index in promises.indices { promises[index].endsIn = commits }
    sinceUnlock = nil
  }

  /// A commit ended; the ends of grants that it confirms are final.
  mutating func committed(isDurable: Bool) {
    if isDurable { promises.removeAll { $0.endsIn == 0 } }
    for index in promises.indices where promises[index].endsIn != nil {
      promises[index].endsIn = max(-1, (promises[index].endsIn ?? 0) - 1)
    }
  }

  /// The service was killed: what was not durable of it did not happen.
  mutating func crashed() {
    for index in promises.indices { promises[index].endsIn = nil }
    sinceUnlock = nil
  }
}

/// What a requirement asks for, read here once more and in another way than by the machines.
extension Requirement {
  /// Whether `proven` is what it asks for.
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
}

/// What the rows of a table say, read here once more and in another way than by the machines.
extension DelayTable {
  /// Nanoseconds of refusal that follow the n-th failure.
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

  /// Whether `failures` are as many as may be judged.
  func isExhausted(by failures: UInt32) -> Bool { locksAt.map { failures >= $0 } ?? false }
}
