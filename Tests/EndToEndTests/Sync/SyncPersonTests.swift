import Glibc
import LocalAuthUnix
import Testing

/// What a person who makes mistakes is told between devices.
extension SyncTests {
  @Test func whoGaveTheWrongDatabaseFoundsOnceMore() throws {
    let first = try SyncedMachine("laptop", in: scratch, server)
    let code = try hub.code()
    let wrong = try first.run(
      ["sync", "found", server.directory, "--database", "nowhere"],
      by: code
    )
    #expect(wrong.status == 69 && wrong.errors.contains("found the circle once more"), "\(wrong)")
    try first.found(code)
    try first.crash()
    try first.synchronize()
    #expect(try first.status.contains(", port 5432, database postgres, heard"))
  }

  @Test func whoseInvitationIsOverJoinsWithANewCode() throws {
    let first = try founded()
    let second = try SyncedMachine("server", in: scratch, server)
    _ = try second.join(try first.type(["sync", "invite", "--no-wait"]))
    try first.letIn(second)
    #expect(try first.status.contains("server"))
  }

  @Test func anInvitationThatAPersonInterruptsIsOver() throws {
    let first = try founded()
    let inviting = try TerminalProgram.authctl(
      ["--home", first.home, "--device", "demo", "sync", "invite"]
    )
    try inviting.wait(for: "within ten minutes:")
    #expect(
      try first.eventually { try first.status.contains("An invitation is open: 'sync approve'") }
    )
    inviting.signal(SIGINT)
    #expect(try inviting.waitForExit() != .status(0))
    #expect(inviting.screen.contains("The invitation is over; nobody was let in."))
    #expect(try !first.status.contains("invitation"))
  }

  /// At the question whether it is the right device, and at that for the passcode.
  @Test(arguments: [false, true], ["\u{3}", "\u{4}", "no\n"])
  func anInvitationWhoseQuestionIsNotAnsweredIsOver(
    _ isAtPasscode: Bool,
    _ typed: String
  ) throws {
    guard !isAtPasscode || typed != "no\n" else { return }
    let first = try founded()
    let second = try SyncedMachine("server", in: scratch, server)
    _ = try second.join(try first.type(["sync", "invite", "--no-wait"]))
    _ = try first.eventually { try first.run(["sync", "approve", "--words", "x"]).status == 77 }
    let approving = try TerminalProgram.authctl(
      ["--home", first.home, "--device", "demo", "sync", "approve"]
    )
    try approving.wait(for: "Let it in if it is yours")
    if isAtPasscode {
      approving.type("yes\n")
      try approving.wait(for: "Passcode")
    }
    approving.type(typed)
    #expect(try approving.waitForExit() != .status(0))
    #expect(approving.screen.contains("The invitation is over; nobody was let in."))
    #expect(try !first.status.contains("invitation"))
  }

  /// Only a question outlives a signal: what waits for anything else ends.
  @Test func anApprovalThatWaitsForAFileEndsWithASignal() throws {
    let first = try founded()
    let second = try SyncedMachine("server", in: scratch, server)
    let words = try second.ask(try first.type(["sync", "invite", "--no-wait"]))
    _ = try first.eventually { try first.run(["sync", "approve", "--words", "x"]).status == 77 }
    let pipe = scratch.file("pipe")
    // SAFETY: the string is a C string for the call.
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let approve = "--home \(first.home) --device demo sync approve --words \"$1\" --passcode-fd 5"
    let program = try RunningProgram(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: ["-c", "exec \(Machine.authctl) \(approve) 5<>\(pipe)", "sh", words],
        environment: Authctl.environment
      )
    )
    // It reads from the pipe, which nobody writes to.
    let call = "/proc/\(program.processID)/syscall"
    #expect(try first.eventually { (try? Files.text(call))?.hasPrefix("0 0x5 ") == true })
    program.signal(SIGTERM)
    #expect(try program.waitForExit() == .signal(SIGTERM))
  }

  @Test func whoWaitsIsToldThatTheSponsorMadeAnotherInvitation() throws {
    let first = try founded()
    let second = try SyncedMachine("server", in: scratch, server)
    let code = try first.type(["sync", "invite", "--no-wait"])
    let joining = try TerminalProgram.authctl(
      ["--home", second.home, "--device", "demo"] + second.joinWords
    )
    try joining.wait(for: "Code of the other device")
    joining.type(code + "\n")
    try joining.wait(for: "Passcode")
    joining.type("1234\n")
    try joining.wait(for: "which the other one must show too:")
    _ = try first.eventually { try first.run(["sync", "approve", "--words", "x"]).status == 77 }
    _ = try first.type(["sync", "invite", "--no-wait"])
    #expect(try joining.waitForExit() == .status(77))
    #expect(joining.screen.contains("The invitation is over: join with a new code."))
    let status = try second.status
    #expect(status.contains("the invitation is over: join with a new code"), "\(status)")
    try first.letIn(second)
  }

  /// Both are one role at the hub, and the one that is let in chooses its password.
  @Test func ofTwoDevicesWithOneCodeTheOneThatAskedFirstIsIn() throws {
    let first = try founded()
    let second = try SyncedMachine("server", in: scratch, server)
    let third = try SyncedMachine("tablet", in: scratch, server)
    let code = try first.type(["sync", "invite", "--no-wait"])
    let words = try second.ask(code)
    let joining = try TerminalProgram.authctl(
      ["--home", third.home, "--device", "demo"] + third.joinWords
    )
    try joining.wait(for: "Code of the other device")
    joining.type(code + "\n")
    try joining.wait(for: "Passcode")
    joining.type("1234\n")
    try joining.wait(for: "which the other one must show too:")
    try first.approve(words)
    #expect(try joining.waitForExit() == .status(77))
    #expect(joining.screen.contains("join with a new code"), "\(joining.screen)")
    #expect(!joining.screen.contains("is in the circle"))
    try #require(try second.isInBeforeLong())
    try first.add("mail", "1")
    #expect(try second.has("mail", "1"))
    #expect(try !first.status.contains("tablet"))
    try first.letIn(third)
    #expect(try third.has("mail", "1"))
  }

  /// Nothing is asked for before it is clear that there is something to do.
  @Test(arguments: ["leave", "repair"])
  func whoIsInNoCircleIsToldSoAtOnce(_ verb: String) throws {
    let machine = try SyncedMachine("laptop", in: scratch, server)
    let said = try machine.run(["sync", verb, "--yes"])
    #expect(said.status == 20 && said.errors.contains("in no circle"), "\(said)")
  }

  @Test func conflictsSayWhichDeviceWroteWhatLost() throws {
    let (first, second) = try pairInConflict()
    let lists = try [first, second].map { try $0.type(["sync", "conflicts"]) }
    #expect(lists.joined().contains("  laptop, 20"), "\(lists)")
  }

  @Test func namesThatWouldConfuseATerminalAreNotTaken() throws {
    let machine = try SyncedMachine("laptop", in: scratch, server)
    let said = try machine.run(
      ["sync", "found", server.directory, "--name", "lap\u{1B}[2Jtop", "--code-stdin"],
      try hub.code()
    )
    #expect(said.status == 2 && said.errors.contains("no control characters"), "\(said)")
  }

  @Test func narrowTerminalsHaveTheWordsOnLinesOfTheirOwn() throws {
    let (first, _) = try pair()
    let wide = try first.status.split(separator: "\n").first { $0.contains("laptop") }
    let words = try #require(wide).split(separator: " ").suffix(6).joined(separator: " ")
    let status = "\(Machine.authctl) --home \(first.home) --device demo sync status"
    let terminal = try TerminalProgram(["/bin/sh", "-c", "stty cols 50; exec \(status)"])
    _ = try terminal.waitForExit()
    #expect(terminal.screen.contains("this device\r\n  \(words)\r\n"), "\(terminal.screen)")
  }
}

extension SyncTests {
  @Test func listsSayWhichItemsAreOnOtherDevices() throws {
    let first = try SyncedMachine("laptop", in: scratch, server)
    try first.type(["keychain", "add", "mail", "--stdin"], "1")
    #expect(try !first.type(["keychain", "list"]).contains("SYNC"))
    try first.add("mail", "2")
    let lines = try first.type(["keychain", "list"]).split(separator: "\n").map(String.init)
    #expect(lines.first?.hasSuffix("SYNC") == true, "\(lines)")
    #expect(lines.dropFirst().map { $0.hasSuffix("yes") }.sorted { !$0 && $1 } == [false, true])
  }

  @Test(arguments: [
    ["--accessible", "whenUnlockedThisDeviceOnly"], ["--access-control", "userPresence"],
  ])
  func whatStaysOnADeviceIsNotAddedForOthers(_ options: [String]) throws {
    let first = try SyncedMachine("laptop", in: scratch, server)
    let said = try first.run(
      ["keychain", "add", "mail", "--synchronizable", "--stdin"] + options,
      "1"
    )
    #expect(said.status == 2 && said.errors.contains("stays on this device"), "\(said)")
    #expect(said.errors.contains(options[0]))
  }
}
