import LocalAuthCore
import Testing

@testable import LocalAuthSync

/// What a removed device had seen, and still knows.
@Suite struct SeenSecretsTests {
  private func world(_ events: Event...) throws -> World {
    var world = World(.ascending)
    for event in events { try world.apply(event) }
    return world
  }

  /// What the device 1 could read, by the replica of the device 0.
  private func seen(in world: World, until cut: ChainPlace? = nil) -> SeenSecrets {
    SeenSecrets(by: World.peers[1], in: world.devices[0].replica, until: cut)
  }

  private func mark(_ secret: UInt8, of item: UInt8 = 1) -> SecretMark {
    let kept = CircleFixture.digest(secret &* 16 &+ item)
    return SecretMark(secret: CircleFixture.digest(secret), kept: kept)
  }

  private let names = World.names

  // MARK: What is on it

  @Test func whatTheHubHadIsOnTheListAndNothingElse() throws {
    let world = try world(.put(0, key: 0), .put(0, key: 1), .push(0, .never), .put(0, key: 2))
    #expect(seen(in: world).listed(in: world.devices[0].replica) == [names[0], names[1]])
  }

  /// The sealed body had come, so the other device could read it.
  @Test func whatIsNotOpenedIsOnTheListAndStaysOnceItIs() throws {
    var world = try world(.put(1, key: 2), .push(1, .never), .lock(0), .pull(0))
    var seen = seen(in: world)
    #expect(world.devices[0].replica.records[names[2]] == nil)
    #expect(seen.listed(in: world.devices[0].replica) == [names[2]])
    try world.apply(.unlock(0))
    let isNoted = seen.replace(names[2], nil, by: mark(1))
    let isSettled = seen.settle(in: world.devices[0].replica)
    #expect(!isNoted && isSettled && seen.listed(in: world.devices[0].replica) == [names[2]])
    let isGone = seen.replace(names[2], mark(1), by: mark(2))
    #expect(isGone && seen.listed(in: world.devices[0].replica).isEmpty)
  }

  /// The older secret is here, and the device that is removed knows the newer one.
  @Test func whatWasChangedBeforeTheRemovalAndIsOpenedOnlyThenStays() throws {
    var world = try world(
      .put(1, key: 2),
      .push(1, .never),
      .pull(0),
      .lock(0),
      .put(1, key: 2),
      .push(1, .never),
      .pull(0)
    )
    var seen = seen(in: world)
    try world.apply(.unlock(0))
    _ = seen.replace(names[2], mark(1), by: mark(2))
    _ = seen.settle(in: world.devices[0].replica)
    #expect(seen.listed(in: world.devices[0].replica) == [names[2]])
    _ = seen.replace(names[2], mark(2), by: mark(3))
    #expect(seen.listed(in: world.devices[0].replica).isEmpty)
  }

  @Test func whatIsSentAgainAfterARepairIsOnTheList() throws {
    var world = try world(.put(0, key: 0), .put(0, key: 1), .push(0, .never))
    let head = world.devices[0].replica.chain.head
    world.hub.entries.removeLast()
    world.hub.places.removeLast()
    world.hub.bodies = [:]
    #expect(throws: HubAlarm.self) { try world.take(world.hub.answer(behind: .beginning), 0) }
    let isRepaired = world.devices[0].replica.repair(
      SyncWatermark.Acceptance(
        world.devices[0].replica.chain.watermark.subject,
        from: head,
        to: .beginning
      )
    )
    #expect(isRepaired && world.devices[0].replica.records[names[0]]?.mirrored == nil)
    #expect(seen(in: world).listed(in: world.devices[0].replica) == [names[0], names[1]])
  }

  @Test func whatCameOnlyAfterTheRemovalAndWasThereBeforeIsOnTheList() throws {
    var world = try world(.put(1, key: 0), .push(1, .never))
    let cut = world.hub.head
    for event: Event in [.put(2, key: 1), .pull(2), .push(2, .never)] { try world.apply(event) }
    let old = world.devices[0].replica
    var seen = seen(in: world, until: cut)
    #expect(seen.isIncomplete && seen.listed(in: old).isEmpty)
    try world.apply(.pull(0))
    let new = world.devices[0].replica
    let isNoted = seen.foresee(world.hub.entries, from: old, to: new)
    let isSettled = seen.settle(in: new)
    #expect(isNoted && isSettled && !seen.isIncomplete)
    #expect(seen.listed(in: new) == [names[0]], "and not what was written behind it")
  }

  @Test func allThatACheckpointBringsBehindARemovalIsOnTheList() throws {
    var world = try world(.put(1, key: 0), .put(1, key: 1), .push(1, .never))
    let old = world.devices[0].replica
    var seen = seen(in: world, until: world.hub.head)
    try world.apply(.pull(0))
    _ = seen.foresee([], from: old, to: world.devices[0].replica)
    #expect(seen.listed(in: world.devices[0].replica) == [names[0], names[1]])
  }

  @Test func whoHasNothingOfTheZoneKnowsThatItIsNotAll() throws {
    let cut = ChainPlace(number: 3, digest: CircleFixture.digest(1))
    let seen = SeenSecrets(by: World.peers[1], in: nil, until: cut)
    #expect(seen.isIncomplete && !seen.isEmpty)
    #expect(SeenSecrets(by: World.peers[1], in: nil, until: nil).isEmpty)
  }

  // MARK: What leaves it

  @Test func aSecretLeavesTheListWhenItIsAnotherOneAndStaysWithAnotherComment() throws {
    let world = try world(.put(0, key: 0), .put(0, key: 1), .push(0, .never))
    let replica = world.devices[0].replica
    var seen = seen(in: world)
    let isNoted = seen.replace(names[0], mark(1), by: mark(1))
    #expect(!isNoted && seen.listed(in: replica) == [names[0], names[1]])
    let isGone = seen.replace(names[0], mark(1), by: mark(2))
    #expect(isGone && seen.listed(in: replica) == [names[1]])
  }

  @Test func whatCannotBeToldStays() throws {
    let world = try world(.put(0, key: 0), .push(0, .never))
    var seen = seen(in: world)
    for (old, new) in [(nil, mark(2)), (mark(1), nil), (nil, nil)] {
      let isNoted = seen.replace(names[0], old, by: new)
      #expect(!isNoted && seen.has(names[0]))
    }
  }

  @Test func whatIsDeletedLeavesTheList() throws {
    var world = try world(.put(0, key: 0), .put(0, key: 1), .push(0, .never))
    var seen = seen(in: world)
    let isNoted = seen.delete(names[0], mark(1))
    #expect(isNoted && !seen.has(names[0]))
    try world.apply(.delete(0, key: 1))
    #expect(seen.listed(in: world.devices[0].replica).isEmpty)
    let isSettled = seen.settle(in: world.devices[0].replica)
    #expect(isSettled && !seen.has(names[1]))
  }

  @Test func aSecretThatComesBackUnderAnotherNameIsOnTheList() throws {
    let world = try world(.put(0, key: 0), .push(0, .never), .put(0, key: 1))
    let replica = world.devices[0].replica
    var seen = seen(in: world)
    _ = seen.delete(names[0], mark(1))
    let isOther = seen.replace(names[1], nil, by: mark(1, of: 2))
    #expect(!isOther && seen.listed(in: replica).isEmpty, "another item may have such a secret")
    let isNoted = seen.replace(names[1], nil, by: mark(1))
    #expect(isNoted && seen.listed(in: replica) == [names[1]])
  }

  @Test func aSecretThatIsPutBackIsOnTheListAgain() throws {
    let world = try world(.put(0, key: 0), .push(0, .never))
    var seen = seen(in: world)
    _ = seen.replace(names[0], mark(1), by: mark(2))
    #expect(!seen.has(names[0]))
    _ = seen.replace(names[0], mark(2), by: mark(1))
    #expect(seen.has(names[0]))
  }

  // MARK: Rows

  private func row(_ seen: SeenSecrets) throws -> SyncRow {
    guard case .put(let row) = SeenSecrets.change(of: seen.peer, to: seen) else {
      throw Fault(property: .equalDigests, why: "it is a row")
    }
    return row
  }

  @Test func whatARemovedDeviceKnowsIsReadAsItWasWrittenAndNothingElse() throws {
    let world = try world(
      .put(1, key: 0),
      .put(1, key: 1),
      .put(1, key: 2),
      .push(1, .never),
      .lock(0),
      .pull(0)
    )
    let cut = ChainPlace(number: 9, digest: CircleFixture.digest(1))
    var seen = seen(in: world, until: cut)
    _ = seen.delete(names[0], mark(1))
    let row = try row(seen)
    #expect(SyncRow(key: row.key.bytes, value: row.value).flatMap { SeenSecrets($0) } == seen)
    #expect(SeenSecrets.change(of: seen.peer, to: nil) == .remove(row.key))
    for count in row.value.indices {
      #expect(SeenSecrets(SyncRow(row.key, Array(row.value.prefix(count)))) == nil)
    }
    #expect(SeenSecrets(SyncRow(row.key, row.value + [0])) == nil)
    #expect(SeenSecrets(SyncRow(SyncRow.Key(.outbox, .items), row.value)) == nil)
  }

  @Test func aRowOfAnEarlierVersionIsReadAndItsRecordsStayOnTheList() throws {
    var world = try world(.put(0, key: 0), .put(0, key: 1), .push(0, .never))
    func old(_ numbers: [Int]) -> SeenSecrets? {
      var framed = FramedBytes("LocalAuth sync row seen 1")
      framed.add(UInt32(numbers.count))
      for number in numbers {
        framed.add(names[number].digest)
        framed.add(CircleFixture.digest(7))
      }
      return SeenSecrets(SyncRow(SyncRow.Key(.seen, .items, .peer(World.peers[1])), framed.bytes))
    }
    let seen = try #require(old([0, 1]))
    #expect(seen.listed(in: world.devices[0].replica) == [names[0], names[1]])
    try world.apply(.delete(0, key: 1))
    #expect(seen.listed(in: world.devices[0].replica) == [names[0]])
    #expect(old([1, 0]) == nil && old([0, 0]) == nil, "no device writes a record twice")
  }
}
