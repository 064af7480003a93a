import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Authenticators of the system's service: it starts none, and asks those behind sockets of root's.
@Suite(
  .enabled(if: SystemService.canRun, "needs root, setpriv, a C compiler and a reachable build")
)
struct SystemAuthenticatorTests {
  private let module: TestModule
  private let scratch = Scratch()

  init() throws {
    module = try TestModule()
    Files.setMode(0o755, of: scratch.path)
    for name in ["manifests", "sockets"] { _ = try scratch.makeDirectory(name, mode: 0o755) }
    try scratch.write(CodeDevice.manifest("good"), to: "manifests/codes.json", mode: 0o644)
  }

  /// Serves the authenticator at the socket of its name, as a unit does.
  private func unit(as uid: UInt32? = nil) throws -> RunningProgram {
    let script = """
      import os, socket, sys
      if sys.argv[3] != "-": os.setuid(int(sys.argv[3]))
      listener = socket.socket(socket.AF_UNIX)
      listener.bind(sys.argv[1])
      os.chmod(sys.argv[1], 0o666)
      listener.listen()
      os.dup2(listener.fileno(), 3)
      os.set_inheritable(3, True)
      os.write(1, b"+")
      os.execv(sys.argv[2], [sys.argv[2], "good"])
      """
    let readiness = BytePipe()
    if uid != nil { Files.setMode(0o777, of: scratch.file("sockets")) }
    let program = try RunningProgram(
      SpawnRequest(
        executable: "/usr/bin/python3",
        arguments: [
          "-c", script, scratch.file("sockets/codes"), CodeDevice.program,
          uid.map { "\($0)" } ?? "-",
        ],
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .duplicate(of: readiness.writingEnd), .null]
      )
    )
    readiness.closeWriter()
    #expect(readiness.read(within: .seconds(60)))
    return program
  }

  private func state(_ unit: RunningProgram?) throws -> JSONValue? {
    let service = try SystemService(
      [
        "--authenticators", scratch.file("manifests"), "--authenticator-sockets",
        scratch.file("sockets"),
      ],
      module: module
    )
    let client = try WireClient(service.socket, of: service)
    let reply = try client.call("io.localauth.Authenticators.List").get()
    guard case .array(let lines)? = reply["authenticators"]?.content else { return nil }
    return lines.first
  }

  @Test func oneBehindASocketOfRootsIsAsked() throws {
    let unit = try unit()
    let line = try #require(try state(unit))
    #expect(line["state"]?.text == "ready", "\(line["message"]?.text ?? "")")
    #expect(line["program"]?.text == scratch.file("sockets/codes"))
    #expect(line["enrolled"] == 1)
  }

  @Test func onlyASocketOfRootsIsAsked() throws {
    let unit = try unit(as: Machine.otherUID)
    let line = try #require(try state(unit))
    #expect(line["state"]?.text == "unusable", "\(line["message"]?.text ?? "")")
    #expect(
      line["message"]?.text?.contains("\(Machine.otherUID)") == true,
      "\(line["message"]?.text ?? "")"
    )
  }

  @Test func whereNobodyListensNothingIsStarted() throws {
    let line = try #require(try state(nil))
    #expect(line["state"]?.text == "unusable", "\(line["message"]?.text ?? "")")
  }
}
