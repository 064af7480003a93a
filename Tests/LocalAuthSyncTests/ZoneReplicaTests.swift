import LocalAuthCore
import Testing

@testable import LocalAuthSync

@Suite struct ZoneReplicaTests {
  private func world(_ events: Event...) throws -> World {
    var world = World(.ascending)
    for event in events { try world.apply(event) }
    return world
  }

  @Test func theSameBatchIsSentAgainAndCountsOnce() throws {
    var world = try world(.put(0, key: 0), .push(0, .beforeAnswer))
    let batch = try #require(world.devices[0].replica.outbox.batch)
    for _ in 0..<5 { _ = world.hub.push(batch, [:]) }
    #expect(world.hub.entries.count == 1)
    try world.apply(.push(0, .never))
    #expect(world.hub.entries.count == 1)
    #expect(world.devices[0].replica.outbox.batch == nil)
    #expect(world.devices[0].replica.outbox.waiting.isEmpty)
  }

  @Test func aBatchThatTheChainShowsWasAccepted() throws {
    var world = try world(.put(0, key: 2), .push(0, .beforeAnswer), .lock(0), .pull(0))
    #expect(world.devices[0].replica.outbox.batch == nil)
    #expect(world.devices[0].replica.outbox.waiting.isEmpty)
    #expect(world.devices[0].replica.inbox.isEmpty, "what a device sealed itself it knows")
    try world.apply(.unlock(0))
    #expect(world.devices[0].replica.shown(World.names[2]) != nil)
  }

  @Test func whatChangedWhileABatchWasUnderWayIsSentNext() throws {
    var world = try world(.put(0, key: 0), .push(0, .beforeSending), .put(0, key: 0))
    let newer = try #require(world.devices[0].replica.shown(World.names[0]))
    try world.apply(.push(0, .never))
    #expect(world.devices[0].replica.outbox.waiting == [World.names[0]])
    try world.apply(.push(0, .never))
    try world.apply(.pull(1))
    #expect(world.devices[1].replica.shown(World.names[0]) == newer)
  }

  @Test func whoseRefusedPullsBeforeItSendsAgain() throws {
    var world = try world(.put(0, key: 0), .put(1, key: 0), .push(0, .never), .push(1, .never))
    #expect(world.devices[1].replica.outbox.isBehind)
    #expect(world.plan(1, reseals: false) == nil)
    try world.apply(.pull(1))
    try world.apply(.push(1, .never))
    try world.apply(.pull(0))
    let shown = [0, 1].map { world.devices[$0].replica.records[World.names[0]]?.current }
    #expect(shown[0] == shown[1])
  }

  @Test func whatLostWhileTheClockWasYearsBehindIsNotOldOnceItIsRight() throws {
    let latest = WallInstant(milliseconds: 1_800_000_000_000)
    var replica = ZoneReplica(
      .keyValues,
      circle: CircleFixture.digest(1),
      of: CircleFixture.peer(0),
      horizon: TimeHorizon(latest)
    )
    let behind = WallInstant(milliseconds: 1_400_000_000_000)
    let lost = replica.discard(
      World.names[0],
      content: CircleFixture.digest(2),
      .afterFirstUnlock,
      written: behind,
      at: behind
    )
    #expect(replica.shelf.entries.map(\.version) == [lost] && lost.modified == behind)
    #expect(replica.shelf.expire(at: latest).isEmpty)
    let late = WallInstant(milliseconds: latest.milliseconds + ConflictShelf.keptFor)
    #expect(replica.shelf.expire(at: late).map(\.version) == [lost])
  }

  @Test func whoBeginsAnewGoesOnCountingItsChanges() {
    var replica = ZoneReplica(
      .keyValues,
      circle: CircleFixture.digest(1),
      of: CircleFixture.peer(0),
      horizon: TimeHorizon(WallInstant(milliseconds: 5))
    )
    for number in 1...3 {
      replica.put(
        World.names[0],
        ValueRecord.identifier,
        content: CircleFixture.digest(UInt8(number)),
        .afterFirstUnlock,
        at: WallInstant(milliseconds: 5)
      )
    }
    replica.beginAnew()
    #expect(replica.records.isEmpty && replica.outbox.waiting.isEmpty && replica.changesMade == 3)
    #expect(replica.chain.head == .beginning && replica.alarm == nil && replica.inbox.isEmpty)
  }

  @Test func whoBeginsAnewIsLedThroughThePlaceThatWasReached() throws {
    var world = try world(.put(0, key: 0), .push(0, .never), .put(0, key: 2), .push(0, .never))
    try world.apply(.pull(1))
    let reached = world.devices[1].replica.chain.head
    world.devices[1].replica.beginAnew()
    #expect(world.devices[1].replica.chain.head == .beginning)
    #expect(world.devices[1].replica.chain.claimedNumber == reached.number)
    try world.apply(.pull(1))
    #expect(world.devices[1].replica.chain.head == reached)
    #expect(world.devices[1].replica.chain.claimedNumber == 0)
    world.devices[1].replica.beginAnew()
    let other = ChainPlace(number: reached.number, digest: CircleFixture.digest(9))
    #expect(throws: HubAlarm.self) {
      try world.devices[1].replica.hear(other, from: World.peers[0])
    }
    #expect(world.devices[1].replica.alarm != nil)
    world.devices[1].replica.beginAnew()
    #expect(world.devices[1].replica.alarm != nil, "that takes a person's word")
  }

  @Test func wordsOfAHistoryThatAPersonLetGoAreNoFork() throws {
    var world = try world(.put(0, key: 0), .push(0, .never), .put(0, key: 2), .push(0, .never))
    try world.apply(.pull(1))
    let lost = world.devices[1].replica.chain.head
    let other = ChainPlace(number: lost.number, digest: CircleFixture.digest(9))
    #expect(throws: HubAlarm.self) {
      try world.devices[1].replica.hear(other, from: World.peers[0])
    }
    let acceptance = SyncWatermark.Acceptance(
      .zone(.items, circle: world.devices[1].circle.circle),
      from: lost,
      to: .beginning
    )
    let isRepaired = world.devices[1].replica.repair(acceptance)
    #expect(isRepaired)
    var replica = try #require(ZoneReplica(rows: world.devices[1].replica.rows))
    #expect(replica == world.devices[1].replica)
    try replica.hear(lost, from: World.peers[0])
    #expect(replica.chain.claimedNumber == 0)
    try replica.hear(other, from: World.peers[0])
    #expect(replica.chain.claimedNumber == other.number)
  }

  @Test func aLockedDeviceWorksOffWhatItCan() throws {
    var world = try world(.put(0, key: 0), .put(0, key: 2), .push(0, .never), .lock(1), .pull(1))
    #expect(world.devices[1].replica.shown(World.names[0]) != nil)
    #expect(world.devices[1].replica.shown(World.names[2]) == nil)
    #expect(world.devices[1].replica.inbox.waiting == [World.names[2]: .locked])
    #expect(world.devices[1].replica.acknowledged == 0)
    try world.apply(.unlock(1))
    #expect(world.devices[1].replica.shown(World.names[2]) != nil)
    #expect(world.devices[1].replica.acknowledged == 1)
  }

  @Test func aRecordThatWaitsInTheInboxIsNotSentOver() throws {
    var world = try world(.put(0, key: 2), .push(0, .never), .lock(1), .pull(1))
    // The same record, of the class that a locked device can seal.
    let (now, content) = (world.clock, CircleFixture.digest(6))
    world.devices[1].replica.put(
      World.names[2],
      World.identifier,
      content: content,
      .afterFirstUnlock,
      at: now
    )
    #expect(world.devices[1].replica.outbox.waiting == [World.names[2]])
    #expect(world.plan(1, reseals: false) == nil)
    try world.apply(.unlock(1))
    let merged = world.devices[1].replica.records[World.names[2]]?.current
    #expect(merged?.vector.dots.count == 2)
  }

  @Test func keysAreNotRolledOverAnIncompleteMirror() throws {
    let locked = try world(.put(0, key: 2), .push(0, .never), .lock(1), .pull(1))
    #expect(!locked.mayRoll(1))
    let behind = try world(.put(0, key: 0), .push(0, .never))
    #expect(!behind.mayRoll(1))
    var ready = behind
    try ready.apply(.pull(1))
    #expect(ready.mayRoll(1))
  }

  @Test func theKeysOfAnEpochAreNeededAsLongAsSomethingIsLeftOfIt() throws {
    var world = try world(.put(0, key: 0), .put(0, key: 1), .push(0, .never), .roll(0), .pull(0))
    func inUse() -> [UInt32] {
      world.devices[0].replica.epochsInUse(in: world.devices[0].circle)
    }
    #expect(inUse() == [2, 1])
    let before = world.devices[0].replica.records
    // One record at a time, as after a kill in the middle.
    for left in [1, 0] {
      let plan = try #require(
        world.devices[0].replica.plan(
          in: world.devices[0].circle,
          world.devices[0].access,
          reseals: true,
          limit: 1
        )
      )
      #expect(plan.versions.count == 1)
      let bodies = Dictionary(
        uniqueKeysWithValues: plan.versions.map { name, version in
          (name, ModelBody.seal(World.names.firstIndex(of: name) ?? 0, version, plan.epoch))
        }
      )
      let circle = world.devices[0].circle
      _ = world.devices[0].replica.compose(
        plan,
        bodies,
        BatchIdentifier(high: 9, low: UInt64(left)),
        in: circle,
        signedBy: World.signers[0]
      )
      try world.apply(.push(0, .never))
      #expect(inUse() == (left == 0 ? [2] : [2, 1]))
    }
    #expect(world.devices[0].replica.records == before, "sealing anew changes no version")
  }

  /// The hub's administrator restores last week's backup.
  @Test func aRolledBackHubIsRepairedByWhatTheDevicesHold() throws {
    var world = try world(
      .put(0, key: 0),
      .push(0, .never),
      .pull(1),
      .put(1, key: 1),
      .push(1, .never),
      .pull(0),
      .delete(0, key: 0),
      .push(0, .never)
    )
    world.hub.entries.removeLast(2)
    world.hub.places.removeLast(2)
    world.hub.bodies = [:]
    for change in world.hub.entries[0].changes { world.hub.bodies[change.name] = change.body }
    for device in 0..<2 {
      #expect(throws: HubAlarm.self) {
        try world.take(world.hub.answer(behind: world.hub.head), device)
      }
      let replica = world.devices[device].replica
      let wrong = SyncWatermark.Acceptance(.circle(.none), from: replica.chain.head, to: .beginning)
      let isRepaired = world.devices[device].replica.repair(wrong)
      #expect(!isRepaired)
      let acceptance = SyncWatermark.Acceptance(
        replica.chain.watermark.subject,
        from: replica.chain.head,
        to: .beginning
      )
      let isAccepted = world.devices[device].replica.repair(acceptance)
      #expect(isAccepted)
    }
    let hasEnded = try world.synchronize([0, 1, 2])
    #expect(hasEnded)
    for device in 0..<3 {
      let replica = world.devices[device].replica
      #expect(replica.shown(World.names[0]) == nil, "the deletion was not forgotten")
      #expect(replica.shown(World.names[1]) != nil)
      #expect(
        replica.records.mapValues(\.current)
          == world.devices[0].replica.records.mapValues(\.current)
      )
    }
  }

  @Test func anOlderCopyOfADeviceCountsOnBehindWhatItForgot() throws {
    var world = try world(.put(0, key: 0), .push(0, .never), .pull(1))
    let older = world.devices[1].replica
    for event: Event in [
      .put(1, key: 0), .put(1, key: 0), .push(1, .never), .pull(0), .put(0, key: 0),
      .push(0, .never),
    ] { try world.apply(event) }
    world.devices[1].replica = older
    try world.apply(.pull(1))
    let known = try #require(world.devices[1].replica.shown(World.names[0])?.vector[World.peers[1]])
    #expect(known == 2)
    try world.apply(.put(1, key: 0))
    let mine = try #require(world.devices[1].replica.shown(World.names[0]))
    #expect(mine.made == VersionVector.Dot(World.peers[1], known + 1))
    for event: Event in [.push(1, .never), .pull(0)] { try world.apply(event) }
    #expect(world.devices[0].replica.shown(World.names[0]) == mine)
  }

  @Test func zonesWatchOverEachOther() throws {
    let notes = try #require(ZoneName("notes"))
    let world = try world(.put(0, key: 0), .push(0, .never), .pull(1))
    var zones = SyncedZones()
    zones[.items] = world.devices[1].replica
    zones[notes] = ZoneReplica(
      notes,
      circle: world.devices[1].circle.circle,
      of: World.peers[1],
      horizon: TimeHorizon(world.clock)
    )
    #expect(zones.heads(besides: notes) == [ZoneHead(.items, world.hub.head)])
    try zones.hear([ZoneHead(.items, world.hub.head)], from: World.peers[0])
    let fork = ChainPlace(number: 1, digest: CircleFixture.digest(4))
    #expect(throws: HubAlarm.hubForked(.items, at: 1)) {
      try zones.hear([ZoneHead(.items, fork)], from: World.peers[0])
    }
    #expect(zones[.items]?.alarm != nil)
    #expect(zones[notes]?.alarm == nil)
  }
}
