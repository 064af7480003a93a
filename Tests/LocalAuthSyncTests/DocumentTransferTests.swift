import LocalAuthCore
import Testing

@testable import LocalAuthSync

@Suite struct DocumentTransferTests {
  private let device = World(.ascending).devices[0]

  private static func digest(_ number: Int) -> SyncDigest {
    let bytes = [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 6, count: 30)
    return SyncDigest(bytes) ?? .none
  }

  private static func chunk(_ number: Int) -> RecordName { RecordName(digest(number)) }

  private func content(_ chunks: [Int]) throws -> DocumentContent {
    try #require(
      DocumentContent(
        date: World.beginning,
        size: UInt64(chunks.count * DocumentChunk.size),
        chunks: chunks.map { Self.digest($0) }
      )
    )
  }

  private func upload(_ content: DocumentContent, in replica: ZoneReplica) -> DocumentUpload {
    DocumentUpload(content, in: replica) { RecordName($0) }
  }

  private func put(_ chunks: [SyncDigest], in replica: inout ZoneReplica) {
    for chunk in chunks {
      replica.put(
        RecordName(chunk),
        World.identifier,
        content: chunk,
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
    let document = try content(Array(0..<70) + [3, 4])
    var replica = device.replica
    var pushes = 0
    while !upload(document, in: replica).isComplete {
      let upload = self.upload(document, in: replica)
      #expect(upload.count == 70)
      put(upload.next, in: &replica)
      // Killed before it is composed, and behind it: what is kept says what is left.
      replica = try #require(ZoneReplica(rows: replica.rows))
      let asked = self.upload(document, in: replica)
      #expect(asked.waiting.sorted() == upload.next.sorted() && asked.next.isEmpty)
      let batch = try compose(&replica)
      #expect(batch.versions.count <= DocumentChunk.perPush)
      replica = try #require(ZoneReplica(rows: replica.rows))
      try send(&replica)
      pushes += 1
    }
    #expect(pushes == 3)
    #expect(replica.records.count == 70)
    #expect(upload(try content([69, 0]), in: replica).isComplete, "they are there already")
  }

  @Test func aChunkThatWasDeletedMeanwhileIsPutThereAgain() throws {
    let document = try content([0, 1])
    var replica = device.replica
    put(upload(document, in: replica).next, in: &replica)
    try send(&replica)
    replica.delete(Self.chunk(1), content: .none, at: World.beginning)
    #expect(upload(document, in: replica).missing == [Self.digest(1)])
    try send(&replica)
    #expect(upload(document, in: replica).missing == [Self.digest(1)])
    put([Self.digest(1)], in: &replica)
    #expect(upload(document, in: replica).waiting == [Self.digest(1)])
    try send(&replica)
    #expect(upload(document, in: replica).isComplete)
  }

  @Test func aChunkThatWaitsForKeysIsNotPutOnceMore() throws {
    var replica = device.replica
    replica.inbox.put(Self.chunk(0), .locked, by: nil)
    let waiting = upload(try content([0]), in: replica)
    #expect(waiting.waiting == [Self.digest(0)] && waiting.next.isEmpty && !waiting.isComplete)
    #expect(upload(try content([]), in: replica).isComplete)
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

  @Test func aChunkThatNobodyCanReadIsPutOnceMore() throws {
    var replica = device.replica
    replica.inbox.put(Self.chunk(0), .unreadable, by: nil)
    #expect(upload(try content([0]), in: replica).next == [Self.digest(0)])
  }

  @Test func nothingIsSweptWhileADocumentCouldBeUnread() {
    let chunk = Self.chunk(1)
    var sweep = ChunkSweep()
    _ = sweep.sweep([chunk], needed: [], in: later(0))
    var (locked, alarmed) = (later(30), later(30))
    locked.inbox.put(World.names[0], .locked, by: nil)
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

  @Test func aSweepIsKeptInOneRow() {
    let zone = ZoneName.documents
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
