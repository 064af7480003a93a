import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Grants of several users at the system's service.
@Suite(
  .enabled(if: SystemService.canRun, "needs root, setpriv, a C compiler and a reachable build")
)
struct SystemGrantTests {
  private static let ann: UInt32 = 54_401
  private static let bob: UInt32 = 54_402
  private let module: TestModule

  init() throws { module = try TestModule() }

  private static let evaluate = [
    "--device", "sim", "evaluate", "--policy", "biometrics", "--reason", "x", "--max-age", "5m",
  ]

  /// Runs shell commands as `uid` in one session on a terminal, and says how each ended.
  private func session(
    as uid: UInt32,
    at service: SystemService,
    _ commands: [[String]]
  ) throws -> [String] {
    let authctl = [Machine.sharedPrograms.file("authctl"), "--system", "--socket", service.socket]
    let lines = commands.map { words in
      (authctl + words).map { "'\($0)'" }.joined(separator: " ") + "; echo \"<$?>\""
    }
    let shell = ["/bin/sh", "-c", lines.joined(separator: "\n")]
    let terminal = try TerminalProgram(["/usr/bin/setpriv"] + Machine.asOther(shell, uid: uid))
    _ = try terminal.waitForExit()
    return terminal.screen.split(separator: "<").dropFirst().map {
      String($0.prefix { $0 != ">" })
    }
  }

  private func makeDevice(of uid: UInt32, at service: SystemService) throws {
    let made = try service.authctl(
      as: uid,
      ["device", "create", "sim", "--finger", "right-index", "--passcode-stdin"],
      input: "2468\n"
    )
    #expect(made.status == 0, "\(made.errors)")
  }

  @Test func usersSessionIsAnsweredThere() throws {
    let service = try SystemService(module: module)
    try makeDevice(of: Self.ann, at: service)
    let ends = try session(
      as: Self.ann,
      at: service,
      [
        Self.evaluate + ["--script", "match"], Self.evaluate + ["--non-interactive"],
        ["grant", "revoke", "--all"], Self.evaluate + ["--non-interactive"],
      ]
    )
    #expect(ends == ["0", "0", "0", "5"])
  }

  @Test func neitherAnotherUserNorRootIsAnsweredByIt() throws {
    let service = try SystemService(module: module)
    for uid in [Self.ann, Self.bob] { try makeDevice(of: uid, at: service) }
    let client = try service.connect()
    let wish: [String: JSONValue] = ["maxAgeSeconds": 300, "user": .number(Int(Self.ann))]
    // Root approves as Ann may; the grant is root's, for this process.
    #expect(try client.evaluate(on: "sim", script: "match", wish).outcome == "success")
    let silent = wish.merging(["interactive": false]) { $1 }
    #expect(try client.evaluate(on: "sim", silent).outcome == "success")
    for uid in [Self.ann, Self.bob] {
      let asked = Self.evaluate + ["--non-interactive"]
      #expect(try session(as: uid, at: service, [asked]) == ["5"], "\(uid)")
    }
    // What is Ann's, Ann sees; Bob sees nothing.
    let list = ["--json", "grant", "list"]
    let anns = try service.authctl(as: Self.ann, list).json["items"]?.elements ?? []
    #expect(anns.count == 1 && anns.first?["uid"]?.integer == 0)
    #expect(try service.authctl(as: Self.bob, list).json["items"]?.elements.isEmpty == true)
    #expect(try service.authctl(as: Self.bob, ["grant", "revoke", "--all"]).status == 0)
    #expect(try client.evaluate(on: "sim", silent).outcome == "success")
    let other = JSONValue.number(Int(Self.bob))
    let forBob = silent.merging(["user": other]) { $1 }
    #expect(try client.evaluate(on: "sim", forBob).outcome == "notInteractive")
  }
}
