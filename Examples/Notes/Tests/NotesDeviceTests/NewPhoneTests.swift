import Foundation
import Glibc
import LocalAuthFiles
import LocalAuthTestKit
import NotesCore
import Testing

@testable import NotesDevice

/// What outlives the app's files, and what comes to another device.
@Suite struct NewPhoneTests {
  private static let password = "a password of twelve"

  @Test func theDevicesNumberOutlivesTheAppsFilesAndAResetMakesAnother() throws {
    let phone = try Phone.ofAnn()
    let number = phone.identifier()
    try FileManager.default.removeItem(at: phone.home)
    try phone.restart()
    #expect(phone.identifier() == number)
    try phone.use { app in
      try app.reset()
      #expect(app.session.view == .firstStart)
    }
    #expect(phone.identifier() != number)
  }

  @Test func aResetLeavesNothing() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app in
      _ = app.write(Secret(copying: "a note".utf8))
      app.save()
      _ = app.write(Secret(copying: "a draft".utf8))
      try app.reset()
      #expect(app.session.view == .firstStart)
      #expect(app.notes.numbers() == [] && app.drafts.numbers() == [])
    }
    #expect(try phone.device.backUp(password: Self.password).items == 0)
    #expect(try phone.device.backUp(password: Self.password).leftOut == [:])
  }

  /// As somebody does who forgot the password and has no finger.
  @Test func whoDeletesTheAccountOutsideOfTheAppMakesAnotherOneAndFindsTheNotes() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app in
      _ = app.write(Secret(copying: "a note".utf8))
      app.save()
      try app.accounts.profile.delete()
    }
    try phone.restart()
    try phone.use { app in
      app.start()
      #expect(app.session.view == .firstStart)
      app.createAccount(name: "ann", password: Secret(copying: "another sesame".utf8))
      #expect(app.text(1) == "a note")
    }
  }

  /// The name comes.
  ///
  /// What opens the account asks for something or is bound to the device, so that it stays; the device's
  /// number is for another device; and no key of the files leaves the device.
  @Test func aBackupBringsTheNameToANewPhoneAndTheNotesComeByExport() throws {
    let old = try Phone.ofAnn()
    let number = old.identifier()
    var message = Data()
    try old.use { app in
      for text in ["one", "two"] {
        _ = app.write(Secret(copying: text.utf8))
        app.save()
      }
      message = try #require(try app.exported(password: "for the journey")).message
    }
    let backup = try old.device.backUp(password: Self.password)
    #expect(backup.items == 2 && backup.leftOut == ["accessControl": 1, "passcodeSet": 2])

    let new = try Phone(passcode: "1357")
    let restored = try new.device.restore(backup, password: Self.password)
    #expect(restored.restored == 1 && restored.otherDevice == 1)
    try FileManager.default.copyItem(
      at: old.home.appendingPathComponent("notes/1.note"),
      to: new.home.appendingPathComponent("notes/1.note")
    )
    try new.use { app throws in
      app.start()
      #expect(app.session.view == .newPhone(name: "ann"))
      #expect(failure { _ = try app.notes.text(1) } == .anotherDevice)
      #expect(app.deviceIdentifier() != number)
      #expect(app.notes.remove(1))
      app.createAccount(name: "ann", password: Secret(copying: "a new password".utf8))
      #expect(app.session.view == .notes(name: "ann"))
      #expect(try app.add(message, password: "for the journey") == 2)
      #expect(app.numbers.map { app.text($0) } == ["one", "two"])
    }
  }

  @Test func aNoteThatIsDamagedKeepsNoOtherFromBeingExported() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      for text in ["one", "two", "three"] {
        _ = app.write(Secret(copying: text.utf8))
        app.save()
      }
      let note = phone.home.appendingPathComponent("notes/2.note").path
      let file = try #require(fopen(note, "r+b"))
      fseek(file, -1, SEEK_END)
      let last = fgetc(file)
      fseek(file, -1, SEEK_END)
      fputc(last ^ 1, file)
      fclose(file)
      let exported = try #require(try app.exported(password: "right"))
      #expect(exported.count == 2)
      #expect(exported.leftOut.count == 1)
      #expect(exported.leftOut.first?.contains("Note 2 was changed or cut") == true)
      #expect(try app.add(exported.message, password: "right") == 2)
      #expect(app.numbers.filter { $0 > 3 }.map { app.text($0) } == ["one", "three"])
    }
  }

  @Test func aLockedDeviceExportsNothing() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      _ = app.write(Secret(copying: "one".utf8))
      app.save()
      try phone.device.lock()
      try phone.device.clock.advance(by: .seconds(11))
      #expect(throws: FileFailure.locked) { try app.exported(password: "right") }
    }
  }

  @Test func whatCannotBeBroughtInIsSaidInWords() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      let message = try #require(try app.exported(password: "right")).message
      func words(_ message: Data, _ password: String) -> String {
        do {
          return "\(try app.add(message, password: password)) were added"
        } catch { return NotesApp.words(of: error) }
      }
      #expect(words(message, "wrong").contains("The password is wrong, or the file was changed"))
      #expect(words(message, "").contains("none was typed"))
      for other in [Data(), Data("a text".utf8), message.prefix(20), Data(count: 200)] {
        #expect(words(other, "right").contains("no export"), "\(other.count) bytes")
      }
      #expect(NotesApp.words(of: FileFailure.locked).contains("locked"))
      #expect(NotesApp.words(of: CocoaError(.fileNoSuchFile)).contains("exist"))
    }
  }

  @Test func aMessageOpensForItsPasswordAloneAndAddsNothingElse() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      _ = app.write(Secret(copying: "one".utf8))
      app.save()
      var message = try #require(try app.exported(password: "right")).message
      #expect(throws: (any Error).self) { try app.add(message, password: "wrong") }
      message[20] ^= 1
      #expect(throws: (any Error).self) { try app.add(message, password: "right") }
      #expect(app.numbers == [1])
      app.logOut()
      #expect(try app.exported(password: "right") == nil)
    }
  }
}
