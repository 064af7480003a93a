import LocalAuthCore
import Testing

@testable import LocalAuthSync

/// What a hub lost while the devices have it, and what a person's word makes of that.
@Suite struct ZoneRepairTests {
  private func world(_ events: Event...) throws -> World {
    var world = World(.ascending)
    for event in events { try world.apply(event) }
    return world
  }

  /// Three devices that have two records, of which the hub lost the first.
  private func lossy() throws -> World {
    var world = try world(
      .put(0, key: 0),
      .put(0, key: 1),
      .push(0, .never),
      .pull(1),
      .pull(2)
    )
    world.hub.bodies[World.names[0]] = nil
    return world
  }

  /// The record that the hub lost, as each device shows it.
  private func shown(_ world: World, _ key: Int = 0) -> [RecordVersion?] {
    world.devices.map { $0.replica.shown(World.names[key]) }
  }

  @Test func aRecordThatTheHubLostIsSentAnewByWhoHoldsIt() throws {
    var world = try lossy()
    let before = shown(world)
    for device in 0..<3 { try world.doubtAndRepair(device) }
    try world.pull(0)
    #expect(world.replica(0).inbox.waiting == [World.names[0]: .lost])
    #expect(world.replica(0).outbox.waiting == [World.names[0]])
    #expect(world.replica(0).alarm == nil && !world.replica(0).isRepairing)
    let hasEnded = try world.synchronize([0, 1, 2])
    #expect(hasEnded)
    #expect(world.hub.bodies[World.names[0]] != nil)
    #expect(shown(world) == before, "the change is the one that was made")
    for device in 0..<3 {
      #expect(world.replica(device).alarm == nil && world.replica(device).inbox.isEmpty)
      #expect(world.replica(device).outbox.waiting.isEmpty)
    }
  }

  @Test func aBodyThatTheHubDamagedIsSentAnewToo() throws {
    var world = try lossy()
    world.hub.bodies[World.names[0]] = CircleFixture.digest(9)
    try world.doubtAndRepair(0)
    let hasEnded = try world.synchronize([0, 1, 2])
    #expect(hasEnded && world.replica(0).alarm == nil && world.replica(0).inbox.isEmpty)
    #expect(
      world.hub.bodies[World.names[0]]
        == world.replica(1).chain.manifest.lines[World.names[0]]?.body
    )
  }

  /// Each of them looks at the hub before any other one has sent what it lost.
  @Test func allDevicesMayRepairAtOnce() throws {
    var world = try lossy()
    for device in 0..<3 { try world.doubtAndRepair(device) }
    for device in 0..<3 { try world.pull(device) }
    let hasEnded = try world.synchronize([0, 1, 2])
    #expect(hasEnded)
    let alarms = (0..<3).compactMap { world.replica($0).alarm }
    #expect(alarms.isEmpty && Set(shown(world)).count == 1)
  }

  @Test func whatIsNotHereWaitsForADeviceThatHasIt() throws {
    var world = try world(.put(0, key: 0), .put(0, key: 1), .push(0, .never), .pull(1))
    world.hub.bodies[World.names[0]] = nil
    #expect(throws: HubAlarm.hubTampered(.missingBody)) { try world.pull(2) }
    #expect(world.replica(2).needsRepair)
    try world.repair(2)
    try world.pull(2)
    #expect(world.replica(2).inbox.waiting == [World.names[0]: .lost])
    #expect(world.replica(2).needsRepair, "a person may have it looked for once more")
    #expect(world.replica(2).shown(World.names[1]) != nil)
    #expect(world.replica(2).outbox.waiting.isEmpty && world.plan(2, reseals: true) == nil)
    #expect(ZoneReplica(rows: world.replica(2).rows) == world.replica(2))
    for event: Event in [.roll(0), .pullCircle(0), .reseal(0), .pull(2)] { try world.apply(event) }
    #expect(world.replica(2).inbox.isEmpty && !world.replica(2).needsRepair)
    #expect(world.replica(2).shown(World.names[0]) == world.replica(0).shown(World.names[0]))
  }

  @Test func whatIsLostIsDroppedByNoNewKeys() throws {
    var world = try world(.put(0, key: 0), .push(0, .never))
    world.hub.bodies[World.names[0]] = nil
    #expect(throws: HubAlarm.self) { try world.pull(2) }
    try world.repair(2)
    for event: Event in [.pull(2), .roll(2), .pullCircle(2)] { try world.apply(event) }
    #expect(world.plan(2, reseals: true) == nil, "another device may have it")
  }

  @Test func aChangeIsWrittenOverWhatTheHubLost() throws {
    var world = try world(.put(0, key: 0), .push(0, .never))
    world.hub.bodies[World.names[0]] = nil
    #expect(throws: HubAlarm.self) { try world.pull(2) }
    try world.repair(2)
    for event: Event in [.pull(2), .put(2, key: 0), .push(2, .never)] { try world.apply(event) }
    #expect(world.replica(2).inbox.isEmpty && world.replica(2).outbox.waiting.isEmpty)
    try world.pull(0)
    #expect(world.replica(0).records[World.names[0]]?.current.vector.dots.count == 2)
  }

  // MARK: A hub that lies

  @Test func aBodyThatIsMissingOnceAllWasFetchedIsALieAgain() throws {
    var world = try lossy()
    try world.doubtAndRepair(1)
    try world.pull(1)
    for event: Event in [.put(0, key: 1), .push(0, .never)] { try world.apply(event) }
    world.hub.bodies[World.names[1]] = nil
    let before = world.replica(1).records
    #expect(throws: HubAlarm.hubTampered(.missingBody)) { try world.pull(1) }
    #expect(world.replica(1).records == before)
  }

  @Test func everythingElseThatIsChangedIsALieAlsoBehindARepair() throws {
    var world = try lossy()
    try world.doubtAndRepair(1)
    var answer = world.hub.answer(behind: .beginning)
    answer.entries[0].signature[0] ^= 1
    #expect(throws: HubAlarm.hubTampered(.author)) { try world.take(answer, 1) }
    #expect(world.replica(1).isRepairing)
    try world.repair(1)
    try world.pull(1)
    #expect(!world.replica(1).isRepairing)
  }

  /// Whether what it keeps back is a newer content, or that there is none any more.
  @Test(arguments: [Event.put(0, key: 0), .delete(0, key: 0)])
  func whatAHubKeepsBackFromWhoRepairsIsNotOverruled(_ change: Event) throws {
    var world = try lossy()
    try world.apply(change)
    try world.apply(.push(0, .never))
    let latest = try #require(world.replica(0).records[World.names[0]]?.current)
    try world.doubtAndRepair(1)
    var answer = world.hub.answer(behind: .beginning)
    answer.bodies[World.names[0]] = nil
    try world.take(answer, 1)
    #expect(world.replica(1).acknowledged < world.replica(1).chain.head.number)
    let hasEnded = try world.synchronize([1, 0, 2])
    #expect(hasEnded)
    for device in 0..<3 {
      let current = try #require(world.replica(device).records[World.names[0]]?.current)
      #expect(current.content == latest.content && current.isTombstone == latest.isTombstone)
    }
  }

  // MARK: Kept

  @Test func aRepairThatIsUnderWayIsKeptWithTheReplica() throws {
    var world = try lossy()
    try world.doubtAndRepair(0)
    #expect(ZoneReplica(rows: world.replica(0).rows)?.isRepairing == true)
    #expect(ZoneReplica(rows: world.replica(0).rows) == world.replica(0))
    let rows = world.replica(0).rows
    for (index, row) in rows.enumerated() where row.key.kind == .zone {
      var others = rows
      others[index] = SyncRow(row.key, row.value.dropLast() + [0])
      #expect(ZoneReplica(rows: others) == nil, "there is one encoding of it")
    }
    try world.pull(0)
    #expect(ZoneReplica(rows: world.replica(0).rows) == world.replica(0))
  }

  @Test func whoFindsNothingAtTheHubHasRepairedWithItsFirstPush() throws {
    var world = try lossy()
    let log = world.hub.circle
    world.hub = ModelHub()
    world.hub.circle = log
    try world.doubtAndRepair(0)
    try world.apply(.push(0, .never))
    #expect(!world.replica(0).isRepairing && world.replica(0).outbox.waiting.isEmpty)
  }
}

extension World {
  fileprivate func replica(_ device: Int) -> ZoneReplica { devices[device].replica }

  /// A device is shown another history, and its person accepts that.
  fileprivate mutating func doubtAndRepair(_ device: Int) throws {
    let number = replica(device).chain.head.number
    let other = ChainPlace(number: number, digest: CircleFixture.digest(9))
    do throws(HubAlarm) {
      try devices[device].replica.hear(other, from: Self.peers[0])
      Issue.record("it is another history")
    } catch {}
    try repair(device)
  }

  fileprivate mutating func repair(_ device: Int) throws {
    let chain = replica(device).chain
    let acceptance = SyncWatermark.Acceptance(
      chain.watermark.subject,
      from: chain.head,
      to: .beginning
    )
    let isRepaired = devices[device].replica.repair(acceptance)
    try #require(isRepaired)
  }
}
