import LocalAuthJSON

/// What the one client of a device knows about its strikes, from the replies that it received.
///
/// A crash may cost the attempts of the call that was under way and can never give one back. So
/// after it the durable count is at least what was acknowledged and at most that plus what was
/// under way; it is 0 only where a call that clears it was under way.
struct StrikeBook {
  /// A call and what it may do to the counters.
  struct Call {
    var method: String
    var parameters: JSONValue
    /// Fingers that it may charge.
    var touches = 0
    /// Passcodes that it may charge.
    var passcodes = 0
    /// Whether it can clear the strikes of the finger.
    var clearsTouches = false
    /// Whether it can clear the strikes of the passcode.
    var clearsPasscodes = false
  }

  /// What an evaluation was answered with.
  struct Answer {
    var evaluation: String
    var outcome: String
    var attempts: Int
  }

  /// Misses that lock the finger.
  static let locksAt = 3
  /// Wrong passcodes that lock the passcode.
  static let passcodeLocksAt = 10

  /// Missed fingers since the last success, as the replies say.
  private(set) var misses = 0
  /// Wrong passcodes since the last right one.
  private(set) var wrongPasscodes = 0
  /// Answers that were received since ``forgetAnswers()``.
  private(set) var answers: [Answer] = []
  private(set) var pending: Call?
  private var missesBefore = 0
  private var wrongBefore = 0

  /// A call is about to be sent.
  mutating func began(_ call: Call) {
    pending = call
    missesBefore = misses
    wrongBefore = wrongPasscodes
  }

  /// A reply to it was received.
  mutating func received(_ reply: WireClient.Reply) {
    guard let call = pending else { return }
    if reply.notice?["kind"]?.string == "miss" {
      if reply.notice?["factor"]?.string == "passcode" { wrongPasscodes += 1 } else { misses += 1 }
    }
    guard !reply.continues else { return }
    pending = nil
    if let result = reply.result { ended(call, result) } else { acted(call, reply) }
  }

  private mutating func ended(_ call: Call, _ result: JSONValue) {
    let attempts = result["attempts"]?.integer ?? 0
    let outcome = result["outcome"]?.string ?? ""
    answers.append(
      Answer(
        evaluation: result["evaluation"]?.string ?? "",
        outcome: outcome,
        attempts: attempts
      )
    )
    let isProven = outcome == "success"
    // The miss that ends an evaluation has no notice of its own.
    if call.passcodes > 0 {
      wrongPasscodes = isProven ? 0 : wrongBefore + attempts
      if isProven { misses = 0 }
    } else {
      misses = isProven ? 0 : missesBefore + attempts
    }
  }

  private mutating func acted(_ call: Call, _ reply: WireClient.Reply) {
    if reply.error == nil {
      if call.clearsTouches { misses = 0 }
      if call.clearsPasscodes { wrongPasscodes = 0 }
    } else if reply.parameters["outcome"]?.string == "authenticationFailed" {
      wrongPasscodes += 1
    }
  }

  /// The counts that may be durable after a crash.
  var possibleMisses: Set<Int> {
    let left = (pending?.touches ?? 0) - (misses - (pending == nil ? misses : missesBefore))
    var possible = Set(misses...min(Self.locksAt, misses + max(0, left)))
    if pending?.clearsTouches == true { possible.insert(0) }
    return possible
  }

  /// The same for passcodes.
  var possibleWrongPasscodes: Set<Int> {
    let most = min(Self.passcodeLocksAt, wrongPasscodes + (pending?.passcodes ?? 0))
    var possible = Set(wrongPasscodes...most)
    if pending?.clearsPasscodes == true { possible.insert(0) }
    return possible
  }

  /// The daemon was started again and was found to hold these counts.
  mutating func found(misses: Int, wrongPasscodes: Int) {
    self.misses = misses
    self.wrongPasscodes = wrongPasscodes
    pending = nil
  }

  mutating func forgetAnswers() { answers = [] }
}

extension StrikeBook.Call {
  /// An evaluation that a script drives.
  static func evaluation(_ policy: String, on device: String, _ script: String) -> Self {
    let events = script.split(separator: ",")
    let isRight = events.contains { $0 == "passcode:1234" }
    let passcodes = events.count { $0.hasPrefix("passcode:") }
    return Self(
      method: Interface.authentication + "Evaluate",
      parameters: WireClient.evaluation(policy, on: device, script: script),
      touches: events.count { $0 == "miss" || $0 == "match" },
      passcodes: passcodes,
      clearsTouches: isRight || events.contains("match"),
      clearsPasscodes: isRight
    )
  }

  /// A call of the device that touches no counter.
  static func harmless(_ verb: String, _ device: String, _ more: [String: JSONValue] = [:]) -> Self
  {
    let parameters: JSONValue = ["device": .text(device)]
    return Self(method: Interface.devices + verb, parameters: parameters.setting(more))
  }

  /// What forgets all strikes of a device with a passcode of its own or none, and its fingers.
  static func erase(_ device: String) -> Self {
    Self(
      method: Interface.devices + "Erase",
      parameters: ["device": .text(device)],
      clearsTouches: true,
      clearsPasscodes: true
    )
  }

  /// Enrols the finger again.
  static func enroll(_ device: String) -> Self {
    Self(
      method: Interface.sensor + "Enroll",
      parameters: ["device": .text(device), "finger": "right-index-finger"]
    )
  }
}

extension WireClient {
  /// Makes a call and notes every reply; throws when the daemon goes away.
  func perform(_ call: StrikeBook.Call, noting book: inout StrikeBook) throws(Failure) {
    book.began(call)
    try send(call.method, call.parameters, more: true)
    while true {
      let reply = try receive()
      book.received(reply)
      if !reply.continues { return }
    }
  }
}
