import LocalAuthCore
import LocalAuthTestSupport
import Synchronization
import Testing

@testable import LocalAuthStore

@Suite struct AuditTests {
  private func writer(_ place: Place, linesKept: Int64? = nil) throws -> Writer {
    let tagger = TestTagger()
    let database = try Database.openStore(
      at: place.database,
      foundingTag: tagger.tag(over: Ledger().message)
    )
    let mirror = place.openMirror()
    let loaded = try Loaded(
      from: database,
      tagger: tagger,
      mirror: MirroredSequence(mirror.read(), tagger),
      copy: .missing,
      raising: Sample.raising
    )
    return try Writer.resume(
      database,
      loaded: loaded,
      tagger: tagger,
      mirror: mirror,
      copy: mirror,
      quota: .keeping(lines: linesKept)
    )
  }

  @Test func aLineComesBackAsItWas() throws {
    let place = Place()
    let store = try place.open()
    var line = Sample.line(1, outcome: .biometryLockout)
    line.callerUID = .max
    line.callerPID = -1
    line.began = WallInstant(milliseconds: .min)
    line.attempts = .max
    line.reason = ""
    try store.commitAndWait([.audit(Sample.line(2)), .audit(line)])
    #expect(
      try store.audit(owner: 1000, device: nil, limit: 9)
        == [Sample.line(2), line]
    )
  }

  @Test(arguments: OutcomeCode.allCases) func everyOutcomeIsKept(_ outcome: OutcomeCode) throws {
    let store = try Store(inMemoryWith: TestTagger())
    try store.commitAndWait([.audit(Sample.line(1, outcome: outcome))], .ordinary)
    #expect(
      try store.audit(owner: 1000, device: nil, limit: 1).first?.outcome
        == outcome
    )
  }

  @Test func theLineOfTheSameIdIsReplacedWhereItWas() throws {
    let store = try Place().open()
    try store.commitAndWait([.audit(Sample.line(1)), .audit(Sample.line(2))])
    try store.commitAndWait([.audit(Sample.line(1, outcome: .success))], .ordinary)
    #expect(
      try store.audit(owner: 1000, device: nil, limit: 9)
        == [Sample.line(1, outcome: .success), Sample.line(2)]
    )
  }

  @Test func aLineWhoseCommitFailedIsThereOnceWhenALaterOneIsDone() throws {
    let store = try Place().open()
    try store.commitAndWait([.audit(Sample.line(1))])
    for line in [Sample.line(1, outcome: .success), Sample.line(2)] {
      #expect(throws: StorageError.missing) {
        try store.commitAndWait(
          [.audit(line), .watermarks(Sample.identity("nobody"), [])],
          .ordinary
        )
      }
    }
    #expect(try store.audit(owner: 1000, device: nil, limit: 9) == [Sample.line(1)])
    let ended = [Sample.line(1, outcome: .success), Sample.line(2, outcome: .success)]
    try store.commitAndWait([.audit(Sample.line(2))])
    try store.commitAndWait(ended.map { .audit($0) }, .ordinary)
    #expect(try store.audit(owner: 1000, device: nil, limit: 9) == ended)
  }

  @Test func aCommitOfADeviceAndItsLineWritesTwoPages() throws {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([.device(Sample.device("a")), .audit(Sample.line(1))])
    let before = try #require(Snapshot(of: place).log).count
    try store.commitAndWait([.device(Sample.device("a", failures: 1)), .audit(Sample.line(2))])
    let ended = Sample.line(2, outcome: .success)
    try store.commitAndWait([.device(Sample.device("a")), .audit(ended)], .ordinary)
    let after = try #require(Snapshot(of: place).log).count
    // A frame has a page and 24 bytes.
    #expect(after - before == 4 * (4096 + 24))
  }

  @Test func whoReadsOnPageByPageReadsEveryLineOnce() throws {
    let store = try Place().open()
    let lines = (1...50).map { Sample.line(UInt64($0), device: $0 % 3 == 0 ? "a" : "b") }
    try store.commitAndWait(lines.map { .audit($0) })
    for device in [nil, "a"] {
      var read: [AuditRecord] = []
      while true {
        let page = try store.audit(owner: 1000, device: device, before: read.first?.id, limit: 7)
        guard !page.isEmpty else { break }
        read = page + read
      }
      #expect(read == lines.filter { device == nil || $0.device.name == device })
    }
  }

  @Test func aLineThatEndedCanBeReplacedOnceMore() throws {
    let store = try Place().open()
    var line = Sample.line(1, outcome: .success)
    for detail in ["grant #1", "grant #1; answered 2 times", "grant #1; answered 3 times"] {
      line.detail = detail
      try store.commitAndWait([.audit(line)], .ordinary)
    }
    #expect(try store.audit(owner: 1000, device: nil, limit: 9) == [line])
  }

  @Test func theNewestLinesComeOldestFirst() throws {
    let store = try Place().open()
    let lines = (1...10).map { Sample.line(UInt64($0)) }
    try store.commitAndWait(lines.map { .audit($0) })
    #expect(try store.audit(owner: 1000, device: nil, limit: 3) == Array(lines[7...]))
    try store.commitAndWait([.audit(Sample.line(11))], .ordinary)
    #expect(try store.audit(owner: 1000, device: nil, limit: 1) == [Sample.line(11)])
  }

  @Test func linesBeforeAnotherAreThoseThatWereStoredBeforeIt() throws {
    let store = try Place().open()
    let lines = (1...9).map { Sample.line(UInt64($0), device: $0 % 2 == 0 ? "a" : "b") }
    try store.commitAndWait(lines.map { .audit($0) })
    func page(_ device: String?, before line: AuditRecord, _ limit: Int) throws -> [AuditRecord] {
      try store.audit(owner: 1000, device: device, before: line.id, limit: limit)
    }
    #expect(try page(nil, before: lines[5], 3) == Array(lines[2...4]))
    #expect(try page(nil, before: lines[5], 9) == Array(lines[...4]))
    #expect(try page("a", before: lines[5], 9) == [lines[1], lines[3]])
    #expect(try page(nil, before: lines[0], 9) == [])
    // Its place is where it was stored first, however late it has its outcome.
    try store.commitAndWait([.audit(Sample.line(2, device: "a", outcome: .success))], .ordinary)
    #expect(try page(nil, before: lines[1], 9) == [lines[0]])
  }

  @Test func nothingIsBeforeALineThatIsNotThereOrIsAnothersLine() throws {
    let store = try Place().open()
    let foreign = Sample.line(3, owner: 7)
    try store.commitAndWait([.audit(Sample.line(1)), .audit(foreign)])
    for id in [EvaluationID(high: 5, low: 5), foreign.id] {
      #expect(try store.audit(owner: 1000, device: nil, before: id, limit: 9).isEmpty)
    }
  }

  @Test func ownersAndDevicesAreKeptApart() throws {
    let store = try Place().open()
    try store.commitAndWait([
      .audit(Sample.line(1, owner: 1, device: "a")), .audit(Sample.line(2, owner: 1, device: "b")),
      .audit(Sample.line(3, owner: 2, device: "a")),
    ])
    #expect(try store.audit(owner: 1, device: nil, limit: 9).count == 2)
    #expect(
      try store.audit(owner: 1, device: "b", limit: 9)
        == [Sample.line(2, owner: 1, device: "b")]
    )
    #expect(
      try store.audit(owner: 2, device: nil, limit: 9)
        == [Sample.line(3, owner: 2, device: "a")]
    )
    #expect(try store.audit(owner: 3, device: nil, limit: 9).isEmpty)
  }

  @Test(arguments: [0, -1, Int.min]) func aPageOfNothingIsEmpty(_ limit: Int) throws {
    let store = try Place().open()
    try store.commitAndWait([.audit(Sample.line(1))])
    #expect(try store.audit(owner: 1000, device: nil, limit: limit).isEmpty)
  }

  @Test func hugeNumbersAreNoProblem() throws {
    let store = try Place().open()
    try store.commitAndWait([.audit(Sample.line(1))])
    #expect(try store.audit(owner: .max, device: nil, limit: .max).isEmpty)
    #expect(try store.audit(owner: 1000, device: nil, limit: .max).count == 1)
  }

  @Test func hostileTextIsOnlyText() throws {
    let store = try Place().open()
    var line = Sample.line(1)
    line.reason = "'); DROP TABLE audit; --\u{0}\u{202E}"
    line.detail = String(repeating: "ü", count: 10_000)
    try store.commitAndWait([.audit(line)])
    #expect(try store.audit(owner: 1000, device: nil, limit: 1) == [line])
  }

  @Test func linesOfALaterRunComeAfterThoseOfAnEarlierOne() throws {
    let place = Place()
    let first = try place.open()
    try first.commitAndWait([.audit(Sample.line(2)), .audit(Sample.line(3))])
    first.close()
    let second = try place.open()
    try second.commitAndWait([.audit(Sample.line(1))])
    #expect(
      try second.audit(owner: 1000, device: nil, limit: 2) == [Sample.line(3), Sample.line(1)]
    )
  }

  @Test func theOldestLinesOfEachOwnerGoWhenThereAreTooMany() throws {
    let place = Place()
    var writer = try writer(place, linesKept: 300)
    for start in stride(from: UInt64(1), to: 3072, by: 64) {
      try writer.commit(
        (start..<(start + 64)).map { .audit(Sample.line($0)) }
          + [.audit(Sample.line(1_000_000 + start, owner: 7))],
        .ordinary
      )
    }
    writer.tidy()
    let lines = try writer.readAudit(owner: 1000, device: nil, limit: .max)
    #expect(lines.dropFirst() == (2773...3072).map { Sample.line($0) }[...])
    let note = try #require(lines.first)
    #expect(note.action == "audit cut")
    #expect(note.detail == "the 2772 oldest lines were removed; 300 are kept")
    #expect(note.began == Sample.line(2772).began)
    #expect(try writer.readAudit(owner: 7, device: nil, limit: .max).count == 48)
    try writer.commit([.audit(Sample.line(9999))], .ordinary)
    #expect(
      try writer.readAudit(owner: 1000, device: nil, limit: 1)
        == [Sample.line(9999)]
    )
  }

  /// Whoever commits without pause has the idle moments of nobody.
  @Test func theOldestLinesGoWithoutAnIdleMomentToo() throws {
    var writer = try writer(Place(), linesKept: 300)
    for start in stride(from: UInt64(1), to: 5000, by: 64) {
      try writer.commit((start..<(start + 64)).map { .audit(Sample.line($0)) }, .ordinary)
      let lines = try writer.readAudit(owner: 1000, device: nil, limit: .max)
      #expect(lines.count <= 300 + 1024)
    }
  }

  @Test func aDamagedLineIsSaidToBeDamaged() throws {
    let place = Place()
    let store = try place.open()
    try store.commitAndWait([.audit(Sample.line(1, outcome: .success))])
    store.close()
    try place.edit("UPDATE audit SET outcome = 'perhaps'")
    let again = try place.open()
    #expect(throws: StorageError.corrupt("audit line 1 of user 1000 is damaged")) {
      try again.audit(owner: 1000, device: nil, limit: 9)
    }
  }

  @Test func aLongLogIsMovedIntoTheDatabaseWhenIdle() throws {
    let place = Place()
    var writer = try writer(place)
    let before = Files.read(place.database)?.count ?? 0
    for number in UInt64(0)..<200 {
      try writer.commit([.audit(Sample.line(number)), .device(Sample.device())], .ordinary)
    }
    #expect(Files.read(place.database)?.count == before, "no checkpoint in a commit")
    writer.tidy()
    #expect((Files.read(place.database)?.count ?? 0) > before)
  }
}
