import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Agents of several users with the service of the system.
@Suite(
  .enabled(if: SystemService.canRun, "needs root, setpriv, a C compiler and a reachable build")
)
struct SystemAgentTests {
  private static let ann: UInt32 = 54_431
  private static let bob: UInt32 = 54_432
  private let module: TestModule
  private let service: SystemService

  init() throws {
    module = try TestModule()
    service = try SystemService(module: module)
  }

  private static let method = Interface.authentication + "Evaluate"

  private static func request(_ more: [String: JSONValue] = [:]) -> JSONValue {
    WireClient.evaluation("passcode", on: "sim", ["agent": true].merging(more) { $1 })
  }

  @Test func anAgentNeverSeesThePromptsOfAnotherUser() throws {
    let ann = try service.user(Self.ann)
    let bob = try service.user(Self.bob)
    try ann.client.create("sim", passcode: "1111")
    try bob.client.create("sim", passcode: "2222")
    let spy = try AgentSpy(service.socket, in: service.scratch, as: Self.bob)
    // Bob's agent is the only one: for Ann there is none.
    let reply = try ann.client.call(Self.method, Self.request())
    #expect(reply.result?["outcome"]?.string == "notInteractive")
    let asRoot = try service.connect().call(
      Self.method,
      Self.request(["user": .number(Self.ann)])
    )
    #expect(asRoot.result?["outcome"]?.string == "notInteractive")
    #expect(spy.told.isEmpty)
    // Bob's own requests, and root's about his devices, it shows.
    try bob.client.send(Self.method, Self.request())
    let nonce = try spy.nonce()
    for stranger in [ann.client, try service.connect()] {
      #expect(try stranger.respond(nonce, ["passcode": "2222"]).errorName == "PromptNotFound")
    }
    try spy.program.end()
    #expect(try bob.client.receiveResult().outcome == "systemCancel")
  }

  @Test func nobodyButRootIsAnAgentForAnother() throws {
    let bob = try service.user(Self.bob)
    try bob.client.send(
      Interface.agents + "Register",
      ["user": .number(Self.ann)],
      more: true
    )
    #expect(try bob.client.receive().errorName == "NotPermitted")
    let ann = try service.user(Self.ann)
    try ann.client.create("sim", passcode: "1111")
    let root = try service.connect()
    try root.send(Interface.agents + "Register", ["user": .number(Self.ann)], more: true)
    #expect(try root.receive().parameters["registered"]?.boolean == true)
    try ann.client.send(Self.method, Self.request())
    let prompt = try root.receivePrompt()
    #expect(prompt["caller"]?.string?.contains("user \(Self.ann)") == true)
    let nonce = try #require(prompt["nonce"]?.string)
    #expect(try service.connect().respond(nonce, ["passcode": "1111"]).error == nil)
    #expect(try ann.client.receiveResult().outcome == "success")
  }
}
