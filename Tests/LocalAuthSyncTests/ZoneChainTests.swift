import LocalAuthCore
import Testing

@testable import LocalAuthSync

@Suite struct ZoneChainTests {
  /// A hub with a few entries of two devices, which the third has not seen.
  private func busyWorld() throws -> World {
    var world = World(.ascending)
    for event: Event in [
      .put(0, key: 0), .put(0, key: 1), .push(0, .never), .pull(1), .put(1, key: 0),
      .push(1, .never), .delete(1, key: 1), .push(1, .never),
    ] { try world.apply(event) }
    return world
  }

  @Test func anEntryComesBackFromItsBytesAndNothingElseDoes() throws {
    for entry in try busyWorld().hub.entries {
      #expect(ZoneEntry(entry.bytes) == entry)
      for count in 0..<entry.bytes.count {
        #expect(ZoneEntry(Array(entry.bytes.prefix(count))) != entry)
      }
      for index in entry.bytes.indices {
        var changed = entry.bytes
        changed[index] ^= 1
        guard let other = ZoneEntry(changed) else { continue }
        #expect(other.bytes == changed, "two encodings of one entry")
      }
    }
  }

  @Test func anyChangedByteOfAnEntryIsNoticed() throws {
    let world = try busyWorld()
    let honest = world.hub.answer(behind: .beginning)
    for (index, entry) in honest.entries.enumerated() {
      for place in entry.bytes.indices {
        var bytes = entry.bytes
        bytes[place] ^= 1
        guard let changed = ZoneEntry(bytes) else { continue }
        var answer = honest
        answer.entries[index] = changed
        var liedTo = world
        let before = liedTo.devices[2].replica.records
        #expect(throws: HubAlarm.self) { try liedTo.take(answer, 2) }
        #expect(liedTo.devices[2].replica.records == before)
      }
    }
  }

  @Test func pagesGiveWhatTheWholeGives() throws {
    let world = try busyWorld()
    var whole = world
    try whole.pull(2)
    var paged = world
    let all = world.hub.answer(behind: .beginning)
    for (index, entry) in all.entries.enumerated() {
      let isLast = index == all.entries.count - 1
      let names = Set(entry.changes.map(\.name))
      let page = ZoneAnswer(
        entries: [entry],
        bodies: all.bodies.filter { isLast || names.contains($0.key) },
        head: all.head
      )
      try paged.take(page, 2)
    }
    #expect(paged.devices[2].replica.records == whole.devices[2].replica.records)
    #expect(paged.devices[2].replica.inbox.isEmpty)
    #expect(paged.devices[2].replica.chain.head == whole.devices[2].replica.chain.head)
  }

  @Test func aShorterOrOtherChainIsARollback() throws {
    var world = try busyWorld()
    try world.pull(2)
    let head = world.devices[2].replica.chain.head
    var short = world
    let earlier = world.hub.places[1]
    #expect(throws: HubAlarm.hubRolledBack(verified: head, offered: earlier)) {
      try short.take(ZoneAnswer(entries: [], bodies: [:], head: earlier), 2)
    }
    #expect(short.devices[2].replica.alarm != nil)
    #expect(short.devices[2].replica.shown(World.names[0]) != nil, "reading goes on")
    let other = ChainPlace(number: head.number, digest: CircleFixture.digest(1))
    #expect(throws: HubAlarm.hubForked(.items, at: head.number)) {
      try world.take(ZoneAnswer(entries: [], bodies: [:], head: other), 2)
    }
  }

  /// A member can leave at the hub what is no entry.
  @Test func whatIsNoEntryIsAnAlarmBehindWhatIsAnEntryAndHidesNoRollback() throws {
    var world = try busyWorld()
    let end = world.hub.head
    let far = ChainPlace(number: 9, digest: CircleFixture.digest(9))
    var page = world.hub.answer(behind: .beginning)
    (page.head, page.isCutShort) = (far, true)
    try world.take(page, 2)
    #expect(world.devices[2].replica.chain.head == end)
    var short = world
    let earlier = world.hub.places[1]
    #expect(throws: HubAlarm.hubRolledBack(verified: end, offered: earlier)) {
      try short.take(ZoneAnswer(entries: [], bodies: [:], head: earlier, isCutShort: true), 2)
    }
    var forked = world
    let other = ChainPlace(number: end.number, digest: CircleFixture.digest(1))
    #expect(throws: HubAlarm.hubForked(.items, at: end.number)) {
      try forked.take(ZoneAnswer(entries: [], bodies: [:], head: other, isCutShort: true), 2)
    }
    #expect(throws: HubAlarm.hubTampered(.author)) {
      try world.take(ZoneAnswer(entries: [], bodies: [:], head: far, isCutShort: true), 2)
    }
    #expect(world.devices[2].replica.alarm == .hubTampered(.author))
    #expect(world.devices[2].replica.shown(World.names[0]) != nil, "reading goes on")
  }

  @Test func aRemovedDevicesEntryIsRefusedByTheChainItself() throws {
    var world = World(.ascending)
    for event: Event in [.put(1, key: 0), .push(1, .beforeSending), .remove(1, by: 0)] {
      try world.apply(event)
    }
    let batch = try #require(world.devices[1].replica.outbox.batch)
    _ = world.hub.push(batch, [:])
    world.pullCircle(2)
    let answer = world.hub.answer(behind: .beginning)
    var chain = world.devices[2].replica.chain
    #expect(throws: HubAlarm.hubTampered(.removedAuthor)) {
      _ = try chain.admit(
        answer.entries,
        bodies: answer.bodies,
        head: answer.head,
        in: world.devices[2].circle,
        World.ports
      )
    }
    #expect(chain == world.devices[2].replica.chain)
  }

  @Test func aPlaceThatAMemberSignedIsComparedWhenItIsReached() throws {
    var world = try busyWorld()
    let second = ChainPlace(number: 2, digest: CircleFixture.digest(1))
    try world.devices[2].replica.hear(second, from: World.peers[0])
    #expect(world.devices[2].replica.chain.claimedNumber == 2)
    #expect(throws: HubAlarm.hubForked(.items, at: 2)) { try world.pull(2) }
    #expect(world.devices[2].replica.records.isEmpty)
  }

  @Test func aFalsePlaceDoesNotOutliveItsAuthor() throws {
    var world = try busyWorld()
    let far = ChainPlace(number: 1 << 63, digest: CircleFixture.digest(1))
    try world.devices[2].replica.hear(far, from: World.peers[1])
    try world.pull(2)
    #expect(world.devices[2].replica.chain.claimedNumber == far.number)
    for event: Event in [.pull(0), .remove(1, by: 0)] { try world.apply(event) }
    world.pullCircle(2)
    try world.pull(2)
    #expect(world.devices[2].replica.chain.claimedNumber == 0)
  }

  @Test func aPlaceStaysClaimedWhileSomebodyOfTheCircleSaysSo() throws {
    var world = try busyWorld()
    let next = ChainPlace(number: 9, digest: CircleFixture.digest(1))
    for author in [1, 0, 0] { try world.devices[2].replica.hear(next, from: World.peers[author]) }
    for event: Event in [.pull(0), .remove(1, by: 0)] { try world.apply(event) }
    world.pullCircle(2)
    try world.pull(2)
    #expect(world.devices[2].replica.chain.claimedNumber == 9)
  }

  @Test func aMembersFalsePlacesDoNotCrowdOutAnothersWord() throws {
    var world = try busyWorld()
    for number in UInt64(100)..<5000 {
      let place = ChainPlace(number: number, digest: CircleFixture.digest(1))
      try world.devices[2].replica.hear(place, from: World.peers[1])
    }
    #expect(world.devices[2].replica.chain.claims.places.count == PlaceClaims.placesMax)
    let fork = ChainPlace(number: 2, digest: CircleFixture.digest(1))
    try world.devices[2].replica.hear(fork, from: World.peers[0])
    let kept = try #require(ZoneReplica(rows: world.devices[2].replica.rows))
    #expect(kept == world.devices[2].replica)
    #expect(throws: HubAlarm.hubForked(.items, at: 2)) { try world.pull(2) }
  }

  @Test func theWatermarkMovesBackByOneNamedDecisionAlone() {
    var mark = SyncWatermark(.zone(.items, circle: .none))
    let third = ChainPlace(number: 3, digest: CircleFixture.digest(3))
    let second = ChainPlace(number: 2, digest: CircleFixture.digest(2))
    let other = ChainPlace(number: 3, digest: CircleFixture.digest(4))
    let advances = [third, third, second, other].map { mark.advance(to: $0) }
    #expect(advances == [true, true, false, false])
    let subject = mark.subject
    let decisions = [
      SyncWatermark.Acceptance(subject, from: second, to: .beginning),
      SyncWatermark.Acceptance(.circle(.none), from: third, to: second),
      SyncWatermark.Acceptance(subject, from: other, to: second),
    ].map { mark.accept($0) }
    #expect(decisions == [false, false, false])
    #expect(mark.place == third)
    let isAccepted = mark.accept(SyncWatermark.Acceptance(subject, from: third, to: second))
    #expect(isAccepted)
    #expect(mark.place == second)
  }

  @Test func theManifestsDigestSaysEverything() throws {
    let lines = try busyWorld().devices[1].replica.chain.manifest.lines
    let digest = ZoneManifest.digest(of: lines, World.ports.hash)
    for (name, line) in lines {
      var changed = lines
      let other = ZoneManifest.Line(
        body: line.body,
        keyClass: line.keyClass,
        epoch: line.epoch + 1,
        number: line.number
      )
      changed[name] = other
      #expect(ZoneManifest.digest(of: changed, World.ports.hash) != digest)
      changed[name] = nil
      #expect(ZoneManifest.digest(of: changed, World.ports.hash) != digest)
    }
  }

  @Test func aManifestWithALineOfNoEntryIsNone() {
    func isRead(_ number: UInt64) -> Bool {
      let line = ZoneManifest.Line(
        body: CircleFixture.digest(1),
        keyClass: .afterFirstUnlock,
        epoch: 1,
        number: number
      )
      let lines = [World.names[0]: line]
      let digest = ZoneManifest.digest(of: lines, World.ports.hash)
      return ZoneManifest(lines, confirmedBy: digest, World.ports.hash) != nil
    }
    #expect(isRead(1) && !isRead(0))
  }
}
