import LocalAuthSecret
import Testing

@testable import LocalAuthFileFormat

/// What is damaged of a file, by its parts.
@Suite struct ExaminedFileTests {
  private let content = SampleFile.content(10_000)
  private static let whole = SampleFile.chunkSize + FileFormat.overhead

  private func examine(_ bytes: [UInt8]) throws -> EncryptedFile {
    try EncryptedFile(examining: MemoryStorage(bytes)) { _ in Secret(copying: SampleFile.key) }
  }

  /// The chunks that do not open.
  private func damagedChunks(of file: EncryptedFile) -> [Int] {
    stride(from: 0, to: file.length, by: SampleFile.chunkSize).enumerated().compactMap {
      let read = try? file.read(SampleFile.chunkSize, at: $1)
      return read == nil ? $0 : nil
    }
  }

  @Test(arguments: [0, 1, 4096, 10_000])
  func wholeFileHasNoFlaw(_ length: Int) throws {
    let file = try examine(try SampleFile.file(Array(content.prefix(length))).bytes)
    #expect(file.flaws == FileFlaws())
    #expect(file.length == length && damagedChunks(of: file).isEmpty)
  }

  /// Also where it is of a tag, which the header's digest is over.
  @Test func eachChangedByteIsOfItsChunk() throws {
    let sealed = try SampleFile.file(content).bytes
    for place in stride(from: SampleFile.contentStart, to: sealed.count, by: 13) {
      var bytes = sealed
      bytes[place] ^= 1
      let file = try examine(bytes)
      let chunk = (place - SampleFile.contentStart) / Self.whole
      #expect(damagedChunks(of: file) == [chunk], "byte \(place)")
      #expect(file.length == content.count)
      #expect(file.flaws.headers.isEmpty && file.flaws.missing == 0 && file.flaws.extra == 0)
    }
  }

  @Test func eachChangedByteOfAHeaderIsOfItsSlot() throws {
    let sealed = try SampleFile.file(content).bytes
    for place in 0..<SampleFile.contentStart where place % 2048 != 4 {
      var bytes = sealed
      bytes[place] ^= 1
      let file = try examine(bytes)
      #expect(file.flaws.headers == [place / 2048], "byte \(place)")
      #expect(damagedChunks(of: file).isEmpty)
    }
  }

  @Test func emptySlotOfASealedFileIsDamaged() throws {
    for slot in 0...1 {
      var bytes = try SampleFile.file(content).bytes
      let range = slot * 2048..<(slot + 1) * 2048
      bytes.replaceSubrange(range, with: [UInt8](repeating: 0, count: 2048))
      #expect(try examine(bytes).flaws.headers == [slot])
    }
  }

  @Test func whatIsMissingAndWhatIsTooMuchIsCounted() throws {
    let sealed = try SampleFile.file(content).bytes
    let cut = try examine(Array(sealed.dropLast(10)))
    #expect(cut.flaws.missing == 10)
    #expect(damagedChunks(of: cut) == [2])
    // Two whole chunks are there.
    let twoChunks = SampleFile.contentStart + 2 * Self.whole
    let shorter = try examine(Array(sealed.prefix(twoChunks)))
    #expect(shorter.flaws.missing == content.count - 8192)
    #expect(damagedChunks(of: shorter).isEmpty)
    #expect(try examine(Array(sealed.prefix(4096))).flaws.missing == content.count)
    for more in [1, 28, 29, 5000] {
      let longer = try examine(sealed + [UInt8](repeating: 7, count: more))
      #expect(longer.flaws.extra == more && longer.flaws.missing == 0)
      #expect(damagedChunks(of: longer).isEmpty)
    }
  }

  /// Each chunk is genuine, but one is from another time of the file.
  @Test func chunkOfAnotherTimeMakesAMixture() throws {
    let storage = MemoryStorage()
    let file = try SampleFile.create(storage)
    try file.write(content, at: 0)
    try file.close()
    let early = storage.bytes
    let writer = try SampleFile.open(storage, for: .write)
    try writer.write(SampleFile.content(10_000, 1), at: 0)
    try writer.close()
    var bytes = storage.bytes
    let place = SampleFile.contentStart + Self.whole
    bytes.replaceSubrange(place..<place + Self.whole, with: early[place..<place + Self.whole])
    let mixed = try examine(bytes)
    #expect(mixed.flaws.isMixed && damagedChunks(of: mixed).isEmpty)
  }

  @Test func onlyChunkOfAnEmptyFileIsVerified() throws {
    var bytes = try SampleFile.file([]).bytes
    bytes[SampleFile.contentStart] ^= 1
    #expect(try examine(bytes).flaws.isMixed)
  }

  /// A program ended while it wrote: what is there counts, and an empty slot is no damage.
  @Test func fileThatIsNotSealedIsNoDamagedOne() throws {
    let storage = MemoryStorage()
    let file = try SampleFile.create(storage)
    try file.write(content, at: 0)
    try file.writeBack()
    let left = try examine(storage.bytes)
    #expect(!left.wasSealed && left.flaws == FileFlaws())
    #expect(left.length == content.count && damagedChunks(of: left).isEmpty)
    var bytes = storage.bytes
    bytes[SampleFile.contentStart + Self.whole + 5] ^= 1
    #expect(damagedChunks(of: try examine(bytes)) == [1])
  }

  @Test func withoutAGenuineHeaderNothingIsKnown() throws {
    var bytes = try SampleFile.file(content).bytes
    for slot in [0, 2048] { bytes[slot + 2040] ^= 1 }
    #expect(throws: ProtectedFileError.damaged) { try examine(bytes) }
  }
}
