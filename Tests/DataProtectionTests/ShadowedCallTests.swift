import DataProtection
import Foundation
import LocalAuthTestKit
import Testing

/// The calls of Foundation as a client writes them, in a target with the plugin.
@Suite struct ShadowedCallTests {
  private let device: TestDevice
  private let place: Place
  private let text = Data("a note".utf8)

  init() throws {
    device = try TestDevice(passcode: "2468")
    place = try Place()
  }

  private func lockForGood() throws {
    try device.lock()
    try device.clock.advance(by: .seconds(11))
  }

  private func code(_ body: () throws -> Void) -> CocoaError.Code? {
    do { try body() } catch { return (error as? CocoaError)?.code }
    return nil
  }

  @Test(
    arguments: [
      (.completeFileProtection, .complete),
      (.completeFileProtectionUnlessOpen, .completeUnlessOpen),
      (
        .completeFileProtectionUntilFirstUserAuthentication, .completeUntilFirstUserAuthentication
      ), (.noFileProtection, .none),
    ] as [(Data.WritingOptions, FileProtectionType)]
  )
  func writtenFileIsProtected(_ option: Data.WritingOptions, _ type: FileProtectionType) throws {
    try device.use {
      let url = place.file("a")
      try text.write(to: url, options: [.atomic, option])
      #expect(place.disk("a").hasPrefix("LAF1"))
      #expect(!place.disk("a").contains("a note"))
      #expect(try Data(contentsOf: url) == text)
      #expect(FileManager.default.contents(atPath: url.path) == text)
      let attributes = try FileManager.default.attributesOfItem(atPath: url.path)
      #expect((attributes[.protectionKey] as? FileProtectionType)?.rawValue == type.rawValue)
      #expect((attributes[.size] as? NSNumber)?.intValue == text.count)
    }
  }

  @Test func fileWithoutProtectionIsFoundations() throws {
    try device.use {
      try text.write(to: place.file("a"))
      #expect(place.disk("a") == "a note")
      #expect(try Data(contentsOf: place.file("a")) == text)
      let attributes = try FileManager.default.attributesOfItem(atPath: place.file("a").path)
      #expect(attributes[.protectionKey] == nil)
      #expect(FileManager.default.createFile(atPath: place.file("b").path, contents: text))
      #expect(place.disk("b") == "a note")
    }
  }

  @Test func protectedFileStaysSoWhateverIsWritten() throws {
    try device.use {
      try text.write(to: place.file("a"), options: .completeFileProtection)
      try Data("another".utf8).write(to: place.file("a"), options: .atomic)
      #expect(place.disk("a").hasPrefix("LAF1"))
      #expect(try Data(contentsOf: place.file("a")) == Data("another".utf8))
      #expect(FileManager.default.createFile(atPath: place.file("a").path, contents: text))
      #expect(place.disk("a").hasPrefix("LAF1"))
    }
  }

  @Test func lockedFileIsOneWithoutPermission() throws {
    try device.use {
      try text.write(to: place.file("a"), options: .completeFileProtection)
      try lockForGood()
      #expect(code { _ = try Data(contentsOf: place.file("a")) } == .fileReadNoPermission)
      #expect(
        code { try text.write(to: place.file("b"), options: .completeFileProtection) }
          == .fileWriteNoPermission
      )
      #expect(!FileManager.default.fileExists(atPath: place.file("b").path))
      #expect(FileManager.default.contents(atPath: place.file("a").path) == nil)
      do { _ = try Data(contentsOf: place.file("a")) } catch let error as CocoaError {
        #expect(error.errorCode == 257)
        #expect((error.userInfo[NSUnderlyingErrorKey] as? POSIXError)?.code == .EPERM)
      }
      try text.write(to: place.file("c"), options: .completeFileProtectionUnlessOpen)
      try device.unlock()
      #expect(try Data(contentsOf: place.file("c")) == text)
    }
  }

  @Test func attributeProtectsAFileInItsPlaceAndADirectoryForNewOnes() throws {
    try device.use {
      let path = place.file("a").path
      try text.write(to: place.file("a"))
      let wanted: [FileAttributeKey: Any] = [
        .protectionKey: FileProtectionType.complete, .posixPermissions: 0o600,
      ]
      try FileManager.default.setAttributes(wanted, ofItemAtPath: path)
      #expect(place.disk("a").hasPrefix("LAF1"))
      #expect(try Data(contentsOf: place.file("a")) == text)
      let found = try FileManager.default.attributesOfItem(atPath: path)
      #expect((found[.posixPermissions] as? NSNumber)?.intValue == 0o600)
      try FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.none],
        ofItemAtPath: path
      )
      let directory = place.url.path
      try FileManager.default.setAttributes(
        [.protectionKey: FileProtectionType.completeUntilFirstUserAuthentication],
        ofItemAtPath: directory
      )
      try text.write(to: place.file("b"))
      for (name, type) in [
        ("a", FileProtectionType.none), ("b", .completeUntilFirstUserAuthentication),
      ] {
        let found = try FileManager.default.attributesOfItem(atPath: place.file(name).path)
        #expect((found[.protectionKey] as? FileProtectionType)?.rawValue == type.rawValue)
      }
    }
  }

  @Test func createdFileHasTheProtectionOfItsAttributes() throws {
    try device.use {
      let isMade = FileManager.default.createFile(
        atPath: place.file("a").path,
        contents: text,
        attributes: [.protectionKey: FileProtectionType.complete, .posixPermissions: 0o640]
      )
      #expect(isMade && place.disk("a").hasPrefix("LAF1"))
      let found = try FileManager.default.attributesOfItem(atPath: place.file("a").path)
      #expect((found[.posixPermissions] as? NSNumber)?.intValue == 0o640)
    }
  }

  @Test func protectionThatNobodyKnowsIsRefused() {
    device.use {
      let unknown = Data.WritingOptions(rawValue: 0x5000_0000)
      #expect(code { try text.write(to: place.file("a"), options: unknown) } == .featureUnsupported)
      #expect(!FileManager.default.fileExists(atPath: place.file("a").path))
    }
  }

  @Test func fileThatIsThereIsNotReplacedWithoutOverwriting() throws {
    try device.use {
      try text.write(to: place.file("a"))
      let options: Data.WritingOptions = [.completeFileProtection, .withoutOverwriting]
      #expect(
        code { try text.write(to: place.file("a"), options: options) } == .fileWriteFileExists
      )
      #expect(place.disk("a") == "a note")
    }
  }

  @Test func changedFileIsCorrupt() throws {
    try device.use {
      try text.write(to: place.file("a"), options: .completeFileProtection)
      let handle = try FileHandle(forUpdating: place.file("a"))
      try handle.seek(toOffset: 4100)
      handle.write(Data([0, 0, 0]))
      try handle.close()
      #expect(code { _ = try Data(contentsOf: place.file("a")) } == .fileReadCorruptFile)
    }
  }

  @Test func referencesAndGenericCodeAreCaughtToo() throws {
    try device.use {
      let write: (URL, Data.WritingOptions) throws -> Void = text.write(to:options:)
      try write(place.file("a"), .completeFileProtection)
      #expect(place.disk("a").hasPrefix("LAF1"))
    }
  }

  @Test func missingFileIsMissing() {
    device.use {
      #expect(code { _ = try Data(contentsOf: place.file("absent")) } == .fileReadNoSuchFile)
    }
  }
}
