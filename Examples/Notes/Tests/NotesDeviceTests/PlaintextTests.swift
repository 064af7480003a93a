import Foundation
import LocalAuthFiles
import LocalAuthTestKit
import Testing

@testable import NotesDevice

/// Where a text is, and where it is no more.
@Suite(.serialized) struct PlaintextTests {
  @Test func noFileHasATextAsItIs() throws {
    let phone = try Phone.ofAnn()
    let (note, draft, message) = (Plaintext(), Plaintext(), Plaintext())
    try phone.use { app in
      _ = app.write(note.text())
      app.save()
      _ = app.write(draft.text())
      app.switchAway()
      try NotesApp.receive(message.text(), home: phone.home, device: phone.device.device)
      try app.setIdle(seconds: 60)
    }
    let names = ["notes/1.note", "drafts/1.note", "inbox/1.note", "settings.json"]
    for name in names {
      #expect(FileManager.default.fileExists(atPath: phone.home.appendingPathComponent(name).path))
    }
    for text in [note, draft, message] { #expect(text.files(in: phone.home) == []) }
    let files = try ProtectedFiles(on: phone.device.device)
    let protections = try names.map { name in
      try files.status(of: phone.home.appendingPathComponent(name).path)?.protection
    }
    let wanted: [FileProtection?] = [
      .complete, .completeUnlessOpen, .completeUnlessOpen, .afterFirstUnlock,
    ]
    #expect(protections == wanted)
  }

  /// The keys of files are gone when the call that read or wrote one returns; `LocalAuthFilesTests` looks for them.
  @Test(arguments: Leaving.allCases)
  func logoutWipesEveryTextFromTheMemoryAndNoLoginLeavesItsPassword(_ leaving: Leaving) throws {
    let phone = try Phone()
    let (password, saved, unsaved) = (Plaintext(), Plaintext(), Plaintext())
    try phone.use { app throws in
      app.start()
      app.createAccount(name: "ann", password: password.text())
      app.logOut()
      app.logIn(name: "ann", password: password.text())
      #expect(app.session.isOpen)
      _ = app.write(saved.text())
      app.save()
      _ = app.write(unsaved.text())
      var isThere = false
      _ = app.read(1) { _ in isThere = (try? saved.isInMemory()) ?? false }
      #expect(isThere, "the search finds what is there")
      #expect(try unsaved.isInMemory())
      leaving.leave(phone, app)
      #expect(!app.session.isOpen)
      #expect(try !saved.isInMemory())
      #expect(try !unsaved.isInMemory())
      #expect(try !password.isInMemory())
    }
  }

  /// What logs somebody out.
  enum Leaving: CaseIterable {
    case lock, switchAway, idle, request

    func leave(_ phone: Phone, _ app: NotesApp) {
      switch self {
      case .lock: app.heard(.willBecomeUnavailable)
      case .switchAway: app.switchAway()
      case .idle:
        phone.pass(.seconds(120))
        app.passTime()
      case .request: app.logOut()
      }
    }
  }
}
