import Glibc
import LocalAuthFileFormat
import LocalAuthSecret
import Testing

@testable import LocalAuthFiles

/// A damaged file on a disk, and a device that has its key.
@Suite struct ExaminationTests {
  private let device: FilesDevice
  private var note: String { device.path("note") }

  init() throws {
    device = try FilesDevice()
    try device.write(String(repeating: "x", count: 40_000), "note", .always)
  }

  /// Changes the byte at each of `places`.
  private func damage(_ places: Int...) {
    // SAFETY: the string is a C string, and the byte is valid for the calls.
    let file = unsafe open(note, O_RDWR | O_CLOEXEC)
    defer { close(file) }
    for place in places {
      var byte: UInt8 = 0
      #expect(unsafe pread(file, &byte, 1, place) == 1)
      byte ^= 1
      #expect(unsafe pwrite(file, &byte, 1, place) == 1)
    }
  }

  private static let whole = 16_384 + 28

  @Test func wholeFileHasNothingDamaged() throws {
    let found = try device.files.examine(note)
    #expect(found.isWhole && found.isSealed && found.length == 40_000)
    #expect(found.protection == .always)
  }

  /// The last byte of a chunk is of its tag, over which the header has a digest: such a file does not open.
  @Test func chunksAreNamedAlsoOfAFileThatDoesNotOpen() throws {
    damage(4096 + Self.whole - 1, 4096 + Self.whole + 50, 4095)
    #expect(failure { _ = try device.files.open(note) } == .file(.damaged))
    let found = try device.files.examine(note)
    #expect(found.damaged == [0..<32_768])
    #expect(found.chunks(of: found.damaged[0]) == 0...1)
    #expect(found.flaws.headers == [1])
    #expect(!found.isWhole && !found.hasWholeContent)
  }

  @Test func spareHeaderIsNoPartOfTheContent() throws {
    damage(100)
    let found = try device.files.examine(note)
    #expect(found.flaws.headers == [0] && found.hasWholeContent && !found.isWhole)
  }

  @Test func withoutAWholeHeaderNothingIsKnown() throws {
    damage(2000, 4000)
    #expect(failure { _ = try device.files.examine(note) } == .file(.damaged))
  }

  @Test func lockedFileIsNotCalledDamaged() throws {
    try device.write("text", "secret", .complete)
    try device.lockForGood()
    #expect(failure { _ = try device.files.examine(device.path("secret")) } == .locked)
  }

  /// Only the key of its database opens it.
  @Test func journalOfAProtectedDatabaseIsNotCalledDamaged() throws {
    // SAFETY: the strings are C strings for the calls.
    let database = unsafe open(device.path("db"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    let journal = unsafe open(device.path("db-journal"), O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    let key = try device.files.newKey(.always)
    let opened = try key.begin(on: database, layout: .pages)
    let made = try opened.createJournal(on: journal)
    try made.close()
    try opened.close()
    let path = device.path("db-journal")
    #expect(failure { _ = try device.files.examine(path) } == .isJournalOfProtected)
    #expect(failure { _ = try device.files.status(of: path) } == .isJournalOfProtected)
  }
}
