import LocalAuthJSON
import LocalAuthUnix
import Testing

/// What remains of a call that was told an item's name and got no secret.
@Suite struct ItemAuditTests {
  private let scratch = Scratch()

  /// Where nobody can be asked for another, the outcome is that of the one that was given.
  @Test func wrongPasscodeOfADescriptorIsNoCancellation() throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    let keychain = KeychainCommands(home: daemon.home)
    #expect(try keychain.add("ann", "x", ["--access-control", "devicePasscode"]).status == 0)
    let get = ["keychain", "get", "--account", "ann", "--passcode-fd", "3"]
    #expect(try keychain.run(get, password: "4321\n").status == 1)
    let line = try #require(try client.audit("sim").last)
    #expect(line["outcome"]?.string == "authenticationFailed", "\(line)")
    #expect(line["attempts"]?.integer == 1)
    let found = try keychain.run(get, password: "1234\n")
    #expect(found.status == 0 && found.output == "x", "\(found)")
  }

  @Test(arguments: ["cancel", "miss,miss,miss"])
  func promptThatNamedAnItemInVainIsInTheAudit(_ script: String) throws {
    let daemon = try DaemonProcess(home: scratch.file("home"))
    let client = try daemon.connect()
    try client.create("sim", passcode: "1234")
    let keychain = KeychainCommands(home: daemon.home)
    #expect(try keychain.add("ann", "x", ["--access-control", "biometryAny"]).status == 0)
    let before = try client.audit("sim").count
    #expect(try keychain.get("ann", ["--script", script]).status != 0)
    let lines = try client.audit("sim").dropFirst(before)
    let line = try #require(lines.first)
    #expect(lines.count == 1 && line["policy"]?.string == "keychain", "\(lines)")
    // The audit is not sealed, so it does not have the name.
    #expect(line["reason"]?.string == "use a keychain item", "\(line)")
    #expect(["userCancel", "biometryLockout"].contains(line["outcome"]?.string))
  }
}
