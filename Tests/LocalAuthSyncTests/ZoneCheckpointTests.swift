import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

/// A device's word on a zone, and what becomes of those who begin at it.
@Suite struct ZoneCheckpointTests {
  /// A hub with entries of two devices, of which the third has seen nothing, and the second's word on them.
  private struct Told {
    var world = World(.ascending)
    var checkpoint: ZoneCheckpoint
    var lines: [RecordName: ZoneManifest.Line]

    init(_ events: [Event] = Told.usual) throws {
      for event in events { try world.apply(event) }
      checkpoint = try #require(world.word(of: 1))
      lines = world.devices[1].replica.chain.manifest.lines.mapValues { $0 }
    }

    static let usual: [Event] = [
      .put(0, key: 0), .put(0, key: 1), .push(0, .never), .pull(1), .put(1, key: 2),
      .push(1, .never), .delete(1, key: 1), .push(1, .never),
    ]

    mutating func begin() throws(HubAlarm) {
      try world.devices[2].replica.begin(
        at: checkpoint,
        lines,
        in: world.devices[2].circle,
        World.ports
      )
    }

    /// The bodies that the hub has of entries up to the checkpoint.
    var bodies: [RecordName: SyncDigest] {
      world.hub.bodies.filter { lines[$0.key]?.body == $0.value }
    }

    mutating func take(
      _ bodies: [RecordName: SyncDigest],
      isLast: Bool = true
    ) throws(HubAlarm) {
      try world.devices[2].replica.takeRecords(
        bodies,
        isLast: isLast,
        ModelKeys(access: world.devices[2].access),
        at: world.clock
      )
    }

    var replica: ZoneReplica { world.devices[2].replica }
  }

  @Test func checkpointIsDueWhereTheLastOneIsAnIntervalBehind() {
    let due: [(head: UInt64, last: UInt64)] = [(256, 0), (257, 0), (512, 256), (700, 300)]
    let early: [(head: UInt64, last: UInt64)] = [(0, 0), (255, 0), (511, 256), (256, 256), (3, 9)]
    #expect(due.allSatisfy { ZoneCheckpoint.isDue(at: $0.head, behind: $0.last) })
    #expect(early.allSatisfy { !ZoneCheckpoint.isDue(at: $0.head, behind: $0.last) })
    #expect(ZoneCheckpoint.isDue(at: 5, behind: 2, every: 3))
  }

  @Test func deviceThatBeginsAtACheckpointHasWhatTheOthersHave() throws {
    var told = try Told()
    try told.begin()
    #expect(told.replica.records.isEmpty && told.replica.awaitsRecords)
    #expect(told.replica.chain.head == told.checkpoint.place && !told.replica.mayVouch)
    try told.take(told.bodies)
    let old = told.world.devices[1].replica
    #expect(told.replica.records.mapValues(\.current) == old.records.mapValues(\.current))
    #expect(told.replica.inbox.isEmpty && told.replica.mayVouch)
    try told.world.pull(0)
    try told.world.apply(.put(0, key: 1))
    try told.world.apply(.push(0, .never))
    try told.world.pull(2)
    #expect(told.replica.shown(World.names[1]) != nil)
  }

  @Test func bodiesThatComeInPagesAreAskedForBehindTheLastOneAlsoAfterAKill() throws {
    var told = try Told()
    var store = RowStore(told.replica.rows)
    func isKept(_ told: Told, _ before: ZoneReplica) throws {
      store.apply(told.replica.changes(from: before))
      try #require(ZoneReplica(rows: store.rows) == told.replica)
    }
    var before = told.replica
    try told.begin()
    try isKept(told, before)
    var cursors: [RecordName?] = []
    for name in told.bodies.keys.sorted() {
      cursors.append(told.replica.recordsCursor)
      before = told.replica
      try told.take(told.bodies.filter { $0.key == name }, isLast: name == World.names[2])
      try isKept(told, before)
    }
    #expect(cursors == [nil, World.names[0], World.names[1]])
    #expect(!told.replica.awaitsRecords)
  }

  @Test func nothingIsSentBeforeAllBodiesCame() throws {
    var told = try Told()
    try told.world.apply(.put(2, key: 0))
    try told.begin()
    #expect(told.world.plan(2, reseals: false) == nil)
    #expect(!told.world.mayRoll(2))
    try told.take(told.bodies)
    #expect(told.world.plan(2, reseals: false) != nil)
  }

  /// Whether the hub has nothing in the place of the body, or something else.
  @Test(arguments: [nil, CircleFixture.digest(9)])
  func whatTheHubLostBeforeTheCheckpointStopsNothingBehindARepair(_ other: SyncDigest?) throws {
    var told = try Told()
    told.world.hub.bodies[World.names[0]] = other
    try told.begin()
    #expect(throws: HubAlarm.self) {
      try told.take(told.bodies)
      try told.world.pull(2)
    }
    let chain = told.replica.chain
    let acceptance = SyncWatermark.Acceptance(
      chain.watermark.subject,
      from: chain.head,
      to: .beginning
    )
    let isRepaired = told.world.devices[2].replica.repair(acceptance)
    #expect(isRepaired)
    try told.begin()
    var bodies = told.bodies
    bodies[World.names[0]] = other
    try told.take(bodies)
    try told.world.pull(2)
    #expect(told.replica.inbox.waiting == [World.names[0]: .lost] && told.replica.alarm == nil)
    #expect(told.replica.shown(World.names[2]) != nil)
  }

  @Test func bodyThatWasChangedBehindTheCheckpointComesWithItsEntry() throws {
    var told = try Told()
    for event: Event in [.put(1, key: 0), .push(1, .never)] { try told.world.apply(event) }
    try told.begin()
    #expect(told.bodies.count == told.lines.count - 1)
    try told.take(told.bodies)
    #expect(told.replica.shown(World.names[0]) == nil && !told.replica.mayVouch)
    try told.world.pull(2)
    #expect(told.replica.shown(World.names[0]) != nil && told.replica.inbox.isEmpty)
  }

  @Test func bodyThatIsLeftOutForGoodIsMissedAtTheEndOfTheChain() throws {
    var told = try Told()
    try told.begin()
    try told.take(told.bodies.filter { $0.key != World.names[0] })
    #expect(throws: HubAlarm.hubTampered(.missingBody)) { try told.world.pull(2) }
    #expect(told.replica.alarm == .hubTampered(.missingBody))
  }

  @Test func pageOfBodiesThatNobodySignedIsRefusedAsAWhole() throws {
    var begun = try Told()
    try begun.begin()
    var other = begun.bodies
    other[World.names[0]] = CircleFixture.digest(9)
    var more = begun.bodies
    more[RecordName(CircleFixture.digest(200))] = CircleFixture.digest(9)
    for lie in [other, more] {
      var told = begun
      #expect(throws: HubAlarm.hubTampered(.body)) { try told.take(lie) }
      #expect(told.replica.records.isEmpty && told.replica.awaitsRecords)
    }
    var told = begun
    #expect(throws: HubAlarm.hubTampered(.missingBody)) { try told.take([:], isLast: false) }
    try begun.take(begun.bodies.filter { $0.key == World.names[0] }, isLast: false)
    #expect(throws: HubAlarm.hubTampered(.body)) { try begun.take(begun.bodies) }
  }

  @Test func wordOfAnotherPlaceThanAMembersIsAFork() throws {
    var told = try Told()
    let claim = ChainPlace(number: told.checkpoint.place.number, digest: CircleFixture.digest(1))
    try told.world.devices[2].replica.hear(claim, from: World.peers[0])
    #expect(throws: HubAlarm.hubForked(.items, at: claim.number)) { try told.begin() }
    #expect(told.replica.chain.head == .beginning && told.replica.inbox.isEmpty)
  }

  @Test func wordThatIsOlderThanWhatAMemberSaidIsNotTheEnd() throws {
    var told = try Told()
    let claim = ChainPlace(number: 9, digest: CircleFixture.digest(1))
    try told.world.devices[2].replica.hear(claim, from: World.peers[0])
    try told.begin()
    try told.take(told.bodies)
    try told.world.pull(2)
    #expect(told.replica.chain.claimedNumber == 9)
  }

  @Test func wordOfADeviceThatWasRemovedIsNotTakenAndNoLie() throws {
    var told = try Told()
    for event: Event in [.pull(0), .remove(1, by: 0)] { try told.world.apply(event) }
    told.world.pullCircle(2)
    let circle = told.world.devices[2].circle
    let isWord = try told.world.devices[2].replica.heed(told.checkpoint, in: circle, World.ports)
    #expect(!isWord && told.replica.alarm == nil)
    #expect(throws: HubAlarm.hubTampered(.author)) { try told.begin() }
    #expect(told.replica.chain.head == .beginning)
  }

  @Test func manifestThatNobodySignedBeginsNothing() throws {
    let told = try Told()
    for name in told.lines.keys {
      var liedTo = told
      liedTo.lines[name] = nil
      #expect(throws: HubAlarm.hubTampered(.checkpoint)) { try liedTo.begin() }
      #expect(liedTo.replica.chain.head == .beginning)
    }
  }

  @Test func wordOfNobodyInTheCircleIsRefused() throws {
    let told = try Told()
    let circle = told.world.devices[2].circle
    var unsigned = told.checkpoint
    unsigned.signature = World.signers[2].sign(unsigned.signed) ?? []
    let stranger = told.checkpoint.with(author: PeerIdentifier(high: 1, low: 1))
    let elsewhere = told.checkpoint.with(circle: CircleFixture.digest(1))
    let unknown = told.checkpoint.with(
      circleHead: ChainPlace(number: 3, digest: CircleFixture.digest(1))
    )
    let lies: [(ZoneCheckpoint, HubAlarm.Tampering)] = [
      (unsigned, .author), (stranger, .author), (elsewhere, .otherPlace), (unknown, .circle),
    ]
    for (lie, tampering) in lies {
      var liedTo = told
      liedTo.checkpoint = lie
      #expect(throws: HubAlarm.hubTampered(tampering)) { try liedTo.begin() }
      #expect(throws: HubAlarm.hubTampered(tampering)) {
        var heeding = told.replica
        _ = try heeding.heed(lie, in: circle, World.ports)
      }
    }
  }

  @Test func aMembersWordOnAPlaceThatNoHubHasBeginsNothing() throws {
    let told = try Told()
    let digest = CircleFixture.digest(1)
    for number in [0, UInt64(Int64.max) + 1, .max] {
      var liedTo = told
      liedTo.lines = [:]
      liedTo.checkpoint = told.checkpoint.with(
        place: ChainPlace(number: number, digest: number == 0 ? .none : digest),
        manifest: ZoneManifest().digest(World.ports.hash)
      )
      liedTo.checkpoint.signature = World.signers[1].sign(liedTo.checkpoint.signed) ?? []
      #expect(throws: HubAlarm.hubTampered(.checkpoint)) { try liedTo.begin() }
      #expect(liedTo.replica.chain == told.replica.chain)
    }
  }

  @Test func devicesAtOnePlaceNoticeWhoseManifestDiffers() throws {
    var told = try Told()
    try told.world.pull(2)
    let circle = told.world.devices[2].circle
    let isWord = try told.world.devices[2].replica.heed(told.checkpoint, in: circle, World.ports)
    #expect(isWord)
    var other = told.checkpoint.with(manifest: CircleFixture.digest(1))
    other.signature = World.signers[1].sign(other.signed) ?? []
    #expect(throws: HubAlarm.hubTampered(.checkpoint)) {
      _ = try told.world.devices[2].replica.heed(other, in: circle, World.ports)
    }
    #expect(told.replica.isReadOnly(in: circle) && told.world.word(of: 2) == nil)
  }

  @Test func aMembersWordOnAnotherZoneIsNoWordOnThisOne() throws {
    var told = try Told()
    try told.world.pull(2)
    let notes = try #require(ZoneName("notes"))
    var other = told.checkpoint.with(zone: notes)
    other.signature = World.signers[1].sign(other.signed) ?? []
    let circle = told.world.devices[2].circle
    #expect(throws: HubAlarm.hubTampered(.otherPlace)) {
      _ = try told.world.devices[2].replica.heed(other, in: circle, World.ports)
    }
    told.checkpoint = other
    told.world.devices[2].replica = try Told().replica
    #expect(throws: HubAlarm.hubTampered(.otherPlace)) { try told.begin() }
  }

  @Test func chainThatBeginsAnewTakesNobodysWordForWhatItHadVerified() throws {
    var told = try Told()
    try told.world.pull(2)
    told.world.devices[2].replica.beginAnew()
    #expect(!told.replica.chain.mayBegin)
    #expect(ZoneReplica(rows: told.replica.rows) == told.replica)
    try told.begin()
    #expect(told.replica.chain.head == .beginning)
    try told.world.pull(2)
    #expect(ZoneReplica(rows: told.replica.rows) == told.replica)
  }

  @Test func whoWritesBehindACheckpointMayKnowNoMoreOfTheCircleThanItsLastEntry() throws {
    var told = try Told()
    try told.world.apply(.roll(0))
    told.world.pullCircle(1)
    let word = try #require(told.world.word(of: 1))
    #expect(word.circleHead.number < told.world.devices[1].circle.head.number)
    told.checkpoint = word
    try told.begin()
    try told.take(told.bodies)
  }

  @Test func aWordOnEntriesBehindACutBeginsNothing() throws {
    let ports = CircleFixture.ports
    var circle = try CircleFixture()
    for joiner in 1...3 { try circle.add(joiner, by: 0) }
    let before = circle.log
    func entry(after previous: ChainPlace, by author: Int) -> ZoneEntry {
      var entry = ZoneEntry(
        circle: before.circle,
        zone: .items,
        previous: previous,
        author: CircleFixture.peer(author),
        batch: BatchIdentifier(high: 1, low: previous.number),
        changes: [],
        epoch: 0,
        circleHead: before.head,
        heads: []
      )
      entry.signature = ModelSigner(author).sign(entry.signed) ?? []
      return entry
    }
    func replica(_ device: Int) -> ZoneReplica {
      ZoneReplica(
        .items,
        circle: before.circle,
        of: CircleFixture.peer(device),
        horizon: TimeHorizon(WallInstant(milliseconds: 0))
      )
    }
    let one = entry(after: .beginning, by: 0)
    let two = entry(after: one.place(ports.hash), by: 2)
    var deceived = replica(1)
    _ = try deceived.chain.admit(
      [one, two],
      bodies: [:],
      head: two.place(ports.hash),
      in: before,
      ports
    )
    let word = try #require(
      deceived.checkpoint(in: before, signedBy: ModelSigner(1), ports.hash)
    )
    try circle.append(
      .remove(CircleFixture.peer(2), cuts: [ZoneHead(.items, one.place(ports.hash))]),
      by: 0
    )
    #expect(throws: HubAlarm.self) { try deceived.chain.heed(circle.log) }
    var joining = replica(3)
    let isWord = (try? joining.heed(word, in: circle.log, ports)) ?? false
    if isWord { try? joining.begin(at: word, [:], in: circle.log, ports) }
    #expect(joining.chain.head.number < 2, "it took what the removed device wrote, without a word")
  }
}

extension World {
  /// A device's word on what it has.
  func word(of device: Int) -> ZoneCheckpoint? {
    let own = devices[device]
    return own.replica.checkpoint(in: own.circle, signedBy: Self.signers[device], Self.ports.hash)
  }
}

extension ZoneCheckpoint {
  /// The same with other parts, and the signature that it had.
  fileprivate func with(
    circle: SyncDigest? = nil,
    zone: ZoneName? = nil,
    place: ChainPlace? = nil,
    circleHead: ChainPlace? = nil,
    manifest: SyncDigest? = nil,
    author: PeerIdentifier? = nil
  ) -> Self {
    Self(
      circle: circle ?? self.circle,
      zone: zone ?? self.zone,
      place: place ?? self.place,
      circleHead: circleHead ?? self.circleHead,
      manifest: manifest ?? self.manifest,
      author: author ?? self.author,
      signature: signature
    )
  }
}
