import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// A hub that lies: nothing of it is believed, nothing is lost, and writing stops until a person acts.
@Suite struct SyncLiesTests {
  private let place = ScratchDirectory()
  private let circle: SyncCircle
  private var hub: ModelHub { circle.hub }
  private var first: SyncDevice { circle.devices[0] }
  private var second: SyncDevice { circle.devices[1] }
  private static let accounts = ["one", "two", "three"]

  /// The second device has the first item, and the hub has two more from the first device.
  init() throws {
    circle = try SyncCircle("first", "second", in: place)
    try circle.exchange()
    for (index, account) in Self.accounts.enumerated() {
      try first.add(account, account)
      try first.synchronize()
      if index == 0 { try catchUp() }
    }
  }

  /// The second device takes all that the hub has, and has heard nothing that it would ask for more.
  private func catchUp() throws {
    try second.synchronize()
    try second.settle(hub)
  }

  /// Tells the second device something else.
  private func lie(_ lie: @escaping (HubRequest, HubReply) -> HubReply) {
    let role = second.role
    hub.lie = { asking, request, reply in asking == role ? lie(request, reply) : reply }
  }

  private func lieOfEntries(_ change: @escaping ([ZoneEntry]) -> [ZoneEntry]) {
    lie { _, reply in
      guard case .zone(let page) = reply, page.entries.count > 1 else { return reply }
      return .zone(ZonePage(entries: change(page.entries), bodies: page.bodies, head: page.head))
    }
  }

  private func lieOfCircle(_ change: @escaping ([CircleEntry]) -> [CircleEntry]) {
    lie { _, reply in
      guard case .circle(let entries) = reply, entries.count > 1 else { return reply }
      return .circle(change(entries))
    }
  }

  /// What was pushed to the zone so far.
  private var pushes: Int {
    hub.requests.count { if case .zonePush = $0 { true } else { false } }
  }

  /// The second device has nothing of the lie, and sends nothing more; once the hub is honest, everybody has everything.
  private func expect(_ alarm: HubAlarm, keeps accounts: [String] = ["one"]) throws {
    #expect(try second.synchronize().zones[0].alarm == alarm)
    for account in Self.accounts {
      #expect(try second.get(account) == (accounts.contains(account) ? account : nil))
    }
    let pushes = pushes
    try second.add("meanwhile", "4")
    try second.synchronize()
    #expect(self.pushes == pushes)
    try expectEverythingAfterRepair()
  }

  private func expectEverythingAfterRepair() throws {
    hub.lie = nil
    for device in circle.devices {
      try device.synchronize()
      if device.replica?.alarm != nil { try device.repair() }
    }
    try circle.exchange()
    for device in circle.devices {
      #expect(try device.report().zones[0].alarm == nil)
      for account in Self.accounts { #expect(try device.get(account) == account) }
      #expect(try device.get("meanwhile") == "4")
    }
  }

  // MARK: Entries

  @Test func entryThatIsLeftOutIsMissed() throws {
    lieOfEntries { Array($0.dropFirst()) }
    try expect(.hubTampered(.order))
  }

  @Test func entryThatIsRepeatedIsNotTakenTwice() throws {
    lieOfEntries { [$0[0], $0[0]] + $0.dropFirst() }
    try expect(.hubTampered(.order))
  }

  @Test func entriesInAnotherOrderAreNotTaken() throws {
    lieOfEntries { $0.reversed() }
    try expect(.hubTampered(.order))
  }

  @Test func entryWhoseEpochWasChangedIsNotItsAuthors() throws {
    lieOfEntries { entries in
      entries.map {
        ZoneEntry(
          circle: $0.circle,
          zone: $0.zone,
          previous: $0.previous,
          author: $0.author,
          batch: $0.batch,
          changes: $0.changes,
          epoch: $0.epoch + 1,
          circleHead: $0.circleHead,
          heads: $0.heads,
          signature: $0.signature
        )
      }
    }
    try expect(.hubTampered(.author))
  }

  @Test func oldBodyIsNotTakenForANewOne() throws {
    let old = try #require(hub.zones[.items]?.records)
    try first.update("two", "changed")
    try first.update("two", "two")
    try first.synchronize()
    lie { _, reply in
      guard case .zone(let page) = reply else { return reply }
      let bodies = page.bodies.merging(old.mapValues(\.body)) { _, old in old }
        .filter { page.bodies[$0.key] != nil }
      return .zone(ZonePage(entries: page.entries, bodies: bodies, head: page.head))
    }
    try expect(.hubTampered(.body))
  }

  @Test func bodyThatIsLeftOutIsMissed() throws {
    lie { _, reply in
      guard case .zone(let page) = reply else { return reply }
      return .zone(ZonePage(entries: page.entries, bodies: [:], head: page.head))
    }
    try expect(.hubTampered(.missingBody))
  }

  /// It looks like a hub that nobody can reach, and nothing is lost by it.
  @Test func whatIsWithheldComesLater() throws {
    let zone = try #require(second.replica?.chain.head)
    lie { [hub] _, reply in
      guard case .heads(let heads) = reply else { return reply }
      return .heads(
        HubHeads(circle: heads.circle, zones: [ZoneHead(.items, zone)], time: hub.time)
      )
    }
    #expect(try second.synchronize().zones[0].alarm == nil)
    #expect(try second.get("two") == nil)
    hub.lie = nil
    try second.synchronize()
    #expect(try second.get("two") == "two")
  }

  // MARK: Chains

  @Test func zoneWhoseRowsAreAllGoneDeletesNothing() throws {
    try catchUp()
    let head = try #require(second.replica?.chain.head)
    hub.zones = [:]
    try expect(.hubRolledBack(verified: head, offered: .beginning), keeps: Self.accounts)
  }

  @Test func hubWithoutAnyRowsDeletesNothingAndGetsNothing() throws {
    try catchUp()
    let verified = try #require(second.synchronizer?.state.circle.head)
    (hub.zones, hub.entries, hub.head) = ([:], [], .beginning)
    try second.add("meanwhile", "4")
    let pushes = pushes
    for device in circle.devices {
      let report = try device.synchronize()
      #expect(report.circleAlarm == .hubRolledBack(verified: verified, offered: .beginning))
      for account in Self.accounts { #expect(try device.get(account) == account) }
    }
    #expect(self.pushes == pushes)
  }

  @Test func pushThatTheHubOnlySaidItTookIsNotLost() throws {
    try catchUp()
    let kept = hub.zones
    lie { [hub] request, reply in
      if case .zonePush = request { hub.zones = kept }
      return reply
    }
    try second.add("meanwhile", "4")
    try second.synchronize()
    hub.lie = nil
    guard case .hubRolledBack = try second.synchronize().zones[0].alarm else {
      Issue.record("it went back")
      return
    }
    try expectEverythingAfterRepair()
  }

  @Test func twoHistoriesAreFoundAtTheFirstHeartbeatThatCrosses() throws {
    try catchUp()
    let fork = hub.zones
    try first.add("left", "1")
    try first.synchronize()
    let ours = hub.zones
    hub.zones = fork
    try second.add("meanwhile", "4")
    try second.synchronize()
    // The hub goes on showing each its own history, and both devices say how far they are.
    for _ in 0..<2 {
      for (device, zones) in [(first, ours), (second, fork)] {
        device.clock.pass(.seconds(901))
        if device === first { hub.zones = zones }
        try device.synchronize()
      }
      hub.zones = ours
    }
    let alarms = circle.devices.map { $0.replica?.alarm }
    #expect(
      alarms.contains {
        if case .hubForked(.items, _) = $0 { true } else { false }
      }
    )
    try expectEverythingAfterRepair()
    #expect(try second.get("left") == "1")
  }

  // MARK: The circle

  /// The second device has to take two entries of the circle at once.
  private func growCircle() throws {
    for name in ["third", "fourth"] {
      try SyncDevice(hub, in: place.file(name)).enter(as: name, by: first)
    }
  }

  private func expectCircleAlarm(_ alarm: HubAlarm) throws {
    let pushes = pushes
    try second.add("meanwhile", "4")
    let report = try second.synchronize()
    #expect(report.circleAlarm == alarm && report.peers.count == 2)
    #expect(self.pushes == pushes && second.replica?.records.count == 2)
    hub.lie = nil
    try circle.exchange()
    for device in circle.devices {
      #expect(try device.report().circleAlarm == nil)
      #expect(try device.get("three") == "three" && device.get("meanwhile") == "4")
    }
  }

  @Test func entryOfTheCircleThatIsLeftOutIsMissed() throws {
    try growCircle()
    lieOfCircle { Array($0.dropFirst()) }
    try expectCircleAlarm(.hubTampered(.circle))
  }

  @Test func entriesOfTheCircleInAnotherOrderAreNotTaken() throws {
    try growCircle()
    lieOfCircle { $0.reversed() }
    try expectCircleAlarm(.hubTampered(.circle))
  }

  @Test func nobodyIsInTheCircleWhomTheHubAdded() throws {
    let otherHub = try SyncCircle("stranger", in: place)
    let stranger = try #require(otherHub.devices[0].synchronizer?.secrets)
    let member = try #require(first.synchronizer?.me)
    let (circle, head) = try #require(
      second.synchronizer.map { ($0.state.circle.circle, hub.head) }
    )
    let invitation = try #require(SyncDigest([UInt8](repeating: 1, count: 32)))
    let sponsor = try #require(first.synchronizer?.secrets.keys)
    let asked = Voucher.consent(
      to: circle,
      invitation: invitation,
      joiner: stranger.keys,
      sponsor: sponsor
    )
    let consent = try #require(stranger.signer.sign(asked))
    let voucher = Voucher(invitation: invitation, consent: consent)
    let entry = try #require(
      CircleEntry(circle: circle, previous: head, author: member, act: .add(stranger.keys, voucher))
        .signed(by: stranger.signer)
    )
    lie { [hub] request, reply in
      switch request {
      case .heads:
        .heads(HubHeads(circle: entry.place(MessageHash()), zones: [], time: hub.time))
      case .circlePull: .circle([entry])
      default: reply
      }
    }
    try expectCircleAlarm(.hubTampered(.circle))
  }

  @Test func anotherCircleOfTheSameLengthIsNoticed() throws {
    let other = ChainPlace(number: hub.head.number, digest: .none)
    lie { [hub] _, reply in
      guard case .heads(let heads) = reply else { return reply }
      return .heads(HubHeads(circle: other, zones: heads.zones, time: hub.time))
    }
    try expectCircleAlarm(.hubForked(nil, at: other.number))
  }

  /// A member can leave at the hub what is no entry, and nobody is shown that.
  @Test func theCirclesLogIsNotTakenToEndBeforeTheHubSaysSo() throws {
    let far = ChainPlace(number: hub.head.number + 1, digest: .none)
    lie { [hub] _, reply in
      guard case .heads(let heads) = reply else { return reply }
      return .heads(HubHeads(circle: far, zones: heads.zones, time: hub.time))
    }
    try expectCircleAlarm(.hubTampered(.circle))
  }

  // MARK: Keys and heartbeats

  @Test func shareOfAnOlderEpochOpensNoNewerOne() throws {
    let third = try SyncDevice(hub, in: place.file("third"))
    try third.enter(as: "third", by: first)
    try circle.exchange()
    let old = hub.shares
    try first.remove(try third.identifier)
    try first.synchronize()
    try first.update("one", "secret of the new epoch")
    try first.synchronize()
    lie { _, reply in
      guard case .shares(let shares) = reply else { return reply }
      return .shares(old.filter { $0.receiver == shares.first?.receiver })
    }
    let zone = try second.synchronize().zones[0]
    #expect(zone.alarm == nil && zone.incoming > 0)
    #expect(try second.get("one") == "one")
    hub.lie = nil
    try second.synchronize()
    #expect(try second.get("one") == "secret of the new epoch")
  }

  @Test func heartbeatThatIsShownOnceMoreMakesNobodyYounger() throws {
    try catchUp()
    let old = hub.heartbeats
    first.clock.pass(.seconds(901))
    try first.synchronize()
    let peer = try first.identifier
    func heard() throws -> WallInstant? {
      second.clock.pass(.seconds(31))
      return try second.synchronize().peers.first { $0.identifier == peer }?.heard
    }
    let last = try heard()
    #expect(last == first.synchronizer?.state.book.last[peer]?.time)
    hub.heartbeats = old
    #expect(try heard() == last)
  }

  @Test func memberThatSawAPlaceThatIsNotThereIsNamedAndItsWordGoesWithIt() throws {
    try first.write(row: "a", ["n": .integer(1)])
    try first.synchronize()
    let far = ZoneHead(.tables, ChainPlace(number: 1 << 63, digest: .none))
    let liar = try second.identifier
    let beat = Heartbeat(
      circle: try first.report().circle,
      author: liar,
      time: second.clock.now().wall,
      circleHead: try second.report().head,
      heads: [far],
      acknowledged: [0]
    )
    var said = try #require(beat)
    said.signature = try #require(second.synchronizer?.secrets.signer.sign(said.signed))
    let role = try #require(hub.heartbeats.first { $0.value.author == liar }?.key)
    hub.heartbeats[role] = said
    let third = try SyncDevice(hub, in: place.file("third"))
    try third.enter(as: "third", by: first)
    try third.synchronize()
    let zone = try #require(try third.report().zones.first { $0.name == .tables })
    #expect(zone.claimed == far.place.number && zone.claimants == [liar])
    #expect(third.synchronizer?.state.hasTables == false)
    try first.remove(liar)
    try first.synchronize()
    try third.synchronize()
    #expect(try third.report().zones.allSatisfy { $0.claimed == nil && $0.alarm == nil })
    #expect(third.synchronizer?.state.hasTables == true)
  }
}
