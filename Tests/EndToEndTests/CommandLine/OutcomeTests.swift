import LocalAuthCore
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Every outcome that the command line can reach, with its exit status and its JSON.
@Suite struct OutcomeTests {
  /// What only a library can reach, and the misses of an authenticator that none of the programs has.
  private static let ofTheLibrary: Set<OutcomeCode> = [.invalidContext, .authenticatorLockout]

  private let scratch = Scratch()
  private let daemon: DaemonProcess
  private let client: WireClient

  init() throws {
    // A policy of the user's own, where DaemonProcess has the configuration.
    let home = scratch.file("home")
    for folder in ["", "/none", "/none/localauth", "/none/localauth/policies"] {
      _ = try scratch.makeDirectory("home\(folder)")
    }
    _ = try scratch.makeDirectory("home/none/localauth/policies/policy")
    let policy = #"{"name": "key", "summary": "s", "requirement": "possession"}"#
    try scratch.write(policy, to: "home/none/localauth/policies/policy/key.json")
    daemon = try DaemonProcess(home: home)
    client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    try client.create("bare")
  }

  /// One way to an outcome.
  private struct Way {
    var outcome: OutcomeCode
    var exit: Int32?
    var words: [String]
    var input: String

    init(_ outcome: OutcomeCode, exit: Int32? = nil, _ words: [String], input: String = "") {
      self.outcome = outcome
      self.exit = exit
      self.words = words
      self.input = input
    }

    static func evaluate(
      _ outcome: OutcomeCode,
      _ policy: String,
      script: String?,
      on device: String = "sim",
      exit: Int32? = nil,
      _ more: [String] = []
    ) -> Self {
      let script = script.map { ["--script", $0] } ?? []
      return Self(
        outcome,
        exit: exit,
        ["--device", device, "evaluate", "--policy", policy, "--reason", "a test"] + script + more
      )
    }
  }

  @Test func everyOutcomeHasItsStatusAndItsObject() throws {
    var reached: Set<OutcomeCode> = []
    for way in try ways() + keychain() + endings() { reached.insert(try follow(way)) }
    reached.insert(try busy())
    reached.insert(try simulated())
    reached.insert(try unreachable())
    reached.insert(try crash())
    #expect(Set(OutcomeCode.allCases).subtracting(reached) == Self.ofTheLibrary)
  }

  /// Runs `authctl` and returns the outcome that its JSON names.
  private func follow(_ way: Way) throws -> OutcomeCode {
    let exit = way.exit ?? way.outcome.exit
    let run = try Authctl.run(["--home", daemon.home, "--json"] + way.words, input: way.input)
    #expect(run.status == exit, "\(way.words): \(run.output) \(run.errors)")
    let object = try run.json
    #expect(object["version"]?.integer == 1)
    #expect(object["outcome"]?.string == way.outcome.rawValue, "\(way.words): \(object)")
    #expect(object["exit"]?.integer == Int(exit))
    if exit == way.outcome.exit {
      #expect(object["laError"]?.integer == way.outcome.laError.map { Int($0) }, "\(way.words)")
    }
    #expect(object["message"]?.string?.isEmpty == false)
    #expect(run.errors.split(separator: "\n").count <= (exit == 0 ? 0 : 1), "\(run.errors)")
    return way.exit == OutcomeCode.scriptEventsLeftOver.exit ? .scriptEventsLeftOver : way.outcome
  }

  private func ways() throws -> [Way] {
    try client.create("blind", passcode: nil, ["sensor": "none", "fingers": []])
    try client.create("naked", passcode: nil, ["fingers": []])
    return [
      .evaluate(.success, "biometrics", script: "match"),
      .evaluate(.success, "biometrics", script: "match,miss", exit: 65),
      .evaluate(.userCancel, "biometrics", script: "cancel"),
      .evaluate(.systemCancel, "biometrics", script: "cancel:system"),
      .evaluate(.appCancel, "biometrics", script: "cancel:app"),
      .evaluate(.userFallback, "biometrics", script: "fallback"),
      .evaluate(.notInteractive, "biometrics", script: nil),
      .evaluate(.notInteractive, "biometrics", script: nil, ["--non-interactive"]),
      .evaluate(.timeout, "biometrics", script: "sleep:0s", ["--timeout", "1s"]),
      .evaluate(.timeout, "biometrics", script: "error:timeout"),
      .evaluate(.sensorError, "biometrics", script: "error:general"),
      .evaluate(.biometryDisconnected, "biometrics", script: "unplug"),
      .evaluate(.biometryNotAvailable, "biometrics", script: nil, on: "blind"),
      .evaluate(.biometryNotEnrolled, "biometrics", script: nil, on: "naked"),
      .evaluate(.biometryNotEnrolled, "biometrics", script: "match", on: "naked", exit: 65),
      .evaluate(.passcodeNotSet, "device-owner", script: nil, on: "bare"),
      .evaluate(.authenticatorNotAvailable, "user/key", script: nil),
      .evaluate(.badConfiguration, "no-such-policy", script: "match"),
      .evaluate(.notPermitted, "biometrics", script: "match", on: "default"),
      Way(.usage, ["evaluate", "--frobnicate"]),
      Way(.usage, []),
      Way(.badConfiguration, ["--device", "nobody", "status"]),
    ]
  }

  /// What only keychain verbs reach; the last ones on a device that was not unlocked since its boot.
  private func keychain() throws -> [Way] {
    try client.create("shut", passcode: "1234")
    let shut = ["--device", "shut", "keychain"]
    let run = try Authctl.run(
      ["--home", daemon.home] + shut + ["add", "--account", "ann", "--stdin"],
      input: "x\n"
    )
    #expect(run.status == 0, "\(run.errors)")
    try client.administer("Reboot", "shut")
    let open = ["--device", "bare", "keychain"]
    let add = open + ["add", "--account", "ann", "--stdin"]
    return [
      Way(.itemNotFound, open + ["get", "--account", "ann"]),
      Way(.itemNotFound, open + ["update", "--account", "ann", "--set-label", "x"]),
      Way(.itemNotFound, open + ["delete", "--account", "ann"]),
      Way(.success, add, input: "x\n"),
      Way(.duplicateItem, add, input: "y\n"),
      Way(.success, open + ["get", "--account", "ann"]),
      Way(.notInteractive, open + ["add", "--account", "bob"]),
      Way(.accessGroupNotAllowed, open + ["get", "--account", "ann", "--access-group", "others"]),
      Way(.accessGroupNotAllowed, add + ["--access-group", "others"], input: "x\n"),
      Way(.usage, add + ["--synchronizable", "--access-control", "biometryAny"], input: "x\n"),
      Way(.success, open + ["add", "--account", "all", "--synchronizable", "--stdin"], input: "x"),
      Way(
        .keychainError,
        open + ["update", "--account", "all", "--set-accessible", "alwaysThisDeviceOnly"]
      ),
      Way(.passcodeNotSet, add + ["--access-control", "devicePasscode"], input: "x\n"),
      Way(.itemLocked, shut + ["get", "--account", "ann"]),
      Way(.itemLocked, shut + ["update", "--account", "ann", "--set-label", "x"]),
      Way(.itemLocked, shut + ["add", "--account", "bob", "--stdin"], input: "x\n"),
    ]
  }

  /// What changes the device for those after it.
  private func endings() throws -> [Way] {
    let wrong = "passcode:1,passcode:2,passcode:3"
    return [
      .evaluate(.biometryLockout, "biometrics", script: "miss,miss,miss", on: "bare"),
      .evaluate(.biometryLockout, "biometrics", script: nil, on: "bare", ["--non-interactive"]),
      .evaluate(.authenticationFailed, "passcode", script: wrong),
      .evaluate(.passcodeThrottled, "passcode", script: "passcode:4"),
      .evaluate(.passcodeThrottled, "passcode", script: nil),
    ]
  }

  /// As many wait for the device as may, and then somebody at a terminal comes.
  private func busy() throws -> OutcomeCode {
    try client.create("crowded")
    let parameters = WireClient.evaluation("biometrics", on: "crowded")
    let clients = try (0..<33).map { _ in try daemon.connect() }
    for client in clients {
      try client.send(Interface.authentication + "Evaluate", parameters, more: true)
      _ = try client.receive()
    }
    let terminal = try TerminalProgram.authctl([
      "--home", daemon.home, "--device", "crowded", "evaluate", "--policy", "biometrics",
      "--reason", "a test",
    ])
    #expect(try terminal.waitForExit() == .status(OutcomeCode.busy.exit), "\(terminal.screen)")
    for client in clients { client.close() }
    return .busy
  }

  private func simulated() throws -> OutcomeCode {
    let run = try Authctl.run(
      ["--home", daemon.home, "--json", "evaluate", "--policy", "biometrics", "--reason", "x"],
      environment: ["LOCALAUTH_DEVICE=sim"]
    )
    #expect(run.status == OutcomeCode.simulatedNotAllowed.exit)
    #expect(try run.json["outcome"]?.string == "simulatedNotAllowed")
    return .simulatedNotAllowed
  }

  private func unreachable() throws -> OutcomeCode {
    let run = try Authctl.run(["--socket", "/dev/null/socket", "--json", "status"])
    #expect(run.status == OutcomeCode.unreachable.exit)
    #expect(try run.json["outcome"]?.string == "unreachable")
    return .unreachable
  }

  /// A PAM module that crashes its worker.
  private func crash() throws -> OutcomeCode {
    let module = try TestModule()
    try module.describe("crash", auth: "crash")
    try client.create("crash", passcode: nil, module.passcode(of: "crash"))
    return try follow(.evaluate(.internalError, "passcode", script: "sleep:1h", on: "crash"))
  }
}
