import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthFileFormat

/// Files that are laid out for databases, and their journals.
@Suite struct PagesTests {
  private static let chunk = 4096 + FileFormat.overhead

  private func create() throws -> (MemoryStorage, EncryptedFile) {
    let storage = MemoryStorage()
    return (storage, try SampleFile.create(storage, layout: .pages))
  }

  private func page(_ number: Int) -> [UInt8] { SampleFile.content(4096, number) }

  private func place(_ index: Int) -> Range<Int> {
    SampleFile.contentStart + index * Self.chunk..<SampleFile.contentStart + (index + 1)
      * Self.chunk
  }

  @Test func fileThatGrowsLeavesItsPagesAlone() throws {
    let (storage, file) = try create()
    try file.write(page(0), at: 0)
    try file.synchronizeContent()
    let before = storage.bytes[place(0)]
    try file.write(page(1), at: 4096)
    try file.write(page(5), at: 5 * 4096)
    try file.close()
    #expect(storage.bytes[place(0)] == before)
    let zeros = [UInt8](repeating: 0, count: 3 * 4096)
    #expect(try SampleFile.open(storage).all() == page(0) + page(1) + zeros + page(5))
  }

  @Test func pageIsOnItsWayAtOnce() throws {
    let (storage, file) = try create()
    try file.write(page(0) + page(1), at: 0)
    let opened = try SampleFile.open(MemoryStorage(storage.bytes))
    #expect(try !opened.wasSealed && opened.all() == page(0) + page(1))
  }

  @Test func tornPageIsDamagedUntilItIsWrittenAgain() throws {
    let (storage, file) = try create()
    try file.write(page(0) + page(1) + page(2), at: 0)
    storage.bytes[place(1).lowerBound + 2000] ^= 1
    let opened = try SampleFile.open(storage, for: .write)
    #expect(throws: ProtectedFileError.damaged) { try opened.read(100, at: 4096) }
    #expect(try opened.read(4096, at: 8192) == page(2))
    try opened.write(page(7), at: 4096)
    try opened.close()
    #expect(try SampleFile.open(storage).all() == page(0) + page(7) + page(2))
  }

  @Test func pageThatWasAppendedInPartIsGone() throws {
    let (storage, file) = try create()
    try file.write(page(0) + page(1), at: 0)
    storage.bytes.removeLast(100)
    let reader = try SampleFile.open(storage)
    #expect(try reader.all() == page(0))
    let writer = try SampleFile.open(storage, for: .write)
    #expect(storage.bytes.count == place(1).lowerBound)
    try writer.close()
    #expect(try SampleFile.open(storage, isSealedOnly: true).all() == page(0))
  }

  @Test(arguments: [0, 1, 2])
  func fileIsCutBehindAPage(_ count: Int) throws {
    let (storage, file) = try create()
    try file.write(page(0) + page(1), at: 0)
    try file.truncate(to: count * 4096)
    #expect(try file.all() == Array((page(0) + page(1)).prefix(count * 4096)))
    try file.write(page(3), at: count * 4096)
    try file.close()
    #expect(try SampleFile.open(storage).all().suffix(4096) == page(3)[...])
  }

  // MARK: Journals

  @Test func journalOpensWithItsDatabaseOnly() throws {
    let (storage, file) = try create()
    let place = MemoryStorage()
    let journal = try file.createJournal(on: place)
    try journal.write([1, 2, 3], at: 0)
    try journal.synchronizeContent()
    #expect(try file.openJournal(on: place, for: .read).all() == [1, 2, 3])
    // After a crash the database says so itself.
    let again = try SampleFile.open(storage, for: .write)
    #expect(try again.openJournal(on: place, for: .read).all() == [1, 2, 3])
    let (_, other) = try create()
    _ = try other.createJournal(on: MemoryStorage())
    #expect(throws: ProtectedFileError.damaged) { try other.openJournal(on: place, for: .read) }
    #expect(throws: ProtectedFileError.wrongKey) {
      try EncryptedFile(opening: place, for: .read) { _ throws(ProtectedFileError) in
        throw .wrongKey
      }
    }
  }

  @Test func journalOfAnEarlierTimeDoesNotOpen() throws {
    let (_, file) = try create()
    let old = MemoryStorage()
    try file.createJournal(on: old).write([1], at: 0)
    try file.endJournals()
    try file.synchronize()
    #expect(throws: ProtectedFileError.damaged) { try file.openJournal(on: old, for: .read) }
    _ = try file.createJournal(on: MemoryStorage())
    #expect(throws: ProtectedFileError.damaged) { try file.openJournal(on: old, for: .read) }
  }

  @Test func journalEndsBeforeWhatWasNotWrittenWhole() throws {
    let (_, file) = try create()
    let storage = MemoryStorage()
    let journal = try file.createJournal(on: storage)
    try journal.write(page(0) + page(1) + page(2) + [9], at: 0)
    try journal.writeBack()
    for (torn, length) in [(3, 3 * 4096), (1, 4096), (0, 0)] {
      let copy = MemoryStorage(storage.bytes)
      copy.bytes[min(journal.position(of: torn) + 20, copy.bytes.count - 1)] ^= 1
      #expect(try file.openJournal(on: copy, for: .read).length == length)
      #expect(copy.bytes.count == storage.bytes.count, "who reads changes nothing")
      let writer = try file.openJournal(on: copy, for: .write)
      #expect(writer.length == length)
      try writer.write([7], at: length)
      #expect(try writer.read(1, at: length) == [7])
    }
  }

  /// A log's last chunk has frames that were committed, and gets more.
  @Test func chunkThatIsTornWhileItGrowsIsThereAsItWasOrAsItWasToBe() throws {
    let (_, file) = try create()
    let storage = MemoryStorage()
    let journal = try file.createJournal(on: storage)
    try journal.write(page(0) + [1, 2, 3], at: 0)
    try journal.writeBack()
    try journal.write([4, 5], at: 4099)
    for calls in 0...2 {
      storage.callsLeft = calls
      _ = try? journal.writeBack()
      storage.callsLeft = nil
      journal.failure = nil
      let copy = MemoryStorage(storage.bytes)
      // With one call the spare place has the chunk, and the write to its own place is torn.
      if calls == 1 { copy.bytes[journal.position(of: 1) + 14] ^= 1 }
      let longer: [UInt8] = calls >= 1 ? [4, 5] : []
      #expect(
        try file.openJournal(on: copy, for: .write).all() == page(0) + [1, 2, 3] + longer,
        "\(calls)"
      )
    }
  }

  /// A journal of one chunk, which is torn, and in whose spare place are `bytes`.
  private func torn(_ file: EncryptedFile, spare bytes: [UInt8]) throws -> MemoryStorage {
    let storage = MemoryStorage()
    let journal = try file.createJournal(on: storage)
    try journal.write([1, 2, 3], at: 0)
    try journal.writeBack()
    try journal.write([4], at: 3)
    try journal.writeBack()
    storage.bytes[journal.position(of: 0) + 14] ^= 1
    let start = journal.header.slotsEnd
    storage.bytes.replaceSubrange(start..<start + bytes.count, with: bytes)
    return storage
  }

  @Test(arguments: [
    [0, 0, 0, 0], [255, 255, 255, 255], [1, 16, 0, 0], [5, 0, 0, 0], [0, 16, 0, 0],
  ])
  func spareChunkThatIsNotGenuineIsNotRestored(_ length: [UInt8]) throws {
    let (_, file) = try create()
    #expect(try file.openJournal(on: torn(file, spare: []), for: .write).all() == [1, 2, 3, 4])
    let journal = try file.openJournal(on: torn(file, spare: length), for: .write)
    #expect(try journal.all() == [])
    let damaged = length + [UInt8](repeating: 9, count: 100)
    #expect(try file.openJournal(on: torn(file, spare: damaged), for: .write).all() == [])
  }

  @Test func spareChunkIsReadByWhoDoesNotWrite() throws {
    let (_, file) = try create()
    let storage = try torn(file, spare: [])
    let before = storage.bytes
    #expect(try file.openJournal(on: storage, for: .read).all() == [1, 2, 3, 4])
    #expect(storage.bytes == before)
  }

  @Test func spareChunkIsReadThoughTheDiskIsFull() throws {
    let (_, file) = try create()
    let storage = try torn(file, spare: [])
    let room = storage.bytes.count
    storage.room = storage.bytes.count - 1
    let journal = try file.openJournal(on: storage, for: .write)
    #expect(try journal.all() == [1, 2, 3, 4])
    try journal.writeBack()
    #expect(throws: MemoryStorage.full) { try journal.synchronize() }
    // Whoever comes next finds the same, and with room it goes to its place.
    #expect(try file.openJournal(on: storage, for: .write).all() == [1, 2, 3, 4])
    storage.room = room
    try file.openJournal(on: storage, for: .write).close()
    #expect(try file.openJournal(on: storage, for: .read).wasSealed)
    #expect(try file.openJournal(on: storage, for: .read).all() == [1, 2, 3, 4])
  }

  @Test func chunkThatIsWrittenNeedsItsSpareNoMore() throws {
    let (_, file) = try create()
    for change in [[9, 9, 9, 9], [9], [9, 9, 9, 9, 9]] as [[UInt8]] {
      let storage = try torn(file, spare: [])
      storage.room = storage.bytes.count - 1
      let journal = try file.openJournal(on: storage, for: .write)
      storage.room = nil
      try journal.write(change, at: 0)
      try journal.close()
      let expected = change + [1, 2, 3, 4].dropFirst(change.count)
      #expect(try file.openJournal(on: storage, for: .read).all() == expected)
    }
    let storage = try torn(file, spare: [])
    storage.room = storage.bytes.count - 1
    let journal = try file.openJournal(on: storage, for: .write)
    try journal.truncate(to: 0)
    try journal.close()
    #expect(try file.openJournal(on: storage, for: .read).all() == [])
  }

  /// SQLite goes on in the next chunk after it has synchronized, and relies on what is in this one.
  @Test func chunkThatWasSynchronizedInPartOutlivesAPowerFailureWhileItIsOverwritten() throws {
    let (_, file) = try create()
    let storage = MemoryStorage()
    let journal = try file.createJournal(on: storage)
    try journal.write(page(0) + [1, 2, 3], at: 0)
    try journal.synchronizeContent()
    try journal.write([9], at: 2 * 4096)
    try journal.writeBack()
    let copy = MemoryStorage(storage.durable)
    copy.bytes[journal.position(of: 1) + 14] ^= 1
    let found = try file.openJournal(on: copy, for: .write)
    #expect(try found.all().prefix(4099) == (page(0) + [1, 2, 3])[...])
  }

  /// An SQLite without the key takes a journal that begins otherwise for its own, and deletes it.
  @Test func journalBeginsWithAZeroWhateverIsDoneToIt() throws {
    let (_, file) = try create()
    let storage = MemoryStorage()
    let journal = try file.createJournal(on: storage)
    for step in 0..<4 {
      try journal.write(page(step), at: step * 4096)
      #expect(storage.bytes.prefix(FileFormat.slotSize).allSatisfy { $0 == 0 })
      try journal.synchronize()
      #expect(storage.bytes.prefix(FileFormat.slotSize).allSatisfy { $0 == 0 })
    }
    #expect(try file.openJournal(on: storage, for: .read).length == 4 * 4096)
  }

  @Test func journalThatIsOverDoesNotOpen() throws {
    let (storage, file) = try create()
    let old = MemoryStorage()
    try file.createJournal(on: old).write([1], at: 0)
    try file.write(page(0), at: 0)
    try file.synchronizeContent()
    let synchronized = storage.synchronized
    try file.endJournal()
    let new = MemoryStorage()
    let journal = try file.createJournal(on: new)
    try journal.write([2], at: 0)
    try journal.writeBack()
    #expect(storage.synchronized == synchronized, "that costs no synchronization")
    let again = try SampleFile.open(MemoryStorage(storage.bytes), for: .write)
    for file in [file, again] {
      #expect(throws: ProtectedFileError.damaged) { try file.openJournal(on: old, for: .read) }
      #expect(try file.openJournal(on: new, for: .read).all() == [2])
    }
    // The power may fail before the header is on the disk; then the newer journal counts all the same.
    let before = try SampleFile.open(MemoryStorage(storage.durable), for: .write)
    #expect(try before.openJournal(on: new, for: .read).all() == [2])
  }

  @Test func headersThatAreNotDurableLeaveTheOneThatIs() throws {
    let (storage, file) = try create()
    _ = try file.createJournal(on: MemoryStorage())
    try file.write(page(0), at: 0)
    try file.synchronizeContent()
    let durable = file.header.position
    for _ in 0..<5 {
      try file.endJournal()
      #expect(file.header.position != durable)
    }
    storage.bytes.replaceSubrange(
      file.header.position..<file.header.position + FileFormat.slotSize,
      with: [UInt8](repeating: 0, count: FileFormat.slotSize)
    )
    #expect(try SampleFile.open(storage).all() == page(0))
  }

  @Test func databaseHasTwoJournalsAtOnce() throws {
    let (_, file) = try create()
    let places = [MemoryStorage(), MemoryStorage()]
    for (number, place) in places.enumerated() {
      let journal = try file.createJournal(on: place)
      try journal.write(page(number), at: 0)
      try journal.synchronizeContent()
    }
    for (number, place) in places.enumerated() {
      #expect(try file.openJournal(on: place, for: .read).all() == page(number))
    }
  }

  @Test func headerOfAJournalCostsNoSynchronization() throws {
    let (_, file) = try create()
    _ = try file.createJournal(on: MemoryStorage())
    let storage = MemoryStorage()
    let journal = try file.createJournal(on: storage)
    try journal.write([1], at: 0)
    #expect(storage.synchronized == 0)
    try journal.synchronizeContent()
    #expect(storage.synchronized == 1)
  }

  /// Against a plain array of bytes.
  @Test func anythingWrittenAnywhereIsReadBack() throws {
    let seed = UInt64.random(in: 0...UInt64.max)
    var random = SeededGenerator(seed: seed)
    let (storage, file) = try create()
    var expected: [UInt8] = []
    for step in 0..<300 {
      let offset = Int.random(in: 0...30_000, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        try file.truncate(to: offset)
        EncryptedFileTests.truncate(&expected, to: offset)
      case 1: try file.synchronize()
      case 2:
        try file.truncate(to: offset / 4096 * 4096)
        EncryptedFileTests.truncate(&expected, to: offset / 4096 * 4096)
      case 3:
        try file.write(page(step) + page(step), at: offset / 4096 * 4096)
        EncryptedFileTests.write(page(step) + page(step), at: offset / 4096 * 4096, &expected)
      default:
        let bytes = SampleFile.content(Int.random(in: 0...9000, using: &random), step)
        try file.write(bytes, at: offset)
        EncryptedFileTests.write(bytes, at: offset, &expected)
      }
      #expect(try file.all() == expected, "seed \(seed) step \(step)")
    }
    try file.close()
    #expect(try SampleFile.open(storage, isSealedOnly: true).all() == expected, "seed \(seed)")
  }
}
