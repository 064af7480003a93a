import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// Programs that authenticate through `pam_localauth.so`, at a service for all users.
@Suite(
  .enabled(if: PAMModule.canRun, "needs root, useradd, make, pamtester and a reachable build")
)
struct PAMModuleTests {
  // MARK: A yes

  @Test func passcodeLetsIn() throws {
    let rig = try PAMRig()
    let report = try rig.pamtester("policy=passcode \(PAMRig.simulated)", typing: "1234\n")
    #expect(report.status == 0, "\(report.output)\(report.errors)")
    #expect(report.output.contains("successfully authenticated"))
  }

  @Test func fingerLetsInWithoutAWord() throws {
    let rig = try PAMRig()
    try rig.script("match")
    let report = try rig.pamtester("policy=biometrics \(PAMRig.simulated)")
    #expect(report.status == 0, "\(report.output)\(report.errors)")
    #expect((report.output + report.errors).contains("Touch the fingerprint sensor."))
  }

  @Test func threeMissesFallToThePasscode() throws {
    let rig = try PAMRig()
    try rig.script("miss,miss,miss")
    let report = try rig.pamtester("policy=device-owner \(PAMRig.simulated)", typing: "1234\n")
    #expect(report.status == 0, "\(report.output)\(report.errors)")
  }

  @Test func whoTouchesTheSensorPressesEnter() throws {
    let rig = try PAMRig()
    try rig.script("match")
    let report = try rig.pamtester(
      "policy=device-owner-parallel \(PAMRig.simulated)",
      typing: "\n\n\n\n"
    )
    #expect(report.status == 0, "\(report.output)\(report.errors)")
  }

  // MARK: A no

  @Test func wrongPasscodesLetNobodyIn() throws {
    let rig = try PAMRig()
    let report = try rig.pamtester(
      "policy=passcode \(PAMRig.simulated)",
      typing: String(repeating: "0000\n", count: 20)
    )
    #expect(report.status != 0)
    #expect(!report.output.contains("successfully"))
  }

  @Test func missesLetNobodyIn() throws {
    let rig = try PAMRig()
    try rig.script("miss,miss,miss")
    let report = try rig.pamtester("policy=biometrics \(PAMRig.simulated)")
    #expect(report.status != 0)
  }

  /// Nothing else is heard of its question until ten minutes are over, which is longer than a program has here.
  @Test func answerThatIsNoPasscodeEndsTheEvaluationAtOnce() throws {
    let rig = try PAMRig()
    let report = try rig.pamtester(
      "policy=passcode timeout=600 \(PAMRig.simulated)",
      typing: String(repeating: "1", count: 512) + "\n1234\n"
    )
    #expect(report.status != 0)
    let heard = report.output + report.errors
    #expect(heard.contains("A passcode has at most 511 bytes."), "\(heard)")
    #expect(heard.contains("Authentication failure"), "\(heard)")
    // It was charged to nobody.
    #expect(
      try rig.pamtester("policy=passcode \(PAMRig.simulated)", typing: "1234\n").status == 0
    )
  }

  @Test func simulatedSuccessIsNoneUnlessTheArgumentsSaySo() throws {
    let rig = try PAMRig()
    try rig.script("match")
    let report = try rig.pamtester("policy=biometrics device=sim")
    #expect(report.status != 0)
    #expect(!report.output.contains("successfully"))
  }

  @Test func somebodyElsewhereIsAskedForThePasscode() throws {
    let rig = try PAMRig()
    let name = try rig.module.service(with: "policy=biometrics \(PAMRig.simulated)")
    func report(
      _ items: [String],
      _ typed: String,
      _ record: String = TestLogins.seat
    ) throws -> RunningProgram.Report {
      let words =
        rig.logins.login(rig.account.uid, record) + ["/usr/bin/pamtester"]
        + items.flatMap { ["-I", $0] } + [name, rig.account.name, "authenticate"]
      return try RunningProgram.run(words[0], Array(words.dropFirst()), input: typed)
    }
    for items in [["rhost=192.0.2.1", "tty=tty1"], ["tty=ssh"], []] {
      #expect(try report(items, "0000\n").status != 0)
      #expect(try report(items, "1234\n").status == 0, "\(items)")
    }
    try rig.script("match")
    #expect(try report(["tty=tty1"], "", TestLogins.remote).status != 0)
    try rig.script("match")
    #expect(try report(["tty=tty1", "rhost=localhost"], "").status == 0)
  }

  @Test func argumentsThatAreNoneLetNobodyIn() throws {
    let rig = try PAMRig()
    for wrong in ["polcy=passcode", "policy=", "timeout=0", "timeout=soon", "debug", "timeout=601"]
    {
      let report = try rig.pamtester(
        "policy=passcode \(PAMRig.simulated) \(wrong)",
        typing: "1234\n"
      )
      #expect(report.status != 0, "\(wrong)")
    }
  }

  @Test func unknownUsersAndPoliciesLetNobodyIn() throws {
    let rig = try PAMRig()
    #expect(try rig.pamtester("policy=none \(PAMRig.simulated)", typing: "1234\n").status != 0)
    #expect(try rig.pamtester("policy=passcode device=none", typing: "1234\n").status != 0)
    let name = try rig.module.service(with: "policy=passcode \(PAMRig.simulated)")
    let report = try RunningProgram.run(
      "/usr/bin/pamtester",
      [name, "la-test-nobody-at-all", "authenticate"],
      input: "1234\n"
    )
    #expect(report.status != 0)
  }

  @Test func administratorReadsWhyTheServiceRefuses() throws {
    let rig = try PAMRig()
    let path = rig.service.scratch.file("log")
    let log = try LocalSocket(path, SOCK_DGRAM)
    let script =
      #"mount -t tmpfs none /dev && mknod -m 666 /dev/null c 1 3 && ln -s "$0" /dev/log && exec "$@""#
    for (arguments, words) in [
      ("policy=nonesuch \(PAMRig.simulated)", "PolicyNotFound: nonesuch"),
      ("policy=passcode device=nonesuch", "DeviceNotFound: nonesuch"),
    ] {
      let report = try rig.pamtester(
        arguments,
        under: ["/usr/bin/unshare", "--mount", "/bin/sh", "-c", script, path]
      )
      #expect(report.status != 0)
      #expect(try log.receive().contains(words), "\(report)")
    }
  }

  @Test func wrongPasscodeIsSaidAlsoToWhoWantsSilence() throws {
    let rig = try PAMRig()
    let report = try rig.pamtester(
      "policy=passcode \(PAMRig.simulated)",
      "authenticate(PAM_SILENT)",
      typing: "0000\n1234\n"
    )
    #expect(report.status == 0, "\(report)")
    #expect((report.output + report.errors).contains("wrong"), "\(report)")
  }

  // MARK: No service

  @Test func withoutTheServiceNobodyGetsIn() throws {
    let rig = try PAMRig()
    try rig.service.daemon.end(SIGKILL)
    Files.remove(rig.service.socket)
    let report = try rig.pamtester("policy=passcode \(PAMRig.simulated)", typing: "1234\n")
    #expect(report.status != 0)
    #expect((report.output + report.errors).contains("cannot retrieve authentication info"))
  }

  @Test func serviceThatSaysNothingIsARefusal() throws {
    let scratch = Scratch()
    Files.setMode(0o755, of: scratch.path)
    let listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
    listener.listen()
    let module = try PAMModule(asking: scratch.file("socket"))
    // The module waits for the service, and not as long as a person has.
    let name = try module.service(with: "policy=passcode timeout=600")
    let report = try RunningProgram.run(
      "/usr/bin/pamtester",
      [name, "root", "authenticate"],
      within: .seconds(60)
    )
    #expect(report.status != 0)
    #expect((report.output + report.errors).contains("Authentication failure"))
  }

  @Test func serviceOfAnotherUserHearsNothing() throws {
    let scratch = Scratch()
    Files.setMode(0o777, of: scratch.path)
    let path = scratch.file("socket")
    let heard = scratch.file("heard")
    // It lets everybody in, if anybody asks.
    let program = """
      import socket, sys
      s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print('up', flush=True)
      c, _ = s.accept(); data = c.recv(65536); open(sys.argv[2], 'wb').write(data)
      c.sendall(b'{"parameters":{"result":{"outcome":"success","simulated":false}}}\\0')
      """
    let ready = BytePipe()
    let server = try RunningProgram(
      SpawnRequest(
        executable: "/usr/bin/setpriv",
        arguments: Machine.asOther(["/usr/bin/python3", "-c", program, path, heard]),
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [.null, .duplicate(of: ready.writingEnd), .null]
      )
    )
    defer { _ = try? server.end(SIGKILL) }
    ready.closeWriter()
    try #require(ready.read(within: .seconds(60)))
    let module = try PAMModule(asking: path)
    let name = try module.service(with: "policy=passcode")
    let report = try RunningProgram.run("/usr/bin/pamtester", [name, "root", "authenticate"])
    #expect(report.status != 0)
    let bytes = Files.exists(heard) ? try Files.read(heard) : []
    #expect(bytes.isEmpty)
  }

  @Test func serviceThatDiesWhileSomebodyIsAskedLetsNobodyIn() throws {
    let rig = try PAMRig()
    let name = try rig.module.service(with: "policy=biometrics \(PAMRig.simulated)")
    let output = try Captured()
    let program = try RunningProgram(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: rig.logins.login(rig.account.uid).dropFirst()
          + ["/usr/bin/pamtester", "-I", "tty=tty1", name, rig.account.name, "authenticate"],
        environment: ["PATH=/usr/bin:/bin"],
        descriptors: [
          .null, .duplicate(of: output.descriptor), .duplicate(of: output.descriptor),
        ]
      )
    )
    // It waits until somebody is asked.
    let touch: JSONValue = [
      "user": .number(rig.account.uid), "device": "sim", "finger": "left-thumb", "wait": true,
    ]
    _ = try rig.service.connect().call(Interface.sensor + "Touch", touch).get()
    try rig.service.daemon.end(SIGKILL)
    #expect(try program.waitForExit() != .status(0))
    #expect(!output.text.contains("successfully"))
  }

  @Test func lateAnswersOfServersThatLieAreNoYes() throws {
    let answers = [
      "{}", "[]", "nonsense", #"{"parameters":{"result":{}}}"#,
      #"{"error":"io.localauth.Authentication.NotPermitted","parameters":{}}"#,
      #"{"parameters":{"result":{"outcome":"success","simulated":true}}}"#,
      #"{"parameters":{"prompt":{}},"continues":true}"#, #"{"parameters":{},"continues":false}"#,
      #"{"parameters":{"result":{"outcome":"successful"}}}"#, "",
    ]
    for answer in answers {
      let scratch = Scratch()
      let listener = try LocalSocket(scratch.file("socket"), SOCK_STREAM)
      listener.listen()
      let module = try PAMModule(asking: scratch.file("socket"))
      let name = try module.service(with: "policy=passcode")
      let server = try SystemThread(name: "liar") {
        let peer = accept(listener.descriptor, nil, nil)
        var bytes = Array(answer.utf8) + [0]
        _ = unsafe send(peer, &bytes, bytes.count, Int32(MSG_NOSIGNAL))
        close(peer)
      }
      let report = try RunningProgram.run("/usr/bin/pamtester", [name, "root", "authenticate"])
      server.join()
      #expect(report.status != 0, "\(answer)")
    }
  }

  // MARK: Sessions

  @Test func loginUnlocksTheDeviceAndLogoutLocksIt() throws {
    let rig = try PAMRig()
    let parameters: JSONValue = ["user": .number(rig.account.uid), "device": "sim"]
    _ = try rig.service.connect().call(Interface.devices + "Reboot", parameters).get()
    #expect(try rig.lockState() != "unlocked")
    let opened = try rig.pamtester(
      "policy=passcode \(PAMRig.simulated)",
      "authenticate open_session",
      typing: "1234\n"
    )
    #expect(opened.status == 0, "\(opened.output)\(opened.errors)")
    #expect(try rig.lockState() == "unlocked")
    _ = try rig.service.connect().call(Interface.devices + "Reboot", parameters).get()
    let closed = try rig.pamtester(
      "policy=passcode \(PAMRig.simulated)",
      "authenticate open_session close_session",
      typing: "1234\n"
    )
    #expect(closed.status == 0, "\(closed.output)\(closed.errors)")
    #expect(try rig.audited("unlock") == ["success", "success"])
    #expect(try rig.lockState() != "unlocked")
  }

  /// As a job of cron's, while its user works on.
  @Test func sessionThatOpenedNothingLocksNothing() throws {
    let rig = try PAMRig()
    #expect(try rig.lockState() == "unlocked")
    for operations in ["close_session", "open_session close_session"] {
      let stack = "session optional MODULE \(PAMRig.simulated)\nsession required pam_permit.so"
      #expect(try rig.pamtester(stack: stack, operations).status == 0)
      #expect(try rig.lockState() == "unlocked", "\(operations)")
    }
  }

  /// As `su` in a terminal of the desktop that has opened it.
  @Test func sessionThatFoundTheKeychainOpenLeavesItOpen() throws {
    let rig = try PAMRig()
    let report = try rig.pamtester(
      "policy=passcode \(PAMRig.simulated)",
      "authenticate open_session close_session",
      typing: "1234\n"
    )
    #expect(report.status == 0, "\(report.output)\(report.errors)")
    #expect(try rig.lockState() == "unlocked")
  }

  /// A wrong passcode that a finger overtook would be tried once more, and charged, at the session.
  @Test func onlyThePasscodeThatWasProvenIsKeptForTheSession() throws {
    let rig = try PAMRig()
    let stack = """
      auth required MODULE policy=device-owner-parallel \(PAMRig.simulated)
      session optional MODULE \(PAMRig.simulated)
      session required pam_permit.so
      """
    try rig.script("match")
    let touched = try rig.pamtester(stack: stack, "authenticate open_session", typing: "0000\n")
    #expect(touched.status == 0, "\(touched.output)\(touched.errors)")
    #expect(try rig.audited("unlock") == [])
    let typed = try rig.pamtester(stack: stack, "authenticate open_session", typing: "1234\n")
    #expect(typed.status == 0, "\(typed.output)\(typed.errors)")
    #expect(try rig.audited("unlock") == ["success"])
  }

  // MARK: Itself

  @Test func ourOwnServicesAreIgnored() throws {
    let scratch = Scratch()
    // Nobody listens: who asked would be told that nothing can be proven.
    let module = try PAMModule(asking: scratch.file("socket"))
    let file = "/etc/pam.d/localauth-\(module.prefix)"
    defer { Files.remove(file) }
    let stack = "auth required \(module.path)\nauth required pam_permit.so\n"
    try Files.write(Array(stack.utf8), to: file, mode: 0o644)
    let own = try RunningProgram.run(
      "/usr/bin/pamtester",
      ["localauth-\(module.prefix)", "root", "authenticate"]
    )
    #expect(own.status == 0, "\(own.output)\(own.errors)")
    let other = try module.service("", "auth required MODULE\nauth required pam_permit.so")
    #expect(
      try RunningProgram.run("/usr/bin/pamtester", [other, "root", "authenticate"]).status != 0
    )
  }

  @Test func moduleHasNothingButItsFunctionsAndNeedsLittle() throws {
    let scratch = Scratch()
    let module = try PAMModule(asking: scratch.file("socket"))
    let symbols = try RunningProgram.run("/usr/bin/nm", ["-D", "--defined-only", module.path])
    let names = symbols.output.split(separator: "\n").compactMap {
      $0.split(separator: " ").last.map(String.init)
    }
    #expect(
      Set(names) == [
        "pam_sm_authenticate", "pam_sm_setcred", "pam_sm_acct_mgmt", "pam_sm_open_session",
        "pam_sm_close_session", "pam_sm_chauthtok",
      ]
    )
    let needed = try RunningProgram.run("/usr/bin/objdump", ["-p", module.path]).output
      .split(separator: "\n").filter { $0.contains("NEEDED") }
      .compactMap { $0.split(separator: " ").last.map(String.init) }
    #expect(Set(needed) == ["libpam.so.0", "libc.so.6"])
    let used = try RunningProgram.run("/usr/bin/nm", ["-D", "--undefined-only", module.path]).output
    for banned in ["getenv", "system", "execve", "popen", "fork", "dlopen"] {
      #expect(!used.split(whereSeparator: { " \n@".contains($0) }).contains(Substring(banned)))
    }
  }

  @Test func readerOfMessagesPassesItsChecks() throws {
    let scratch = Scratch()
    let report = try RunningProgram.run(
      "/usr/bin/make",
      ["-s", "-C", Repository.path + "/pam", "check", "OUT=\(scratch.path)"],
      within: .seconds(300)
    )
    #expect(report.status == 0, "\(report.output)\(report.errors)")
  }
}
