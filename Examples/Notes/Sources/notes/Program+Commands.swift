import Foundation
import NotesDevice

/// What a person types who is logged in.
extension Program {
  func command(_ words: String) -> Bool {
    let parts = words.split(separator: " ", maxSplits: 1).map { String($0) }
    let rest = parts.dropFirst().first ?? ""
    switch parts.first {
    case nil: break
    case "new":
      terminal.show(Words.writing)
      form = .text
    case "list":
      app.fetch()
      list()
    case "read":
      withNumber(rest) { number in
        if !app.read(number, { terminal.show(text: $0) }) { tellProblem() }
      }
    case "delete":
      withNumber(rest) { number in
        if !app.delete(number) { terminal.show("There is no note \(number).\n") }
      }
    case "share": share(rest)
    case "open": openShared(rest)
    case "keep": withName(rest) { if !app.keepCurrent($0) { tellProblem() } }
    case "unshare": withName(rest) { if !app.deleteShared($0) { tellProblem() } }
    case "export": withPath(rest) { form = .exportPassword(path: $0) }
    case "import": withPath(rest) { form = .importPassword(path: $0) }
    case "idle": setIdle(rest)
    case "device":
      terminal.show("\(app.deviceIdentifier()?.uuidString ?? "The keychain is locked.")\n")
    case "reset": form = .confirmation
    case "logout": leaving { app.logOut() }
    case "quit": return false
    default: terminal.show(Words.help)
    }
    return true
  }

  private func setIdle(_ words: String) {
    guard let seconds = Int(words), (1...86_400).contains(seconds) else {
      return terminal.show("Name seconds, up to a day.\n")
    }
    report { try app.setIdle(seconds: seconds) }
  }

  private func withNumber(_ words: String, _ body: (Int) -> Void) {
    guard let number = Int(words), number > 0 else { return terminal.show("Name a number.\n") }
    body(number)
  }

  private func share(_ words: String) {
    let parts = words.split(separator: " ", maxSplits: 1)
    guard parts.count == 2, let number = Int(parts[0]) else {
      return terminal.show("Name a number, and what all devices call the note.\n")
    }
    guard app.share(number, as: String(parts[1])) else { return tellProblem() }
    terminal.show("All your devices have it as '\(parts[1])'.\n")
  }

  private func openShared(_ words: String) {
    withName(words) { name in
      var count = 0
      let isRead = app.readShared(name) { text in
        if count == 1 { terminal.show(Words.conflict(name)) }
        terminal.show(text: text)
        count += 1
      }
      if !isRead { tellProblem() }
    }
  }

  func tellProblem() { terminal.show("\(app.takeProblem() ?? "")\n") }

  private func withName(_ words: String, _ body: (String) -> Void) {
    guard !words.isEmpty else { return terminal.show("Name a shared note.\n") }
    body(words)
  }

  private func withPath(_ words: String, _ body: (String) -> Void) {
    guard !words.isEmpty else { return terminal.show("Name a file.\n") }
    body(words)
  }

  func takeExportPassword(_ path: String) {
    guard terminal.line.count > 0 else {
      form = .command
      return terminal.show("No password, no file.\n")
    }
    newPassword = terminal.line.copy
    form = .exportAgain(path: path)
  }

  func export(to path: String) throws {
    defer { newPassword.removeAll() }
    guard terminal.line.isEqual(to: newPassword) else {
      return terminal.show("That was another one: there is no file.\n")
    }
    guard let exported = try app.exported(password: terminal.line.words) else { return }
    try exported.message.write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    terminal.show(Words.of(exported, in: path, hasShared: !app.sharedNotes.isEmpty))
  }

  func bring(from path: String) throws {
    let message = try Data(contentsOf: URL(fileURLWithPath: path))
    let count = try app.add(message, password: terminal.line.words)
    terminal.show(count == 1 ? "1 note was added.\n" : "\(count) notes were added.\n")
  }

  func confirm(_ words: String) {
    form = .nothing
    guard words == "yes" else { return terminal.show("Nothing was deleted.\n") }
    report { try app.reset() }
  }

  func report(_ body: () throws -> Void) {
    form = .nothing
    do { try body() } catch { terminal.show("That failed: \(NotesApp.words(of: error))\n") }
  }
}
