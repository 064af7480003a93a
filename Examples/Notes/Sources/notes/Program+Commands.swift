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
        terminal.show(
          app.delete(number) ? "Deleted note \(number).\n" : "There is no note \(number).\n"
        )
      }
    case "share": share(rest)
    case "open": openShared(rest)
    case "keep":
      withName(rest) { tell(app.keepCurrent($0), "'\($0)' has one version now.") }
    case "unshare": withName(rest) { tell(app.deleteShared($0), "Deleted '\($0)' on all devices.") }
    case "export": beginExport(rest)
    case "import": beginImport(rest)
    case "remember": beginRemembering(rest)
    case "forget":
      report {
        if try app.forgetFilePassword() {
          terminal.show("No device knows the password of files now.\n")
        }
      }
    case "idle": setIdle(rest)
    case "device":
      terminal.show("\(app.deviceIdentifier()?.uuidString ?? "The keychain is locked.")\n")
    case "reset": form = .confirmation
    case "logout": leaving { app.logOut() }
    case "quit": return false
    case "help": terminal.show(Words.help)
    case .some(let word): terminal.show(Words.unknown(word))
    }
    return true
  }

  private func tell(_ isDone: Bool, _ words: String) {
    if isDone { terminal.show("\(words)\n") } else { tellProblem() }
  }

  private func setIdle(_ words: String) {
    guard let seconds = Int(words), (1...86_400).contains(seconds) else {
      return terminal.show("Name seconds, up to a day.\n")
    }
    report {
      try app.setIdle(seconds: seconds)
      terminal.show("Logged out after \(seconds) seconds without a key from now on.\n")
    }
  }

  private func withNumber(_ words: String, _ body: (Int) -> Void) {
    guard let number = Int(words), number > 0 else { return terminal.show("Name a number.\n") }
    body(number)
  }

  private func share(_ words: String) {
    let parts = words.split(separator: " ", maxSplits: 1).map { String($0) }
    guard parts.count == 2, let number = Int(parts[0]) else {
      return terminal.show("Name a number, and what all devices call the note.\n")
    }
    guard app.share(number, as: parts[1]) else { return tellProblem() }
    if let news = app.lookAtCircle() { terminal.show(Words.of(news)) }
    terminal.show(Words.shared(parts[1], app.session.circle))
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
