import LocalAuthJSON
import LocalAuthUnix
import Testing

/// One user's flood stops no other user.
@Suite(
  .enabled(if: SystemService.canRun, "needs root, setpriv, a C compiler and a reachable build")
)
struct SystemFairnessTests {
  private static let ann: UInt32 = 54_401
  private let module: TestModule

  init() throws { module = try TestModule() }

  @Test func floodOfOneUserLeavesRoomForTheOthers() throws {
    let service = try SystemService(["--user-connections-max", "20"], module: module)
    let greedy = try (0..<2).map { _ in try service.user(54_420, connections: 12) }
    // A call on each: those that were turned away have a reply before they say anything.
    var turnedAway = 0
    for client in greedy.flatMap(\.clients) {
      // Whoever was turned away may find that nobody listens any more.
      try? client.send(Interface.service + "GetInfo")
      if try client.receive().errorName == "LimitReached" { turnedAway += 1 }
    }
    #expect(turnedAway == 4)
    let ann = try service.user(Self.ann)
    try ann.client.create("sim")
    #expect(try ann.client.evaluate(on: "sim", script: "match").outcome == "success")
    // Who gives one back has room again.
    greedy[0].clients[0].close()
    while true {
      let another = try service.user(54_420)
      try? another.client.send(Interface.service + "GetInfo")
      if try another.client.receive().error == nil { break }
    }
  }

  @Test func rootHasRoomWhenUsersFillTheService() throws {
    let service = try SystemService(["--connections-max", "8"], module: module)
    let users = try (0..<2).map { try service.user(54_420 + UInt32($0), connections: 4) }
    for client in users.flatMap(\.clients) {
      #expect(try client.call(Interface.service + "GetInfo").error == nil)
    }
    #expect(try service.user(Self.ann).client.receive().errorName == "LimitReached")
    #expect(try service.connect().call(Interface.service + "GetInfo").error == nil)
  }

  /// Scripts wait as long as the service runs.
  @Test func queuedScriptsAreAShareOfTheService() throws {
    let service = try SystemService(module: module)
    let (greedy, ann) = (try service.user(54_420), try service.user(Self.ann))
    let events = Array(repeating: "passcode:" + String(repeating: "0", count: 55), count: 900)
    let long = JSONValue.text(events.joined(separator: ","))
    var refusals = 0
    for number in 0..<4 {
      try greedy.client.create("sim\(number)")
      for _ in 0..<8 {
        let reply = try greedy.client.call(
          Interface.sensor + "Script",
          ["device": .text("sim\(number)"), "events": long]
        )
        if reply.errorName == "LimitReached" { refusals += 1 }
      }
    }
    #expect((20...30).contains(refusals), "\(refusals)")
    try ann.client.create("sim")
    let reply = try ann.client.call(Interface.sensor + "Script", ["device": "sim", "events": long])
    #expect(reply.error == nil)
    // Who resets a sensor has room again.
    _ = try greedy.client.call(Interface.sensor + "Reset", ["device": "sim0"])
    let again = try greedy.client.call(
      Interface.sensor + "Script",
      ["device": "sim0", "events": long]
    )
    #expect(again.error == nil)
  }

  /// One user adds until the service refuses; the disk is not theirs alone.
  @Test func itemsOfOneUserLeaveRoomForThoseOfAnother() throws {
    let service = try SystemService(["--user-items-max", "20"], module: module)
    let (greedy, ann) = (try service.user(54_420), try service.user(Self.ann))
    for user in [greedy, ann] { try user.client.create("sim", passcode: "1111") }
    let answers = try (0..<30).map { try Self.add("item \($0)", as: greedy) }
    let taken = answers.prefix { $0.isDone }
    #expect(taken.count == 20)
    let refused = answers.dropFirst(20).filter { $0.message.contains("room for 20 items") }
    #expect(refused.count == 10)
    let statuses = Set(refused.map(\.status))
    #expect(statuses == [-34])
    #expect(try Self.add("mine", as: ann).isDone)
    // Attempts are still charged, the greedy user's too.
    for user in [greedy, ann] {
      let evaluated = try user.client.evaluate("passcode", on: "sim", script: "passcode:1111")
      #expect(evaluated.outcome == "success")
    }
  }

  private static func add(_ account: String, as user: OtherUser) throws -> ItemAnswer {
    try user.client.item(
      "Add",
      on: "sim",
      ["class": "genp", "acct": .text(account)],
      ["data": ItemVersion.data(1)]
    )
  }

  @Test func guessesOfOneUserDoNotQueueBeforeThoseOfAnother() throws {
    let service = try SystemService(module: module)
    let ann = try service.user(Self.ann)
    try ann.client.create("sim", passcode: "1111")
    let greedy = try service.user(54_420, connections: 12)
    // Each of these keeps a core busy for a while, and all of them wait for two threads.
    for (number, client) in greedy.clients.enumerated() {
      try client.send(
        Interface.devices + "Create",
        ["device": .text("d\(number)"), "passcode": "2222"]
      )
    }
    let evaluated = try ann.client.evaluate("passcode", on: "sim", script: "passcode:1111")
    #expect(evaluated.outcome == "success")
    // Nobody measures time here: the answer came while most of the flood still waits.
    var waiting = 0
    for client in greedy.clients where try !Poll.wait(for: client.descriptor, until: .after(.zero))
    {
      waiting += 1
    }
    #expect(waiting > 0)
    for client in greedy.clients { #expect(try client.receive().error == nil) }
  }

  /// Each call leaves a thousand secrets with the service, and nobody answers its prompt.
  @Test func secretsLeftAtPromptsAreAShareOfTheService() throws {
    let service = try SystemService(module: module)
    let greedy = try (0..<4).map { _ in try service.user(54_420, connections: 12) }
    let clients = greedy.flatMap(\.clients)
    let devices = ["a", "b"]
    for device in devices { try clients[0].create(device, passcode: "1111") }
    var taken: [WireClient] = []
    var refused: [WireClient] = []
    for (number, client) in clients.enumerated() {
      try client.beginAdding(1000, data: "YQ==", on: devices[number % 2])
      let reply = try client.receive()
      if reply.continues { taken.append(client) }
      if reply.errorName == "LimitReached" { refused.append(client) }
    }
    #expect(taken.count > 20 && !refused.isEmpty, "\(taken.count) and \(refused.count)")
    #expect(taken.count + refused.count == clients.count)
    let ann = try service.user(Self.ann)
    try ann.client.create("sim")
    #expect(try ann.client.evaluate(on: "sim", script: "match").outcome == "success")
    // Who gives one up has room again, and what waits is still asked about.
    #expect(try refused[0].call(Interface.daemon + "Status").error == nil)
    taken[0].close()
    while try refused[0].call(Interface.devices + "List").errorName == "LimitReached" {}
    try refused[0].beginAdding(data: "YQ==", on: "a")
    #expect(try refused[0].receive().continues)
    #expect(!taken[1].isClosedByPeer(within: .zero))
  }

  @Test func answersThatNobodyReadsAreAShareOfTheService() throws {
    let service = try SystemService(module: module)
    let greedy = try (0..<4).map { _ in try service.user(54_420, connections: 12) }
    let clients = greedy.flatMap(\.clients)
    let looking = try service.user(54_420).client
    try clients[0].create("sim")
    let data = String(repeating: "YWFh", count: 20_000)
    for account in 0..<6 {
      let added = try clients[0].item(
        "Add",
        on: "sim",
        .password("big", "\(account)"),
        ["data": .text(data)]
      )
      #expect(added.isDone, "\(added)")
    }
    let query: JSONValue = [
      "class": "genp", "m_Limit": "m_LimitAll", "r_Data": true, "svce": "big",
    ]
    func isRefused(_ client: WireClient) throws -> Bool {
      try client.call(Interface.devices + "List").errorName == "LimitReached"
    }
    // A call that comes while much is on its way is refused, and leaves nothing: so more follow.
    var sent = 0
    let deadline = Deadline.after(.seconds(120))
    while try !isRefused(looking), !deadline.hasPassed {
      try clients[sent % clients.count].send(
        Interface.keychain + "Copy",
        ["device": "sim", "query": query, "allowSimulated": true, "interactive": false],
        more: true
      )
      sent += 1
    }
    #expect(!deadline.hasPassed, "not refused after \(sent) calls")
    let ann = try service.user(Self.ann)
    try ann.client.create("sim")
    for client in clients { client.close() }
    while try isRefused(looking) {}
  }

  @Test func promptsOfOneUserLeaveThoseOfAnotherAlone() throws {
    let service = try SystemService(module: module)
    let greedy = try service.user(54_420, connections: 12)
    try greedy.client.create("sim")
    _ = try greedy.client.beginEvaluation(on: "sim")
    for client in greedy.clients.dropFirst() {
      try client.send(
        Interface.authentication + "Evaluate",
        WireClient.evaluation("biometrics", on: "sim"),
        more: true
      )
    }
    let ann = try service.user(Self.ann, connections: 2)
    try ann.client.create("sim")
    _ = try ann.client.beginEvaluation(on: "sim")
    try ann.clients[1].administerSensor("Touch", "sim", ["finger": "right-index-finger"])
    #expect(try ann.client.receiveResult().outcome == "success")
    #expect(try service.connect().call(Interface.service + "GetInfo").error == nil)
  }
}

extension WireClient {
  /// Calls a method of a device's sensor.
  func administerSensor(
    _ verb: String,
    _ device: String,
    _ more: [String: JSONValue] = [:]
  ) throws {
    let parameters: JSONValue = ["device": .text(device)]
    _ = try call(Interface.sensor + verb, parameters.setting(more)).get()
  }
}
