import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Debian's own `su` and `sudo`, with the module in their stacks.
///
/// They run in a mount namespace in which /etc/pam.d and /etc/sudoers are others; nothing of the machine's is
/// changed.
@Suite(
  .enabled(if: PAMModule.canDriveSuAndSudo, "needs root, useradd, make, unshare, su and sudo")
)
struct PAMProgramsTests {
  private let service: SystemService
  private let module: PAMModule
  private let account: LocalAccount
  private let scratch = Scratch()

  init() throws {
    service = try SystemService(module: TestModule())
    module = try PAMModule(asking: service.socket)
    account = try LocalAccount(password: "unused")
    try service.connect().create("sim", passcode: "1234", ["user": .number(account.uid)])
    _ = try scratch.makeDirectory("pam.d", mode: 0o755)
    try scratch.write(
      "\(account.name) ALL=(root) ALL\n",
      to: "sudoers",
      mode: 0o440
    )
    let deny = "auth required pam_deny.so\naccount required pam_deny.so\n"
    try scratch.write(deny, to: "pam.d/other", mode: 0o644)
  }

  private func script(_ events: String) throws {
    let parameters: JSONValue = [
      "user": .number(account.uid), "device": "sim", "events": .text(events),
    ]
    _ = try service.connect().call(Interface.sensor + "Script", parameters).get()
  }

  /// Runs a command where `name` has a stack of the module with these arguments and nothing else.
  private func run(
    _ name: String,
    _ arguments: String,
    _ command: String,
    typing lines: String = ""
  ) throws -> RunningProgram.Report {
    let stack = """
      auth required \(module.path) device=sim allow_simulated \(arguments)
      account required pam_permit.so
      session required pam_permit.so

      """
    try scratch.write(stack, to: "pam.d/\(name)", mode: 0o644)
    let setup =
      "mount --bind \(scratch.file("pam.d")) /etc/pam.d"
      + " && mount --bind \(scratch.file("sudoers")) /etc/sudoers && exec \(command)"
    return try RunningProgram.run(
      "/usr/bin/unshare",
      ["--mount", "/bin/sh", "-c", setup],
      input: lines
    )
  }

  private var su: String { "su -s /bin/sh -c 'id -u' \(account.name)" }

  private var sudo: String {
    "setpriv --reuid \(account.uid) --regid \(account.uid) --clear-groups sudo -k -S id -u"
  }

  @Test func suTakesThePasscodeAndNoOther() throws {
    let right = try run("su", "policy=passcode", su, typing: "1234\n")
    #expect(right.status == 0, "\(right.output)\(right.errors)")
    #expect(right.output.contains("\(account.uid)"))
    let wrong = try run("su", "policy=passcode", su, typing: "0000\n")
    #expect(wrong.status != 0)
    #expect(!wrong.output.contains("\(account.uid)"))
  }

  @Test func suTakesTheFinger() throws {
    try script("match")
    let report = try run("su", "policy=biometrics allow_remote", su)
    #expect(report.status == 0, "\(report.output)\(report.errors)")
    #expect(report.output.contains("\(account.uid)"))
  }

  @Test func sudoTakesTheFingerOrAfterThreeMissesThePasscode() throws {
    try script("match")
    let finger = try run("sudo", "policy=device-owner allow_remote", sudo)
    #expect(finger.status == 0, "\(finger.output)\(finger.errors)")
    #expect(finger.output.contains("0"))
    try script("miss,miss,miss")
    let passcode = try run("sudo", "policy=device-owner allow_remote", sudo, typing: "1234\n")
    #expect(passcode.status == 0, "\(passcode.output)\(passcode.errors)")
  }

  @Test func sudoWithoutTheServiceLetsNobodyIn() throws {
    try service.daemon.end(9)
    Files.remove(service.socket)
    let report = try run("sudo", "policy=passcode", sudo, typing: "1234\n1234\n1234\n")
    #expect(report.status != 0)
    #expect(!report.output.contains("0\n"))
  }
}
