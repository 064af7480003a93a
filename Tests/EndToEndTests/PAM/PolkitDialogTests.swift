import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// polkit's own programs from the question to the answer: polkitd, pkcheck, pkexec and a dialog on a terminal.
@Suite(
  .enabled(if: PolkitWorld.canRun, "needs root, polkitd, dbus-daemon, make, unshare and pamtester")
)
struct PolkitDialogTests {
  private let world: PolkitWorld

  init() throws { world = try PolkitWorld(try PAMRig()) }

  /// Asks through a dialog in a session with this record, waits for `question`, acts, and says how pkcheck ended.
  private func ask(
    _ record: String = TestLogins.seat,
    showing question: String = "Touch the sensor, or: Passcode:",
    _ act: (TerminalProgram) throws -> Void
  ) throws -> ChildProcess.Exit {
    let dialog = try world.dialog(record)
    let check = try world.check(dialog.programID)
    try dialog.wait(for: question)
    try act(dialog)
    return try check.waitForExit()
  }

  @Test func fingerAuthorizes() throws {
    let exit = try ask { dialog in
      try world.touch()
      // This dialog looks for nothing but the keyboard while it has a question open.
      try dialog.answer("")
    }
    #expect(exit == .status(0))
    #expect(try world.evaluations() == [["device-owner-parallel", "success", "fingerprint"]])
  }

  @Test func passcodeAuthorizes() throws {
    #expect(try ask { try $0.answer("1234") } == .status(0))
    #expect(try world.evaluations() == [["device-owner-parallel", "success", "passcode"]])
  }

  @Test func wrongAnswersAuthorizeNobody() throws {
    let exit = try ask { dialog in
      try world.touch("left-thumb")
      for wrong in ["1", "2"] {
        try dialog.answer(wrong)
        try dialog.wait(for: "That passcode is wrong.")
        try dialog.wait(for: "Passcode:")
      }
      #expect(dialog.screen.contains("That finger does not match."))
      dialog.signal(SIGINT)
    }
    #expect(exit != .status(0))
    try world.waitForEvaluations(["appCancel"])
    let state = try world.state()
    #expect(state.wrongPasscodes == 2 && state.attemptsLeft == 2, "\(state)")
  }

  /// Neither the finger nor the passcode loses a try, and the sensor is off.
  @Test func cancelIsNoMiss() throws {
    for count in 1...5 {
      #expect(try ask { $0.signal(SIGINT) } != .status(0))
      try world.waitForEvaluations(Array(repeating: "appCancel", count: count))
      try world.expectOff()
    }
    let state = try world.state()
    #expect(state.wrongPasscodes == 0 && state.attemptsLeft == 3, "\(state)")
    let exit = try ask { dialog in
      try world.touch()
      try dialog.answer("")
    }
    #expect(exit == .status(0))
  }

  @Test func lockoutIsSaidAndHolds() throws {
    var said = ""
    for number in 1...5 where said != "Try again in " {
      let dialog = try world.dialog(TestLogins.remote)
      let check = try world.check(dialog.programID)
      said = try dialog.wait(forOneOf: ["Passcode:", "Try again in "])
      while said == "Passcode:" {
        try dialog.answer("wrong \(number) \(dialog.screen.count)")
        said = try dialog.wait(forOneOf: ["Passcode:", "Try again in ", "FAILED"])
      }
      #expect(try check.waitForExit() != .status(0))
    }
    #expect(said == "Try again in ")
    // Not even the right one is asked for.
    let dialog = try world.dialog(TestLogins.remote)
    let check = try world.check(dialog.programID)
    try dialog.wait(for: "Try again in ")
    #expect(try check.waitForExit() != .status(0))
    #expect(!dialog.screen.contains("Passcode:"))
    #expect(try world.evaluations().last?[1] == "passcodeThrottled")
  }

  @Test func fingerIsNeverOfferedOverSSH() throws {
    let exit = try ask(TestLogins.remote, showing: "Passcode:") { dialog in
      #expect(!dialog.screen.contains("ouch"), "\(dialog.screen)")
      try world.expectOff()
      try dialog.answer("1234")
    }
    #expect(exit == .status(0))
    #expect(try world.evaluations() == [["passcode", "success", "passcode"]])
  }

  @Test(.enabled(if: Files.exists("/usr/bin/pkexec"), "needs pkexec"))
  func pkexecRunsAProgramAfterAFinger() throws {
    let asking = "echo ready; read go; exec pkexec --disable-internal-agent /usr/bin/id -u"
    let shell = try TerminalProgram(
      world.asUser(TestLogins.seat, ["/bin/sh", "-c", "(\(asking)); exit $?"])
    )
    // Before that it may still be root's, and polkit takes no dialog of one user for another's process.
    try shell.wait(for: "ready")
    let dialog = try world.dialog(TestLogins.seat, for: shell.programID)
    shell.type("\r")
    try dialog.wait(for: "Touch the sensor, or: Passcode:")
    try world.touch()
    try dialog.answer("")
    #expect(try shell.waitForExit() == .status(0))
    #expect(shell.screen.contains("0\r\n"), "\(shell.screen)")
    #expect(try world.evaluations().map { $0[2] } == ["fingerprint"])
  }
}

extension TerminalProgram {
  /// Types a line once the dialog takes it: it throws away what was typed before.
  fileprivate func answer(_ line: String) throws {
    let deadline = Deadline.after(.seconds(60))
    while isRestored, !deadline.hasPassed {}
    type(line + "\r")
  }
}
