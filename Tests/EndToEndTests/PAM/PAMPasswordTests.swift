import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Passwords that other modules of a stack were given, or have changed.
@Suite(
  .enabled(if: PAMModule.canRun, "needs root, useradd, make, pamtester and a reachable build")
)
struct PAMPasswordTests {
  private let words: WordsModule

  init() throws { words = try WordsModule() }

  private func change(
    _ rig: PAMRig,
    old: String?,
    new: String,
    _ arguments: String = "device=sim"
  ) throws -> RunningProgram.Report {
    let said = (old.map { "old=\($0) " } ?? "") + "new=\(new)"
    let stack = """
      password required \(words.path) \(said)
      password optional MODULE \(arguments)
      password required pam_permit.so
      """
    return try rig.pamtester(stack: stack, "chauthtok")
  }

  /// Whether a passcode opens the keychain after a reboot.
  private func opens(_ rig: PAMRig, _ passcode: String) throws -> Bool {
    _ = try rig.call(Interface.devices + "Reboot")
    #expect(try rig.lockState() != "unlocked")
    _ = try? rig.call(Interface.devices + "Unlock", ["passcode": .text(passcode)])
    return try rig.lockState() == "unlocked"
  }

  // MARK: The password changes

  @Test func keychainOpensForTheNewPassword() throws {
    let rig = try PAMRig()
    let report = try change(rig, old: "1234", new: "2468")
    #expect(report.status == 0, "\(report.output)\(report.errors)")
    #expect(try rig.audited("passcode change") == ["success"])
    #expect(try opens(rig, "2468"))
    #expect(try !opens(rig, "1234"))
  }

  @Test(arguments: ["0000", nil]) func withoutTheOldOneNothingChanges(_ old: String?) throws {
    let rig = try PAMRig()
    // What another module has changed already stays changed.
    #expect(try change(rig, old: old, new: "2468").status == 0)
    #expect(try !opens(rig, "2468"))
    #expect(try opens(rig, "1234"))
  }

  @Test func passwordOfTheAccountChangesAndItsKeychainFollows() throws {
    let pam = try TestModule()
    try pam.describe("unix", "auth required pam_unix.so nodelay\naccount required pam_unix.so\n")
    let rig = try PAMRig(pam, service: "unix")
    _ = try rig.call(Interface.devices + "SetPasscode", ["new": "unused"], device: "default")
    let stack = """
      password required \(words.path) old=unused new=another-word
      password required pam_unix.so use_authtok
      password optional MODULE
      """
    let report = try rig.pamtester(stack: stack, "chauthtok")
    #expect(report.status == 0, "\(report.output)\(report.errors)")
    func unlocks(_ password: String) throws -> Bool {
      _ = try rig.call(Interface.devices + "Lock", device: "default")
      let unlock = ["passcode": JSONValue.text(password)]
      _ = try? rig.call(Interface.devices + "Unlock", unlock, device: "default")
      return try rig.lockState("default") == "unlocked"
    }
    #expect(try unlocks("another-word"))
    #expect(try !unlocks("unused"))
  }

  @Test func withoutTheServiceThePasswordChangesAllTheSame() throws {
    let rig = try PAMRig()
    try rig.service.daemon.end()
    Files.remove(rig.service.socket)
    #expect(try change(rig, old: "1234", new: "2468").status == 0)
    // It is no module that could change a password by itself.
    #expect(try rig.pamtester(PAMRig.simulated, "chauthtok").status != 0)
  }

  @Test func wrongArgumentIsAnError() throws {
    let rig = try PAMRig()
    let stack =
      "password required \(words.path) old=1234 new=2468\npassword required MODULE dvice=sim"
    #expect(try rig.pamtester(stack: stack, "chauthtok").status != 0)
    #expect(try rig.audited("passcode change") == [])
  }

  // MARK: The password of another module

  private func stashing(_ word: String, _ operations: String) throws -> (PAMRig, Int32?) {
    let rig = try PAMRig()
    _ = try rig.call(Interface.devices + "Reboot")
    let stack = """
      auth required \(words.path) new=\(word)
      auth optional MODULE only_stash
      session optional MODULE device=sim
      session required pam_permit.so
      """
    return (rig, try rig.pamtester(stack: stack, operations).status)
  }

  @Test func passwordOfAnotherModuleOpensTheKeychainOfTheSession() throws {
    let (rig, status) = try stashing("1234", "authenticate open_session")
    #expect(status == 0)
    #expect(try rig.lockState() == "unlocked")
    #expect(try rig.audited("evaluate") == [], "nobody was asked")
  }

  @Test func passwordThatIsAnotherOneKeepsNobodyOut() throws {
    let (rig, status) = try stashing("0000", "authenticate open_session")
    #expect(status == 0)
    #expect(try rig.lockState() != "unlocked")
  }

  @Test func nothingIsOpenedWithoutASession() throws {
    let (rig, status) = try stashing("1234", "authenticate")
    #expect(status == 0)
    #expect(try rig.lockState() != "unlocked")
  }

  @Test func keepingAPasswordLetsNobodyIn() throws {
    let rig = try PAMRig()
    let alone = try rig.pamtester(stack: "auth required MODULE only_stash", typing: "1234\n")
    #expect(alone.status != 0)
    let stack = "auth optional \(words.path) new=1234\nauth required MODULE only_stash"
    #expect(try rig.pamtester(stack: stack + "\nauth required pam_deny.so").status != 0)
  }
}
