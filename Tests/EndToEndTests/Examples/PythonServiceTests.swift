import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `Examples/step-up-service.py`, which asks the person itself.
@Suite(
  .enabled(if: ExampleService.hasPython, "needs curl, and the packages that .ci/setup installs")
)
struct PythonServiceTests {
  private static let python = ExampleService.python
  private let scratch = Scratch()
  private let daemon: DaemonProcess

  init() throws {
    daemon = try DaemonProcess(home: scratch.file("home"))
    try daemon.connect().create("sim", passcode: "1234")
  }

  private func service(
    keys: [String] = ["--simulated"],
    _ options: [String] = ["--allow-simulated"],
    socket: String? = nil
  ) throws -> ExampleService {
    let published = try Authctl.run(["--home", daemon.home, "jwks"] + keys)
    try scratch.write(published.output, to: "keys.json")
    let command = [
      Self.python, Repository.example("step-up-service.py"), "--port", "0", "--device", "sim",
      "--keys", scratch.file("keys.json"), "--socket", socket ?? daemon.socket,
    ]
    return try ExampleService(command + options)
  }

  /// A program that took the daemon's place: it passes on what is said, with something changed.
  private func relay(_ change: [String]) throws -> (program: ExampleService, socket: String) {
    let socket = scratch.file("relay")
    let script =
      #filePath.split(separator: "/").dropLast(2).reduce("") { $0 + "/" + $1 } + "/daemon-relay.py"
    return (try ExampleService([Self.python, script, socket, daemon.socket] + change), socket)
  }

  private func script(_ events: String) throws {
    let queued: JSONValue = ["device": "sim", "events": .text(events)]
    _ = try daemon.connect().call(Interface.sensor + "Script", queued).get()
  }

  private func evaluations() throws -> [JSONValue] {
    try daemon.connect().audit("sim").filter { $0["action"]?.string == "evaluate" }
  }

  @Test func approvedActionIsDoneAndTheApprovalIsItsReceipt() throws {
    let service = try service()
    try script("miss,match")
    let done = try service.delete("/releases/42")
    #expect(done.status == "200", "\(done)\(service.log)")
    #expect(done.json?["done"]?.string == "delete release 42")
    #expect(done.json?["approval"]?["amr"]?.elements.map(\.string) == ["fpt"])
    let audited = try #require(try evaluations().last)
    #expect(done.json?["approval"]?["jti"]?.string == audited["evaluation"]?.string)
    #expect(try service.releases() == "[41,43]\n")
    #expect(try service.delete("/releases/42").status == "404")
  }

  @Test(arguments: ["cancel", "miss,cancel", "fallback,cancel"])
  func whatThePersonRefusesIsNotDone(_ events: String) throws {
    let service = try service()
    try script(events)
    #expect(try service.delete("/releases/42").status == "403")
    #expect(try service.releases() == "[41,42,43]\n")
  }

  @Test func eachRequestAsksAnew() throws {
    let service = try service()
    try script("match")
    #expect(try service.delete("/releases/42").status == "200")
    try script("cancel")
    #expect(try service.delete("/releases/43").status == "403")
    #expect(try service.releases() == "[41,43]\n")
  }

  @Test func simulatedDeviceCountsOnlyWhereTheServiceSaysSo() throws {
    let service = try service([])
    try script("match")
    #expect(try service.delete("/releases/42").status == "403")
    // Nor when the daemon was told otherwise on the way.
    let (relay, socket) = try relay(["\"allowSimulated\": false", "\"allowSimulated\": true"])
    defer { _ = relay }
    let deceived = try self.service([], socket: socket)
    try script("match")
    let refused = try deceived.delete("/releases/42")
    #expect(refused.status == "503" && refused.error.contains("simulated"), "\(refused)")
  }

  /// What whoever took the daemon's place changes, and what the service says to it.
  @Test(arguments: [
    ["delete release 42", "delete release 43", "another action"],
    ["\"nonce\": \"[^\"]*\"", "\"nonce\": \"other\"", "another request"],
    ["http://127", "https://127", "Audience"],
    ["device-owner", "biometrics", "worth something else"],
  ])
  func whatWasChangedOnTheWayIsNotBelieved(_ words: [String]) throws {
    let (relay, socket) = try relay(Array(words.prefix(2)))
    defer { _ = relay }
    let service = try service(socket: socket)
    try script("match")
    let refused = try service.delete("/releases/42")
    #expect(refused.status == "503" && refused.error.contains(words[2]), "\(refused)")
    #expect(try service.releases() == "[41,42,43]\n")
  }

  @Test func earlierApprovalIsNotBelievedAgain() throws {
    let (relay, socket) = try relay(["replay"])
    defer { _ = relay }
    let service = try service(socket: socket)
    try script("match")
    #expect(try service.delete("/releases/42").status == "200")
    try script("match")
    let refused = try service.delete("/releases/43")
    #expect(refused.status == "503" && refused.error.contains("another request"), "\(refused)")
    #expect(try service.releases() == "[41,43]\n")
  }

  @Test func keysOfAnotherIssuerBelieveNothing() throws {
    let service = try service(keys: [])
    try script("match")
    let refused = try service.delete("/releases/42")
    #expect(refused.status == "503" && refused.error.contains("not trusted"), "\(refused)")
  }

  @Test func withoutTheDaemonNothingIsDone() throws {
    let service = try service()
    try daemon.program.end()
    #expect(try service.delete("/releases/42").status == "503")
    #expect(try service.releases() == "[41,42,43]\n")
  }

  @Test func nobodyIsAskedForWhatIsNoRequestToThisService() throws {
    let service = try service()
    let renamed = try service.send("DELETE", "/releases/42", ["--header", "Host: evil.example"])
    #expect(renamed.status == "403")
    #expect(try service.delete("/releases/042").status == "404")
    #expect(try service.delete("/releases/44").status == "404")
    #expect(try evaluations().isEmpty)
  }
}
