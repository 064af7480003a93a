import LocalAuthJSON
import LocalAuthTestSupport
import LocalAuthWire
import Testing

/// Whatever says right or wrong about a secret is charged, and refused by one count.
@Suite struct JudgingMethodTests {
  private static let wrongs = (1...12).map { "wrong-\($0)" }
  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    try add("guarded", "devicePasscode")
    try add("peppered", "applicationPassword")
    try add("touched", "biometryAny")
  }

  /// Adds a password and a key that open by `flag`.
  private func add(_ label: String, _ flag: String) throws {
    let control: JSONValue = ["protection": "ak", "flags": [.text(flag)]]
    let keyControl: JSONValue = ["protection": "ak", "flags": [.text(flag), "privateKeyUsage"]]
    let name: JSONValue = ["labl": .text(label)]
    let given: [String: JSONValue] = ["applicationPassword": "pepper"]
    let password = try client.item(
      "Add",
      on: "sim",
      name.setting(["class": "genp", "acct": .text(label), "accc": ["accessControl": control]]),
      given.merging(["data": "aHVudGVyMg=="]) { $1 }
    )
    let key = try client.item(
      "GenerateKey",
      on: "sim",
      name.setting(["accc": ["accessControl": keyControl]]),
      given
    )
    try #require(password.isDone && key.isDone, "\(password) \(key)")
  }

  // MARK: The table

  @Test func everySecretThatTheTableSaysIsJudgedIsGuessedAt() {
    for method in Methods.all {
      let guessed = JudgedSecrets.guesses.filter { $0.method == method.name }.map(\.secret)
      #expect(Set(guessed) == method.judges, "\(method.name)")
    }
  }

  @Test func whateverTakesASecretJudgesIt() throws {
    let interfaces = try DescribedService(client).interfaces
    for method in Methods.all {
      let description = try #require(interfaces[method.interface])
      let word = String(method.name.dropFirst(method.interface.count + 1))
      let taken = try #require(description.methods[word]).input.map(\.name)
      if taken.contains("passcode") {
        let isExempt = JudgedSecrets.takesPasscodeUnjudged.contains(method.name)
        #expect(method.judges.contains(.passcode) != isExempt, "\(method.name)")
      }
      if taken.contains("applicationPassword") {
        let isExempt = JudgedSecrets.takesPasswordUnjudged.contains(method.name)
        #expect(method.judges.contains(.applicationPassword) != isExempt, "\(method.name)")
      }
    }
  }

  // MARK: The guesses

  @Test(arguments: JudgedSecrets.guesses.filter { $0.secret == .passcode })
  func aPasscodeIsChargedAndRefusedByTheOneCount(_ guess: SecretGuess) throws {
    for wrong in Self.wrongs { _ = try make(guess, wrong) }
    let status = try client.status("sim")
    #expect(status.wrongPasscodes == 4, "more than four wrong passcodes take waiting")
    #expect(try make(guess, "1234").contains("passcodeThrottled"), "the right one too")
    #expect(try client.status("sim").wrongPasscodes == 4)
    // Every other way is closed by the same count.
    let reply = try client.call(
      "io.localauth.Devices.Unlock",
      ["device": "sim", "passcode": "1234"]
    )
    #expect("\(reply)".contains("passcodeThrottled"), "\(reply)")
  }

  @Test(arguments: JudgedSecrets.guesses.filter { $0.secret == .applicationPassword })
  func anApplicationPasswordIsChargedAndRefusedByTheItemsCount(_ guess: SecretGuess) throws {
    let answers = try Self.wrongs.map { try make(guess, $0) }
    let judged = answers.count {
      $0.contains("authenticationFailed") || $0.contains("That application password is wrong.")
    }
    #expect((1...6).contains(judged), "\(answers)")
    #expect(answers.suffix(12 - judged).allSatisfy { $0.contains("passcodeThrottled") })
    #expect(try make(guess, "pepper").contains("passcodeThrottled"), "the right one too")
    #expect(try client.status("sim").wrongPasscodes == 0, "the passcode has a count of its own")
  }

  @Test(arguments: JudgedSecrets.guesses.filter { $0.secret == .touch })
  func aTouchIsChargedAndLocksTheSensor(_ guess: SecretGuess) throws {
    for _ in Self.wrongs { _ = try make(guess, "left-thumb") }
    let status = try client.status("sim")
    #expect(status.biometry == "biometryLockout" && status.attemptsLeft == 0, "\(status)")
    _ = try make(guess, "right-index")
    #expect(try client.status("sim").biometry == "biometryLockout", "the right one too")
    #expect(try client.evaluate(on: "sim", script: "match").outcome == "biometryLockout")
  }

  @Test func aDeletionSaysNothingAboutAnApplicationPassword() throws {
    let query: JSONValue = ["class": "genp", "labl": "peppered"]
    let answer = try client.item("Delete", on: "sim", query, ["applicationPassword": "salt"])
    #expect(answer.isDone, "\(answer)")
  }

  @Test func aProofBeforehandSaysNothingAboutAnApplicationPassword() throws {
    let control: JSONValue = ["protection": "ak", "flags": ["applicationPassword"]]
    let answers = try ["pepper", "salt"].map { password in
      let reply = try client.call(
        "io.localauth.Keychain.EvaluateAccessControl",
        [
          "device": "sim", "allowSimulated": true, "interactive": false,
          "accessControl": control, "operation": "decrypt",
          "applicationPassword": .text(password),
        ]
      )
      return reply.parameters["answer"]?["outcome"]?.string
    }
    #expect(answers[0] != nil && answers[0] == answers[1])
  }

  // MARK: One guess

  /// Everything that was answered to a guess, as text.
  private func make(_ guess: SecretGuess, _ secret: String) throws -> String {
    let parameters = guess.parameters(secret)
    if guess.method.hasSuffix(".Respond") { return try respond(guess, parameters) }
    if ["Touch", "Present"].contains(where: { guess.method.hasSuffix(".\($0)") }) {
      return try touch(guess.method, parameters)
    }
    if guess.method.hasSuffix("Backups.Finish") { return try finish(guess.method, parameters) }
    let replies = "\(try client.stream(guess.method, parameters))"
    try #require(!replies.contains("InvalidParameter"), "\(replies)")
    return replies
  }

  private func respond(_ guess: SecretGuess, _ parameters: JSONValue) throws -> String {
    let asking = try daemon.connect()
    let prompt: JSONValue
    do {
      prompt =
        guess.secret == .passcode
        ? try asking.beginEvaluation("passcode", on: "sim") : try beginCopy(on: asking)
    } catch let refusal as Refusal {
      return "\(refusal)"
    }
    let reply = try client.call(
      "io.localauth.Authentication.Respond",
      parameters.setting(["nonce": prompt["nonce"] ?? ""])
    )
    // The verdict comes as a notice or as the end; then nobody waits any longer.
    while true {
      let next = try asking.receive()
      guard next.continues, next.notice == nil else { return "\(reply) \(next)" }
    }
  }

  /// Asks for the application password of an item.
  private func beginCopy(on asking: WireClient) throws -> JSONValue {
    let query: JSONValue = ["class": "genp", "labl": "peppered", "r_Data": true]
    let call = WireClient.itemCall(on: "sim", query, ["interactive": true])
    try asking.send("io.localauth.Keychain.Copy", call, more: true)
    return try asking.receivePrompt()
  }

  /// Brings a backup with nothing in it, and guesses at its end.
  private func finish(_ method: String, _ parameters: JSONValue) throws -> String {
    let backups = "io.localauth.Backups."
    let sim: JSONValue = ["device": "sim", "allowSimulated": true]
    _ = try client.call(backups + "Create", sim)
    var piece = try client.call(backups + "Read").parameters
    while piece["header"]?.string == nil { piece = try client.call(backups + "Read").parameters }
    let header = try #require(piece["header"])
    let opened = try client.call(
      backups + "Open",
      sim.setting(["header": header, "purpose": "replace"])
    )
    try #require(opened.error == nil, "\(opened)")
    let none: JSONValue = [:]
    let end: [String: JSONValue] = [
      "trailer": try #require(piece["bytes"]), "deaths": 0,
      "passcode": try #require(parameters["passcode"]),
    ]
    return "\(try client.call(method, none.setting(end)))"
  }

  private func touch(_ method: String, _ parameters: JSONValue) throws -> String {
    let asking = try daemon.connect()
    do {
      _ = try asking.beginEvaluation("biometrics", on: "sim")
    } catch let refusal as Refusal {
      return "\(refusal)"
    }
    return "\(try client.call(method, parameters))"
  }
}
