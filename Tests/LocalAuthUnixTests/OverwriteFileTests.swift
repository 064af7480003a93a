import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Testing

@Suite struct OverwriteFileTests {
  private static let size = 24
  private let scratch = ScratchDirectory()

  private func open(size: Int = size) throws -> OverwriteFile {
    let directory = try PrivateDirectory(opening: scratch.path)
    return try OverwriteFile(opening: "mirror", in: directory, recordSize: size)
  }

  private func write(_ record: [UInt8], to file: borrowing OverwriteFile) throws {
    // SAFETY: the buffer is the array's own, valid inside the closure.
    try unsafe record.withUnsafeBytes { try unsafe file.write($0) }
  }

  private func read(_ file: borrowing OverwriteFile) throws -> [UInt8]? {
    var record = [UInt8](repeating: 0xee, count: file.recordSize)
    // SAFETY: the buffer is the array's own, valid inside the closure.
    let isWhole = try unsafe record.withUnsafeMutableBytes { try unsafe file.read(into: $0) }
    return isWhole ? record : nil
  }

  private func record(_ seed: UInt64) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return (0..<Self.size).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  @Test func newFileHasNoRecord() throws {
    let file = try open()
    #expect(try read(file) == nil)
    #expect(scratch.read("mirror")?.count == Self.size + 8)
    #expect(scratch.mode(of: "mirror") == 0o600)
  }

  @Test func lastRecordWrittenIsReadAlsoByTheNextOpener() throws {
    let file = try open()
    for seed in 1...5 { try write(record(UInt64(seed)), to: file) }
    #expect(try read(file) == record(5))
    #expect(try read(open()) == record(5))
    #expect(scratch.read("mirror")?.count == Self.size + 8)
  }

  @Test func recordOfZerosIsARecord() throws {
    let file = try open()
    try write([UInt8](repeating: 0, count: Self.size), to: file)
    #expect(try read(file) == [UInt8](repeating: 0, count: Self.size))
  }

  @Test func everyTornWriteIsNoticed() throws {
    let file = try open()
    try write(record(1), to: file)
    let old = try #require(scratch.read("mirror"))
    try write(record(2), to: file)
    let new = try #require(scratch.read("mirror"))
    for cut in 1..<new.count where old[..<cut] != new[..<cut] && old[cut...] != new[cut...] {
      scratch.write(Array(new[..<cut] + old[cut...]), to: "mirror")
      #expect(try read(file) == nil, "torn at \(cut)")
    }
    scratch.write(new, to: "mirror")
    #expect(try read(file) == record(2))
  }

  @Test func everyChangedBitIsNoticed() throws {
    let file = try open()
    try write(record(3), to: file)
    let whole = try #require(scratch.read("mirror"))
    for bit in 0..<whole.count * 8 {
      var changed = whole
      changed[bit / 8] ^= 1 << UInt8(bit % 8)
      scratch.write(changed, to: "mirror")
      #expect(try read(file) == nil, "bit \(bit)")
    }
  }

  @Test func shortLongAndEmptyFilesHoldNoRecord() throws {
    let file = try open()
    try write(record(4), to: file)
    let whole = try #require(scratch.read("mirror"))
    for length in [0, 1, Self.size, whole.count - 1] {
      scratch.write(Array(whole[..<length]), to: "mirror")
      #expect(try read(file) == nil, "length \(length)")
    }
    scratch.write(whole + [0], to: "mirror")
    #expect(try read(file) == nil)
  }

  @Test func writingMendsATruncatedFile() throws {
    let file = try open()
    scratch.write([1, 2, 3] as [UInt8], to: "mirror")
    try write(record(6), to: file)
    #expect(try read(file) == record(6))
  }

  @Test func recordOfAnotherSizeIsNoRecord() throws {
    try write(record(5), to: open())
    #expect(try read(open(size: Self.size + 1)) == nil)
  }

  @Test func fileThatOthersCanReachIsRefused() throws {
    try write(record(5), to: open())
    scratch.setMode(0o644, of: "mirror")
    #expect(throws: DurableFileError.self) { try read(open()) }
  }

  @Test func largestRecordFitsOneSector() throws {
    let file = try open(size: OverwriteFile.largestRecord)
    let record = [UInt8](repeating: 0x5a, count: OverwriteFile.largestRecord)
    try write(record, to: file)
    #expect(try read(file) == record)
    #expect(scratch.read("mirror")?.count == 512)
  }
}
