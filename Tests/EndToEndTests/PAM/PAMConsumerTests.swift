import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Programs that call PAM and are not root, as database and web servers do: whoever talks to them names
/// the user.
@Suite(
  .enabled(if: PAMModule.canRun, "needs root, useradd, make, pamtester and a reachable build")
)
struct PAMConsumerTests {
  private static func running(as user: UInt32) -> [String] {
    ["/usr/bin/setpriv"] + Machine.asOther([], uid: user)
  }

  @Test func ownPasscodeProvesNobodyElse() throws {
    let rig = try PAMRig()
    let other = try LocalAccount(password: "unused")
    let asUser = Self.running(as: rig.account.uid)
    let stack = PAMModule.stack(with: "policy=passcode \(PAMRig.simulated)")
    for name in ["root", other.name] {
      let report = try rig.pamtester(stack: stack, for: name, typing: "1234\n", under: asUser)
      #expect(report.status != 0, "\(name): \(report.output)")
      #expect(!report.output.contains("successfully"), "\(name)")
    }
    #expect(try rig.audited("evaluate") == [], "nobody was asked for another")
    let own = try rig.pamtester(stack: stack, typing: "1234\n", under: asUser)
    #expect(own.status == 0, "\(own.output)\(own.errors)")
  }

  @Test func nothingIsSentForAnotherUserByAnyModuleType() throws {
    let scratch = Scratch()
    Files.setMode(0o755, of: scratch.path)
    let listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
    Files.setMode(0o666, of: scratch.file("socket"))
    listener.listen()
    let module = try PAMModule(asking: scratch.file("socket"))
    let words = try WordsModule()
    let stack = """
      auth required \(words.path) new=1234
      auth optional MODULE only_stash
      auth required MODULE
      account required pam_permit.so
      session required MODULE
      password required \(words.path) old=1234 new=2468
      password required MODULE
      """
    let name = try module.service("", stack)
    for user in ["root", "daemon"] {
      for operations in [
        ["authenticate"], ["authenticate", "open_session"], ["open_session"], ["close_session"],
        ["chauthtok"],
      ] {
        _ = try RunningProgram.run(
          "/usr/bin/setpriv",
          Machine.asOther(["/usr/bin/pamtester", "-I", "tty=tty1", name, user] + operations)
        )
        let isCalled = try Poll.wait(for: listener.descriptor, until: .after(.zero))
        try #require(!isCalled, "\(user), \(operations)")
      }
    }
  }

  @Test func keychainOfTheCallerIsNotTouchedForAnotherUser() throws {
    let rig = try PAMRig()
    let other = try LocalAccount(password: "unused")
    let words = try WordsModule()
    let stack = """
      auth required \(words.path) new=1234
      auth optional MODULE only_stash
      session optional MODULE device=sim
      session required pam_permit.so
      password required \(words.path) old=1234 new=2468
      password optional MODULE device=sim
      password required pam_permit.so
      """
    func run(_ operations: String) throws {
      _ = try rig.pamtester(
        stack: stack,
        operations,
        for: other.name,
        under: Self.running(as: rig.account.uid)
      )
    }
    #expect(try rig.lockState() == "unlocked")
    try run("close_session")
    #expect(try rig.lockState() == "unlocked")
    try run("chauthtok")
    #expect(try rig.audited("passcode change") == [])
    _ = try rig.call(Interface.devices + "Reboot")
    try run("authenticate open_session")
    #expect(try rig.lockState() != "unlocked")
    #expect(try rig.audited("unlock") == [])
  }
}
