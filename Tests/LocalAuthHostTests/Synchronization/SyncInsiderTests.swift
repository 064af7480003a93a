import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// A member that signs what an honest device never would, and is removed then.
@Suite struct SyncInsiderTests {
  private let place = ScratchDirectory()

  /// Has a device append an entry to the circle's log.
  private func sign(_ act: CircleAct, as device: SyncDevice) throws {
    var isTaken: Bool?
    device.synchronizer?.run(
      SyncErrand { [weak device] round, done in
        device?.synchronizer?.push(round, act) {
          isTaken = $0
          done()
        }
      } failed: { _ in
        isTaken = false
      }
    )
    try device.turn { isTaken != nil }
    try #require(isTaken == true)
  }

  private func rolls(of zone: ZoneName, at hub: ModelHub) -> [UInt32] {
    hub.entries.compactMap { entry in
      guard case .roll(zone, let epoch, _) = entry.act else { return nil }
      return epoch
    }
  }

  /// Zones are looked at in the order of their names.
  @Test(arguments: ["!", "documents", "zz"])
  func keysAreRenewedThoughAZoneHasKeysThatNobodyGot(_ name: String) throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let zone = try #require(ZoneName(name))
    try first.add("mail", "1")
    try circle.exchange()
    try sign(.roll(zone, epoch: 1, shares: .none), as: second)
    try circle.exchange()
    try first.remove(second.identifier)
    try first.add("after", "2")
    try first.synchronize()
    #expect(rolls(of: .items, at: circle.hub) == [1, 2])
    #expect(rolls(of: zone, at: circle.hub) == [1, 2], "and so are these")
    #expect(try first.report().zones.allSatisfy { $0.outgoing == 0 && $0.alarm == nil })
  }

  /// What it never shared nobody has to wait for once it is gone.
  @Test func anEpochThatNobodyGotEndsWithItsAuthor() throws {
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second, third) = (circle.devices[0], circle.devices[1], circle.devices[2])
    try first.add("mail", "1")
    for _ in 0..<2 { try circle.exchange() }
    try sign(.roll(.items, epoch: 2, shares: .none), as: second)
    try circle.exchange()
    try first.add("waits", "2")
    try first.synchronize()
    #expect(try first.report().zones.contains { $0.outgoing > 0 })
    try first.remove(second.identifier)
    for _ in 0..<2 { for device in [first, third] { try device.synchronize() } }
    #expect(rolls(of: .items, at: circle.hub) == [1, 2, 3])
    #expect(try third.get("waits") == "2" && third.get("mail") == "1")
    let key = try first.makeRecoveryKey()
    let fourth = try SyncDevice(circle.hub, in: place.file("fourth"))
    try fourth.recover(key, as: "fourth")
    try fourth.synchronize()
    #expect(try fourth.get("mail") == "1" && fourth.get("waits") == "2")
  }

  /// What a member writes may be what nobody can verify.
  @Test func aZoneWithAnAlarmKeepsNobodyInTheCircle() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    for account in ["mail", "bank"] {
      try first.add(account, "1")
      try circle.exchange()
    }
    let end = try #require(first.replica?.chain.head)
    let name = RecordName(MessageHash().digest(of: [1, 2, 3]))
    try write([name: [1]], as: second, at: circle.hub, epoch: 9)
    try first.synchronize()
    #expect(first.replica?.alarm == .hubTampered(.epoch))
    try first.remove(second.identifier)
    #expect(try first.report().peers.count == 1)
    let cuts = circle.hub.entries.compactMap { entry -> [ZoneHead]? in
      guard case .remove(_, let cuts) = entry.act else { return nil }
      return cuts
    }
    #expect(cuts == [[ZoneHead(.items, end)]])
  }

  @Test func aZoneThatNobodyKnowsKeepsNobodyFromRecovering() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.add("mail", "1")
    try circle.exchange()
    let key = try first.makeRecoveryKey()
    try sign(.roll(try #require(ZoneName("zz")), epoch: 1, shares: .none), as: second)
    let third = try SyncDevice(circle.hub, in: place.file("third"))
    try third.recover(key, as: "third")
    try third.synchronize()
    #expect(try third.get("mail") == "1")
  }

  // MARK: Bodies

  /// Has a member put bodies into a zone that it sealed with something else than the zone's keys, or not at all.
  private func write(
    _ bodies: [RecordName: [UInt8]],
    as device: SyncDevice,
    in zone: ZoneName = .items,
    at hub: ModelHub,
    epoch: UInt32? = nil
  ) throws {
    let synchronizer = try #require(device.synchronizer)
    let circle = synchronizer.state.circle
    let changes = bodies.map { name, body in
      ZoneChange(name, MessageHash().digest(of: body), .afterFirstUnlock)
    }
    var entry = ZoneEntry(
      circle: circle.circle,
      zone: zone,
      previous: try #require(hub.zones[zone]?.head),
      author: try device.identifier,
      batch: BatchIdentifier(high: 7, low: UInt64.random(in: 0 ..< .max)),
      changes: changes,
      epoch: epoch ?? circle.epoch(of: zone, at: circle.head.number),
      circleHead: circle.head,
      heads: []
    )
    entry.signature = try #require(synchronizer.secrets.signer.sign(entry.signed))
    let place = entry.place(MessageHash())
    #expect(hub.push(entry, bodies) == .pushed(.accepted(place)))
  }

  /// What a member can sign that nobody opens: nothing, noise of this version, and noise that claims to be sealed.
  static let garbage: [[UInt8]] = [
    [], [0], [1], [1, 0, 0, 0, 40] + [UInt8](repeating: 7, count: 200),
    [1, 255, 255, 255, 255] + [UInt8](repeating: 7, count: 40),
  ]

  @Test(arguments: garbage)
  func whatNobodyCanReadStopsNothingAndNamesItsAuthor(_ body: [UInt8]) throws {
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second, third) = (circle.devices[0], circle.devices[1], circle.devices[2])
    try first.add("mail", "1")
    for _ in 0..<2 { try circle.exchange() }
    let mail = try #require(first.replica(of: .items)?.records.keys.first)
    let unknown = RecordName(MessageHash().digest(of: [1, 2, 3]))
    try write([mail: body, unknown: body], as: second, at: circle.hub)
    for device in [first, third] {
      let zone = try #require(try device.synchronize().zones.first { $0.name == .items })
      #expect(zone.alarm == nil && zone.incoming == 0)
      #expect(zone.unreadable.count == 2)
      #expect(zone.unreadable.authors == [try second.identifier])
      #expect(try device.get("mail") == "1")
    }
    try first.add("bank", "2")
    try first.synchronize()
    try third.synchronize()
    #expect(try third.get("bank") == "2")
    // It is as it was after a restart, and a change makes it good.
    try first.restart()
    try first.unlock()
    #expect(try first.update("mail", "3") == nil)
    try first.synchronize()
    let zone = try #require(try third.synchronize().zones.first { $0.name == .items })
    #expect(zone.unreadable.count == 1)
    #expect(try third.get("mail") == "3")
  }

  @Test func removingItsAuthorPutsBackWhatWasThere() throws {
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second, third) = (circle.devices[0], circle.devices[1], circle.devices[2])
    for account in ["mail", "bank"] { try first.add(account, "1") }
    for _ in 0..<2 { try circle.exchange() }
    let names = try #require(first.replica(of: .items)?.records.keys.sorted())
    let unknown = RecordName(MessageHash().digest(of: [1, 2, 3]))
    let bodies = Dictionary(uniqueKeysWithValues: (names + [unknown]).map { ($0, [1 as UInt8]) })
    try write(bodies, as: second, at: circle.hub)
    try third.synchronize()
    try first.remove(second.identifier)
    for _ in 0..<3 { for device in [first, third] { try device.synchronize() } }
    let fourth = try SyncDevice(circle.hub, in: place.file("fourth"))
    try fourth.enter(as: "fourth", by: third)
    for device in [first, third, fourth] {
      let zones = try device.synchronize().zones
      #expect(zones.allSatisfy { $0.unreadable.count == 0 && $0.alarm == nil && $0.outgoing == 0 })
      #expect(try device.get("mail") == "1" && device.get("bank") == "1")
    }
    #expect(circle.hub.zones[.items]?.records[unknown] == nil)
  }

  @Test func whatClaimsToBeNewerStopsItsZoneUntilItsAuthorIsRemoved() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.add("mail", "1")
    try circle.exchange()
    let unknown = RecordName(MessageHash().digest(of: [1, 2, 3]))
    try write([unknown: [2, 1, 1]], as: second, at: circle.hub)
    try first.synchronize()
    try first.add("bank", "2")
    let zone = try #require(try first.synchronize().zones.first { $0.name == .items })
    #expect(zone.newer.count == 1 && zone.outgoing == 1)
    #expect(zone.newer.authors == [try second.identifier])
    try first.remove(second.identifier)
    try first.synchronize()
    let after = try #require(try first.synchronize().zones.first { $0.name == .items })
    #expect(after.outgoing == 0 && after.alarm == nil)
  }

  /// Under keys that nobody has a member may send as much as the hub has room for.
  @Test func whatNobodyHasTheKeysForTakesNoMoreRoomThanItsLimit() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.add("mail", "1")
    try circle.exchange()
    try sign(.roll(.items, epoch: 2, shares: .none), as: second)
    try first.synchronize()
    let noise = [1] + [UInt8](repeating: 7, count: 1 << 20)
    for number in UInt8(0)..<20 {
      let name = RecordName(MessageHash().digest(of: [number]))
      try write([name: noise], as: second, at: circle.hub, epoch: 2)
    }
    for _ in 0..<2 {
      let zone = try #require(try first.synchronize().zones.first { $0.name == .items })
      #expect(zone.alarm == nil && zone.incoming == 20)
      let kept = try #require(first.synchronizer?.state.bodies.waitingBytes)
      #expect((KeptBodies.waitingMax - noise.count...KeptBodies.waitingMax).contains(kept))
      #expect(try first.get("mail") == "1")
      try first.restart()
      try first.unlock()
    }
  }

  @Test func whatALockedDeviceHasNoRoomForComesAfterItsUnlock() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try second.lock()
    let large = String(repeating: "x", count: 1_000_000)
    for number in 0..<20 { try first.add("\(number)", large, accessible: .whenUnlocked) }
    try circle.exchange()
    let replica = try #require(second.replica)
    #expect(replica.inbox.waiting.values.contains(.unkept(isNewer: false)))
    #expect(ZoneReplica(rows: replica.rows) == replica)
    try second.restart()
    try second.unlock()
    try second.synchronize()
    for number in 0..<20 { #expect(try second.get("\(number)") == large) }
    #expect(second.replica?.inbox.isEmpty == true)
    #expect(second.synchronizer?.state.bodies.waitingBytes == 0)
  }

  @Test func ofMoreThanADeviceKeepsTheNewerVersionsStopTheirZoneToo() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.add("mail", "1")
    try circle.exchange()
    let newer = [2] + [UInt8](repeating: 7, count: 1 << 20)
    for number in UInt8(0)..<20 {
      let name = RecordName(MessageHash().digest(of: [number]))
      try write([name: newer], as: second, at: circle.hub)
    }
    let zone = try #require(try first.synchronize().zones.first { $0.name == .items })
    #expect(zone.newer.count == 20 && zone.alarm == nil)
    #expect(try #require(first.synchronizer?.state.bodies.waitingBytes) <= KeptBodies.waitingMax)
    try first.add("bank", "2")
    #expect(try first.synchronize().zones.first { $0.name == .items }?.outgoing == 1)
  }

  /// Or a member could have what it overwrites among the items forgotten by what loses among the values.
  @Test func whatLosesInAZoneTakesNoRoomFromAnother() throws {
    let (_, first, _) = try SyncCircle.pair(in: place)
    try first.add("mail", "1")
    try first.synchronize()
    var state = try #require(first.synchronizer?.state)
    let body = [UInt8](repeating: 7, count: KeptBodies.lostMax / 2)
    var kept: [KeptBody] = []
    for number in UInt8(0)..<3 {
      let name = RecordName(MessageHash().digest(of: [number]))
      let content = MessageHash().digest(of: [number, 1])
      let now = WallInstant(milliseconds: 1_800_000_000_000 + Int64(number))
      _ = state.zones[.items]?.discard(
        name,
        content: content,
        .afterFirstUnlock,
        written: now,
        at: now
      )
      kept.append(.lost(.items, name, content))
      state.bodies[.lost(.items, name, content)] = body
      state.bodies[.lost(.keyValues, name, content)] = body
    }
    state.dropOldestLosers(in: .items)
    #expect(kept.map { state.bodies[$0] == nil } == [true, false, false])
    #expect(state.bodies.lostBytes(in: .items) == KeptBodies.lostMax)
    #expect(state.bodies.lostBytes(in: .keyValues) == 3 * body.count)
  }

  @Test func keptBodiesCountTheirBytes() {
    var bodies = KeptBodies()
    let name = RecordName(MessageHash().digest(of: [1]))
    let content = MessageHash().digest(of: [2])
    bodies[.lost(.items, name, content)] = [1, 2, 3]
    bodies[.waiting(.items, name)] = [1, 2]
    bodies[.sent(.items, name)] = [1]
    #expect(bodies.lostBytes(in: .items) == 3 && bodies.lostBytes(in: .keyValues) == 0)
    #expect(bodies.waitingBytes == 2)
    bodies[.waiting(.items, name)] = [1, 2, 3, 4]
    #expect(bodies.waitingBytes == 4)
    #expect(
      bodies.hasRoom(
        for: [UInt8](repeating: 0, count: KeptBodies.waitingMax),
        as: .waiting(.items, name)
      )
    )
    #expect(
      !bodies.hasRoom(
        for: [UInt8](repeating: 0, count: KeptBodies.waitingMax),
        as: .waiting(.keyValues, name)
      )
    )
    bodies[.waiting(.items, name)] = nil
    bodies[.lost(.items, name, content)] = nil
    #expect(bodies.lostBytes(in: .items) == 0 && bodies.waitingBytes == 0)
    #expect(bodies.changed.count == 3 && bodies.all == [.sent(.items, name)])
  }

  /// The first download of values ends, and what is here wins over what nobody can read.
  @Test func aValueThatNobodyCanReadKeepsNobodyFromTheOthers() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.set("colour", "blue")
    try first.set("size", "4")
    try circle.exchange()
    let values = first.synchronizer?.state.values.entries.first { $0.value.key.text == "size" }
    try write([try #require(values).key: [1]], as: second, in: .keyValues, at: circle.hub)
    let third = try SyncDevice(circle.hub, in: place.file("third"))
    try third.enter(as: "third", by: first)
    try third.synchronize()
    #expect(try third.texts() == ["colour": "blue"])
    third.clock.pass(.seconds(60))
    try third.set("size", "5")
    third.rest()
    try third.synchronize()
    first.rest()
    try first.synchronize()
    #expect(try first.texts() == ["colour": "blue", "size": "5"])
  }
}
