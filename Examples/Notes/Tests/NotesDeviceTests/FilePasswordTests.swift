import Foundation
import LocalAuthFiles
import LocalAuthTestKit
import Security
import Testing

@testable import NotesDevice

/// The password of exported files, which programs of the app's group share.
@Suite struct FilePasswordTests {
  private static func remember(
    _ password: String,
    on reach: PasswordReach,
    _ app: NotesApp
  ) throws {
    #expect(try app.remember(filePassword: Secret(copying: password.utf8), on: reach))
  }

  /// What the keychain has of the password, on all devices and on this one.
  private static func kept(_ app: NotesApp) throws -> [String?] {
    try [PasswordReach.allDevices, .thisDevice].map { reach in
      try app.filePassword.item(reach).data().map { String(decoding: $0, as: UTF8.self) }
    }
  }

  @Test func itIsKnownToAllDevicesOrToThisOne() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      #expect(try app.rememberedFilePassword() == nil)
      try Self.remember("one", on: .allDevices, app)
      #expect(try Self.kept(app) == ["one", nil])
      try Self.remember("two", on: .thisDevice, app)
      #expect(try Self.kept(app) == [nil, "two"])
      try Self.remember("three", on: .allDevices, app)
      #expect(try Self.kept(app) == ["three", nil])
      #expect(try app.rememberedFilePassword()?.text == "three")
      #expect(try app.forgetFilePassword())
      #expect(try Self.kept(app) == [nil, nil])
    }
  }

  @Test func anotherPasswordIsOneUpdateOfTheSameItem() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      for reach in [PasswordReach.allDevices, .thisDevice] {
        try Self.remember("one", on: reach, app)
        let before = try Item(of: app.filePassword.item(reach))
        try phone.device.clock.advance(by: .seconds(10))
        try Self.remember("two", on: reach, app)
        let after = try Item(of: app.filePassword.item(reach))
        #expect(after.reference == before.reference && after.created == before.created)
        #expect(after.changed == before.changed.addingTimeInterval(10))
      }
    }
  }

  @Test(arguments: zip([PasswordReach.allDevices, .thisDevice], ["one", nil]))
  func aBackupBringsToANewPhoneWhatAllDevicesKnow(
    _ reach: PasswordReach,
    _ known: String?
  ) throws {
    let old = try Phone.ofAnn()
    try old.use { app throws in try Self.remember("one", on: reach, app) }
    let backup = try old.device.backUp(password: "a password of twelve")
    let new = try Phone(passcode: "1357")
    try new.device.restore(backup, password: "a password of twelve")
    try new.use { app throws in #expect(try app.filePassword.find()?.text == known) }
  }

  @Test func aCompanionOpensAFileForWhatIsRememberedAndSaysWhatIsMissing() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      for text in ["one", "two"] {
        _ = app.write(Secret(copying: text.utf8))
        app.save()
      }
      let message = try #require(try app.exported(password: "for the journey")).message
      let reader = try ExportReader(device: phone.device.device)
      #expect(try reader.notes(of: message) == nil)
      try Self.remember("for the journey", on: .allDevices, app)
      #expect(try reader.notes(of: message) == [Data("one".utf8), Data("two".utf8)])
      try Self.remember("another", on: .thisDevice, app)
      #expect(throws: (any Error).self) { try reader.notes(of: message) }
    }
  }

  @Test func onALockedDeviceThereIsNoWordOfItAndACompanionSaysThatItIsLocked() async throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      try Self.remember("one", on: .allDevices, app)
      try phone.device.lock()
      try phone.device.clock.advance(by: .seconds(11))
    }
    await phone.hears { $0 == .locked }
    try phone.use { app throws in
      #expect(throws: AppItem.Failure.locked) { _ = try app.filePassword.find() }
      // Also where there was none: "not found" is not believed.
      let other = FilePassword(service: "another", app.protection)
      #expect(throws: AppItem.Failure.locked) { _ = try other.find() }
    }
  }

  @Test func aResetForgetsWhatThisDeviceKnewAndLeavesWhatAllKnow() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      try Self.remember("one", on: .thisDevice, app)
      try app.reset()
      #expect(try Self.kept(app) == [nil, nil])
      app.createAccount(name: "ann", password: Secret(copying: "open sesame".utf8))
      try Self.remember("two", on: .allDevices, app)
      try app.reset()
      #expect(try Self.kept(app) == ["two", nil])
    }
  }

  @Test func whoIsNotLoggedInHearsNothingOfIt() throws {
    let phone = try Phone.ofAnn()
    try phone.use { app throws in
      try Self.remember("one", on: .allDevices, app)
      app.logOut()
      #expect(try app.rememberedFilePassword() == nil)
      #expect(try !app.forgetFilePassword())
      #expect(try !app.remember(filePassword: Secret(copying: "two".utf8), on: .allDevices))
      #expect(try Self.kept(app) == ["one", nil])
    }
  }
}
