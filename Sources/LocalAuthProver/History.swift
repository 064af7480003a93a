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

    mutating func clear() { self = Count() }
  }

  /// A grant as its owner understood it.
  struct Promise: Hashable {
    let id: EvaluationID
    let scope: UInt8
    let idle: Int64?
    /// Time since the proof and since the last use.
    var age: Int64
    var unused: Int64
    let maxAge: Int64
    var usesLeft: UInt32?
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

  mutating func passed(_ time: Int64, horizon: Int64) {
    finger.left = max(0, finger.left - time)
    passcode.left = max(0, passcode.left - time)
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
    finger.left = finger.left > 0 ? finger.length : 0
    passcode.left = passcode.left > 0 ? passcode.length : 0
    sincePasscode = nil
    sinceMatch = nil
    forgetGrants()
  }

  mutating func forgetGrants() {
    promises = []
    sinceUnlock = nil
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
