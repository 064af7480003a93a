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

  @Test func protectedFileKeepsItsPermissions() throws {
    try device.use {
      let path = place.file("a").path
      try text.write(to: place.file("a"), options: .completeFileProtection)
      try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
      try text.write(to: place.file("a"))
      try text.write(to: place.file("a"), options: [.atomic, .completeFileProtection])
      let found = try FileManager.default.attributesOfItem(atPath: path)
      #expect((found[.posixPermissions] as? NSNumber)?.intValue == 0o600)
    }
  }

  @Test func changedFileIsCorrupt() throws {
    try device.use {
      try text.write(to: place.file("a"), options: .completeFileProtection)
      place.damage("a", at: 4100)
      #expect(code { _ = try Data(contentsOf: place.file("a")) } == .fileReadCorruptFile)
    }
  }

  @Test func referencesAndGenericCodeAreCaughtToo() throws {
    func write(_ text: some StringProtocol, to url: URL) throws {
      try text.write(to: url, atomically: true, encoding: .utf8)
    }
    try device.use {
      let reference: (URL, Data.WritingOptions) throws -> Void = text.write(to:options:)
      try reference(place.file("a"), .completeFileProtection)
      #expect(place.disk("a").hasPrefix("LAF1"))
      try write("another", to: place.file("a"))
      #expect(place.disk("a").hasPrefix("LAF1"))
      #expect(try Data(contentsOf: place.file("a")) == Data("another".utf8))
    }
  }

  @Test(arguments: [[], .atomic] as [Data.WritingOptions])
  func linkLeadsToAProtectedFile(_ options: Data.WritingOptions) throws {
    try device.use {
      let (file, link) = (place.file("a"), place.file("link"))
      try text.write(to: file, options: .completeFileProtection)
      try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
      #expect(try Data(contentsOf: link) == text)
      #expect(FileManager.default.contents(atPath: link.path) == text)
      try Data("another".utf8).write(to: link, options: options)
      #expect(place.disk("a").hasPrefix("LAF1"))
      #expect(try Data(contentsOf: file) == Data("another".utf8))
      try "a third".write(to: link, atomically: options.contains(.atomic), encoding: .utf8)
      #expect(place.disk("a").hasPrefix("LAF1"))
      #expect(try String(contentsOf: link, encoding: .utf8) == "a third")
      #expect(FileManager.default.createFile(atPath: link.path, contents: text))
      #expect(place.disk("a").hasPrefix("LAF1"))
    }
  }

  // MARK: Texts

  @Test func textThatIsWrittenOverAProtectedFileIsProtected() throws {
    try device.use {
      let url = place.file("a")
      try text.write(to: url, options: .completeFileProtection)
      try "another".write(to: url, atomically: true, encoding: .utf8)
      #expect(place.disk("a").hasPrefix("LAF1"))
      #expect(try String(contentsOf: url, encoding: .utf8) == "another")
      try "a third".write(toFile: url.path, atomically: false, encoding: .utf16)
      #expect(place.disk("a").hasPrefix("LAF1"))
      #expect(try String(contentsOfFile: url.path, encoding: .utf16) == "a third")
      let found = try FileManager.default.attributesOfItem(atPath: url.path)
      #expect(
        (found[.protectionKey] as? FileProtectionType)?.rawValue == "NSFileProtectionComplete"
      )
    }
  }

  @Test func textWithoutProtectionIsFoundations() throws {
    try device.use {
      try "plain".write(to: place.file("a"), atomically: true, encoding: .utf8)
      try "plain".write(toFile: place.file("b").path, atomically: false, encoding: .utf8)
      #expect(place.disk("a") == "plain" && place.disk("b") == "plain")
      #expect(try String(contentsOf: place.file("a"), encoding: .utf8) == "plain")
    }
  }

  @Test func textThatItsEncodingHasNotChangesNothing() throws {
    try device.use {
      let url = place.file("a")
      try text.write(to: url, options: .completeFileProtection)
      #expect(
        code { try "\u{20ac}".write(to: url, atomically: true, encoding: .ascii) }
          == .fileWriteInapplicableStringEncoding
      )
      #expect(try Data(contentsOf: url) == text)
      try Data([0xFF]).write(to: url)
      #expect(
        code { _ = try String(contentsOf: url, encoding: .utf8) }
          == .fileReadInapplicableStringEncoding
      )
    }
  }

  @Test func lockedTextIsOneWithoutPermission() throws {
    try device.use {
      let url = place.file("a")
      try text.write(to: url, options: .completeFileProtection)
      try lockForGood()
      #expect(code { _ = try String(contentsOf: url, encoding: .utf8) } == .fileReadNoPermission)
      #expect(
        code { try "another".write(to: url, atomically: true, encoding: .utf8) }
          == .fileWriteNoPermission
      )
    }
  }

  // MARK: Directories

  private static var complete: [FileAttributeKey: Any] {
    [.protectionKey: FileProtectionType.complete]
  }

  @Test func filesInADirectoryThatWasMadeWithAProtectionAreProtected() throws {
    try device.use {
      try FileManager.default.createDirectory(
        at: place.file("d/e"),
        withIntermediateDirectories: true,
        attributes: Self.complete
      )
      try FileManager.default.createDirectory(
        atPath: place.file("f").path,
        withIntermediateDirectories: false,
        attributes: Self.complete
      )
      try FileManager.default.createDirectory(
        at: place.file("f/g"),
        withIntermediateDirectories: false
      )
      for name in ["d/a", "d/e/a", "f/a", "f/g/a"] {
        try text.write(to: place.file(name))
        try "a note".write(to: place.file(name + "s"), atomically: true, encoding: .utf8)
        #expect(place.disk(name).hasPrefix("LAF1"), "\(name)")
        #expect(place.disk(name + "s").hasPrefix("LAF1"), "\(name)")
      }
    }
  }

  @Test func directoryThatIsThereGetsTheProtection() throws {
    try device.use {
      let url = place.file("d")
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
      try text.write(to: place.file("d/plain"))
      try FileManager.default.createDirectory(
        at: url,
        withIntermediateDirectories: true,
        attributes: Self.complete
      )
      try text.write(to: place.file("d/a"))
      #expect(place.disk("d/plain") == "a note" && place.disk("d/a").hasPrefix("LAF1"))
    }
  }

  @Test func directoryWithAProtectionThatNobodyKnowsIsNotMade() throws {
    device.use {
      let unknown: [FileAttributeKey: Any] = [.protectionKey: "NSFileProtectionNovel"]
      let made = code {
        try FileManager.default.createDirectory(
          at: place.file("d/e"),
          withIntermediateDirectories: true,
          attributes: unknown
        )
      }
      #expect(made == .featureUnsupported)
      #expect(!FileManager.default.fileExists(atPath: place.file("d").path))
    }
  }

  @Test func directoryThatKeepsNoDefaultIsNotMade() throws {
    try device.use {
      var open = Self.complete
      open[.posixPermissions] = 0o777
      let made = code {
        try FileManager.default.createDirectory(
          at: place.file("d/e"),
          withIntermediateDirectories: true,
          attributes: open
        )
      }
      #expect(made == .fileWriteUnknown, "others could put files there")
      #expect(!FileManager.default.fileExists(atPath: place.file("d").path))
      try FileManager.default.createDirectory(
        at: place.file("d/e"),
        withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700]
      )
    }
  }

  @Test func missingFileIsMissing() {
    device.use {
      #expect(code { _ = try Data(contentsOf: place.file("absent")) } == .fileReadNoSuchFile)
    }
  }
}
