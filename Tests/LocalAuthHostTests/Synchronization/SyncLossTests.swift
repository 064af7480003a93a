import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// A hub that lost something by accident, or shows an older copy for a while, and devices that have it all.
@Suite struct SyncLossTests {
  private let place = ScratchDirectory()

  private func circle(_ names: String...) throws -> SyncCircle {
    let circle = try SyncCircle(names, in: place)
    for account in ["mail", "bank"] {
      try circle.devices[0].add(account, account)
      try circle.exchange()
    }
    return circle
  }

  /// Has each of these devices see an empty zone, which is there again afterwards without what the first item wrote.
  private func doubt(_ devices: [SyncDevice], _ hub: ModelHub) throws -> RecordName {
    var kept = hub.zones
    hub.zones = [:]
    for device in devices {
      guard case .hubRolledBack = try device.synchronize().zones[0].alarm else {
        Issue.record("it went back")
        continue
      }
    }
    let lost = kept[.items]?.records.min { $0.value.number < $1.value.number }?.key
    let name = try #require(lost)
    kept[.items]?.records[name] = nil
    hub.zones = kept
    return name
  }

  // MARK: A record

  @Test func aRecordThatTheHubLostComesBackByTheRepairOfWhoHasIt() throws {
    let circle = try circle("first", "second", "third")
    let name = try doubt(circle.devices, circle.hub)
    for device in circle.devices {
      try device.repair()
      try device.synchronize()
      #expect(try device.report().zones.allSatisfy { $0.alarm == nil && $0.lost.count == 0 })
      #expect(circle.hub.zones[.items]?.records[name] != nil, "it was sent")
    }
    try circle.exchange()
    for device in circle.devices {
      #expect(try device.get("mail") == "mail" && device.get("bank") == "bank")
      #expect(device.isQuiet(with: circle.hub) && device.shelf.isEmpty)
    }
  }

  @Test func aDeviceThatIsKilledBehindItsRepairSendsWhatWasLostAllTheSame() throws {
    let circle = try circle("first", "second")
    let name = try doubt([circle.devices[0]], circle.hub)
    circle.hub.isDown = true
    try circle.devices[0].repair()
    try circle.devices[0].restart()
    circle.hub.isDown = false
    try circle.devices[0].synchronize()
    #expect(circle.hub.zones[.items]?.records[name] != nil)
    #expect(try circle.devices[0].report().zones.allSatisfy { $0.alarm == nil })
  }

  @Test func aDeviceThatJoinsIsToldWhatWasLostAndGetsItFromWhoHasIt() throws {
    let circle = try circle("first", "second")
    let (first, hub) = (circle.devices[0], circle.hub)
    let name = try #require(
      hub.zones[.items]?.records.min { $0.value.number < $1.value.number }?.key
    )
    hub.zones[.items]?.records[name] = nil
    let third = try SyncDevice(hub, in: place.file("third"))
    try third.enter(as: "third", by: first)
    #expect(try third.synchronize().zones[0].alarm == .hubTampered(.missingBody))
    try third.repair()
    let zone = try third.synchronize().zones[0]
    #expect(zone.alarm == nil && zone.lost.count == 1 && zone.outgoing == 0)
    #expect(try zone.lost.authors == [first.identifier])
    #expect(try third.get("mail") == nil && third.get("bank") == "bank")
    try third.restart()
    #expect(try third.report().zones[0].lost.count == 1)
    #expect(try third.report().zones[0].needsRepair)
    try third.repair()
    #expect(try third.synchronize().zones[0].lost.count == 1, "it is looked for once more")
    try first.roll()
    try first.synchronize()
    try third.synchronize()
    #expect(try third.get("mail") == "mail" && third.report().zones[0].lost.count == 0)
    #expect(try third.report().zones.allSatisfy { !$0.needsRepair })
    #expect(throws: EngineError.sync(.nothingToRepair)) { try third.repair() }
  }

  // MARK: The circle's log

  /// An older copy of the hub, and the newer one put back behind it, with what others wrote there meanwhile.
  @Test(arguments: [false, true])
  func anAlarmAboutTheCircleEndsWithALogThatLeadsThroughWhatWasVerified(_ hasGrown: Bool) throws {
    let circle = try circle("first", "second")
    let (first, second, hub) = (circle.devices[0], circle.devices[1], circle.hub)
    _ = try first.makeRecoveryKey()
    try circle.exchange()
    let (entries, head) = (hub.entries, hub.head)
    hub.head = try #require(entries.last).previous
    hub.entries.removeLast()
    let (requests, pushes) = (hub.requests.count, hub.zones[.items]?.entries.count)
    try second.add("meanwhile", "4")
    for _ in 0..<2 {
      let alarm = try second.synchronize().circleAlarm
      #expect(alarm == .hubRolledBack(verified: head, offered: hub.head))
    }
    #expect(hub.zones[.items]?.entries.count == pushes)
    #expect(hub.requests.dropFirst(requests).allSatisfy { $0 == .heads }, "nothing else was asked")
    #expect(throws: EngineError.sync(.alarm)) { try second.repair() }
    (hub.entries, hub.head) = (entries, head)
    if hasGrown { _ = try first.makeRecoveryKey() }
    // Nobody asks it to.
    second.clock.pass(.seconds(61))
    try second.turn { second.synchronizer?.round == nil && second.synchronizer?.trouble == nil }
    #expect(try second.report().circleAlarm == nil)
    try circle.exchange()
    #expect(try first.get("meanwhile") == "4")
    for device in circle.devices { #expect(device.isQuiet(with: hub)) }
  }

  @Test func whatWasRemovedWhileTheLogWasAnotherIsRemoved() throws {
    let circle = try circle("first", "second")
    let (first, second, hub) = (circle.devices[0], circle.devices[1], circle.hub)
    let (entries, head) = (hub.entries, hub.head)
    hub.head = try #require(entries.last).previous
    hub.entries.removeLast()
    try second.synchronize()
    #expect(try second.report().circleAlarm != nil)
    (hub.entries, hub.head) = (entries, head)
    let members = hub.members
    try first.remove(second.identifier)
    hub.members = members
    #expect(try second.synchronize().stage == .removed)
  }

  // MARK: The log

  @Test func theLogSaysOnceWhatKeepsADeviceFromBeingSynchronized() throws {
    let circle = try circle("first", "second")
    let (first, second, hub) = (circle.devices[0], circle.devices[1], circle.hub)
    var lines: [String] = []
    second.engine.onSyncDoubt = { lines.append($1.line(of: $0)) }
    try second.synchronize()
    #expect(lines.isEmpty)
    _ = try doubt([second], hub)
    try second.synchronize()
    #expect(
      lines.count == 1 && lines[0].hasPrefix("items of the device sim of user 1000: the hub ")
    )
    try second.repair()
    try second.synchronize()
    #expect(lines.count == 1)
    _ = try doubt([second], hub)
    #expect(lines.count == 2, "it is another time")
    try second.repair()
    try circle.exchange()
    let members = hub.members
    try first.remove(second.identifier)
    hub.members = members
    try second.synchronize()
    #expect(lines.last?.contains("another device removed it from its circle") == true)
  }

  /// The entry that removed it is behind a hub that lets it in no more.
  @Test func theLogSaysThatTheHubDoesNotLetTheDeviceIn() throws {
    let circle = try circle("first", "second")
    let (second, hub) = (circle.devices[1], circle.hub)
    var lines: [String] = []
    second.engine.onSyncDoubt = { lines.append($1.line(of: $0)) }
    let unreachable = HubError.unreachable("it is down")
    for error in [.denied("no such role"), unreachable, .denied("no such role")] {
      hub.say(.failed(error))
      second.clock.runDue()
      try second.settle(hub)
    }
    let said = "the device sim of user 1000: the hub of its circle does not let it in"
    #expect(lines.count == 1 && lines[0].hasPrefix(said))
    second.clock.pass(.seconds(901))
    try second.settle(hub)
    hub.say(.failed(.denied("no such role")))
    second.clock.runDue()
    try second.settle(hub)
    #expect(lines.count == 2, "a hub that changes its mind is told of each quarter of an hour")
  }

  // MARK: What was heard

  /// Otherwise no tombstone goes until that time comes, and nobody sees that the device is gone.
  @Test func aClockThatWasAheadSilencesNobodyUntilThatTimeComes() throws {
    let circle = try circle("first", "second")
    let (first, second) = (circle.devices[0], circle.devices[1])
    let (peer, year) = (try first.identifier, Int64(365 * 86_400_000))
    func said() throws -> WallInstant? {
      first.clock.pass(.seconds(901))
      try first.synchronize()
      second.clock.pass(.seconds(901))
      try second.synchronize()
      return second.synchronizer?.state.book.last[peer]?.time
    }
    first.clock.moment.wall.milliseconds += year
    let ahead = try #require(try said())
    first.clock.moment.wall.milliseconds -= year
    let corrected = try #require(try said())
    #expect(corrected > ahead)
    try first.synchronize()
    #expect(first.synchronizer?.state.book.last[peer]?.time == corrected, "it is not due again")
    try first.restart()
    #expect(try #require(try said()) > corrected)
  }

  @Test func theTimeOfAnItemThatADeviceBroughtIsNotWhenItWasHeard() throws {
    let circle = try circle("first")
    let (first, second) = (circle.devices[0], try SyncDevice(circle.hub, in: place.file("second")))
    let wall = second.clock.moment.wall
    second.clock.moment.wall.milliseconds += 300 * 86_400_000
    try second.add("ahead")
    second.clock.moment.wall = wall
    try second.enter(as: "second", by: first)
    for device in [first, second, first, second, first] { try device.synchronize() }
    first.clock.pass(.seconds(31))
    try first.synchronize()
    let peer = try second.identifier
    let said = try #require(first.synchronizer?.state.book.last[peer]?.time)
    #expect(try first.get("ahead") != nil)
    #expect(try first.report().peers.first { $0.identifier == peer }?.heard == said)
  }
}
