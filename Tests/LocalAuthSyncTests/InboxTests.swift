import LocalAuthCore
import Testing

@testable import LocalAuthSync

/// Records that came and were not opened.
@Suite struct InboxTests {
  /// The device 0 sends two records, and 1 cannot open the first.
  private func world(opening first: OpenedRecord) throws -> World {
    var world = World(.ascending)
    let events: [Event] = [.put(0, key: 0), .put(0, key: 1), .push(0, .never), .put(1, key: 2)]
    for event in events { try world.apply(event) }
    try world.pull(opening: first)
    return world
  }

  @Test func whatNobodyCanReadStopsNothingElse() throws {
    var world = try world(opening: .unreadable)
    #expect(world.replica.alarm == nil)
    #expect(world.replica.shown(World.names[1]) != nil)
    #expect(world.replica.inbox.waiting == [World.names[0]: .unreadable])
    #expect(world.replica.inbox.authors == [World.names[0]: World.peers[0]])
    #expect(world.replica.acknowledged == world.replica.chain.head.number && world.mayRoll(1))
    #expect(ZoneReplica(rows: world.replica.rows) == world.replica, "and all of it is kept")
    try world.apply(.push(1, .never))
    try world.apply(.pull(0))
    #expect(world.devices[0].replica.shown(World.names[2]) != nil)
  }

  @Test func aChangeWritesOverWhatNobodyCanRead() throws {
    var world = try world(opening: .unreadable)
    for event: Event in [.put(1, key: 0), .push(1, .never)] { try world.apply(event) }
    #expect(world.replica.inbox.isEmpty)
    #expect(world.replica.outbox.waiting.isEmpty)
    try world.apply(.pull(0))
    let merged = world.devices[0].replica.records[World.names[0]]?.current
    #expect(merged?.vector.dots.map(\.peer).sorted() == World.peers.prefix(2).sorted())
  }

  @Test func aLaterVersionTakesItsPlace() throws {
    var world = try world(opening: .unreadable)
    for event: Event in [.put(0, key: 0), .push(0, .never), .pull(1)] { try world.apply(event) }
    #expect(world.replica.inbox.isEmpty && world.replica.inbox.authors.isEmpty)
    #expect(world.replica.shown(World.names[0]) != nil)
  }

  @Test func sealingAnewDropsWhatNobodyCanReadAndNobodyHas() throws {
    var world = try world(opening: .unreadable)
    for event: Event in [.push(1, .never), .roll(1), .pullCircle(1)] { try world.apply(event) }
    let plan = try #require(world.plan(1, reseals: true))
    #expect(plan.purges == [World.names[0]])
    #expect(plan.versions.keys.sorted() == [World.names[1], World.names[2]].sorted())
    try world.apply(.reseal(1))
    #expect(
      world.replica.inbox.isEmpty && world.replica.epochsInUse(in: world.devices[1].circle) == [2]
    )
  }

  /// It is no tombstone that the hub drops, so it takes nothing away.
  @Test func whatWasHereBeforeIsSentAgainWhenTheHubDropsIt() throws {
    var world = World(.ascending)
    let events: [Event] = [
      .put(0, key: 0), .push(0, .never), .pull(1), .put(0, key: 0), .push(0, .never),
    ]
    for event in events { try world.apply(event) }
    let before = try #require(world.replica.shown(World.names[0]))
    try world.pull(opening: .unreadable)
    #expect(world.replica.shown(World.names[0]) == before)
    world.devices[1].replica.purge(World.names[0], at: world.clock)
    #expect(world.replica.shown(World.names[0]) == before)
    #expect(world.replica.outbox.waiting == [World.names[0]])
    #expect(world.replica.inbox.isEmpty)
  }

  @Test func aZoneWithANewerRecordIsReadOnlyWhileItsAuthorIsAMember() throws {
    var world = try world(opening: .newerFormat)
    #expect(world.replica.isReadOnly(in: world.devices[1].circle))
    #expect(world.plan(1, reseals: false) == nil && !world.mayRoll(1))
    #expect(world.replica.shown(World.names[2]) != nil)
    #expect(ZoneReplica(rows: world.replica.rows) == world.replica)
    for event: Event in [.remove(0, by: 1), .pullCircle(1)] { try world.apply(event) }
    #expect(!world.replica.isReadOnly(in: world.devices[1].circle))
    #expect(world.plan(1, reseals: false)?.versions.keys.sorted() == [World.names[2]])
    #expect(world.plan(1, reseals: true)?.purges == [], "another device may be able to read it")
  }

  @Test func aBodyThatIsNotTheSignedOneAppliesNothing() throws {
    var world = World(.ascending)
    for event: Event in [.put(0, key: 0), .put(0, key: 1), .push(0, .never)] {
      try world.apply(event)
    }
    #expect(throws: HubAlarm.hubTampered(.missingBody)) { try world.pull(opening: .missing) }
    #expect(world.replica.records.isEmpty)
    #expect(world.replica.alarm == .hubTampered(.missingBody))
  }

  @Test(arguments: [1 << 60, .max, .max / 2, ZoneReplica.forgottenMax + 1] as [UInt64])
  func changesThatADeviceNeverMadeAreNotBelieved(_ count: UInt64) throws {
    var world = World(.ascending)
    for event: Event in [.put(0, key: 0), .push(0, .never)] { try world.apply(event) }
    world.pullCircle(1)
    let keys = Boaster(keys: ModelKeys(access: world.devices[1].access), World.peers[1], count)
    let (answer, circle) = (world.hub.answer(behind: .beginning), world.devices[1].circle)
    try world.devices[1].replica.pull(answer, in: circle, keys, at: world.clock, World.ports)
    #expect(world.replica.inbox.waiting == [World.names[0]: .unreadable])
    #expect(world.replica.records.isEmpty && world.replica.changesMade == 0)
  }
}

extension World {
  fileprivate var replica: ZoneReplica { devices[1].replica }

  /// The device 1 takes what is new, and opens the record 0 to this.
  fileprivate mutating func pull(opening first: OpenedRecord) throws {
    pullCircle(1)
    let keys = Puzzled(keys: ModelKeys(access: devices[1].access), first: first)
    let answer = hub.answer(behind: devices[1].replica.chain.head)
    try devices[1].replica.pull(answer, in: devices[1].circle, keys, at: clock, World.ports)
  }
}

/// Opens all bodies but that of the record 0.
private struct Puzzled: RecordOpening {
  let keys: ModelKeys
  let first: OpenedRecord

  func open(_ name: RecordName, _ line: ZoneManifest.Line) -> OpenedRecord {
    name == World.names[0] ? first : keys.open(name, line)
  }
}

/// Opens bodies as if their author knew so many changes of a peer's.
private struct Boaster: RecordOpening {
  let keys: ModelKeys
  let dot: VersionVector.Dot

  init(keys: ModelKeys, _ peer: PeerIdentifier, _ count: UInt64) {
    self.keys = keys
    dot = VersionVector.Dot(peer, count)
  }

  func open(_ name: RecordName, _ line: ZoneManifest.Line) -> OpenedRecord {
    guard case .version(var version) = keys.open(name, line) else { return .unreadable }
    version.vector.add(dot)
    return .version(version)
  }
}
