import LocalAuthHub
import LocalAuthUnix
import Testing

/// `Examples/Notes` on two devices of one person, through a real PostgreSQL.
extension SyncTests {
  /// Where `make check-packages` builds it.
  static let notes = Repository.path + "/.build/consumers/debug/notes"

  /// The app on a machine's device, with an account that is logged in.
  private func notes(on machine: SyncedMachine) throws -> TerminalProgram {
    let app = try TerminalProgram(
      [Self.notes, "--home", scratch.file("notes-\(machine.name)")],
      environment: [
        "LOCALAUTH_HOME=\(machine.home)", "LOCALAUTH_DEVICE=demo", "LOCALAUTH_ALLOW_SIMULATED=1",
        "HOME=\(machine.home)", "TERM=xterm", "LC_ALL=C.UTF-8",
      ]
    )
    let answers = [
      ("Name: ", "ann"), ("New password, 8 characters or more: ", "open sesame"),
      ("Once more: ", "open sesame"),
    ]
    for (question, answer) in answers {
      try app.wait(for: question)
      app.type(answer + "\n")
    }
    try app.wait(for: "Notes of ann")
    try app.wait(for: "> ")
    return app
  }

  /// What is said of it depends on how far the hub is known to be away.
  private func share(
    _ text: String,
    as name: String,
    _ app: TerminalProgram,
    says words: String? = nil
  ) throws {
    app.type("new\n\(text)\n.\n")
    app.type("share 1 \(name)\n")
    try app.wait(for: words ?? " as '\(name)'")
  }

  private static let isBuilt = Files.exists(notes)

  @Test(.enabled(if: isBuilt, "make check-packages builds Examples/Notes"))
  func notesOnTwoDevicesShareANoteAndAChoiceAndEachIsToldOnce() throws {
    let (first, second) = try pair()
    let (laptop, server) = (try notes(on: first), try notes(on: second))
    try share("buy milk", as: "groceries", laptop, says: "All your devices have it as 'groceries'.")
    try server.wait(for: "Changed elsewhere: groceries")
    server.type("open groceries\n")
    try server.wait(for: "buy milk")
    try share("buy bread", as: "groceries", server)
    try laptop.wait(for: "Changed elsewhere: groceries")
    laptop.type("idle 600\n")
    try server.wait(for: "Another device chose: logged out after 600 seconds")
    server.type("unshare groceries\n")
    try laptop.wait(for: "Deleted elsewhere: groceries")
    for app in [laptop, server] {
      app.type("quit\n")
      #expect(try app.waitForExit() == .status(0))
    }
    for (app, news) in [
      (laptop, ["Changed elsewhere", "Deleted elsewhere"]),
      (server, ["Changed elsewhere", "Another device chose"]),
    ] {
      for news in news { #expect(app.screen.ranges(of: news).count == 1, "\(app.screen)") }
    }
    #expect(
      !laptop.screen.contains("Another device chose")
        && !server.screen.contains("Deleted elsewhere")
    )
  }

  @Test(.enabled(if: isBuilt, "make check-packages builds Examples/Notes"))
  func notesThatTwoDevicesWroteAtOnceAreBothShownUntilOneIsKept() throws {
    let (first, second) = try pair()
    let (laptop, other) = (try notes(on: first), try notes(on: second))
    try share("old", as: "plan", laptop)
    try other.wait(for: "Changed elsewhere: plan")
    for app in [laptop, other] {
      app.type("open plan\n")
      try app.wait(for: "old")
    }
    server.kill()
    try share("to the sea", as: "plan", laptop)
    try share("to the hills", as: "plan", other)
    try server.start()
    for machine in [first, second, first, second] { try machine.synchronizeAtLast() }
    for app in [laptop, other] {
      app.type("list\n")
      try app.wait(for: "plan (two devices wrote it: 'open' shows both)")
      app.type("open plan\n")
      try app.wait(for: "to the hills")
      try app.wait(for: "at the same time another device wrote ('keep plan' drops it):")
      try app.wait(for: "to the sea")
    }
    laptop.type("keep plan\nopen plan\n")
    try laptop.wait(for: "to the hills")
    #expect(
      try second.eventually { try !second.type(["doc", "list"]).contains("conflict") }
    )
    other.type("list\n")
    try other.wait(for: "*  plan\r\n")
  }

  @Test(.enabled(if: isBuilt, "make check-packages builds Examples/Notes"))
  func notesSayInWordsThatTheHubWasRolledBackAndThatItIsBelievedAgain() throws {
    let (first, second) = try pair()
    let app = try notes(on: first)
    try share("buy milk", as: "groceries", app)
    #expect(try second.eventually { try second.type(["doc", "list"]).contains("groceries") })
    try server.administrator().runScript(
      """
      delete from localauth.record; delete from localauth.zone_entry; delete from localauth.zone
      """
    )
    for machine in [first, second] { #expect(try machine.run(["sync", "now"]).status == 77) }
    app.type("list\n")
    try app.wait(for: "The hub of your devices is not believed:")
    try app.wait(for: "documents: the hub ends at entry 0")
    try app.wait(for: "an older copy was put back")
    try app.wait(for: "Nothing is deleted here.")
    try app.wait(for: "> ")
    app.type("open groceries\n")
    try app.wait(for: "buy milk")
    try share("to the sea", as: "plan", app, says: "until the hub is believed again")
    for machine in [first, second] {
      try machine.type(["sync", "repair", "--yes", "--passcode-stdin"], "1234\n")
      _ = try machine.run(["sync", "now"])
    }
    app.type("list\n")
    try app.wait(for: "Your devices share again.")
    #expect(try second.eventually { try second.type(["doc", "list"]).contains("plan") })
  }

  /// What `notes-open` says on a machine of a file; it knows the password that `notes` remembered on any of them.
  private func opened(_ file: String, on machine: SyncedMachine) throws -> String {
    let report = try RunningProgram.run(
      Self.notes + "-open",
      [file],
      environment: [
        "LOCALAUTH_HOME=\(machine.home)", "LOCALAUTH_DEVICE=demo", "LOCALAUTH_ALLOW_SIMULATED=1",
        "HOME=\(machine.home)",
      ]
    )
    return report.output + report.errors
  }

  private func remember(_ password: String, _ app: TerminalProgram) throws {
    app.type("remember\n")
    try app.wait(for: "Password of files: ")
    app.type(password + "\n")
    try app.wait(for: "Once more: ")
    app.type(password + "\n")
    try app.wait(for: "Your programs of the group have it now, on all devices")
  }

  /// An update of the item is one entry at the hub; deleting and adding it would be two, with a tombstone between.
  @Test(.enabled(if: isBuilt, "make check-packages builds Examples/Notes"))
  func notesRememberAPasswordThatAnotherProgramHasOnTheOtherDeviceAndEachChangeOfItIsOneEntry()
    throws
  {
    let (first, second) = try pair()
    let app = try notes(on: first)
    app.type("new\nbuy milk\n.\n")
    let entries = {
      try server.administrator().text("select count(*)::text from localauth.zone_entry")
    }
    let file = scratch.file("notes.rnc")
    #expect(try entries() == "0")
    try remember("for the journey", app)
    app.type("export \(file)\n")
    try app.wait(for: "Password of the file, or Enter for the remembered one: ")
    app.type("\n")
    try app.wait(for: "1 note is in")
    #expect(try second.eventually { try opened(file, on: second) == "buy milk\n" })
    #expect(try entries() == "1")
    try remember("another", app)
    #expect(try second.eventually { try opened(file, on: second).contains("password is wrong") })
    #expect(try entries() == "2")
    app.type("forget\n")
    #expect(try second.eventually { try opened(file, on: second).contains("No password of files") })
    for machine in [first, second] { try machine.synchronizeAtLast() }
    #expect(try entries() == "3")
  }
}
