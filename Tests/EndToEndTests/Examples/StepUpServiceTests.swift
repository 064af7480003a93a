import LocalAuthJSON
import LocalAuthUnix
import Testing

/// The service of `Examples/StepUpService`, which verifies what a client brings.
@Suite(
  .enabled(if: ExampleService.hasSwift, "needs curl, and the build of `make check-packages`")
)
struct StepUpServiceTests {
  private static let programs = ExampleService.programs
  private let scratch = Scratch()
  private let daemon: DaemonProcess

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim", passcode: "1234")
  }

  private func service(
    keys: [String] = ["--simulated"],
    _ options: [String] = ["--allow-simulated"]
  ) throws -> ExampleService {
    let published = try Authctl.run(["--home", daemon.home, "jwks"] + keys)
    try scratch.write(published.output, to: "keys.json")
    let command = [Self.programs + "/step-up-service", "--port", "0", "--keys"]
    return try ExampleService(command + [scratch.file("keys.json")] + options)
  }

  /// What a challenge demands, and how the person's machine answers it.
  private struct Demand {
    var header: String
    var audience: String
    var action: String
    var nonce: String

    init(_ answer: ExampleService.Answer) {
      header = answer.challenge
      audience = answer.json?["audience"]?.string ?? ""
      action = answer.json?["action"]?.string ?? ""
      nonce = answer.json?["nonce"]?.string ?? ""
    }
  }

  private func approve(
    _ demand: Demand,
    script: String = "match",
    policy: [String] = []
  ) throws -> String {
    let report = try Authctl.run(
      [
        "--home", daemon.home, "--device", "sim", "evaluate", "--reason", "a test", "--script",
        script, "--challenge", demand.header, "--action", demand.action, "--assertion",
        "--audience", demand.audience, "--nonce", demand.nonce,
      ] + policy
    )
    #expect(report.status == 0, "\(report.errors)")
    return String(report.output.dropLast())
  }

  @Test func approvedActionIsDoneAndProofCountsOnce() throws {
    let service = try service()
    let challenged = try service.delete("/releases/42")
    #expect(challenged.status == "401")
    let demand = Demand(challenged)
    #expect(demand.action == "delete release 42")
    #expect(demand.audience == service.address)
    let proof = try approve(demand)
    let done = try service.delete("/releases/42", proof: proof)
    #expect(done.status == "200", "\(done)")
    #expect(done.json?["done"]?.string == "delete release 42")
    #expect(done.json?["amr"]?.elements.map(\.string) == ["fpt"])
    #expect(try service.releases() == "[41,43]\n")
    #expect(try service.delete("/releases/41", proof: proof).error.contains("not open"))
    #expect(try service.releases() == "[41,43]\n")
  }

  @Test func clientHasThePersonApproveItOnTheTerminal() throws {
    let service = try service()
    let queued: JSONValue = ["device": "sim", "events": "miss,match"]
    _ = try daemon.connect().call(Interface.sensor + "Script", queued).get()
    let client = try TerminalProgram(
      [
        Self.programs + "/step-up-client", "--device", "sim", "DELETE",
        service.address + "/releases/42",
      ],
      environment: ["LOCALAUTH_HOME=\(daemon.home)"]
    )
    #expect(try client.waitForExit() == .status(0), "\(client.screen)")
    #expect(client.screen.contains("delete release 42"))
    #expect(client.screen.contains(service.address))
    #expect(try service.releases() == "[41,43]\n")
  }

  @Test func clientTellsWhyNothingWasDone() throws {
    let service = try service()
    let queued: JSONValue = ["device": "sim", "events": "cancel"]
    _ = try daemon.connect().call(Interface.sensor + "Script", queued).get()
    let client = try TerminalProgram(
      [
        Self.programs + "/step-up-client", "--device", "sim", "DELETE",
        service.address + "/releases/42",
      ],
      environment: ["LOCALAUTH_HOME=\(daemon.home)"]
    )
    #expect(try client.waitForExit() == .status(3), "\(client.screen)")
    #expect(try service.releases() == "[41,42,43]\n")
  }

  @Test func clientSignsNothingForSomebodyElse() throws {
    // The service is called something else than where the client finds it.
    let service = try service(["--allow-simulated", "--audience", "https://pay.example"])
    let report = try RunningProgram.run(
      Self.programs + "/step-up-client",
      ["--device", "sim", "DELETE", service.address + "/releases/42"],
      environment: Authctl.environment + ["LOCALAUTH_HOME=\(daemon.home)"]
    )
    #expect(report.status == 70 && report.errors.contains("https://pay.example"), "\(report)")
    let lines = try daemon.connect().audit("sim").filter { $0["action"]?.string == "evaluate" }
    #expect(lines.isEmpty)
  }

  /// What is wrong with a proof, and what the service says to it.
  private static let wrongs: [(String, String, @Sendable (inout Demand) -> Void)] = [
    ("a nonce of nobody's", "not open", { $0.nonce = "0123456789abcdef0123456789abcdef" }),
    ("another audience", "another audience", { $0.audience = "https://pay.example" }),
    ("a changed action", "another action", { $0.action = "delete release 43" }),
    ("a look-alike action", "another action", { $0.action += "." }),
  ]

  @Test(arguments: 0..<4) func proofOfSomethingElseIsRefused(_ which: Int) throws {
    let (name, why, change) = Self.wrongs[which]
    let service = try service()
    var demand = Demand(try service.delete("/releases/42"))
    change(&demand)
    let refused = try service.delete("/releases/42", proof: try approve(demand))
    #expect(refused.status == "403" && refused.error.contains(why), "\(name): \(refused)")
    #expect(try service.releases() == "[41,42,43]\n")
  }

  @Test func proofForAnotherRequestIsRefusedAndSpent() throws {
    let service = try service()
    let proof = try approve(Demand(try service.delete("/releases/42")))
    let other = try service.delete("/releases/43", proof: proof)
    #expect(other.status == "403" && other.error.contains("another action"), "\(other)")
    let late = try service.delete("/releases/42", proof: proof)
    #expect(late.status == "403" && late.error.contains("not open"), "\(late)")
    #expect(try service.releases() == "[41,42,43]\n")
  }

  @Test func proofOfASimulatedDeviceIsRefusedUnlessAllowed() throws {
    let service = try service([])
    let proof = try approve(Demand(try service.delete("/releases/42")))
    let refused = try service.delete("/releases/42", proof: proof)
    #expect(refused.status == "403" && refused.error.contains("simulated"), "\(refused)")
  }

  @Test func realIssuersKeysVouchForNoSimulatedDevice() throws {
    let service = try service(keys: [])
    let proof = try approve(Demand(try service.delete("/releases/42")))
    let refused = try service.delete("/releases/42", proof: proof)
    #expect(refused.status == "403" && refused.error.contains("not trusted"), "\(refused)")
  }

  @Test func proofThatIsWorthLessIsRefused() throws {
    let service = try service()
    var demand = Demand(try service.delete("/releases/42"))
    demand.header = "Bearer error=\"insufficient_user_authentication\""
    let proof = try approve(demand, policy: ["--policy", "biometrics"])
    let refused = try service.delete("/releases/42", proof: proof)
    #expect(refused.status == "403" && refused.error.contains("worth"), "\(refused)")
  }

  @Test func challengeThatWasAnsweredTooLateIsRefused() throws {
    let service = try service(["--allow-simulated", "--challenge-lifetime", "0"])
    let proof = try approve(Demand(try service.delete("/releases/42")))
    let refused = try service.delete("/releases/42", proof: proof)
    #expect(refused.status == "403" && refused.error.contains("too late"), "\(refused)")
  }

  @Test func whatIsNoProofIsRefused() throws {
    let service = try service()
    for proof in ["x", "a.b.c", String(repeating: "x", count: 9000)] {
      #expect(try service.delete("/releases/42", proof: proof).status == "403")
    }
    #expect(try service.delete("/releases/42", proof: "a b").status == "401")
    #expect(try service.delete("/releases/042").status == "404")
    #expect(try service.delete("/releases/44").status == "404")
    #expect(try service.send("POST", "/releases/42").status == "405")
    #expect(try service.send("POST", "/", ["--data", "x"]).status == "400")
    #expect(try service.releases() == "[41,42,43]\n")
  }
}
