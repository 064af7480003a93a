import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// `authctl --system`, as people of several users type it.
@Suite(
  .enabled(if: SystemService.canRun, "needs root, setpriv, a C compiler and a reachable build")
)
struct SystemClientTests {
  private static let ann: UInt32 = 54_401
  private static let bob: UInt32 = 54_402
  private let module: TestModule
  private let scratch = Scratch()

  init() throws { module = try TestModule() }

  @Test func everybodyUsesTheirOwnDevices() throws {
    let service = try SystemService(module: module)
    let made = try service.authctl(
      as: Self.ann,
      ["device", "create", "sim", "--finger", "right-index", "--passcode-stdin"],
      input: "2468\n"
    )
    #expect(made.status == 0, "\(made.errors)")
    let evaluate = ["--device", "sim", "evaluate", "--policy", "biometrics", "--reason", "x"]
    let matched = try service.authctl(as: Self.ann, evaluate + ["--script", "match"])
    #expect(matched.status == 0, "\(matched.errors)")
    let elsewhere = try service.authctl(as: Self.bob, evaluate + ["--script", "match"])
    #expect(elsewhere.status == 78 && elsewhere.errors.contains("no device"), "\(elsewhere)")
    // Root acts for her, another user does not.
    let words = ["--user", "\(Self.ann)", "--json", "device", "list"]
    let refused = try service.authctl(as: Self.bob, words)
    #expect(refused.status == 77)
    let root = try RunningProgram.run(
      Machine.authctl,
      ["--system", "--socket", service.socket] + words,
      environment: Authctl.environment
    )
    #expect(root.output.contains(#""sim""#), "\(root.output) \(root.errors)")
  }

  @Test func secretOfAUserIsKeptFromTheOthers() throws {
    let service = try SystemService(module: module)
    let create = ["device", "create", "sim", "--passcode-stdin"]
    for uid in [Self.ann, Self.bob] {
      #expect(try service.authctl(as: uid, create, input: "2468\n").status == 0)
    }
    let item = ["--account", "me", "--service", "mail"]
    let add = ["--device", "sim", "keychain", "add"] + item
    #expect(try service.authctl(as: Self.ann, add + ["--stdin"], input: "xyzzy").status == 0)
    let get = ["--device", "sim", "keychain", "get"] + item
    #expect(try service.authctl(as: Self.ann, get).output == "xyzzy")
    #expect(try service.authctl(as: Self.bob, get).status == 20)
  }

  @Test func variablesDoNotSayWhereTheServiceIs() throws {
    let service = try SystemService(module: module)
    let run = try RunningProgram.run(
      Machine.authctl,
      ["--system", "--socket", scratch.file("nobody"), "status"],
      environment: Authctl.environment
        + ["LOCALAUTH_SOCKET=\(service.socket)", "LOCALAUTH_HOME=\(service.home)"]
    )
    #expect(run.status == 69)
    #expect(run.errors.contains("\(scratch.file("nobody")): start it"), "\(run.errors)")
    #expect(try Files.names(in: scratch.path).isEmpty, "a daemon was started")
  }

  @Test func serverThatIsNeitherRootsNorTheServicesGetsNotOneByte() throws {
    let heard = scratch.file("heard")
    Files.setMode(0o777, of: scratch.path)
    try scratch.write("", to: "heard", mode: 0o666)
    let thief = try Eavesdropper(at: scratch.file("socket"), as: Self.bob, writingTo: heard)
    // Not even its own user takes it for the service.
    for uid in [0, Self.ann, Self.bob] {
      let command =
        [Machine.sharedPrograms.file("authctl"), "--system", "--socket", scratch.file("socket")]
        + ["--device", "sim", "passcode", "set", "--stdin"]
      let run = try RunningProgram.run(
        "/usr/bin/setpriv",
        Machine.asOther(command, uid: uid),
        environment: Authctl.environment,
        input: "secret word\n"
      )
      #expect(run.status == 69 && run.errors.contains("user \(Self.bob)"), "\(run)")
    }
    try thief.end()
    #expect(try Files.read(heard).isEmpty)
  }

  @Test(arguments: [
    ["--system", "--home", "/tmp"], ["--user", "0"], ["--system", "--user", "ann"],
  ])
  func optionsThatDoNotFitAreUsageErrors(_ options: [String]) throws {
    #expect(try Authctl.run(options + ["status"]).status == 2)
  }

  @Test(arguments: [
    ["--pam-socket", "/x"], ["--administration", "/x"], ["--journal-socket", "/x"],
    ["--account", "x"],
  ])
  func daemonOfOneUserHasNoOptionsOfTheService(_ options: [String]) throws {
    let run = try RunningProgram.run(Machine.localauthd, options)
    #expect(run.status == EX_USAGE && run.errors.contains("--system"), "\(run.errors)")
  }

  @Test func socketThatTheServiceMakesItselfIsForEverybody() throws {
    Files.setMode(0o755, of: scratch.path)
    let daemon = try DaemonProcess(
      home: scratch.file("home"),
      .init(
        arguments: ["--system", "--account", "\(SystemService.uid)"],
        socket: scratch.file("run/socket")
      )
    )
    let ann = try OtherUser(Self.ann, connectedTo: daemon.socket)
    #expect(try ann.client.call(Interface.service + "GetInfo").error == nil)
    // What it keeps stays closed.
    let run = try RunningProgram.run(
      "/usr/bin/setpriv",
      Machine.asOther(["/bin/ls", daemon.home], uid: Self.ann)
    )
    #expect(run.status != 0)
  }

  @Test func policiesOfAUserAreNotRead() throws {
    func names(_ arguments: [String], _ name: String) throws -> [String] {
      // Where XDG_CONFIG_HOME of a test's daemon points to.
      let folders = ["", "/none", "/none/localauth", "/none/localauth/policies"]
      for folder in folders { _ = try scratch.makeDirectory(name + folder) }
      _ = try scratch.makeDirectory("\(name)/none/localauth/policies/policy")
      try scratch.write(
        #"{"name": "own", "requirement": "biometry"}"#,
        to: "\(name)/none/localauth/policies/policy/own.json"
      )
      Files.setMode(0o755, of: scratch.path)
      let owner = arguments.isEmpty ? 0 : SystemService.uid
      _ = try RunningProgram.run("/bin/chown", ["-R", "\(owner)", scratch.file(name)])
      let socket = scratch.file("\(name).d/socket")
      let daemon = try DaemonProcess(
        home: scratch.file(name),
        .init(arguments: arguments, socket: socket)
      )
      let reply = try daemon.connect().call(Interface.policies + "List").get()
      return reply["policies"]?.elements.compactMap { $0["name"]?.string } ?? []
    }
    #expect(try names([], "one").contains("user/own"))
    let system = ["--system", "--account", "\(SystemService.uid)"]
    #expect(try !names(system, "all").contains("user/own"))
  }
}
