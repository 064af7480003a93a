import LocalAuthJSON
import LocalAuthUnix
import Testing

/// The stacks of `pam/stacks` as they are shipped, with Debian's own programs and passwords of real accounts.
@Suite(
  .enabled(if: PAMModule.canDriveSuAndSudo, "needs root, useradd, make, unshare, su and sudo")
)
struct PAMStackRecipeTests {
  private static let password = "unused"

  private let rig: PAMRig
  private let stacks: ShippedStacks
  private let scratch = Scratch()

  init() throws {
    rig = try ShippedStacks.rig()
    stacks = try ShippedStacks(rig)
    Files.setMode(0o755, of: scratch.path)
  }

  private func inPlace(_ command: String) -> [String] { stacks.inPlace(command) }

  private func run(_ command: String, typing lines: [String]) throws -> RunningProgram.Report {
    try stacks.run(command, typing: lines)
  }

  private func setpriv(_ uid: UInt32) -> String {
    "exec setpriv --reuid \(uid) --regid \(uid) --clear-groups"
  }

  /// How evaluations on the account's own device ended.
  private func outcomes() throws -> [String] { try rig.audited("evaluate", device: "default") }

  /// Gives wrong passwords until they are refused unread, and then the right one.
  private func expectLockout(
    of command: String,
    showing success: String
  ) throws {
    let right = try run(command, typing: [Self.password])
    #expect(right.status == 0 && right.output.contains(success), "\(right.output)\(right.errors)")
    #expect(try outcomes() == ["success"])
    var said = ""
    for _ in 0..<6 {
      let wrong = try run(command, typing: ["wrong", "false", "bad"])
      #expect(wrong.status != 0 && !wrong.output.contains(success), "\(wrong.output)")
      said += wrong.output + wrong.errors
    }
    #expect(said.contains("Too many wrong passcodes. Try again in "), "\(said)")
    let refused = try run(command, typing: Array(repeating: Self.password, count: 3))
    #expect(refused.status != 0 && !refused.output.contains(success), "\(refused.output)")
    let outcomes = try outcomes()
    #expect(outcomes.count { $0 == "success" } == 1, "\(outcomes)")
    #expect(outcomes.last == "passcodeThrottled", "\(outcomes)")
  }

  @Test func sixteenWrongPasswordsThroughSudoEndAtTheLockout() throws {
    try expectLockout(of: setpriv(rig.account.uid) + " sudo -k -S id -u", showing: "0\n")
  }

  @Test func suKeepsTheLockout() throws {
    let asking = try LocalAccount(password: "another")
    let su = setpriv(asking.uid) + " su -s /bin/sh -c 'id -u' \(rig.account.name)"
    try expectLockout(of: su, showing: "\(rig.account.uid)\n")
  }

  @Test func programThatIsNotRootKeepsTheLockout() throws {
    let tester = setpriv(rig.account.uid) + " pamtester unprivileged"
    try expectLockout(
      of: "\(tester) \(rig.account.name) authenticate acct_mgmt",
      showing: "successfully authenticated"
    )
    // About another user it has nothing to say, not even with that user's password.
    let other = try LocalAccount(password: "another")
    for word in [Self.password, "another"] {
      let report = try run("\(tester) \(other.name) authenticate", typing: [word])
      #expect(report.status != 0, "\(report.output)")
    }
  }

  @Test(.enabled(if: Files.exists("/usr/bin/login") || Files.exists("/bin/login"), "needs login"))
  func loginKeepsTheLockout() throws {
    func login() throws -> TerminalProgram {
      try TerminalProgram(inPlace("exec login \(rig.account.name)"))
    }
    let right = try login()
    try right.wait(for: "assword:")
    right.type(Self.password + "\r")
    try right.wait(for: "$ ")
    right.type("id -u; exit\r")
    try right.wait(for: "\(rig.account.uid)")
    _ = try right.end(9)
    // By root, as login is: what comes from another place is counted by itself.
    let wrong = "pamtester unprivileged \(rig.account.name) authenticate"
    for _ in 0..<6 { _ = try run(wrong, typing: ["wrong", "false", "bad"]) }
    let refused = try login()
    try refused.wait(for: "Too many wrong passcodes. Try again in ")
    _ = try refused.end(9)
    #expect(try outcomes().last == "passcodeThrottled")
  }

  @Test(
    .enabled(
      if: Files.exists("/usr/sbin/sshd") && Files.exists("/usr/bin/ssh"),
      "needs sshd and ssh"
    )
  )
  func sshdKeepsTheLockout() throws {
    let key = scratch.file("key")
    let made = try RunningProgram.run(
      "/usr/bin/ssh-keygen",
      ["-q", "-t", "ed25519", "-N", "", "-f", key]
    )
    try #require(made.status == 0, "\(made.errors)")
    try scratch.write(
      """
      HostKey \(key)
      UsePAM yes
      KbdInteractiveAuthentication yes
      PasswordAuthentication no
      PidFile none

      """,
      to: "sshd_config"
    )
    try scratch.write(
      "#!/bin/sh\nexec head -n 1 '\(scratch.file("word"))'\n",
      to: "ask",
      mode: 0o700
    )
    // The server talks over the client's pipe, so that it needs no port.
    let options = [
      "StrictHostKeyChecking=no", "UserKnownHostsFile=/dev/null", "NumberOfPasswordPrompts=3",
      "PreferredAuthentications=keyboard-interactive",
      "ProxyCommand=/usr/sbin/sshd -i -f \(scratch.file("sshd_config"))",
    ]
    let ssh = """
      mount -t tmpfs tmpfs /run; mkdir /run/sshd
      export SSH_ASKPASS='\(scratch.file("ask"))' SSH_ASKPASS_REQUIRE=force
      exec ssh -F /dev/null \(options.map { "-o '\($0)'" }.joined(separator: " ")) \
        \(rig.account.name)@localhost id -u
      """
    func connect(_ word: String) throws -> RunningProgram.Report {
      try scratch.write(word + "\n", to: "word")
      return try run(ssh, typing: [])
    }
    let right = try connect(Self.password)
    #expect(right.output == "\(rig.account.uid)\n", "\(right.errors)")
    for _ in 0..<4 { #expect(try connect("wrong").status == 255) }
    let refused = try connect(Self.password)
    #expect(refused.status == 255)
    let outcomes = try outcomes()
    #expect(outcomes.count { $0 == "success" } == 1, "\(outcomes)")
    #expect(outcomes.last == "passcodeThrottled", "\(outcomes)")
  }

  @Test func withoutTheServiceTheNextModuleIsAsked() throws {
    try rig.service.daemon.end()
    Files.remove(rig.service.socket)
    let sudo = setpriv(rig.account.uid) + " sudo -k -S id -u"
    let right = try run(sudo, typing: [Self.password])
    #expect(right.status == 0 && right.output.contains("0\n"), "\(right.output)\(right.errors)")
    let wrong = try run(sudo, typing: ["wrong", "false", "bad"])
    #expect(wrong.status != 0 && !wrong.output.contains("0\n"))
  }
}
