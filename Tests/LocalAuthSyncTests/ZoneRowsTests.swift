import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

@Suite struct ZoneRowsTests {
  /// A world after some events at random.
  private func world(_ events: Int, _ random: inout SeededGenerator) throws -> World {
    var world = World(Bool.random(using: &random) ? .ascending : .descending)
    for _ in 0..<events { try step(&world, &random) }
    return world
  }

  /// An event, or a heartbeat, which says where the hub is and what time it is.
  private func step(_ world: inout World, _ random: inout SeededGenerator) throws {
    if Int.random(in: 0..<6, using: &random) == 0 {
      let device = Int.random(in: 0..<3, using: &random)
      try world.devices[device].replica.hear(world.hub.head, from: World.peers[0])
      let peer = World.peers[Int.random(in: 0..<3, using: &random)]
      world.devices[device].replica.horizon.hear(world.clock, from: .peer(peer))
      if Bool.random(using: &random) { world.devices[device].replica.hearOfKeys() }
      return
    }
    if Int.random(in: 0..<40, using: &random) == 0 {
      return try letGo(Int.random(in: 0..<3, using: &random), &world)
    }
    let possible = Event.all.filter { event in
      // Removals are rare, or most lives were those of one device.
      if case .remove = event, Int.random(in: 0..<20, using: &random) > 0 { return false }
      return world.isPossible(event)
    }
    if let event = possible.randomElement(using: &random) { try world.apply(event) }
  }

  /// A device is shown another history, and its person has it begin anew.
  private func letGo(_ device: Int, _ world: inout World) throws {
    let chain = world.devices[device].replica.chain
    guard chain.head.number > 0 else { return }
    let other = ChainPlace(number: chain.head.number, digest: CircleFixture.digest(9))
    do throws(HubAlarm) {
      try world.devices[device].replica.hear(other, from: World.peers[0])
      Issue.record("it is another history")
    } catch {}
    let acceptance = SyncWatermark.Acceptance(
      chain.watermark.subject,
      from: chain.head,
      to: .beginning
    )
    let isRepaired = world.devices[device].replica.repair(acceptance)
    try #require(isRepaired)
  }

  @Test func whatIsWrittenAfterEachEventReadsAsWhatIsInMemory() throws {
    var random = SeededGenerator.ofThisRun
    var kinds: [SyncRow.Kind: Int] = [:]
    for _ in 0..<60 {
      var world = World(Bool.random(using: &random) ? .ascending : .descending)
      var stores = world.devices.map { RowStore($0.replica.rows) }
      for _ in 0..<40 {
        let before = world.devices.map(\.replica)
        try step(&world, &random)
        for (index, device) in world.devices.enumerated() {
          let changes = device.replica.changes(from: before[index])
          #expect(device.replica != before[index] || changes.isEmpty)
          stores[index].apply(changes)
          for case .put(let row) in changes { kinds[row.key.kind, default: 0] += 1 }
          let read = ZoneReplica(rows: stores[index].rows)
          try #require(read == device.replica, "seed \(random.seed)")
          try #require(stores[index] == RowStore(device.replica.rows), "seed \(random.seed)")
        }
      }
    }
    #expect(Set(kinds.keys) == Self.kinds.union([.abandoned]), "seed \(random.seed)")
  }

  /// The kinds of rows of a replica whose person never let a history go.
  private static let kinds: Set<SyncRow.Kind> = [
    .zone, .chain, .outbox, .record, .place, .claim, .lost,
  ]

  /// Whoever takes a replica up by these kinds has all that is kept of it, also after a repair.
  @Test func theKindsOfAReplicaAreThoseThatItIsWrittenIn() throws {
    let ofReplica = Set(SyncRow.Kind.allCases.filter(\.isOfReplica))
    #expect(ofReplica == Self.kinds.union([.abandoned]))
    var world = World(.ascending)
    for event: Event in [.put(0, key: 0), .push(0, .never)] { try world.apply(event) }
    try letGo(0, &world)
    let rows = world.devices[0].replica.rows
    #expect(rows.contains { $0.key.kind == .abandoned })
    let kept = rows.filter { $0.key.kind.isOfReplica }
    #expect(ZoneReplica(rows: kept) == world.devices[0].replica)
  }

  @Test func rowsAreInTheOrderOfTheirKeysAndOfTheirKeysBytes() throws {
    var random = SeededGenerator.ofThisRun
    let rows = try world(30, &random).devices[0].replica.rows
    #expect(rows.map(\.key) == rows.map(\.key).sorted(), "seed \(random.seed)")
    for (left, right) in zip(rows, rows.dropFirst()) {
      #expect(left.key.bytes.lexicographicallyPrecedes(right.key.bytes))
    }
  }

  /// A replica with a row of each kind.
  private func fullReplica() throws -> ZoneReplica {
    var world = World(.ascending)
    for event: Event in [
      .put(0, key: 0), .put(0, key: 1), .put(0, key: 2), .push(0, .never), .put(1, key: 0),
      .lock(1), .pull(1), .put(1, key: 1), .push(1, .beforeSending),
    ] { try world.apply(event) }
    var replica = world.devices[1].replica
    try replica.hear(ChainPlace(number: 9, digest: CircleFixture.digest(3)), from: World.peers[0])
    replica.horizon.hear(World.beginning, from: .peer(World.peers[0]))
    #expect(Set(replica.rows.map(\.key.kind)) == Self.kinds)
    #expect(replica.outbox.batch != nil && !replica.inbox.isEmpty)
    return replica
  }

  @Test func aMissingOrRepeatedRowIsRefused() throws {
    let rows = try fullReplica().rows
    #expect(ZoneReplica(rows: rows) != nil)
    for index in rows.indices {
      var missing = rows
      missing.remove(at: index)
      #expect(ZoneReplica(rows: missing) == nil, "\(rows[index].key)")
      #expect(ZoneReplica(rows: rows + [rows[index]]) == nil, "\(rows[index].key)")
    }
    #expect(ZoneReplica(rows: []) == nil)
  }

  @Test func aRowThatWasCutOrGrewIsRefused() throws {
    let rows = try fullReplica().rows
    for (index, row) in rows.enumerated() {
      for size in row.value.indices {
        #expect(ZoneReplica(rows: replacing(index, in: rows, Array(row.value[..<size]))) == nil)
      }
      #expect(ZoneReplica(rows: replacing(index, in: rows, row.value + [0])) == nil)
    }
  }

  /// What a keeper seals cannot be changed, so this is about traps alone, and about what cannot be.
  @Test func aChangedByteIsRefusedOrReadsAsSomethingElse() throws {
    let replica = try fullReplica()
    let rows = replica.rows
    for (index, row) in rows.enumerated() {
      for place in row.value.indices {
        for bit: UInt8 in [1, 128] {
          var value = row.value
          value[place] ^= bit
          let read = ZoneReplica(rows: replacing(index, in: rows, value))
          #expect(read != replica, "\(row.key.kind), byte \(place)")
          if let read {
            #expect(RowStore(read.rows) == RowStore(replacing(index, in: rows, value)))
          }
        }
      }
    }
  }

  private func replacing(_ index: Int, in rows: [SyncRow], _ value: [UInt8]) -> [SyncRow] {
    var rows = rows
    rows[index] = SyncRow(rows[index].key, value)
    return rows
  }

  @Test func rowsOfAnotherZoneOrOfTheCircleAreRefused() throws {
    let rows = try fullReplica().rows
    let notes = try #require(ZoneName("notes"))
    for row in rows {
      let moved = SyncRow(SyncRow.Key(row.key.kind, notes, row.key.place), row.value)
      #expect(ZoneReplica(rows: rows.filter { $0 != row } + [moved]) == nil)
    }
    #expect(ZoneReplica(rows: rows + HeartbeatBook().rows) == nil)
  }

  @Test func theLastDigestsHaveNoGap() throws {
    let rows = try fullReplica().rows
    let place = try #require(rows.first { $0.key.kind == .place })
    let moved = SyncRow(SyncRow.Key(.place, .items, .number(2)), place.value)
    #expect(ZoneReplica(rows: rows.filter { $0 != place } + [moved]) == nil)
  }

  @Test func eachAlarmIsKept() throws {
    let places = [ChainPlace(number: 4, digest: CircleFixture.digest(4)), .beginning]
    var alarms = HubAlarm.Tampering.allCases.map { HubAlarm.hubTampered($0) }
    alarms.append(.hubRolledBack(verified: places[0], offered: places[1]))
    alarms += [.hubForked(nil, at: 7), .hubForked(.items, at: 8)]
    for alarm in alarms {
      var replica = try fullReplica()
      let before = replica
      replica.alarm = alarm
      #expect(ZoneReplica(rows: replica.rows) == replica)
      #expect(replica.changes(from: before).count == 1)
    }
  }

  @Test func aReplicaOfAnotherZoneTakesAllRowsOfTheOldOneAway() throws {
    let old = try fullReplica()
    let notes = try #require(ZoneName("notes"))
    let new = ZoneReplica(notes, circle: .none, of: old.me, horizon: old.horizon)
    var store = RowStore(old.rows)
    store.apply(new.changes(from: old))
    #expect(ZoneReplica(rows: store.rows) == new)
  }

  @Test func oneChangeOfTenThousandRecordsWritesTwoRows() throws {
    var replica = try fullReplica()
    for number in 0..<10_000 { put(number, in: &replica) }
    let before = replica
    put(5_000, in: &replica)
    let changes = replica.changes(from: before)
    // The record, and the number of changes that the device made.
    #expect(changes.count == 2)
    #expect(replica.rows.count > 10_000)
    #expect(before.changes(from: before).isEmpty)
  }

  private func put(_ number: Int, in replica: inout ZoneReplica) {
    let bytes = [UInt8(number >> 8), UInt8(number & 255)] + [UInt8](repeating: 5, count: 30)
    guard let digest = SyncDigest(bytes) else { return }
    replica.put(
      RecordName(digest),
      World.identifier,
      content: digest,
      .afterFirstUnlock,
      at: World.beginning
    )
  }

  @Test func eachEntryBehindTheThousandthWritesOneDigestAndForgetsOne() throws {
    let device = World(.ascending).devices[0]
    var replica = device.replica
    for _ in 0..<(ZoneChain.rememberedMax + 5) { try push(&replica, device) }
    let before = replica
    try push(&replica, device)
    let changes = replica.changes(from: before)
    let places = changes.filter { change in
      switch change {
      case .put(let row): row.key.kind == .place
      case .remove(let key): key.kind == .place
      }
    }
    #expect(places.count == 2)
    // The zone, its chain and the record.
    #expect(changes.count == 5)
    var store = RowStore(before.rows)
    store.apply(changes)
    #expect(ZoneReplica(rows: store.rows) == replica)
  }

  private func push(_ replica: inout ZoneReplica, _ device: ModelDevice) throws {
    put(1, in: &replica)
    let plan = try #require(replica.plan(in: device.circle, device.access))
    let batch = replica.compose(
      plan,
      plan.versions.mapValues { _ in CircleFixture.digest(8) },
      BatchIdentifier(high: 0, low: replica.changesMade),
      in: device.circle,
      signedBy: World.signers[0]
    )
    let place = try #require(batch?.entry.place(World.ports.hash))
    try replica.answered(.accepted(place), in: device.circle, World.ports)
  }

  @Test func whatLeavesTheShelfTakesItsOwnRowAlong() throws {
    var shelf = ConflictShelf()
    let replica = try fullReplica()
    let version = try #require(replica.shelf.entries.first?.version)
    for number in 0..<5 {
      shelf.keep(
        RecordVersion(
          identifier: version.identifier,
          isTombstone: false,
          modified: version.modified,
          keyClass: version.keyClass,
          content: CircleFixture.digest(UInt8(number)),
          made: version.made,
          vector: version.vector
        ),
        of: World.names[0],
        at: WallInstant(milliseconds: Int64(10 - number))
      )
    }
    var before = replica
    before.shelf = shelf
    for taken in [0, 2, 4] as [UInt8] {
      var after = before
      #expect(after.shelf.take(World.names[0], content: CircleFixture.digest(taken)) != nil)
      let changes = after.changes(from: before)
      #expect(changes.count == 2, "the row, and how many there are")
      var store = RowStore(before.rows)
      store.apply(changes)
      #expect(ZoneReplica(rows: store.rows) == after)
      before = after
    }
  }

  @Test func whatARecordWaitsForIsWrittenAlsoAlone() throws {
    let before = try fullReplica()
    let name = try #require(before.inbox.waiting.keys.first)
    var (keys, taken) = (before, before)
    keys.inbox.put(name, .epoch(7), by: World.peers[1])
    taken.inbox.take(name)
    // The zone's row counts what waits.
    for (after, count) in [(keys, 1), (taken, 2)] {
      let changes = after.changes(from: before)
      #expect(changes.count == count)
      var store = RowStore(before.rows)
      store.apply(changes)
      #expect(ZoneReplica(rows: store.rows) == after)
    }
  }

  @Test func aBatchOfAnotherDeviceOrPlaceIsRefused() throws {
    let replica = try fullReplica()
    func isRead(_ entry: ZoneEntry) -> Bool {
      var other = replica
      other.outbox = Outbox(
        replica.outbox.waiting,
        sending: Outbox.Batch(entry: entry, versions: replica.outbox.batch?.versions ?? [:]),
        isBehind: false
      )
      return ZoneReplica(rows: other.rows) != nil
    }
    let entry = try #require(replica.outbox.batch?.entry)
    func changed(
      author: PeerIdentifier? = nil,
      previous: ChainPlace? = nil,
      circle: SyncDigest? = nil,
      zone: ZoneName? = nil
    ) -> ZoneEntry {
      ZoneEntry(
        circle: circle ?? entry.circle,
        zone: zone ?? entry.zone,
        previous: previous ?? entry.previous,
        author: author ?? entry.author,
        batch: entry.batch,
        changes: entry.changes,
        epoch: entry.epoch,
        circleHead: entry.circleHead,
        heads: entry.heads,
        signature: entry.signature
      )
    }
    #expect(isRead(changed()))
    #expect(!isRead(changed(author: World.peers[0])))
    #expect(!isRead(changed(previous: .beginning)))
    #expect(!isRead(changed(circle: CircleFixture.digest(1))))
    #expect(!isRead(changed(zone: ZoneName("notes"))))
  }

  @Test func aRowThatContradictsItselfIsRefused() throws {
    let replica = try fullReplica()
    func isRead(_ change: (inout RecordRow) -> Void) throws -> Bool {
      var row = try #require(RecordRow(World.names[0], in: replica))
      change(&row)
      return RecordRow(row.bytes) != nil
    }
    #expect(try isRead { _ in })
    #expect(try isRead { $0.line = nil })
    #expect(try isRead { ($0.record, $0.isWaiting) = (nil, false) })
    #expect(try !isRead { $0.record?.buried = World.beginning }, "it is no tombstone")
    #expect(try !isRead { ($0.line, $0.reason) = (nil, .locked) }, "the hub has no such record")
    #expect(try !isRead { ($0.record, $0.isWaiting) = (nil, true) }, "there is no such record")
    #expect(try !isRead { ($0.record, $0.line, $0.isWaiting) = (nil, nil, false) })
    var last = replica
    last.changesMade = .max
    #expect(ZoneReplica(rows: last.rows) == nil, "there would be no next change")
  }
}
