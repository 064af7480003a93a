import Foundation
import Testing

/// The program as a person uses it, with a daemon and a device; nothing sleeps.
@Suite(.enabled(if: Desk.programs != nil, "authctl is not on the path: make programs"))
struct ProgramTests {
  @Test func aLockMakesEverythingGreyAndAnUnlockBringsItBack() throws {
    let desk = try Desk()
    let terminal = try desk.startAsAnn()
    terminal.enter("new")
    try terminal.answer("one dot saves", "buy milk at noon")
    terminal.enter(".")
    try terminal.answer("> ", "new")
    try terminal.answer("one dot saves", "nobody knows that")
    terminal.type("I am in the middle of a wo")
    try terminal.wait(for: "middle of a wo")
    #expect(try terminal.hasInMemory("nobody knows that"), "the search finds what is there")

    try desk.run("authctl device lock")
    try terminal.wait(for: "The device is locked.")
    for text in ["buy milk at noon", "nobody knows that", "in the middle of a wo", "open sesame"] {
      #expect(try !terminal.hasInMemory(text))
      #expect(desk.files(with: text) == [])
    }
    terminal.enter("list")
    try desk.run("notes receive", "hello from bob")
    #expect(desk.files(with: "hello from bob") == [])

    try desk.unlock()
    try desk.touch()
    let list = try terminal.wait(for: "Your draft.")
    #expect(list.contains("in while nobody was logged in: 1"))
    #expect(list.contains("buy milk at noon") && list.contains("hello from bob"))
    try terminal.answer("nobody knows that\r\nI am in the middle of a wo", "rd")
    terminal.enter(".")
    try terminal.answer("> ", "quit")
    #expect(terminal.waitForChange() == 0)
    #expect(desk.files(with: "nobody knows that") == [])
  }

  @Test func aWrongPasswordSaysSoAndTheScreenIsClearedAtLogout() throws {
    let desk = try Desk()
    let terminal = try desk.startAsAnn()
    terminal.enter("logout")
    try terminal.wait(for: "\u{1B}[3J")
    try terminal.wait(for: "Logged out.")
    for (times, login) in [("ann", "barley!!"), ("bob", "open sesame")].enumerated() {
      try terminal.answer("Name, or Enter for a touch: ", login.0)
      try terminal.answer("Password: ", login.1)
      let shown = try terminal.wait(for: "Name or password is wrong (\(times + 1) in a row).")
      #expect(!shown.contains(login.1), "nobody sees what is typed")
    }
    try terminal.answer("Name, or Enter for a touch: ", "ann")
    try terminal.answer("Password: ", "open sesame")
    try terminal.wait(for: "Notes of ann")
  }

  @Test func turningToSomethingElseLogsOutAndComingBackAsksForAFinger() throws {
    let desk = try Desk()
    let terminal = try desk.startAsAnn()
    terminal.type("\u{1A}")
    try terminal.wait(for: "\u{1B}[3J")
    #expect(terminal.waitForChange() & 0xFF == 0x7F, "it is stopped")
    kill(terminal.process, SIGCONT)
    try desk.touch()
    try terminal.wait(for: "Notes of ann")
    try terminal.wait(for: "> ")
  }

  @Test func whoeverTypesNothingForAWhileIsLoggedOut() throws {
    let desk = try Desk()
    let terminal = try desk.startAsAnn()
    terminal.enter("idle 1")
    try terminal.wait(for: "Logged out: nobody typed for a while.")
  }

  @Test func beforeTheFirstUnlockNobodyIsAskedToSignIn() throws {
    let desk = try Desk()
    let first = try desk.startAsAnn()
    first.enter("device")
    let number = try first.wait(for: "\r\n> ").suffix(36)
    first.enter("quit")
    #expect(first.waitForChange() == 0)
    try desk.run("authctl device reboot")
    let terminal = try desk.start()
    let shown = try terminal.wait(for: "The device was not unlocked since it started.")
    #expect(!shown.contains("Nobody has an account"))
    terminal.enter("eve")
    try desk.unlock()
    try desk.touch()
    try terminal.wait(for: "Notes of ann")
    try terminal.answer("> ", "device")
    #expect(try terminal.wait(for: "\r\n> ").suffix(36) == number)
  }

  @Test func aBackupAndAnExportBringTheAppToANewPhone() throws {
    let desk = try Desk()
    let old = try desk.startAsAnn()
    old.enter("new")
    old.enter("buy milk at noon")
    old.enter(".")
    try old.answer("> ", "export \(desk.home.path)/notes.rnc")
    try old.answer("Password of the file: ", "for the journey")
    try old.answer("Once more: ", "for the journey")
    try old.wait(for: "1 note is in")
    let opened = try desk.run(
      "authctl rncrypt decrypt --in notes.rnc --password-stdin",
      "for the journey\n"
    )
    #expect(opened.contains("buy milk at noon"))

    try desk.makeDevice("new")
    try desk.run("authctl backup create a.backup --password-stdin", "a password of twelve\n")
    let listed = try desk.run("authctl backup list a.backup")
    #expect(listed.contains("1 that ask for something"))
    #expect(listed.contains("2 that end with the passcode"))
    try desk.run(
      "authctl --device new backup restore a.backup --merge --password-stdin",
      "a password of twelve\n"
    )
    let new = try desk.start(on: "new")
    try new.wait(for: "The account came with a backup. What opens it did not")
    try new.answer("New password, 8 characters or more: ", "another sesame")
    try new.answer("Once more: ", "another sesame")
    try new.answer("> ", "import \(desk.home.path)/notes.rnc")
    try new.answer("Password of the file: ", "for the journey")
    try new.answer("1 note was added.", "list")
    try new.wait(for: "1  buy milk at noon")
  }
}
