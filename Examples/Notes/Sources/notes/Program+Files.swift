import Foundation
import LocalAuthFiles
import NotesDevice

/// Notes in files that a password opens, and that password.
extension Program {
  private func withPath(_ words: String, _ body: (String) -> Void) {
    guard !words.isEmpty else { return terminal.show("Name a file.\n") }
    body(words)
  }

  /// What cannot be written is said before a password is typed for it.
  func beginExport(_ words: String) {
    withPath(words) { path in
      let directory = URL(fileURLWithPath: path).deletingLastPathComponent().path
      if FileManager.default.fileExists(atPath: path) {
        terminal.show("There is a file '\(path)' already: name another one.\n")
      } else if !FileManager.default.isWritableFile(atPath: directory) {
        terminal.show("No file can be made in '\(directory)'.\n")
      } else {
        form = .exportPassword(path: path)
      }
    }
  }

  func beginImport(_ words: String) {
    withPath(words) { path in
      guard FileManager.default.fileExists(atPath: path) else {
        return terminal.show("There is no file '\(path)'.\n")
      }
      form = .importPassword(path: path)
    }
  }

  func takeExportPassword(_ path: String) {
    guard terminal.line.count == 0 else {
      newPassword = terminal.line.copy
      form = .exportAgain(path: path)
      return
    }
    report {
      guard let remembered = try app.rememberedFilePassword() else {
        return terminal.show("No password, no file.\n")
      }
      try write(to: path, remembered)
    }
  }

  func export(to path: String) throws {
    defer { newPassword.removeAll() }
    guard terminal.line.isEqual(to: newPassword) else {
      return terminal.show("The two passwords differ: there is no file.\n")
    }
    try write(to: path, newPassword)
  }

  private func write(to path: String, _ password: borrowing Secret) throws {
    guard let exported = try app.exported(password: password.text) else { return }
    try exported.message.write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    terminal.show(Words.of(exported, in: path, hasShared: !app.sharedNotes.isEmpty))
  }

  func bring(from path: String) throws {
    let message = try Data(contentsOf: URL(fileURLWithPath: path))
    var password = terminal.line.copy
    if password.count == 0, let remembered = try app.rememberedFilePassword() {
      password = remembered.copy
    }
    let count = try app.add(message, password: password.text)
    terminal.show(count == 1 ? "1 note was added.\n" : "\(count) notes were added.\n")
  }

  /// Whether the password of files is remembered, as far as the keychain says.
  var isRemembered: Bool { ((try? app.rememberedFilePassword()) ?? nil) != nil }

  func beginRemembering(_ words: String) {
    switch words {
    case "": form = .filePassword(.allDevices)
    case "here": form = .filePassword(.thisDevice)
    default: terminal.show("Type 'remember', or 'remember here' for this device alone.\n")
    }
  }

  func takeFilePassword(_ reach: PasswordReach) {
    guard terminal.line.count > 0 else {
      form = .command
      return terminal.show("No password: nothing is remembered anew.\n")
    }
    newPassword = terminal.line.copy
    form = .filePasswordAgain(reach)
  }

  func remember(on reach: PasswordReach) throws {
    defer { newPassword.removeAll() }
    guard terminal.line.isEqual(to: newPassword) else {
      return terminal.show("The two passwords differ: nothing is remembered anew.\n")
    }
    guard try app.remember(filePassword: newPassword, on: reach) else { return }
    terminal.show(Words.remembered(reach))
  }
}
