import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// The service of the system, with users of several uids.
@Suite(
  .enabled(if: SystemService.canRun, "needs root, setpriv, a C compiler and a reachable build")
)
struct SystemServiceTests {
  private static let ann: UInt32 = 54_401
  private static let bob: UInt32 = 54_402
  private let module: TestModule
  private let service: SystemService

  init() throws {
    module = try TestModule()
    service = try SystemService(module: module)
  }

  private static func list(_ client: WireClient, _ parameters: JSONValue = [:]) throws -> [String] {
    let reply = try client.call(Interface.devices + "List", parameters).get()
    return reply["devices"]?.elements.compactMap { $0["name"]?.string } ?? []
  }

  private static func naming(_ user: UInt32) -> [String: JSONValue] { ["user": .number(user)] }

  @Test func everyUserHasDevicesOfTheirOwn() throws {
    let ann = try service.user(Self.ann)
    let bob = try service.user(Self.bob)
    let root = try service.connect()
    try ann.client.create("sim", passcode: "1111")
    try bob.client.create("sim", passcode: "2222")
    #expect(try Self.list(ann.client) == ["default", "sim"])
    #expect(try Self.list(root) == ["default"])
    #expect(
      try ann.client.evaluate("passcode", on: "sim", script: "passcode:1111").outcome == "success"
    )
    #expect(
      try bob.client.evaluate("passcode", on: "sim", script: "passcode:1111,cancel").attempts == 1
    )
    #expect(try ann.client.status("sim").passcodeAttemptsLeft == 10)
    #expect(try bob.client.status("sim").passcodeAttemptsLeft == 9)
    try ann.client.administer("Delete", "sim", ["passcode": "1111"])
    #expect(try Self.list(ann.client) == ["default"])
    #expect(try Self.list(bob.client) == ["default", "sim"])
    // Each sees their own audit alone.
    #expect(try ann.client.audit("sim").allSatisfy { $0["uid"]?.integer == Int(Self.ann) })
    #expect(try bob.client.audit("sim").allSatisfy { $0["uid"]?.integer == Int(Self.bob) })
  }

  @Test func promptSaysWhichProgramOfAnotherUserAsks() throws {
    let ann = try service.user(Self.ann)
    try ann.client.create("sim")
    let prompt = try ann.client.beginEvaluation(on: "sim")
    #expect(prompt["caller"]?.string == "lender (process \(ann.process.processID))")
    // A name that its program chose.
    let script = """
      import json, socket, sys
      open('/proc/self/comm', 'wb').write(b'a\\x1b[2Jb\\nc')
      s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1])
      def send(method, **parameters):
          call = {'method': 'io.localauth.' + method, 'parameters': parameters, 'more': True}
          s.sendall(json.dumps(call).encode() + b'\\0')
          return json.loads(s.recv(65536).split(b'\\0')[0])
      send('Devices.Create', device='other', fingers=['right-index-finger'])
      print(send('Authentication.Evaluate', policy='biometrics', reason='r', device='other',
                 allowSimulated=True)['parameters']['prompt']['caller'])
      """
    let report = try RunningProgram.run(
      "/usr/bin/setpriv",
      Machine.asOther(["/usr/bin/python3", "-c", script, service.socket], uid: Self.ann)
    )
    #expect(report.output.hasPrefix("a?[2Jb?c (process "), "\(report)")
  }

  @Test func devicesAndStrikesOfAllUsersSurviveTheDaemon() throws {
    try service.user(Self.ann).client.create("sim")
    let bob = try service.user(Self.bob)
    try bob.client.create("sim")
    #expect(try bob.client.evaluate(on: "sim", script: "miss,cancel").misses == 1)
    #expect(try service.daemon.end(SIGTERM) == .status(0), "\(service.log)")
    let socket = service.scratch.file("run2")
    _ = try service.scratch.makeDirectory("run2")
    _ = try RunningProgram.run("/bin/chown", ["\(SystemService.uid)", socket])
    let next = try DaemonProcess(
      home: service.home,
      .init(arguments: ["--system"], uid: SystemService.uid, socket: socket + "/socket")
    )
    #expect(
      try OtherUser(Self.bob, connectedTo: next.socket).client.status("sim").attemptsLeft == 2
    )
    #expect(
      try OtherUser(Self.ann, connectedTo: next.socket).client.status("sim").attemptsLeft == 3
    )
  }

  @Test func nobodyButRootNamesAnotherUser() throws {
    let ann = try service.user(Self.ann)
    try ann.client.create("sim")
    let bob = try service.user(Self.bob)
    for method in ["Devices.List", "Devices.Audit", "Policies.List", "Keychain.Groups"] {
      let reply = try bob.client.call("io.localauth." + method, ["user": .number(Self.ann)])
      #expect(reply.errorName == "NotPermitted", "\(method)")
      #expect(reply.parameters["message"]?.string == "Only root may name another user.")
    }
    // What the PAM module calls.
    let modules: [(String, [String: JSONValue])] = [
      ("Authentication.Respond", ["nonce": "0000000000000000", "passcode": "1234"]),
      ("Authentication.Evaluate", ["policy": "passcode", "reason": "log in"]),
      ("Devices.Status", [:]), ("Devices.Lock", [:]), ("Devices.Unlock", ["passcode": "1234"]),
      ("Devices.SetPasscode", ["new": "1234"]),
    ]
    for (method, parameters) in modules {
      for other in [Self.ann, 0] {
        let named: JSONValue = ["user": .number(other)]
        let reply = try bob.client.call("io.localauth." + method, named.setting(parameters))
        #expect(reply.errorName == "NotPermitted", "\(method)")
      }
    }
    let touch: JSONValue = [
      "device": "sim", "finger": "right-index-finger", "user": .number(Self.ann),
    ]
    #expect(
      try bob.client.call(Interface.sensor + "Touch", touch).errorName == "NotPermitted"
    )
    let evaluation = WireClient.evaluation(
      "biometrics",
      on: "sim",
      script: "match",
      Self.naming(Self.ann)
    )
    #expect(
      try bob.client.call(Interface.authentication + "Evaluate", evaluation).errorName
        == "NotPermitted"
    )
    // Naming oneself says nothing new.
    #expect(try Self.list(bob.client, ["user": .number(Self.bob)]) == ["default"])
    for wrong: JSONValue in [-1, 4_294_967_295, 4_294_967_296, "54401", true] {
      let reply = try bob.client.call(Interface.devices + "List", ["user": wrong])
      #expect(reply.error == Interface.service + "InvalidParameter")
      #expect(reply.parameters["parameter"]?.string == "user")
    }
  }

  @Test func rootNamesTheUserItActsFor() throws {
    let ann = try service.user(Self.ann)
    let root = try service.connect()
    let naming = Self.naming(Self.ann)
    try root.create("made-by-root", passcode: "1111", naming)
    #expect(try Self.list(ann.client) == ["default", "made-by-root"])
    #expect(try Self.list(root) == ["default"])
    #expect(
      try root.evaluate("passcode", on: "made-by-root", script: "passcode:1111", naming).outcome
        == "success"
    )
    // The audit is the owner's, and says who it was.
    let lines = try ann.client.audit("made-by-root")
    #expect(lines.count == 2 && lines.allSatisfy { $0["uid"]?.integer == 0 })
    #expect(try root.audit("made-by-root").isEmpty)
    // The next call of the connection is about root's own devices again.
    #expect(
      try root.call(Interface.devices + "Status", ["device": "made-by-root"]).errorName
        == "DeviceNotFound"
    )
  }

  @Test func promptOfRootForAUserIsRootsToAnswer() throws {
    let ann = try service.user(Self.ann, connections: 2)
    try ann.client.create("sim", passcode: "1111")
    let root = try service.connect()
    let prompt = try root.beginEvaluation("passcode", on: "sim", Self.naming(Self.ann))
    let nonce = try #require(prompt["nonce"]?.string)
    #expect(try ann.client.respond(nonce, ["passcode": "1111"]).errorName == "PromptNotFound")
    let answers = try service.connect()
    #expect(try answers.respond(nonce, ["passcode": "1111"]).error == nil)
    #expect(try root.receiveResult().outcome == "success")
  }

  @Test func promptOfAUserIsNobodyElsesToAnswer() throws {
    let ann = try service.user(Self.ann, connections: 2)
    let bob = try service.user(Self.bob)
    try ann.client.create("sim", passcode: "1111")
    let prompt = try ann.client.beginEvaluation("passcode", on: "sim")
    let nonce = try #require(prompt["nonce"]?.string)
    #expect(try bob.client.respond(nonce, ["passcode": "1111"]).errorName == "PromptNotFound")
    #expect(
      try service.connect().respond(nonce, ["passcode": "1111"]).errorName == "PromptNotFound"
    )
    #expect(try ann.clients[1].respond(nonce, ["passcode": "1111"]).error == nil)
    #expect(try ann.client.receiveResult().outcome == "success")
  }

  @Test func userWhoHasNoNumberHereIsTurnedAway() throws {
    let nobody = try service.user(65_534)
    let reply = try nobody.client.receive()
    #expect(reply.errorName == "NotPermitted")
    #expect(reply.parameters["message"]?.string?.contains("kernel") == true)
  }

  @Test func usersWhoRaceMeetTheirOwnDevicesOnly() throws {
    let users = try (0..<6).map { try service.user(54_410 + UInt32($0), connections: 4) }
    for (number, user) in users.enumerated() {
      try user.client.create("sim", passcode: "000\(number)")
    }
    // All of them ask at once; each is right with their own passcode alone.
    for round in 0..<5 {
      for (number, user) in users.enumerated() {
        for client in user.clients {
          let guess = (number + round) % users.count
          try client.send(
            Interface.authentication + "Evaluate",
            WireClient.evaluation("passcode", on: "sim", script: "passcode:000\(guess),cancel"),
            more: true
          )
        }
      }
      for (number, user) in users.enumerated() {
        for client in user.clients {
          let outcome = try client.receiveResult().outcome
          if (number + round) % users.count == number {
            #expect(outcome == "success")
          } else {
            #expect(outcome == "userCancel" || outcome == "passcodeThrottled", "\(outcome)")
          }
        }
      }
    }
  }

  @Test func simulatedDevicesHaveNoAccountsPassword() throws {
    let ann = try service.user(Self.ann)
    for pam in [module.passcode(of: "permit"), ["pamService": "su"], ["pamService": "permit"]] {
      let parameters: JSONValue = ["device": "own"]
      let reply = try ann.client.call(Interface.devices + "Create", parameters.setting(pam))
      #expect(reply.errorName == "NotPermitted")
    }
  }
}
