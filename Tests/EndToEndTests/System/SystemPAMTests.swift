import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// PAM for a daemon that is not root: workers of root's that accept the daemon alone.
@Suite(
  .enabled(if: SystemService.canRun, "needs root, setpriv, a C compiler and a reachable build")
)
struct SystemPAMTests {
  private static let password = "correct horse"
  private let module: TestModule

  init() throws { module = try TestModule() }

  /// Evaluates `passcode` on the user's own machine with one answer.
  private func evaluate(_ client: WireClient, _ answer: String) throws -> Evaluated {
    let script = "passcode:\"\(answer)\",cancel"
    let evaluation: JSONValue = [
      "policy": "passcode", "reason": "a test", "script": .text(script),
      "scriptIsArgument": false,
    ]
    return Evaluated(
      replies: try client.stream(Interface.authentication + "Evaluate", evaluation)
    )
  }

  @Test(.enabled(if: LocalAccount.canBeMade, "needs useradd"))
  func passwordsOfAllAccountsAreJudgedForADaemonWithoutRights() throws {
    try module.describe(
      "localauth",
      "auth required pam_unix.so nodelay\naccount required pam_unix.so\n"
    )
    let ann = try LocalAccount(password: Self.password)
    let bob = try LocalAccount(password: "another word")
    let service = try SystemService(module: module, service: "localauth")
    let annsClient = try service.user(ann.uid)
    let bobsClient = try service.user(bob.uid)
    #expect(try evaluate(annsClient.client, Self.password).outcome == "success")
    #expect(try evaluate(bobsClient.client, Self.password).attempts == 1)
    #expect(try evaluate(bobsClient.client, "another word").outcome == "success")
    // Root asks for a user, as a login does.
    let root = try service.connect()
    let evaluation: JSONValue = [
      "policy": "passcode", "reason": "log in", "user": .number(ann.uid),
      "script": .text("passcode:\"\(Self.password)\""), "scriptIsArgument": false,
    ]
    let result = Evaluated(
      replies: try root.stream(Interface.authentication + "Evaluate", evaluation)
    )
    #expect(result.outcome == "success")
    #expect(result.result?["simulated"]?.boolean == false)
    // Whoever has no account has no password.
    let stranger = try service.user(54_399)
    #expect(try evaluate(stranger.client, Self.password).outcome != "success")
  }

  @Test(.enabled(if: LocalAccount.canBeMade, "needs useradd"))
  func moduleOfRootsWorkerMayHangAndCrash() throws {
    let account = try LocalAccount(password: Self.password)
    try module.describe("ask", auth: "ask hang")
    let service = try SystemService(["--pam-limit", "1"], module: module, service: "ask")
    let ann = try service.user(account.uid)
    #expect(try evaluate(ann.client, "1234").outcome == "timeout")
    try module.describe("ask", auth: "ask crash")
    #expect(try evaluate(ann.client, "1234").outcome == "internalError")
    try module.describe("ask", auth: "ask")
    #expect(try evaluate(ann.client, "1234").outcome == "success")
    #expect(service.daemon.isRunning && service.workers.isRunning)
  }

  @Test(.enabled(if: LocalAccount.canBeMade, "needs useradd"))
  func oneUsersConversationsLeaveTheOthersWorkers() throws {
    let greedy = try LocalAccount(password: Self.password)
    let other = try LocalAccount(password: Self.password)
    try module.describe("ask", auth: "ask hang")
    let service = try SystemService(module: module, service: "ask")
    let process = try service.user(greedy.uid, connections: 5)
    // Acts need no prompt, so that one machine has many conversations.
    let unlock: JSONValue = ["device": "default", "passcode": "1234"]
    for number in 0..<4 {
      try process.clients[number].send(Interface.devices + "Unlock", unlock)
    }
    let fifth = try process.clients[4].call(Interface.devices + "Unlock", unlock)
    #expect(fifth.parameters["outcome"]?.string == "busy")
    try module.describe("ask", auth: "ask")
    let client = try service.user(other.uid)
    #expect(try evaluate(client.client, "1234").outcome == "success")
  }

  /// Root asks for them, as the programs do that a user starts for another.
  @Test(.enabled(if: LocalAccount.canBeMade, "needs useradd"))
  func questionsThatOneUserLeavesAtOtherAccountsKeepNobodyOut() throws {
    let greedy = try LocalAccount(password: Self.password)
    let other = try LocalAccount(password: Self.password)
    try module.describe("ask", auth: "ask")
    let service = try SystemService(module: module, service: "ask")
    // Accounts of every machine: daemon, bin, sys, sync and games.
    let left = try (1...5).map { uid -> (WireClient, JSONValue) in
      let client = try service.connect()
      try client.send(
        Interface.authentication + "Evaluate",
        [
          "policy": "passcode", "reason": "su", "user": .number(uid),
          "origin": .text("user:\(greedy.uid)"),
        ],
        more: true
      )
      while true {
        let reply = try client.receive()
        // A prompt comes before PAM's question is in it.
        if reply.parameters["prompt"]?["passcodePrompt"] != nil || !reply.continues {
          return (client, reply.parameters)
        }
      }
    }
    // Four ask for the passcode, and the fifth is refused: the share is that of who asks.
    let refused = left.filter { $0.1["result"]?["outcome"]?.string == "busy" }
    #expect(refused.count == 1)
    let others = try service.user(other.uid)
    #expect(try evaluate(others.client, "1234").outcome == "success")
    // What one left at others gives way to what is one's own.
    let own = try service.user(greedy.uid)
    #expect(try evaluate(own.client, "1234").outcome == "success")
    let endings = try left[0].0.receiveRest()
    #expect(endings.last?.parameters["result"]?["outcome"]?.string == "systemCancel")
  }

  @Test(.enabled(if: LocalAccount.canBeMade, "needs useradd"))
  func daemonWithoutWorkersSaysWhereTheyShouldBe() throws {
    let account = try LocalAccount(password: Self.password)
    let service = try SystemService(module: module)
    let ann = try service.user(account.uid)
    #expect(try evaluate(ann.client, "x").outcome == "success")
    try service.workers.end()
    let result = try evaluate(ann.client, "x")
    #expect(result.outcome == "badConfiguration")
    #expect(result.result?["message"]?.string?.contains(service.pamSocket) == true)
  }

  @Test(.enabled(if: LocalAccount.canBeMade, "needs useradd"))
  func daemonSendsNothingToWorkersThatAreNotRoots() throws {
    let account = try LocalAccount(password: Self.password)
    let service = try SystemService(module: module)
    try service.workers.end()
    Files.remove(service.pamSocket)
    // Somebody else listens where root did, and records what comes.
    let heard = service.scratch.file("heard")
    try service.scratch.write("", to: "heard", mode: 0o666)
    Files.setMode(0o777, of: service.scratch.file("pam"))
    let thief = try Eavesdropper(at: service.pamSocket, as: 54_398, writingTo: heard)
    let ann = try service.user(account.uid)
    let result = try evaluate(ann.client, "secret word")
    #expect(result.outcome == "badConfiguration")
    #expect(result.result?["message"]?.string?.contains("54398") == true)
    try thief.end()
    #expect(try Files.read(heard).isEmpty)
  }

  @Test(.enabled(if: LocalAccount.canBeMade, "needs useradd"))
  func workersForAnotherDaemonProveNothing() throws {
    let account = try LocalAccount(password: Self.password)
    let service = try SystemService(module: module, workerUser: 54_397)
    let ann = try service.user(account.uid)
    #expect(try evaluate(ann.client, "x").outcome == "internalError")
  }
}
