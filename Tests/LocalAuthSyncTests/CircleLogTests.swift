import Testing

@testable import LocalAuthSync

@Suite struct CircleLogTests {
  private func refusal(_ fixture: CircleFixture, _ entry: CircleEntry) -> CircleRefusal? {
    var log = fixture.log
    do throws(CircleRefusal) {
      try log.append(entry, CircleFixture.ports)
      return nil
    } catch {
      #expect(log == fixture.log, "what was refused changed the log")
      return error
    }
  }

  @Test func aMemberAddsADeviceThatConsented() throws {
    var circle = try CircleFixture()
    try circle.add(1, by: 0)
    try circle.add(2, by: 1)
    #expect(circle.log.devices == (0..<3).map { CircleFixture.peer($0) }.sorted())
    #expect(circle.log.member(CircleFixture.peer(2), at: 2) == nil)
    #expect(circle.log.member(CircleFixture.peer(2), at: 3) != nil)
  }

  @Test func nobodyIsAddedWithoutConsent() throws {
    let circle = try CircleFixture()
    let entry = circle.entry(circle.adding(1, by: 0, consentOf: 2), by: 0)
    #expect(refusal(circle, entry) == .consent)
  }

  @Test func aStrangerAddsNobody() throws {
    let circle = try CircleFixture()
    #expect(refusal(circle, circle.entry(circle.adding(1, by: 1), by: 1)) == .notMember)
    #expect(
      refusal(circle, circle.entry(circle.adding(1, by: 0), by: 0, signedBy: 1)) == .signature
    )
  }

  @Test func consentToOneSponsorIsNoneToAnother() throws {
    var circle = try CircleFixture()
    try circle.add(1, by: 0)
    let act = circle.adding(2, by: 0)
    #expect(refusal(circle, circle.entry(act, by: 1)) == .consent)
    #expect(refusal(circle, circle.entry(act, by: 0)) == nil)
  }

  @Test func anEntryNamesTheOneBeforeAndItsCircle() throws {
    var circle = try CircleFixture()
    try circle.add(1, by: 0)
    let act = circle.adding(2, by: 0)
    #expect(refusal(circle, circle.entry(act, by: 0, behind: .beginning)) == .notNext)
    let other = ChainPlace(number: circle.log.head.number, digest: CircleFixture.digest(9))
    #expect(refusal(circle, circle.entry(act, by: 0, behind: other)) == .notNext)
    #expect(refusal(circle, circle.entry(act, by: 0, of: CircleFixture.digest(9))) == .otherCircle)
  }

  @Test func aSecondFoundingIsRefused() throws {
    let circle = try CircleFixture()
    let act = CircleAct.found(CircleFixture.keys(1), random: .none)
    #expect(refusal(circle, circle.entry(act, by: 1)) == .misplaced)
  }

  @Test func whatARemovedPeerSignsIsVoid() throws {
    var circle = try CircleFixture()
    try circle.add(1, by: 0)
    try circle.append(.remove(CircleFixture.peer(1), cuts: []), by: 0)
    #expect(refusal(circle, circle.entry(circle.adding(2, by: 1), by: 1)) == .notMember)
    #expect(refusal(circle, circle.entry(circle.adding(1, by: 0), by: 0)) == .alreadyKnown)
    #expect(circle.log.member(CircleFixture.peer(1), at: 2) != nil)
    #expect(circle.log.member(CircleFixture.peer(1), at: 3) == nil)
  }

  @Test(arguments: [0, 1]) func ofTwoWhoRemoveEachOtherTheFirstWins(first: Int) throws {
    var circle = try CircleFixture()
    try circle.add(1, by: 0)
    let second = 1 - first
    let late = circle.entry(.remove(CircleFixture.peer(first), cuts: []), by: second)
    try circle.append(.remove(CircleFixture.peer(second), cuts: []), by: first)
    #expect(refusal(circle, late) == .notNext)
    let again = circle.entry(.remove(CircleFixture.peer(first), cuts: []), by: second)
    #expect(refusal(circle, again) == .notMember)
    #expect(circle.log.devices == [CircleFixture.peer(first)])
  }

  @Test func theLastDeviceStaysUnlessThereIsPaper() throws {
    var circle = try CircleFixture()
    let act = CircleAct.remove(CircleFixture.peer(0), cuts: [])
    #expect(refusal(circle, circle.entry(act, by: 0)) == .lastMember)
    try circle.append(.recovery(CircleFixture.keys(8, .recovery)), by: 0)
    #expect(refusal(circle, circle.entry(act, by: 0)) == nil)
  }

  @Test func paperAddsDevicesAndRollsNoKeys() throws {
    var circle = try CircleFixture()
    try circle.append(.recovery(CircleFixture.keys(8, .recovery)), by: 0)
    try circle.append(.remove(CircleFixture.peer(0), cuts: []), by: 8, kind: .recovery)
    let adding = circle.adding(1, by: 8, kind: .recovery)
    #expect(refusal(circle, circle.entry(adding, by: 8, kind: .recovery)) == nil)
    let roll = CircleAct.roll(.items, epoch: 1, shares: .none)
    #expect(refusal(circle, circle.entry(roll, by: 8, kind: .recovery)) == .notMember)
  }

  @Test func newPaperReplacesTheOld() throws {
    var circle = try CircleFixture()
    try circle.append(.recovery(CircleFixture.keys(8, .recovery)), by: 0)
    try circle.append(.recovery(CircleFixture.keys(9, .recovery)), by: 0)
    #expect(circle.log.recovery == CircleFixture.peer(9, .recovery))
    let adding = circle.adding(1, by: 8, kind: .recovery)
    #expect(refusal(circle, circle.entry(adding, by: 8, kind: .recovery)) == .notMember)
  }

  @Test func epochsComeOneByOne() throws {
    var circle = try CircleFixture()
    let second = CircleAct.roll(.items, epoch: 2, shares: .none)
    #expect(refusal(circle, circle.entry(second, by: 0)) == .epoch)
    try circle.append(.roll(.items, epoch: 1, shares: .none), by: 0)
    try circle.append(second, by: 0)
    #expect(circle.log.epoch(of: .items, at: 1) == 0)
    #expect(circle.log.epoch(of: .items, at: 2) == 1)
    #expect(circle.log.epoch(of: .items, at: 3) == 2)
  }

  @Test func aFullCircleTakesNobody() throws {
    var circle = try CircleFixture()
    for index in 1..<CircleLog.peersMax {
      var signing = ModelSigner(0).key
      signing[0] = UInt8(index)
      let keys = try #require(
        PeerKeys(.recovery, signing: signing, agreement: signing, name: "paper")
      )
      try circle.append(.recovery(keys), by: 0)
    }
    let adding = circle.adding(1, by: 0)
    #expect(refusal(circle, circle.entry(adding, by: 0)) == .full)
  }

  @Test func anEntryComesBackFromItsBytesAndNothingElseDoes() throws {
    var circle = try CircleFixture()
    try circle.add(1, by: 0)
    let cut = ZoneHead(.items, ChainPlace(number: 3, digest: CircleFixture.digest(3)))
    try circle.append(.recovery(CircleFixture.keys(8, .recovery)), by: 0)
    try circle.append(.roll(.items, epoch: 1, shares: CircleFixture.digest(5)), by: 0)
    try circle.append(.remove(CircleFixture.peer(1), cuts: [cut]), by: 0)
    for entry in circle.entries {
      #expect(CircleEntry(entry.bytes) == entry)
      for count in 0..<entry.bytes.count {
        #expect(CircleEntry(Array(entry.bytes.prefix(count))) != entry)
      }
      #expect(CircleEntry(entry.bytes + [0]) != entry)
      for index in entry.bytes.indices {
        var changed = entry.bytes
        changed[index] ^= 1
        guard let other = CircleEntry(changed) else { continue }
        #expect(other.bytes == changed, "two encodings of one entry")
        var log = CircleLog()
        #expect(throws: CircleRefusal.self) {
          for one in circle.entries { try log.append(one == entry ? other : one, World.ports) }
        }
      }
    }
  }

  /// The hub keeps names apart that Unicode calls equal, and so does a signed entry.
  @Test func cutsOfZonesWhoseNamesUnicodeCallsEqualAreThoseOfTwoZones() throws {
    var circle = try CircleFixture()
    try circle.add(1, by: 0)
    let names = try ["e\u{301}", "\u{e9}"].map { try #require(ZoneName($0)) }
    #expect(names[0] != names[1] && Set(names).count == 2)
    let place = ChainPlace(number: 3, digest: CircleFixture.digest(3))
    let cuts = names.map { ZoneHead($0, place) }
    let entry = circle.entry(.remove(CircleFixture.peer(1), cuts: cuts), by: 0)
    let read = try #require(CircleEntry(entry.bytes))
    try circle.log.append(read, CircleFixture.ports)
    #expect(circle.log.peers[CircleFixture.peer(1)]?.cuts.count == 2)
  }

  @Test func zonesBeyondThoseThatACircleMayHaveAreRefused() throws {
    var circle = try CircleFixture()
    for number in 0..<CircleLog.zonesMax {
      let zone = try #require(ZoneName("z\(number)"))
      try circle.append(.roll(zone, epoch: 1, shares: .none), by: 0)
    }
    let one = try #require(ZoneName("one more"))
    #expect(throws: CircleRefusal.full) {
      try circle.append(.roll(one, epoch: 1, shares: .none), by: 0)
    }
    try circle.append(.roll(try #require(ZoneName("z0")), epoch: 2, shares: .none), by: 0)
  }
}
