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

  private func share(_ text: String, as name: String, _ app: TerminalProgram) throws {
    app.type("new\n\(text)\n.\n")
    app.type("share 1 \(name)\n")
    try app.wait(for: "All your devices have it as '\(name)'.")
  }

  private static let isBuilt = Files.exists(notes)

  @Test(.enabled(if: isBuilt, "make check-packages builds Examples/Notes"))
  func notesOnTwoDevicesShareANoteAndAChoiceAndEachIsToldOnce() throws {
    let (first, second) = try pair()
    let (laptop, server) = (try notes(on: first), try notes(on: second))
    try share("buy milk", as: "groceries", laptop)
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
    #expect(!laptop.screen.contains("Another device chose") && !server.screen.contains("Deleted"))
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
}
