import DataProtection
import Foundation
import Glibc
import LocalAuthTestKit
import LocalAuthTestSupport
import Testing

/// What may be a protected file, or may be to become one, is not written over with plaintext.
@Suite struct UnrecognisedFileTests {
  private let device: TestDevice
  private let place: Place
  private let text = Data("a note".utf8)

  init() throws {
    device = try TestDevice(passcode: "2468")
    place = try Place()
  }

  private func code(_ body: () throws -> Void) -> CocoaError.Code? {
    do { try body() } catch { return (error as? CocoaError)?.code }
    return nil
  }

  /// Tries to write over the file in each way, and expects that it stays as it is.
  private func expectIsLeftAlone(_ name: String, _ expected: CocoaError.Code) throws {
    let (url, before) = (place.file(name), place.disk(name))
    let plain = Data("another".utf8)
    #expect(code { try plain.write(to: url) } == expected)
    #expect(code { try plain.write(to: url, options: .atomic) } == expected)
    #expect(code { try "another".write(to: url, atomically: true, encoding: .utf8) } == expected)
    #expect(!FileManager.default.createFile(atPath: url.path, contents: plain))
    #expect(place.disk(name) == before)
  }

  @Test func fileOfANewerVersionIsNeitherReadNorWrittenOver() throws {
    try device.use {
      try text.write(to: place.file("a"), options: .completeFileProtection)
      place.put(2, "a", at: 4)
      try expectIsLeftAlone("a", .fileReadCorruptFile)
      #expect(code { _ = try Data(contentsOf: place.file("a")) } == .fileReadCorruptFile)
      #expect(
        code { _ = try String(contentsOf: place.file("a"), encoding: .utf8) }
          == .fileReadCorruptFile
      )
      #expect(FileManager.default.contents(atPath: place.file("a").path) == nil)
    }
  }

  @Test func fileThatWasCutWithinItsHeadersIsNeitherReadNorWrittenOver() throws {
    try device.use {
      try text.write(to: place.file("a"), options: .completeFileProtection)
      #expect(unsafe truncate(place.file("a").path, 1000) == 0)
      try expectIsLeftAlone("a", .fileReadCorruptFile)
      #expect(code { _ = try Data(contentsOf: place.file("a")) } == .fileReadCorruptFile)
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func fileThatCannotBeReadIsNotWrittenOver() throws {
    try device.use {
      try text.write(to: place.file("a"), options: .completeFileProtection)
      #expect(unsafe chmod(place.file("a").path, 0o200) == 0)
      #expect(
        code { try Data("another".utf8).write(to: place.file("a")) } == .fileWriteNoPermission
      )
      let attributes = try FileManager.default.attributesOfItem(atPath: place.file("a").path)
      #expect(attributes[.protectionKey] == nil, "nothing says whether it is protected")
      #expect(unsafe chmod(place.file("a").path, 0o600) == 0)
      #expect(try Data(contentsOf: place.file("a")) == text)
    }
  }

  /// A program that walks through a directory asks of everything in it, and a socket does not open.
  @Test func whatIsNoFileHasItsAttributes() throws {
    let daemon = FakeDaemon { _, _ in }
    let fifo = place.file("fifo").path
    // SAFETY: the string is a C string for the call.
    #expect(unsafe mkfifo(fifo, 0o600) == 0)
    try device.use {
      for (path, type) in [
        (daemon.path, FileAttributeType.typeSocket), ("/dev/null", .typeCharacterSpecial),
        (fifo, .typeUnknown),
      ] {
        let found = try FileManager.default.attributesOfItem(atPath: path)
        #expect(found[.protectionKey] == nil)
        #expect(type == .typeUnknown || found[.type] as? FileAttributeType == type, "\(path)")
      }
    }
  }

  @Test func directoryWithADefaultThatNobodyKnowsGetsNoPlaintext() throws {
    try device.use {
      let directory = place.file("d")
      try FileManager.default.createDirectory(at: directory, withIntermediateDirectories: false)
      #expect(UserAttributes.set("user.localauth.protection", "250", of: directory.path))
      #expect(code { try text.write(to: place.file("d/a")) } == .fileWriteUnknown)
      #expect(!FileManager.default.createFile(atPath: place.file("d/a").path, contents: text))
      let made = code {
        try FileManager.default.createDirectory(
          at: place.file("d/e/f"),
          withIntermediateDirectories: true
        )
      }
      #expect(made == .fileWriteUnknown)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
      try text.write(to: place.file("d/b"), options: .completeFileProtection)
      #expect(place.disk("d/b").hasPrefix("LAF1"))
    }
  }

  @Test(.enabled(if: geteuid() != 0, "root may read everything"))
  func directoryThatCannotBeReadGetsNoPlaintext() throws {
    try device.use {
      let directory = place.file("d")
      try FileManager.default.createDirectory(
        at: directory,
        withIntermediateDirectories: false,
        attributes: [.protectionKey: FileProtectionType.complete]
      )
      #expect(unsafe chmod(directory.path, 0o300) == 0)
      #expect(code { try text.write(to: place.file("d/a")) } == .fileWriteNoPermission)
      let made = code {
        try FileManager.default.createDirectory(
          at: place.file("d/e"),
          withIntermediateDirectories: false
        )
      }
      #expect(made == .fileWriteNoPermission)
      #expect(unsafe chmod(directory.path, 0o700) == 0)
      #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path).isEmpty)
    }
  }

  @Test func linkToWhatIsNotThereTakesTheDefaultOfWhereItLeads() throws {
    try device.use {
      try FileManager.default.createDirectory(
        at: place.file("d"),
        withIntermediateDirectories: false,
        attributes: [.protectionKey: FileProtectionType.complete]
      )
      let link = place.file("link")
      try FileManager.default.createSymbolicLink(
        atPath: link.path,
        withDestinationPath: "d/absent"
      )
      try text.write(to: link)
      #expect(place.disk("d/absent").hasPrefix("LAF1"))
      #expect(try Data(contentsOf: link) == text)
    }
  }

  @Test func pathThroughALinkAndBackLeadsWhereTheSystemFindsIt() throws {
    try device.use {
      try FileManager.default.createDirectory(
        at: place.file("there/d"),
        withIntermediateDirectories: true
      )
      try text.write(to: place.file("there/a"), options: .completeFileProtection)
      try FileManager.default.createSymbolicLink(
        at: place.file("link"),
        withDestinationURL: place.file("there/d")
      )
      let path = place.url.path + "/link/../a"
      try "another".write(toFile: path, atomically: false, encoding: .utf8)
      #expect(place.disk("there/a").hasPrefix("LAF1"))
    }
  }

  @Test func whatIsNoFileIsFoundationsAsBefore() throws {
    try device.use {
      try text.write(to: URL(fileURLWithPath: "/dev/null"))
      #expect(code { try text.write(to: place.file("absent/a")) } == .fileNoSuchFile)
      try text.write(to: place.file("a"))
      #expect(code { try text.write(to: place.file("a/b")) } == .fileWriteUnknown)
      #expect(place.disk("a") == "a note")
    }
  }
}
