import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthUnix
import Testing

/// A state directory to be stolen, and what its owner put into it.
final class StolenHome: Sendable {
  /// An item, all of whose words are nowhere by chance.
  struct Kept: Sendable {
    let device: String
    let protection: ProtectionClass
    let flags: String?
    let account: ProcessMemory.Marker
    let label: ProcessMemory.Marker
    let secret: ProcessMemory.Marker
    let password: ProcessMemory.Marker?

    init(_ device: String, _ protection: ProtectionClass, _ flags: String? = nil) {
      self.device = device
      self.protection = protection
      self.flags = flags
      let name = "\(device)/\(protection.rawValue)/\(flags ?? "")"
      account = ProcessMemory.Marker("account of \(name)")
      label = ProcessMemory.Marker("label of \(name)")
      secret = ProcessMemory.Marker("secret of \(name)")
      password =
        flags == "applicationPassword" ? ProcessMemory.Marker("password of \(name)") : nil
    }

    var loot: Thief.Loot {
      Thief.Loot(account: account.text, label: label.text, secret: secret.text)
    }

    var markers: [ProcessMemory.Marker] {
      [account, label, secret] + (password.map { [$0] } ?? [])
    }
  }

  static let service = ProcessMemory.Marker("service")
  static let group = ProcessMemory.Marker("group")
  static let passcode = ProcessMemory.Marker("passcode")

  /// Items that are added last, as they travel.
  private static func late(_ number: Int) -> JSONValue {
    [
      "device": "late", "data": .text(passcode.inBase64.text),
      "query": [
        "class": "genp", "acct": .text("\(service.text) \(number)"), "labl": .text(passcode.text),
      ],
    ]
  }

  private static let guards = [
    "biometryAny", "biometryCurrentSet", "devicePasscode", "applicationPassword",
  ]

  /// On `sim`, which has a passcode, and on `bare`, which has none.
  static let kept =
    ProtectionClass.allCases.map { Kept("sim", $0) }
    + guards.map { Kept("sim", .whenUnlocked, $0) }
    + ProtectionClass.allCases.filter { $0 != .whenPasscodeSetThisDeviceOnly }
    .map { Kept("bare", $0) }
    + guards.filter { $0 != "devicePasscode" }.map { Kept("bare", .whenUnlocked, $0) }

  /// Made once, since passcodes take their time.
  private static let model = Result { try Model() }

  private struct Model {
    let scratch = Scratch.ofWholeRun()
    /// What the daemon wrote to standard error.
    let log: String

    init() throws {
      let home = try scratch.makeDirectory("clean")
      _ = try scratch.makeDirectory("clean/none")
      _ = try scratch.makeDirectory("clean/none/localauth")
      let name = StolenHome.group.text
      let rule = "{\"applicationIdentifier\": \"\(name)\", \"groups\": [\"\(name)\"]}"
      try scratch.write("{\"rules\": [\(rule)]}", to: "clean/none/localauth/entitlements.json")
      let daemon = try DaemonProcess(home: home)
      let client = try daemon.connect()
      try client.create("sim", passcode: StolenHome.passcode.text)
      try client.create("bare")
      for kept in StolenHome.kept { try Self.add(kept, home) }
      for kept in StolenHome.kept where kept.flags == nil {
        let keychain = KeychainCommands(home: home, device: kept.device)
        #expect(try keychain.get(kept.account.text).output == kept.secret.text)
      }
      try client.create("late")
      log = try Self.crash(daemon, home)
      _ = try RunningProgram.run("/bin/cp", ["-a", home, scratch.file("crashed")])
      try DaemonProcess(home: home).stop()
    }

    /// Kills the daemon right after a commit, and says what it wrote to standard error.
    ///
    /// The log is emptied when the daemon has nothing to do; where it came to that first, another life
    /// is tried.
    private static func crash(_ first: DaemonProcess, _ home: String) throws -> String {
      var daemon = first
      var log = ""
      for number in 0..<100 {
        let client = try daemon.connect()
        _ = try client.call(Interface.keychain + "Add", StolenHome.late(number)).get()
        try daemon.crash()
        log += daemon.log
        Files.remove(home + "/socket")
        if let bytes = try? Files.read(home + "/state.sqlite-wal"), bytes.count > 32 { break }
        daemon = try DaemonProcess(home: home)
      }
      return log
    }

    private static func add(_ kept: Kept, _ home: String) throws {
      var words = ["--service", StolenHome.service.text, "--label", kept.label.text]
      words += ["--accessible", kept.protection.name]
      if let flags = kept.flags { words += ["--access-control", flags] }
      let run = try KeychainCommands(home: home, device: kept.device).add(
        kept.account.text,
        kept.secret.text,
        words,
        password: kept.password?.text
      )
      #expect(
        run.status == 0,
        "\(kept.device) \(kept.protection) \(kept.flags ?? ""): \(run.errors)"
      )
    }
  }

  private let scratch = Scratch()
  /// A copy of the directory whose daemon ended.
  let path: String
  /// A copy of the one whose daemon was killed, so that its log holds everything.
  let crashedPath: String
  let daemonLog: String

  init() throws {
    let model = try Self.model.get()
    path = scratch.file("clean")
    crashedPath = scratch.file("crashed")
    daemonLog = model.log
    for name in ["clean", "crashed"] {
      _ = try RunningProgram.run("/bin/cp", ["-a", model.scratch.file(name), scratch.file(name)])
    }
  }
}
