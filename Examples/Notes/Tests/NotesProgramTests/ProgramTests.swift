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
    try terminal.wait(for: "\u{1B}[2mNotes")
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
    #expect(desk.files(with: "buy milk at noon") == [])

    try desk.makeDevice("new")
    // A backup without a password is worth nothing elsewhere.
    try desk.run("authctl backup create own.backup --device-only")
    let elsewhere = desk.failure("authctl --device new backup restore own.backup --merge")
    #expect(elsewhere?.contains("Only the device that it was made on opens it") == true)
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

  @Test func wrongPasscodesSayHowLongNoneIsJudgedAndThePasswordOpens() throws {
    let desk = try Desk()
    let terminal = try desk.startAsAnn()
    terminal.enter("logout")
    try terminal.answer("Name, or Enter for a touch: ", "")
    for _ in 1...3 { try desk.touch(with: "left-index") }
    for (tries, wrong) in ["1111", "1112", "1113"].enumerated() {
      try terminal.wait(for: "Type the passcode (\(10 - tries) tries left)")
      try terminal.answer("Passcode:", wrong)
    }
    try terminal.wait(for: "The passcode was wrong.")
    try terminal.answer("Name, or Enter for the passcode: ", "")
    try terminal.wait(for: "Type the passcode (7 tries left)")
    try terminal.answer("Passcode:", "1114")
    try terminal.wait(for: "Too many wrong passcodes: the next one is judged in ")
    try terminal.wait(for: "The password of the notes opens them all the same.")
    // Only time itself ends that: the wait is the device's, and no test waits for it.
    try terminal.answer("Name, or Enter to look again: ", "")
    try terminal.wait(for: "Too many wrong passcodes: the next one is judged in ")
    try terminal.answer("Name, or Enter to look again: ", "ann")
    try terminal.answer("Password: ", "open sesame")
    try terminal.wait(for: "> ")
  }

  @Test func whatIsTypedWrongSaysWhatIsRight() throws {
    let desk = try Desk()
    let terminal = try desk.startAsAnn(shows: "No notes yet: 'new' writes one, and 'help' shows")
    for (typed, said) in [
      ("frobnicate", "There is no command 'frobnicate': 'help' shows"),
      ("new secret", "Type 'new' alone"), ("read 9", "There is no note 9."),
      ("read nine", "Name a number."), ("delete 9", "There is no note 9."),
      ("share 9 a", "There is no note 9."), ("share 9", "Name a number, and what"),
      ("open a", "There is no document 'a'."), ("idle 0", "Name seconds, up to a day."),
      ("import nothing", "There is no file 'nothing'."), ("import", "Name a file."),
      ("export /nowhere/a", "No file can be made in '/nowhere'."),
      ("export \(desk.home.path)", "There is a file '\(desk.home.path)' already"),
      ("remember everywhere", "Type 'remember', or 'remember here'"),
    ] {
      terminal.enter(typed)
      try terminal.wait(for: said)
      try terminal.wait(for: "> ")
    }
    terminal.enter("new")
    terminal.enter("buy milk")
    terminal.enter(".")
    try terminal.wait(for: "Saved as note 1.")
    terminal.enter("share 1 groceries")
    try terminal.wait(for: "It is shared as 'groceries'. This device is in no circle")
  }

  @Test func whatTheEnvironmentHasWrongIsSaidAtTheStart() throws {
    let desk = try Desk()
    let simulated = "LOCALAUTH_ALLOW_SIMULATED=1 lets it count"
    let refused = desk.failure("LOCALAUTH_ALLOW_SIMULATED= notes-open nothing")
    #expect(refused?.contains(simulated) == true)
    let elsewhere = desk.failure("LOCALAUTH_DEVICE=nowhere notes-open nothing")
    #expect(elsewhere?.contains("There is no device 'nowhere'.") == true)
    #expect(desk.failure("notes ")?.contains("notes needs a terminal.") == true)
    #expect(desk.failure("notes receive")?.contains("Nothing came on standard input.") == true)
    #expect(desk.failure("notes-open nothing")?.contains("There is no such file") == true)
  }

  @Test func aSimulatedDeviceThatTheEnvironmentChoseIsNoLockedOne() throws {
    let desk = try Desk()
    let terminal = try desk.start(allowing: "0")
    try terminal.wait(for: "LOCALAUTH_ALLOW_SIMULATED=1 lets it count")
    #expect(terminal.waitForChange() >> 8 == 1)
  }

  /// `notes` and `notes-open` have one group in common, and each has one of its own; `authctl` is in neither.
  @Test(.enabled(if: Desk.isRoots, "others than root can write to the programs"))
  func anotherProgramOfTheGroupOpensAFileForWhatTheAppRememberedAndNobodyElseDoes() throws {
    let desk = try Desk(
      rules: """
        {"rules": [
          {"executable": "OWN/notes", "applicationIdentifier": "io.localauth.notes",
            "groups": ["io.localauth.notes"], "applicationGroups": ["io.localauth.notes.files"]},
          {"executable": "OWN/notes-open", "applicationIdentifier": "io.localauth.notes-open",
            "groups": ["io.localauth.notes-open"], "applicationGroups": ["io.localauth.notes.files"]},
          {"applicationIdentifier": "local", "groups": ["local"]}
        ]}
        """
    )
    let terminal = try desk.startAsAnn()
    terminal.enter("new")
    terminal.enter("buy milk")
    terminal.enter(".")
    try terminal.answer("> ", "remember")
    try terminal.answer("Password of files: ", "for the journey")
    try terminal.answer("Once more: ", "for the journey")
    try terminal.wait(for: "on all devices of your circle: notes-open FILE shows a file.")
    try terminal.answer("> ", "export \(desk.home.path)/notes.rnc")
    try terminal.answer("Password of the file, or Enter for the remembered one: ", "")
    try terminal.wait(for: "1 note is in")
    #expect(try desk.run("notes-open notes.rnc") == "buy milk\n")
    #expect(try !desk.run("authctl keychain list").contains("io.localauth.notes"))

    try desk.run("authctl device lock")
    try desk.run("authctl device clock advance 11s")
    #expect(desk.failure("notes-open notes.rnc")?.contains("The device is locked.") == true)
    try desk.unlock()
    try desk.touch()
    try terminal.wait(for: "Notes of ann")
    try terminal.answer("> ", "forget")
    try terminal.wait(for: "No device knows the password of files now.")
    #expect(
      desk.failure("notes-open notes.rnc")?.contains("No password of files is remembered") == true
    )
  }
}
