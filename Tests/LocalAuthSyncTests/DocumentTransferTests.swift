import LocalAuthCore
import Testing

@testable import LocalAuthSync

@Suite struct DocumentTransferTests {
  private let device = World(.ascending).devices[0]

  private static func chunk(_ number: Int) -> RecordName {
    let bytes = [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 6, count: 30)
    return RecordName(SyncDigest(bytes) ?? .none)
  }

  private func version(_ chunks: [Int]) throws -> DocumentVersion {
    try #require(
      DocumentVersion(
        made: VersionVector.Dot(World.peers[0], 1),
        date: World.beginning,
        size: UInt64(chunks.count * DocumentChunk.size),
        chunks: chunks.map { Self.chunk($0) }
      )
    )
  }

  private func put(_ chunks: [RecordName], in replica: inout ZoneReplica) {
    for chunk in chunks {
      replica.put(
        chunk,
        World.identifier,
        content: chunk.digest,
        .afterFirstUnlock,
        at: World.beginning
      )
    }
  }

  private func compose(_ replica: inout ZoneReplica) throws -> Outbox.Batch {
    let plan = try #require(replica.plan(in: device.circle, device.access))
    let batch = replica.compose(
      plan,
      plan.versions.mapValues { $0.content },
      BatchIdentifier(high: 0, low: replica.changesMade),
      in: device.circle,
      signedBy: World.signers[0]
    )
    return try #require(batch)
  }

  private func send(_ replica: inout ZoneReplica) throws {
    let batch = try replica.outbox.batch ?? compose(&replica)
    let place = batch.entry.place(World.ports.hash)
    try replica.answered(.accepted(place), in: device.circle, World.ports)
  }

  @Test func anUploadThatIsKilledAnywhereGoesOnWhereItWas() throws {
    let document = try version(Array(0..<70) + [3, 4])
    var replica = device.replica
    var pushes = 0
    while !DocumentUpload(document, in: replica).isComplete {
      let upload = DocumentUpload(document, in: replica)
      #expect(upload.count == 70)
      put(upload.next, in: &replica)
      // Killed before it is composed, and behind it: what is kept says what is left.
      replica = try #require(ZoneReplica(rows: replica.rows))
      let asked = DocumentUpload(document, in: replica)
      #expect(asked.waiting.sorted() == upload.next.sorted() && asked.next.isEmpty)
      let batch = try compose(&replica)
      #expect(batch.versions.count <= DocumentChunk.perPush)
      replica = try #require(ZoneReplica(rows: replica.rows))
      try send(&replica)
      pushes += 1
    }
    #expect(pushes == 3)
    #expect(replica.records.count == 70)
    #expect(DocumentUpload(try version([69, 0]), in: replica).isComplete, "they are there already")
  }

  @Test func aChunkThatWasDeletedMeanwhileIsPutThereAgain() throws {
    let document = try version([0, 1])
    var replica = device.replica
    put(DocumentUpload(document, in: replica).next, in: &replica)
    try send(&replica)
    replica.delete(Self.chunk(1), content: .none, at: World.beginning)
    #expect(DocumentUpload(document, in: replica).missing == [Self.chunk(1)])
    try send(&replica)
    #expect(DocumentUpload(document, in: replica).missing == [Self.chunk(1)])
    put([Self.chunk(1)], in: &replica)
    #expect(DocumentUpload(document, in: replica).waiting == [Self.chunk(1)])
    try send(&replica)
    #expect(DocumentUpload(document, in: replica).isComplete)
  }

  @Test func aDownloadSaysWhatIsMissingAndWhatIsLost() throws {
    var replica = device.replica
    put([0, 1, 2].map { Self.chunk($0) }, in: &replica)
    try send(&replica)
    put([Self.chunk(7)], in: &replica)
    let document = try version([2, 0, 9, 2, 1])
    func download(_ held: [Int]) -> DocumentDownload {
      DocumentDownload(document, in: replica, held: Set(held.map { Self.chunk($0) }))
    }
    #expect(download([]).missing == [2, 0, 1].map { Self.chunk($0) })
    #expect(download([]).lost == [Self.chunk(9)])
    #expect(download([0, 2]).missing == [Self.chunk(1)])
    #expect(download([0, 1, 2, 9]).isComplete && download([]).count == 4)
    #expect(DocumentDownload(try version([7]), in: replica, held: []).lost == [Self.chunk(7)])
    replica.inbox.put(Self.chunk(0), .locked)
    #expect(download([1, 2]).missing == [Self.chunk(0)])
    #expect(DocumentDownload(try version([]), in: replica, held: []).isComplete)
  }

  // MARK: Sweeping

  private func later(_ days: Int64) -> ZoneReplica {
    var replica = device.replica
    let time = WallInstant(milliseconds: World.beginning.milliseconds + days * World.day)
    for peer in World.peers { replica.horizon.hear(time, from: .peer(peer)) }
    return replica
  }

  @Test func aChunkIsFreeWhenItWasLeftOverForSevenDays() {
    let (one, other) = (Self.chunk(1), Self.chunk(2))
    var sweep = ChunkSweep()
    let days: [(day: Int64, needed: Set<RecordName>, free: [RecordName])] = [
      (0, [other], []), (7, [other], []), (8, [other], [one]),
      // The other one was needed until now.
      (8, [], [one]), (9, [one], []), (15, [one], []), (16, [one], [other]),
      // What was needed again begins again.
      (16, [], [other]), (23, [], [other]), (24, [], [one, other]),
    ]
    for (day, needed, free) in days {
      let swept = sweep.sweep([one, other], needed: needed, in: later(day))
      #expect(swept == free, "day \(day)")
    }
  }

  @Test func nothingIsSweptWhileADocumentCouldBeUnread() {
    let chunk = Self.chunk(1)
    var sweep = ChunkSweep()
    _ = sweep.sweep([chunk], needed: [], in: later(0))
    var (locked, alarmed) = (later(30), later(30))
    locked.inbox.put(World.names[0], .locked)
    alarmed.alarm = .hubTampered(.order)
    let before = sweep
    for replica in [locked, alarmed] {
      let free = sweep.sweep([chunk], needed: [], in: replica)
      #expect(free.isEmpty && sweep == before)
    }
    let free = sweep.sweep([chunk], needed: [], in: later(30))
    #expect(free == [chunk])
    let none = sweep.sweep([], needed: [], in: later(30))
    #expect(none.isEmpty && sweep == ChunkSweep())
  }

  @Test func aClockThatIsAheadAloneFreesNothing() {
    let chunk = Self.chunk(1)
    var sweep = ChunkSweep()
    var replica = device.replica
    _ = sweep.sweep([chunk], needed: [], in: replica)
    let time = WallInstant(milliseconds: World.beginning.milliseconds + 9_000 * World.day)
    replica.horizon.hear(time, from: .peer(World.peers[1]))
    let free = sweep.sweep([chunk], needed: [], in: replica)
    #expect(free.isEmpty)
  }

  @Test func aSweepIsKeptInOneRow() throws {
    let zone = try #require(DocumentRecord.zone("notes"))
    var sweep = ChunkSweep()
    #expect(ChunkSweep(sweep.row(in: zone)) == sweep)
    _ = sweep.sweep(Set([1, 2, 3].map { Self.chunk($0) }), needed: [], in: later(3))
    let row = sweep.row(in: zone)
    #expect(ChunkSweep(row) == sweep)
    for place in row.value.indices {
      #expect(ChunkSweep(SyncRow(row.key, Array(row.value[..<place]))) == nil)
      var value = row.value
      value[place] ^= 1
      #expect(ChunkSweep(SyncRow(row.key, value)) != sweep)
    }
    #expect(ChunkSweep(SyncRow(row.key, row.value + [0])) == nil)
    #expect(ChunkSweep(SyncRow(SyncRow.Key(.store, zone), row.value)) == nil)
  }
}
