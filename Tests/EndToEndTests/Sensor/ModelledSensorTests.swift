import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON
import LocalAuthSensor
import Testing

/// A device whose sensor runs on a model, as programs meet it.
@Suite struct ModelledSensorTests {
  private static let seed: UInt64 = 20_251_122
  private static let touches = 200
  private static let goats = SensorModel(scores: .standard, population: .goats)

  private let scratch = Scratch()

  /// What came of one touch.
  private enum Effect: Hashable {
    case match
    case miss
    case retry
    case other(String)
  }

  private func set(_ key: String, _ value: String, with client: WireClient) throws {
    let parameters: JSONValue = [
      "device": "sim", "key": .text(key), "value": .text(value),
    ]
    _ = try client.call(Interface.sensor + "Set", parameters).get()
  }

  /// A device without the model's waits, on which 32 misses in a row are allowed.
  private func makeDevice(_ model: String, with client: WireClient) throws {
    try client.create("sim", passcode: nil, ["lockout": "tpm"])
    try set("latency", "1ms", with: client)
    try set("seed", String(Self.seed), with: client)
    try set("model", model, with: client)
  }

  private func touch(with client: WireClient) throws -> Effect {
    let evaluated = try client.evaluate(on: "sim", script: "touch:right-index,cancel")
    switch (evaluated.outcome, evaluated.attempts) {
    case ("success", 1): return .match
    case ("userCancel", 1): return .miss
    case ("userCancel", 0): return .retry
    default: return .other("\(evaluated.outcome), \(evaluated.attempts) attempts")
    }
  }

  /// The same, by hand: the evaluation is still open after a touch that did not match.
  private func touchAndKill(_ daemon: DaemonProcess) throws -> Effect {
    let asking = try daemon.connect()
    _ = try asking.beginEvaluation(on: "sim")
    let parameters: JSONValue = ["device": "sim", "finger": "right-index"]
    let reply = try daemon.connect().call(Interface.sensor + "Touch", parameters).get()
    try daemon.crash()
    let effect = reply["effect"]?.string ?? "nothing"
    switch effect {
    case "match": return .match
    case "miss": return .miss
    case "retry:partial", "retry:dirty": return .retry
    default: return .other(effect)
    }
  }

  /// What the model says by itself that the touches of `person` come to.
  private func expected(_ model: SensorModel, _ count: Int, by person: UInt32 = 0) -> [Effect] {
    let random = EventRandom(seed: Self.seed)
    let place = UInt32(Finger.allCases.firstIndex(of: .rightIndex) ?? 0)
    let finger = model.finger(place, ofUser: person, from: random)
    var beginning = random.stream(.fingerState, user: person, event: place)
    var state = model.fingerState.settled(using: &beginning)
    let change = model.fingerState.step(over: SensorModel.betweenTouches)
    return (0..<UInt32(count)).map { number in
      var stream = random.stream(.transaction, user: person, event: number)
      let conditions = CaptureConditions(finger: state)
      let presented = model.present(finger, in: conditions, using: &stream)
      _ = model.latency.draw(using: &stream)
      state = change.next(after: state, using: &stream)
      return presented.matches ? .match : presented.isJudged ? .miss : .retry
    }
  }

  /// One touch by each of 200 people: a right service fails it once in a million seeds.
  @Test func peopleMissAsOftenAsTheProfileSays() throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    try makeDevice("goats", with: client)
    var effects: [Effect] = []
    for person in 0..<Self.touches {
      try set("person", String(person), with: client)
      effects.append(try touch(with: client))
    }
    #expect(Set(effects).isSubset(of: [.match, .miss, .retry]))
    let model = Self.goats
    let fakes = model.acquisition.takenForFake
    let rate = fakes + (1 - fakes) * GoatMixture.standard.mean
    let seen = Proportion(
      successes: UInt64(effects.count { $0 == .miss }),
      trials: UInt64(effects.count { $0 != .retry })
    )
    #expect(seen.pValue(rate: rate) > 1e-6, "\(seen) against \(rate)")
    try daemon.stop()
  }

  /// The same person's 200 touches, with a `kill -9` as soon as a tenth of them are answered, and
  /// all those that gave no sample.
  @Test func killsNeitherRepeatNorSkipTouches() throws {
    let model = Self.goats
    let found = (0..<1000).first {
      Set(self.expected(model, Self.touches, by: $0)) == [.match, .miss, .retry]
    }
    let person = try #require(found, "nobody meets everything")
    let expected = self.expected(model, Self.touches, by: person)
    let home = scratch.file("home")
    var daemon = try DaemonProcess(home: home)
    var client = try daemon.connect()
    try makeDevice("goats", with: client)
    try set("person", String(person), with: client)
    var effects: [Effect] = []
    while effects.count < Self.touches {
      guard effects.count.isMultiple(of: 10) || expected[effects.count] == .retry else {
        effects.append(try touch(with: client))
        continue
      }
      effects.append(try touchAndKill(daemon))
      daemon = try DaemonProcess(home: home)
      client = try daemon.connect()
    }
    #expect(effects == expected)
    try daemon.stop()
  }

  @Test func aResetBeginsFromTheFirstTouch() throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    try makeDevice("goats", with: client)
    let first = try (0..<40).map { _ in try touch(with: client) }
    let next = try (0..<40).map { _ in try touch(with: client) }
    #expect(first + next == expected(Self.goats, 80))
    _ = try client.call(Interface.sensor + "Reset", ["device": "sim"]).get()
    #expect(
      try (0..<40).map { _ in try touch(with: client) } == Array(repeating: .match, count: 40)
    )
    try set("seed", String(Self.seed), with: client)
    try set("model", "goats", with: client)
    #expect(try (0..<40).map { _ in try touch(with: client) } == first)
    try daemon.stop()
  }

  @Test(arguments: [
    "model=touch-id", "model=d-prime:0,fmr:2e-5", "model=d-prime:6,fmr:1.5", "model=", "person=-1",
    "quality=101",
  ])
  func badSettingsAreRefusedInOneLine(_ setting: String) throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim")
    let ended = try Authctl.run(
      ["--socket", daemon.socket, "--device", "sim", "sensor", "set", setting]
    )
    #expect(ended.status == 2)
    #expect(ended.output.isEmpty)
    #expect(ended.errors.split(separator: "\n").count == 1)
    #expect(ended.errors.contains(" takes ") || ended.errors.contains("there are: "))
  }
}
