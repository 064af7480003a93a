import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthFileFormat

/// A write that ends within itself, because its program is killed or the disk is full, takes nothing that was
/// synchronized before.
@Suite struct KeptChunkTests {
  /// `make nightly` takes 2,000.
  private static let seeds =
    unsafe getenv("CRASH_SEEDS").flatMap { unsafe UInt64(String(cString: $0)) }.map { $0 / 5 }
    ?? 200

  private static let chunk = SampleFile.chunkSize

  /// A file that goes through what befalls it, and what may be in it.
  private final class Written {
    private(set) var storage: MemoryStorage
    /// What the content was since it was synchronized; the first is what was.
    private var states: [[UInt8]]
    /// How long the file was when it was on the disk for certain.
    private var durableCount: Int
    private var random: SeededGenerator
    private let seed: UInt64
    private var step = 0

    init(_ seed: UInt64) throws {
      self.seed = seed
      random = SeededGenerator(seed: seed)
      let content = SampleFile.content(Int.random(in: 0...15_000, using: &random))
      storage = try SampleFile.file(content)
      states = [content]
      durableCount = content.count
    }

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// Changes the file until something befalls it.
    func write() {
      guard let file = try? SampleFile.open(storage, for: .write), let found = try? file.all()
      else { return }
      states.append(found)
      durableCount = found.count
      for _ in 0..<number(1...8) {
        do throws(ProtectedFileError) { try change(file) } catch {
          #expect([MemoryStorage.death, MemoryStorage.full].contains(error), "seed \(seed)")
          return
        }
      }
    }

    private func change(_ file: EncryptedFile) throws(ProtectedFileError) {
      step += 1
      let offset = number(0...15_000)
      var next = states[states.count - 1]
      switch number(0...7) {
      case 0...2:
        let bytes = SampleFile.content(number(0...9000), step)
        EncryptedFileTests.write(bytes, at: offset, &next)
        states.append(next)
        try file.write(bytes, at: offset)
      case 3:
        let bytes = SampleFile.content(number(1...300), step)
        EncryptedFileTests.write(bytes, at: next.count, &next)
        states.append(next)
        try file.write(bytes, at: file.length)
      case 4:
        EncryptedFileTests.truncate(&next, to: offset)
        states.append(next)
        try file.truncate(to: offset)
      case 5: _ = try file.read(1, at: offset)
      default:
        try file.synchronize()
        states = [next]
        durableCount = next.count
      }
    }

    /// Leaves of the file what a power failure may.
    func failPower() { storage = MemoryStorage(storage.afterPowerFailure(&random)) }

    /// Expects that each chunk is of a state, and that what was synchronized can be read.
    ///
    /// - Parameter losesMiddle: Whether a chunk before the last one that was synchronized may be damaged.
    /// - Throws: What opening, reading and writing throw.
    func look(losesMiddle: Bool = false) throws {
      let file = try SampleFile.open(storage)
      let shortest = states.map(\.count).min() ?? 0
      let lastStart = max(0, durableCount - 1) / KeptChunkTests.chunk * KeptChunkTests.chunk
      #expect(file.length >= shortest, "seed \(seed): what was synchronized is cut")
      var found: [UInt8] = []
      for start in stride(from: 0, to: file.length, by: KeptChunkTests.chunk) {
        let count = min(KeptChunkTests.chunk, file.length - start)
        do throws(ProtectedFileError) {
          let part = try file.read(count, at: start)
          found += part
          let isKnown = states.contains { Self.begins(part, $0.dropFirst(start)) }
          #expect(isKnown, "seed \(seed): the chunk at \(start) is of no state")
        } catch {
          let isLost = start >= shortest || losesMiddle && start < lastStart
          #expect(error == .damaged && isLost, "seed \(seed): \(start) of \(shortest)")
          found += [UInt8](repeating: 0, count: count)
        }
      }
      // What comes next has this for its beginning, with the chunks that are not whole written anew.
      storage.callsLeft = nil
      storage.freePages = nil
      let writer = try SampleFile.open(storage, for: .write)
      #expect(writer.length == file.length, "seed \(seed)")
      try writer.write(found, at: 0)
      try writer.close()
      #expect(try SampleFile.open(storage, isSealedOnly: true).all() == found, "seed \(seed)")
      states = [found]
      durableCount = found.count
    }

    /// Whether a chunk is the content of a state there, perhaps cut, perhaps with zeros that were to be overwritten.
    private static func begins(_ chunk: [UInt8], _ state: ArraySlice<UInt8>) -> Bool {
      let content = Array(state.prefix(chunk.count))
      return content == chunk
        || chunk.starts(with: content) && chunk[content.count...].allSatisfy { $0 == 0 }
    }
  }

  @Test func whatWasSynchronizedOutlivesAKillWithinAnyWrite() throws {
    for seed in 0..<Self.seeds {
      let written = try Written(seed)
      for _ in 0..<3 {
        // Whoever opens it to put it right may be killed, too.
        for _ in 0..<written.number(1...2) {
          written.storage.callsLeft = written.number(0...25)
          written.storage.tornAfter = written.number(0...4200)
          written.write()
        }
        try written.look()
      }
    }
  }

  @Test func whatWasSynchronizedOutlivesAFullDisk() throws {
    for seed in 0..<Self.seeds {
      let written = try Written(seed)
      for _ in 0..<3 {
        written.storage.freePages = written.number(0...6)
        let isKilled = written.number(0...3) == 0
        written.storage.callsLeft = isKilled ? written.number(0...25) : nil
        written.storage.tornAfter = written.number(0...4200)
        for _ in 0..<written.number(1...2) { written.write() }
        try written.look()
      }
    }
  }

  @Test func theEndThatWasSynchronizedOutlivesAPowerFailureAtAnyMoment() throws {
    for seed in 0..<Self.seeds {
      let written = try Written(seed)
      for _ in 0..<3 {
        for _ in 0..<written.number(1...2) {
          written.storage.callsLeft = written.number(0...25)
          written.storage.tornAfter = written.number(0...4200)
          written.write()
          if written.number(0...1) == 0 { written.failPower() }
        }
        written.failPower()
        try written.look(losesMiddle: true)
      }
    }
  }

  /// A log of which each record is synchronized: the power fails before each of the calls, and leaves any part of what
  /// was not synchronized.
  @Test func logLosesNoRecordThatWasSynchronizedWhenThePowerFails() throws {
    for seed in 0..<Self.seeds {
      var random = SeededGenerator(seed: seed)
      let size = Int.random(in: 1...3000, using: &random)
      let records = (0..<12).map { SampleFile.content(size, $0) }
      let storage = try SampleFile.file([])
      storage.callsLeft = Int.random(in: 0...80, using: &random)
      storage.tornAfter = Int.random(in: 0...4200, using: &random)
      var done = 0
      if let file = try? SampleFile.open(storage, for: .write) {
        do throws(ProtectedFileError) {
          for record in records {
            try file.write(record, at: file.length)
            try file.synchronizeContent()
            done += 1
          }
          try file.close()
        } catch { #expect(error == MemoryStorage.death) }
      }
      let left = MemoryStorage(storage.afterPowerFailure(&random))
      let found = try SampleFile.open(left).all()
      #expect(found.starts(with: records[..<done].joined()), "seed \(seed): after \(done)")
      let writer = try SampleFile.open(left, for: .write)
      try writer.write([1], at: writer.length)
      try writer.close()
      #expect(try SampleFile.open(left, isSealedOnly: true).all() == found + [1], "seed \(seed)")
    }
  }

  @Test func shorteningThatADiskRefusesTakesNothing() throws {
    let content = SampleFile.content(40_000)
    for (length, free) in [(10, 0), (5000, 0), (20_000, 0), (39_000, 0), (10, 1), (20_000, 1)] {
      let storage = try SampleFile.file(content)
      let file = try SampleFile.open(storage, for: .write)
      storage.freePages = free
      #expect(throws: MemoryStorage.full) { try file.truncate(to: length) }
      #expect(try SampleFile.open(storage).all() == content, "to \(length)")
    }
  }

  @Test func fileIsEmptiedOnAFullDiskToo() throws {
    for count in [100, 40_000] {
      let storage = try SampleFile.file(SampleFile.content(count))
      storage.freePages = 0
      let file = try SampleFile.open(storage, for: .write)
      try file.truncate(to: 0)
      try file.close()
      #expect(try SampleFile.open(storage, isSealedOnly: true).all() == [])
    }
  }

  /// The disk may have the new length of a file, and nothing of what was written there.
  @Test(arguments: [1, 4, 20], [0, 1, 12_288])
  func whatNeverReachedTheDiskTakesNothingWithIt(_ chunks: Int, _ more: Int) throws {
    let content = SampleFile.content(8192)
    let storage = try SampleFile.file(content)
    let file = try SampleFile.open(storage, for: .write)
    try file.write([1], at: 0)
    try file.synchronizeContent()
    try file.write(SampleFile.content(more, 1), at: 8192)
    try file.writeBack()
    let expected = [1] + content.dropFirst() + SampleFile.content(more, 1)
    storage.bytes += [UInt8](repeating: 0, count: chunks * (Self.chunk + FileFormat.overhead))
    let found = try SampleFile.open(storage).all()
    // A chunk that is not whole cannot be told from what never came.
    #expect(found == (more == 1 ? Array(expected.dropLast()) : expected))
    try SampleFile.open(storage, for: .write).close()
    #expect(try SampleFile.open(storage, isSealedOnly: true).all() == found)
  }

  @Test(arguments: [1, 2]) func headerThatWasOnItsWayIsNoBoundOfWhatCame(_ chunks: Int) throws {
    let content = SampleFile.content(8192)
    let storage = try SampleFile.file(content)
    let file = try SampleFile.open(storage, for: .write)
    try file.write([1], at: 0)
    try file.synchronizeContent()
    let more = SampleFile.content(12_288, 1)
    try file.write(more, at: 8192)
    try file.writeBack()
    // The header is on the disk, and the last chunks are not.
    let left = MemoryStorage(storage.bytes)
    let lost = left.bytes.count - chunks * (Self.chunk + FileFormat.overhead)
    for index in lost..<left.bytes.count { left.bytes[index] = 0 }
    try file.synchronizeContent()
    left.bytes.replaceSubrange(
      0..<SampleFile.contentStart,
      with: storage.bytes[..<SampleFile.contentStart]
    )
    let expected = [1] + content.dropFirst() + more.dropLast(chunks * Self.chunk)
    #expect(try SampleFile.open(left).all() == expected)
  }

  // MARK: One write

  /// What the write of the last chunk leaves, of which so many bytes are written, and what was to be there.
  private func appended(_ torn: Int) throws -> (MemoryStorage, old: [UInt8], new: [UInt8]) {
    let old = SampleFile.content(5000)
    let storage = try SampleFile.file(old)
    let file = try SampleFile.open(storage, for: .write)
    try file.write(SampleFile.content(2000, 1), at: 5000)
    // The file becomes longer, and the chunk is kept, on the disk.
    (storage.callsLeft, storage.tornAfter) = (3, torn)
    #expect(throws: MemoryStorage.death) { try file.writeBack() }
    storage.callsLeft = nil
    return (storage, old, old + SampleFile.content(2000, 1))
  }

  @Test func chunkThatIsTornAnywhereIsOldOrNew() throws {
    for torn in 0...2932 {
      let (storage, old, new) = try appended(torn)
      let before = storage.bytes
      let expected = torn < 2932 ? old : new
      #expect(try SampleFile.open(storage).all() == expected, "after \(torn) bytes")
      #expect(storage.bytes == before, "who reads changes nothing")
      try SampleFile.open(storage, for: .write).close()
      #expect(try SampleFile.open(storage, isSealedOnly: true).all() == expected)
    }
  }

  @Test(arguments: [0, 8, 20, 500])
  func keptChunkThatIsNotGenuineCountsForNothing(_ place: Int) throws {
    let (storage, _, _) = try appended(1500)
    let start = storage.bytes.count - KeptChunk.recordSize(Self.chunk)
    for value in [1, 0x7F, 0xFF] as [UInt8] {
      let copy = MemoryStorage(storage.bytes)
      for byte in 0..<4 { copy.bytes[start + place + byte] ^= value }
      #expect(try SampleFile.open(copy).all() == SampleFile.content(4096))
    }
  }

  @Test func chunkThatIsDamagedTakesNoOtherWithIt() throws {
    let content = SampleFile.content(10_000)
    let storage = try SampleFile.file(content)
    let file = try SampleFile.open(storage, for: .write)
    try file.write([1], at: 9999)
    storage.bytes[SampleFile.contentStart + Self.chunk + FileFormat.overhead + 100] ^= 1
    let writer = try SampleFile.open(storage, for: .write)
    #expect(throws: ProtectedFileError.damaged) { try writer.read(1, at: Self.chunk) }
    #expect(try writer.read(Self.chunk, at: 0) == Array(content[..<Self.chunk]))
    try writer.close()
    let again = try SampleFile.open(storage, for: .write)
    #expect(throws: ProtectedFileError.damaged) { try again.read(1, at: Self.chunk) }
    try again.write(Array(content[Self.chunk..<(2 * Self.chunk)]), at: Self.chunk)
    try again.close()
    #expect(try SampleFile.open(storage, isSealedOnly: true).all() == content)
  }

  @Test(arguments: [false, true])
  func fileThatWasShortenedAndNeverSynchronizedOpensAgain(_ isEmptied: Bool) throws {
    let storage = isEmptied ? try SampleFile.file(SampleFile.content(9000)) : MemoryStorage()
    let file =
      try isEmptied ? SampleFile.open(storage, for: .write) : SampleFile.create(storage)
    if isEmptied { try file.truncate(to: 0) }
    for (count, length) in [(100, 50), (3000, 200), (3000, 100)] {
      try file.write(SampleFile.content(count), at: 0)
      try file.truncate(to: length)
    }
    try file.write(SampleFile.content(3000, 1), at: 0)
    (storage.callsLeft, storage.tornAfter) = (0, 1000)
    #expect(throws: MemoryStorage.death) { try file.writeBack() }
    storage.callsLeft = nil
    #expect(try SampleFile.open(storage).all() == [])
    try SampleFile.open(storage, for: .write).close()
    #expect(try SampleFile.open(storage, isSealedOnly: true).all() == [])
  }

  /// A program may be killed before the first chunk of a new file is written.
  @Test func fileThatWasEmptyIsSoAgain() throws {
    let storage = try SampleFile.file([])
    let file = try SampleFile.open(storage, for: .write)
    try file.write(SampleFile.content(100), at: 0)
    try file.writeBack()
    storage.bytes.removeLast(1)
    #expect(try SampleFile.open(storage).all() == [])
    let writer = try SampleFile.open(storage, for: .write)
    try writer.write([1], at: 0)
    try writer.close()
    #expect(try SampleFile.open(storage, isSealedOnly: true).all() == [1])
  }

  @Test func diskThatIsFullLeavesTheFileAsItWas() throws {
    let content = SampleFile.content(5000)
    for free in 0...4 {
      let storage = try SampleFile.file(content)
      storage.freePages = free
      let file = try SampleFile.open(storage, for: .write)
      #expect(throws: MemoryStorage.full) { try file.write(SampleFile.content(40_000), at: 5000) }
      #expect(try SampleFile.open(storage).all().starts(with: content), "\(free) pages")
    }
  }

  // MARK: What it costs

  @Test func whatIsAppendedIsWrittenOnce() throws {
    let storage = MemoryStorage()
    let file = try SampleFile.create(storage)
    for step in 0..<100 { try file.write(SampleFile.content(1000, step), at: step * 1000) }
    try file.close()
    #expect(storage.written < storage.bytes.count + 5 * FileFormat.slotSize)
  }

  @Test func fileThatIsSealedHasNothingBehindItsEnd() throws {
    let storage = try SampleFile.file(SampleFile.content(10_000))
    let size = storage.bytes.count
    let file = try SampleFile.open(storage, for: .write)
    try file.write(SampleFile.content(Self.chunk, 1), at: 0)
    #expect(storage.bytes.count > size)
    try file.close()
    #expect(storage.bytes.count == size)
  }
}
