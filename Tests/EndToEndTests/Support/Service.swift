import LocalAuthJSON

/// The names of the interfaces.
enum Interface {
  static let authentication = "io.localauth.Authentication."
  static let agents = "io.localauth.Agents."
  static let assertions = "io.localauth.Assertions."
  static let devices = "io.localauth.Devices."
  static let sensor = "io.localauth.Sensor."
  static let daemon = "io.localauth.Daemon."
  static let policies = "io.localauth.Policies."
  static let grants = "io.localauth.Grants."
  static let service = "org.varlink.service."
}

/// A call was answered with an error, which the test did not expect.
struct Refusal: Error {
  let error: String
  let parameters: JSONValue
}

extension WireClient.Reply {
  /// The parameters of a reply that is no error.
  func get() throws -> JSONValue {
    if let error { throw Refusal(error: error, parameters: parameters) }
    return parameters
  }

  /// The last part of the error's name.
  var errorName: String? { error?.split(separator: ".").last.map(String.init) }

  var prompt: JSONValue? { parameters["prompt"] }
  var notice: JSONValue? { parameters["notice"] }
  var result: JSONValue? { parameters["result"] }
}

/// How an evaluation went, as its caller saw it.
struct Evaluated {
  var replies: [WireClient.Reply]

  var result: JSONValue? { replies.last?.result }
  var error: String? { replies.last?.errorName }
  var outcome: String { result?["outcome"]?.string ?? error ?? "nothing" }
  var attempts: Int { result?["attempts"]?.integer ?? 0 }
  var evaluation: String { result?["evaluation"]?.string ?? "" }
  var misses: Int { replies.count { $0.notice?["kind"]?.string == "miss" } }
  var prompts: [JSONValue] { replies.compactMap(\.prompt) }
}

/// A device as the daemon describes it.
struct DeviceState: Equatable {
  var biometry: String
  var attemptsLeft: Int?
  var passcodeState: String
  var wrongPasscodes: Int?
  var passcodeAttemptsLeft: Int?
  var lockState: String
  var isPrompting: Bool
  var waiting: Int

  init(_ device: JSONValue) {
    biometry = device["biometry"]?.string ?? ""
    attemptsLeft = device["attemptsLeft"]?.integer
    passcodeState = device["passcodeState"]?.string ?? ""
    wrongPasscodes = device["wrongPasscodes"]?.integer
    passcodeAttemptsLeft = device["passcodeAttemptsLeft"]?.integer
    lockState = device["lockState"]?.string ?? ""
    isPrompting = device["prompting"]?.boolean ?? false
    waiting = device["waiting"]?.integer ?? 0
  }

  /// Whether the durable state was not believed: a finger is refused although tries are left.
  var isDistrusted: Bool { biometry == "biometryLockout" && attemptsLeft != 0 }
}

extension Scratch {
  /// The home of a daemon that has stopped, with a device `sim` and what `fill` put there.
  ///
  /// It has no passcode, which would be derived at each start and takes longer than the start.
  func model(_ fill: (WireClient) throws -> Void) throws -> String {
    let home = file("model")
    let daemon = try DaemonProcess(home: home)
    let client = try daemon.connect()
    try client.create("sim")
    try fill(client)
    try daemon.stop()
    return home
  }
}

extension WireClient {
  /// Makes a simulated device with one finger.
  func create(_ name: String, passcode: String? = nil, _ more: [String: JSONValue] = [:]) throws {
    var parameters: JSONValue = ["device": .text(name), "fingers": ["right-index-finger"]]
    if let passcode { parameters = parameters.setting(["passcode": .text(passcode)]) }
    _ = try call(Interface.devices + "Create", parameters.setting(more)).get()
  }

  /// Asks to unlock the device `sim` by its passcode, 1234.
  func unlockSim() throws {
    _ = try call(Interface.devices + "Unlock", ["device": "sim", "passcode": "1234"])
  }

  /// The parameters of an evaluation on a simulated device.
  static func evaluation(
    _ policy: String,
    on device: String,
    script: String? = nil,
    _ more: [String: JSONValue] = [:]
  ) -> JSONValue {
    var parameters: JSONValue = [
      "policy": .text(policy), "reason": "a test", "device": .text(device),
      "allowSimulated": true,
    ]
    if let script { parameters = parameters.setting(["script": .text(script)]) }
    return parameters.setting(more)
  }

  /// Evaluates a policy to its end.
  func evaluate(
    _ policy: String = "biometrics",
    on device: String,
    script: String? = nil,
    _ more: [String: JSONValue] = [:]
  ) throws -> Evaluated {
    Evaluated(
      replies: try stream(
        Interface.authentication + "Evaluate",
        Self.evaluation(policy, on: device, script: script, more)
      )
    )
  }

  /// Begins an evaluation that waits for a person, and returns its first prompt.
  func beginEvaluation(
    _ policy: String = "biometrics",
    on device: String,
    _ more: [String: JSONValue] = [:]
  ) throws -> JSONValue {
    try send(
      Interface.authentication + "Evaluate",
      Self.evaluation(policy, on: device, more),
      more: true
    )
    return try receivePrompt()
  }

  /// Receives up to the next prompt.
  func receivePrompt(where isWanted: (JSONValue) -> Bool = { _ in true }) throws -> JSONValue {
    while true {
      let reply = try receive()
      if let prompt = reply.prompt, isWanted(prompt) { return prompt }
      guard reply.continues else {
        throw Refusal(error: reply.error ?? "ended", parameters: reply.parameters)
      }
    }
  }

  /// Receives up to the result.
  func receiveResult() throws -> Evaluated { Evaluated(replies: try receiveRest()) }

  /// Answers a prompt.
  func respond(_ nonce: String, _ answer: [String: JSONValue]) throws -> Reply {
    let parameters: JSONValue = ["nonce": .text(nonce)]
    return try call(Interface.authentication + "Respond", parameters.setting(answer))
  }

  func status(_ device: String) throws -> DeviceState {
    let reply = try call(Interface.devices + "Status", ["device": .text(device)]).get()
    return DeviceState(reply["device"] ?? [:])
  }

  /// The audit lines of a device, oldest first.
  func audit(_ device: String, limit: Int = 1000) throws -> [JSONValue] {
    let parameters: JSONValue = ["device": .text(device), "limit": .number(limit)]
    return try call(Interface.devices + "Audit", parameters).get()["lines"]?.elements ?? []
  }

  /// Calls a method of a device that returns nothing.
  func administer(_ verb: String, _ device: String, _ more: [String: JSONValue] = [:]) throws {
    let parameters: JSONValue = ["device": .text(device)]
    _ = try call(Interface.devices + verb, parameters.setting(more)).get()
  }
}
