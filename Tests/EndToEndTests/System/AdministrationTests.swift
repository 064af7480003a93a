import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Who may administer devices of the service of the system is what its rules say.
@Suite(
  .enabled(if: SystemService.canRun, "needs root, setpriv, a C compiler and a reachable build")
)
struct AdministrationTests {
  private static let ann: UInt32 = 54_401
  private let module: TestModule

  init() throws { module = try TestModule() }

  /// What each act is answered with, on a device that root made for the user.
  private func acts(_ rules: String, asRoot: Bool) throws -> [String: String] {
    let service = try SystemService(module: module, administration: rules)
    let root = try service.connect()
    let user: [String: JSONValue] = ["user": .number(Self.ann)]
    var answers: [String: String] = [:]
    let ann = try service.user(Self.ann)
    let client = asRoot ? root : ann.client
    func act(_ name: String, _ method: String, _ parameters: JSONValue) throws {
      let reply = try client.call(method, asRoot ? parameters.setting(user) : parameters)
      answers[name] = reply.errorName ?? "done"
    }
    try act("create", Interface.devices + "Create", ["device": "sim"])
    if answers["create"] != "done" { try? root.create("sim", user) }
    try act(
      "administer",
      Interface.sensor + "Enroll",
      ["device": "sim", "finger": "left-thumb"]
    )
    try act("drive", Interface.devices + "Reboot", ["device": "sim"])
    try act(
      "script",
      Interface.authentication + "Evaluate",
      WireClient.evaluation("biometrics", on: "sim", script: "cancel")
    )
    try act("use", Interface.devices + "List", [:])
    return answers
  }

  private static let everything = [
    "create": "done", "administer": "done", "drive": "done", "script": "done", "use": "done",
  ]

  @Test func ownersAndRootMayDoEverythingUnlessRulesSayOtherwise() throws {
    #expect(try acts("{}", asRoot: false) == Self.everything)
    #expect(try acts("{}", asRoot: true) == Self.everything)
  }

  @Test func whatIsLeftToRootIsRootsAlone() throws {
    let rules = #"{"create": "root", "administer": "root", "drive": "root"}"#
    #expect(
      try acts(rules, asRoot: false) == [
        "create": "NotPermitted", "administer": "NotPermitted", "drive": "NotPermitted",
        "script": "NotPermitted", "use": "done",
      ]
    )
    #expect(try acts(rules, asRoot: true) == Self.everything)
  }

  @Test func whatNobodyMayDoNotEvenRootDoes() throws {
    let answers = try acts(#"{"drive": "nobody"}"#, asRoot: true)
    #expect(answers["drive"] == "NotPermitted" && answers["script"] == "NotPermitted")
    #expect(answers["administer"] == "done")
  }

  @Test func rulesWithAMistakeLeaveNobodyAnything() throws {
    let service = try SystemService(module: module, administration: #"{"drive": "everybody"}"#)
    let ann = try service.user(Self.ann)
    let reply = try ann.client.call(Interface.devices + "Create", ["device": "sim"])
    #expect(reply.errorName == "NotPermitted")
    #expect(service.log.contains("administration.json:1:11"), "\(service.log)")
    #expect(try ann.client.call(Interface.devices + "List").error == nil)
  }

  @Test func rulesThatOthersCouldReplaceLeaveNobodyAnything() throws {
    let scratch = Scratch()
    Files.setMode(0o755, of: scratch.path)
    let open = try scratch.makeDirectory("open", mode: 0o777)
    try scratch.write("{}", to: "open/administration.json", mode: 0o644)
    let service = try SystemService(
      ["--administration", scratch.file("open/administration.json")],
      module: module
    )
    let ann = try service.user(Self.ann)
    let reply = try ann.client.call(Interface.devices + "Create", ["device": "sim"])
    #expect(reply.errorName == "NotPermitted")
    #expect(service.log.contains("others can write to \(open)"), "\(service.log)")
  }
}
