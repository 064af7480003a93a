import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthFileFormat

/// Journals as SQLite writes them, whose power or disk fails them.
@Suite struct JournalTests {
  /// `make nightly` takes 400.
  private static let seeds =
    unsafe getenv("CRASH_SEEDS").flatMap { unsafe UInt64(String(cString: $0)) }.map { $0 / 25 }
    ?? 40

  /// A journal, and what was written into it.
  private final class Written {
    let storage = MemoryStorage()
    private let database: EncryptedFile
    private(set) var journal: EncryptedFile
    private(set) var content: [UInt8] = []
    /// How much of it a database relies upon.
    private var relied = 0
    private var random: SeededGenerator
    private let seed: UInt64

    init(_ seed: UInt64) throws {
      self.seed = seed
      random = SeededGenerator(seed: seed)
      database = try SampleFile.create(MemoryStorage(), layout: .pages)
      journal = try database.createJournal(on: storage)
    }

    func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

    /// Appends, at once or at the beginning of the next chunk.
    func append(leavesGaps: Bool = true) throws {
      let isGap = leavesGaps && number(0...3) == 0
      let gap = isGap ? (4096 - content.count % 4096) % 4096 : 0
      let new = SampleFile.content(number(1...14_000), content.count)
      try journal.write(new, at: content.count + gap)
      content += [UInt8](repeating: 0, count: gap) + new
    }

    /// Counts the records behind a header that nothing relies upon.
    func count() throws {
      let first = (relied + 4095) / 4096
      guard first * 4096 + 12 < content.count else { return }
      let start = number(first...(content.count - 12) / 4096) * 4096
      let new = SampleFile.content(12, number(0...255))
      try journal.write(new, at: start)
      content.replaceSubrange(start..<start + 12, with: new)
    }

    func synchronize() throws {
      try journal.synchronizeContent()
      if Bool.random(using: &random) { relied = content.count }
    }

    func look() throws {
      guard content.count > 1 else { return }
      let start = number(0...content.count - 1)
      let count = number(1...min(5000, content.count - start))
      let found = try journal.read(count, at: start)
      #expect(found == Array(content[start..<start + count]), "seed \(seed)")
    }

    func openAgain() throws {
      try journal.writeBack()
      journal = try database.openJournal(on: storage, for: .write)
    }

    func failPower() throws {
      guard relied > 0 else { return }
      let left = MemoryStorage(storage.afterPowerFailure(&random))
      let found = try database.openJournal(on: left, for: .write).all()
      #expect(found.prefix(relied) == content.prefix(relied), "seed \(seed)")
    }

    /// One of the things that SQLite does.
    func step() throws {
      switch number(0...9) {
      case 0...3: try append()
      case 4...5: try synchronize()
      case 6: try count()
      case 7...8: try look()
      default: try openAgain()
      }
    }
  }

  @Test func whatADatabaseReliesUponOutlivesAPowerFailureAtAnyMoment() throws {
    for seed in 0..<Self.seeds {
      let written = try Written(seed)
      written.storage.willSynchronize = { try written.failPower() }
      defer { written.storage.willSynchronize = nil }
      for _ in 0..<40 {
        try written.step()
        for _ in 0..<3 { try written.failPower() }
      }
    }
  }

  @Test func whatWasWrittenBeforeTheDiskWasFullIsStillThere() throws {
    var failed = 0
    for seed in 0..<Self.seeds {
      let written = try Written(seed)
      for _ in 0..<30 {
        let isFull = written.number(0...2) == 0
        let room = written.storage.bytes.count + written.number(0...3000)
        written.storage.room = isFull ? room : nil
        do { try written.append(leavesGaps: false) } catch {
          #expect(error as? ProtectedFileError == MemoryStorage.full)
          failed += 1
        }
        #expect(written.journal.isUsable && written.journal.length >= written.content.count)
        for _ in 0..<5 { try written.look() }
      }
      written.storage.room = nil
      try written.append(leavesGaps: false)
      try written.openAgain()
      #expect(try written.journal.all().prefix(written.content.count) == written.content[...])
    }
    #expect(failed > Int(Self.seeds))
  }

  // MARK: Super-journals

  /// The end of a journal as SQLite writes it for a transaction over several databases.
  private static let record: [UInt8] =
    Array("/super".utf8) + [0, 0, 0, 6, 0, 0, 2, 0xA1] + SuperJournalRecord.magic

  private func referring() throws -> (EncryptedFile, MemoryStorage, EncryptedFile) {
    let database = try SampleFile.create(MemoryStorage(), layout: .pages)
    let storage = MemoryStorage()
    let journal = try database.createJournal(on: storage)
    try journal.write(SampleFile.content(4090), at: 0)
    try journal.write(Self.record, at: 4090)
    return (database, storage, journal)
  }

  @Test func journalEndsWithItsReferenceInClear() throws {
    let (database, storage, journal) = try referring()
    try journal.showReference()
    try journal.synchronizeContent()
    #expect(storage.durable.suffix(Self.record.count) == Self.record[...])
    for access in [FileAccess.read, .write] {
      let opened = try database.openJournal(on: storage, for: access)
      #expect(try opened.all() == SampleFile.content(4090) + Self.record)
      #expect(try !opened.hidesReference)
    }
    #expect(storage.bytes.suffix(Self.record.count) == Self.record[...])
    try journal.close()
    #expect(try database.openJournal(on: storage, for: .read).wasSealed)
    #expect(storage.bytes.suffix(Self.record.count) == Self.record[...])
  }

  @Test(arguments: [FileAccess.read, .write])
  func journalThatIsCutToItsHeadersAndAReferenceIsEmpty(_ access: FileAccess) throws {
    let (database, storage, journal) = try referring()
    try journal.showReference()
    let name = Array("/a/path/of/a/super-journal".utf8)
    let record = name + [0, 0, 0, UInt8(name.count), 0, 0, 2, 0xA1] + SuperJournalRecord.magic
    #expect(record.count > FileFormat.overhead)
    for gap in [0, 1, 12] {
      let headers = Array(storage.bytes[..<(3 * FileFormat.slotSize)])
      let spare = [UInt8](repeating: 0, count: SpareChunk.size(4096) - gap)
      let left = MemoryStorage(headers + spare + record)
      let opened = try database.openJournal(on: left, for: access)
      #expect(opened.length == 0)
    }
  }

  @Test func referenceThatOthersWereNotToldCountsForNobody() throws {
    let (database, storage, journal) = try referring()
    try journal.writeBack()
    #expect(try database.openJournal(on: storage, for: .write).hidesReference)
    try journal.showReference()
    #expect(try !journal.hidesReference)
    #expect(storage.bytes.suffix(Self.record.count) == Self.record[...], "it is there at once")
  }

  @Test func referenceThatCannotBeWrittenCountsForNobody() throws {
    let (_, storage, journal) = try referring()
    try journal.writeBack()
    storage.room = storage.bytes.count
    #expect(throws: MemoryStorage.full) { try journal.showReference() }
    #expect(try journal.isUsable && journal.hidesReference)
    storage.room = nil
    try journal.writeBack()
    #expect(try !journal.hidesReference)
  }

  @Test(arguments: [0, 4000, 4096, 4090 + 21])
  func journalThatEndsOtherwiseHasNoReference(_ length: Int) throws {
    let (database, storage, journal) = try referring()
    try journal.showReference()
    try journal.synchronizeContent()
    try journal.truncate(to: length)
    try journal.write([1, 2, 3], at: length)
    try journal.synchronizeContent()
    let found = try database.openJournal(on: storage, for: .read)
    #expect(try found.all() == (SampleFile.content(4090) + Self.record).prefix(length) + [1, 2, 3])
    #expect(found.reference.isEmpty && journal.reference.isEmpty)
  }

  @Test(arguments: [
    [], magic, [0, 0, 0, 0, 0, 0, 0, 0] + magic, [255, 255, 255, 255, 0, 0, 0, 0] + magic,
    [0, 0, 16, 1, 0, 0, 0, 0] + magic,
  ])
  func endThatIsNoReferenceIsContent(_ end: [UInt8]) throws {
    let (_, _, journal) = try referring()
    try journal.truncate(to: 0)
    try journal.write(end, at: 0)
    try journal.showReference()
    #expect(try journal.reference.isEmpty && !journal.hidesReference)
  }

  private static let magic = SuperJournalRecord.magic
}
