import Glibc
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthFiles

/// What a service has to read itself, the key of every protected file among it.
@Suite struct ServiceStateTests {
  private let device: FilesDevice
  private let home = ScratchDirectory()

  init() throws {
    device = try FilesDevice()
    for name in ["lock", "device.key", "state.sqlite", "sequence", "note"] {
      home.write("bytes of " + name, to: name)
    }
    home.makeDirectory("authenticators")
    home.makeDirectory("authenticators/codes")
    home.write("a count", to: "authenticators/codes/counter")
  }

  private func expectUnchanged() {
    for name in ["lock", "device.key", "state.sqlite", "sequence", "note"] {
      #expect(home.read(name) == Array(("bytes of " + name).utf8))
    }
  }

  @Test(arguments: [
    "lock", "device.key", "state.sqlite", "sequence", "note", "authenticators/codes/counter",
  ])
  func fileOfAStateIsNotProtected(_ name: String) throws {
    #expect(failure { try device.files.protect(home.file(name), .always) } == .serviceState)
    expectUnchanged()
    #expect(home.read("authenticators/codes/counter") == Array("a count".utf8))
  }

  @Test(arguments: [["lock", "device.key"], ["device.key", "state.sqlite"]])
  func stateIsKnownByTwoOfItsFiles(_ names: [String]) throws {
    let other = ScratchDirectory()
    for name in names + ["note"] { other.write("bytes", to: name) }
    #expect(failure { try device.files.protect(other.file("note"), .always) } == .serviceState)
  }

  @Test(arguments: ["lock", "device.key", "state.sqlite"])
  func oneFileOfSuchANameIsNoState(_ name: String) throws {
    let other = ScratchDirectory()
    other.write("bytes", to: name)
    try device.files.protect(other.file(name), .always)
  }

  @Test func whatWasProtectedAmongAStateIsReadAndNotReplaced() throws {
    try device.write("text", "note", .always)
    let moved = home.file("device.key")
    // SAFETY: the strings are C strings for the call.
    #expect(unsafe rename(device.path("note"), moved) == 0)
    let text = Secret(copying: Array("other".utf8))
    #expect(failure { _ = try device.files.unprotect(moved) } == .serviceState)
    #expect(failure { _ = try device.files.reclass(moved, to: .complete) } == .serviceState)
    #expect(failure { try device.files.replace(moved, with: text, .always) } == .serviceState)
    #expect(try device.files.read(moved).count == 4)
  }

  @Test func nothingNewIsPutAmongAState() throws {
    for name in ["device.key", "new"] {
      let path = home.file(name)
      let written = failure {
        // SAFETY: the bytes are the array's own during the call.
        try unsafe device.files.write([UInt8(1)].span.bytes, to: path)
      }
      #expect(written == .serviceState)
      #expect(failure { _ = try device.files.create(path, .always) } == .serviceState)
    }
    expectUnchanged()
    #expect(home.read("new") == nil)
  }

  /// A directory that is only in the same one as a state is the person's own.
  @Test func whatLiesBesideTheStateIsProtected() throws {
    home.makeDirectory("letters")
    home.write("a letter", to: "letters/one")
    try device.files.protect(home.file("letters/one"), .always)
    home.makeDirectory("other")
    home.makeDirectory("other/authenticators")
    home.write("a letter", to: "other/authenticators/one")
    try device.files.protect(home.file("other/authenticators/one"), .always)
  }

  /// In a directory that all can write to, anybody can make files of such names.
  @Test(.enabled(if: geteuid() == 0, "changes owners"))
  func namesThatOthersHavePutThereMakeNoState() throws {
    let shared = ScratchDirectory()
    for name in ["lock", "device.key", "state.sqlite"] {
      shared.write("bytes", to: name)
      // SAFETY: the string is a C string for the call.
      #expect(unsafe chown(shared.file(name), 65_534, 65_534) == 0)
    }
    shared.write("a note", to: "note")
    try device.files.protect(shared.file("note"), .always)
  }
}
