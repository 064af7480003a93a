import LocalAuthCore
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// A member that would stay in its circle by what it leaves at the hub, which takes any bytes.
@Suite struct SyncStayingTests {
  private let place = ScratchDirectory()

  private func cuts(at hub: ModelHub) -> [[ZoneHead]] {
    hub.entries.compactMap { entry in
      guard case .remove(_, let cuts) = entry.act else { return nil }
      return cuts
    }
  }

  private func asked(_ hub: ModelHub, since count: Int, _ isMeant: (HubRequest) -> Bool) -> Int {
    hub.requests.dropFirst(count).count(where: isMeant)
  }

  private static func isAdmission(_ request: HubRequest) -> Bool {
    if case .admit = request { true } else { false }
  }

  private static func isHeartbeats(_ request: HubRequest) -> Bool {
    if case .heartbeats = request { true } else { false }
  }

  // MARK: What is no entry

  @Test func whatIsNoEntryStopsItsZoneAloneAndKeepsNobodyInTheCircle() throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.add("mail", "1")
    try circle.exchange()
    try second.add("bank", "2")
    try second.synchronize()
    let end = try #require(second.replica?.chain.head)
    circle.hub.spoil(.items)
    try first.set("colour", "blue")
    let report = try first.synchronize()
    #expect(report.failure == nil && first.replica?.alarm == .hubTampered(.author))
    #expect(try first.get("mail") == "1" && first.get("bank") == "2", "it was taken before")
    try first.synchronize()
    #expect(circle.hub.zones[.keyValues]?.entries.isEmpty == false, "another zone goes on")
    try first.remove(second.identifier)
    #expect(try first.report().peers.count == 1)
    #expect(circle.hub.members == [circle.hub.founder])
    let cut = try #require(cuts(at: circle.hub).last).first { $0.zone == .items }
    #expect(cut == ZoneHead(.items, end))
  }

  // MARK: What cannot be kept

  /// Otherwise whoever fills the items that another user may have could not be removed by that.
  @Test func whoFillsTheItemsOfAnotherDeviceIsRemovedByIt() throws {
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    var quota = UserQuota()
    quota.itemsMax = 2
    let first = try SyncDevice(hub, in: place.file("first"), quota: quota)
    try first.found(by: code)
    try first.add("mail", "1")
    let second = try SyncDevice(hub, in: place.file("second"))
    try second.enter(as: "second", by: first)
    for device in [first, second] { try device.synchronize() }
    for account in ["a", "b", "c"] { try second.add(account, account) }
    try second.set("colour", "blue")
    try second.synchronize()
    let report = try first.synchronize()
    #expect(report.unkept != nil && first.replica?.alarm == nil)
    #expect(try first.get("a") == nil)
    try first.remove(second.identifier)
    #expect(try first.report().peers.count == 1 && hub.members == [hub.founder])
    let end = try #require(hub.zones[.items]?.head)
    #expect(try #require(cuts(at: hub).last).contains(ZoneHead(.items, end)))
    #expect(try first.synchronize().unkept != nil && first.replica?.alarm == nil)
  }

  /// The paper before would end with its entry, and nobody be shown the new one.
  @Test func noPaperIsMadeWhereWhatCameCannotBeKept() throws {
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    var quota = UserQuota()
    quota.itemsMax = 0
    let first = try SyncDevice(hub, in: place.file("first"), quota: quota)
    try first.found(by: code)
    let second = try SyncDevice(hub, in: place.file("second"))
    try second.enter(as: "second", by: first)
    try second.add("a", "1")
    try second.synchronize()
    let entries = hub.entries.count
    #expect(throws: EngineError.self) { try first.makeRecoveryKey() }
    #expect(hub.entries.count == entries)
  }

  /// The place that it signed would be one that nobody sees any more.
  @Test func whoCannotKeepAZoneOfAHubThatWentBackRemovesNobody() throws {
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    var quota = UserQuota()
    quota.itemsMax = 1
    let first = try SyncDevice(hub, in: place.file("first"), quota: quota)
    try first.found(by: code)
    let second = try SyncDevice(hub, in: place.file("second"))
    try second.enter(as: "second", by: first)
    try second.add("a", "1")
    try second.synchronize()
    try first.synchronize()
    for account in ["b", "c"] { try second.add(account, account) }
    try second.synchronize()
    // It is restored behind the page that cannot be kept: a look at all of the zone begins with its first entry.
    let role = first.role
    hub.passage = { [hub] asking, request in
      if asking == role, case .zonePull(.items, 0, _) = request {
        hub.zones[.items] = ModelHub.Zone()
      }
      return .arrives
    }
    let entries = hub.entries.count
    #expect(throws: EngineError.sync(.alarm)) { try first.remove(second.identifier) }
    #expect(hub.entries.count == entries)
  }

  // MARK: Letters

  /// Whether it was ever heard: a member that is none need not say anything of itself.
  @Test(arguments: [true, false])
  func aLetterThatAMemberPostsOnceMoreKeepsItInNoCircle(_ isHeard: Bool) throws {
    let circle = try SyncCircle("first", in: place)
    let (hub, first) = (circle.hub, circle.devices[0])
    let role = first.role
    if !isHeard {
      hub.lie = { asking, request, reply in
        guard asking == role, case .heartbeats = request else { return reply }
        return .heartbeats([], isLast: true)
      }
    }
    let second = try SyncDevice(hub, in: place.file("second"))
    try second.enter(as: "second", by: first)
    for device in [second, first] { try device.synchronize() }
    try first.add("mail", "1")
    let own = try #require(second.role)
    let other = try #require(HubRole(bytes: [UInt8](repeating: 7, count: 16)))
    let letter = try #require(hub.invited[own]?.request)
    hub.invited[other] = ModelHub.Invited(offer: [], request: letter)
    let before = hub.requests.count
    try first.restart()
    #expect(try first.synchronize().failure == nil)
    #expect(!hub.members.contains(other))
    #expect(asked(hub, since: before, Self.isAdmission) == (isHeard ? 0 : 1))
    #expect(hub.zones[.items]?.entries.isEmpty == false, "it sends what waits")
    let after = hub.requests.count
    try first.synchronize()
    #expect(asked(hub, since: after) { $0 == .requests } == 0, "nobody is owed anything")
    try first.remove(second.identifier)
    #expect(hub.members == [hub.founder])
  }

  /// A device that was let in as somebody else would stay when that one, or who posted the letter, is removed.
  @Test(arguments: [true, false])
  func aLetterThatCameForTwoRolesLetsInTheOneOfTheCode(_ isRestarted: Bool) throws {
    let circle = try SyncCircle("first", in: place)
    let (hub, first) = (circle.hub, circle.devices[0])
    let second = try SyncDevice(hub, in: place.file("second"))
    _ = try second.join(try first.invite(), as: "second")
    try second.synchronize()
    _ = try #require(try first.answering())
    let own = try #require(second.role)
    let others = try [UInt8.min, .max].map {
      try #require(HubRole(bytes: [UInt8](repeating: $0, count: 16)))
    }
    let letter = try #require(hub.invited[own]?.request)
    for other in others { hub.invited[other] = ModelHub.Invited(offer: [], request: letter) }
    if isRestarted {
      hub.passage = { _, request in Self.isAdmission(request) ? .isLost : .arrives }
      #expect(throws: EngineError.self) { try first.approve() }
      hub.passage = nil
      try first.restart()
      #expect(try first.synchronize().failure == nil)
      #expect(hub.members == [hub.founder], "it cannot tell")
      // Their invitations are over.
      for other in others { hub.invited[other] = nil }
      try first.synchronize()
    } else {
      try first.approve()
    }
    #expect(hub.members == [hub.founder, own])
    try second.synchronize()
    #expect(try second.report().stage == .member)
  }

  @Test func whomTheHubRefusesIsNotSaidToBeIn() throws {
    let circle = try SyncCircle("first", in: place)
    let (hub, first) = (circle.hub, circle.devices[0])
    let second = try SyncDevice(hub, in: place.file("second"))
    _ = try second.join(try first.invite(), as: "second")
    try second.synchronize()
    _ = try #require(try first.answering())
    let refusal = HubError.refused(code: "53100", reason: "the circle has no room left")
    hub.lie = { _, request, reply in Self.isAdmission(request) ? .failed(refusal) : reply }
    // The hub of the model lets it in all the same, so its letter is posted anew.
    let own = try #require(second.role)
    let invited = hub.invited[own]
    #expect(throws: EngineError.sync(.hub(refusal))) { try first.approve() }
    hub.lie = nil
    hub.members.remove(own)
    hub.invited[own] = invited
    hub.added = hub.added.filter { $0.value != own }
    try first.approve()
    try second.synchronize()
    #expect(try second.report().stage == .member)
  }

  // MARK: What goes on without end

  /// The same page once more, or one role behind the other.
  @Test(arguments: [false, true])
  func heartbeatsWithoutEndAreNotAskedForWithoutEnd(_ isGrowing: Bool) throws {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try circle.exchange()
    let (role, peer) = (first.role, try second.identifier)
    let beat = try #require(circle.hub.heartbeats.values.first { $0.author == peer })
    var next: UInt16 = 0
    circle.hub.lie = { asking, request, reply in
      guard asking == role, case .heartbeats = request else { return reply }
      if !isGrowing { next = 0 }
      let beats = (0..<100).compactMap { _ -> HubHeartbeat? in
        next += 1
        let bytes = [UInt8](repeating: 0, count: 14) + [UInt8(next >> 8), UInt8(next & 255)]
        return HubRole(bytes: bytes).map { HubHeartbeat($0, beat) }
      }
      return .heartbeats(beats, isLast: false)
    }
    first.clock.pass(.seconds(31))
    let before = circle.hub.requests.count
    #expect(try first.synchronize().failure == nil)
    #expect(asked(circle.hub, since: before, Self.isHeartbeats) <= 3)
  }

  /// A member signs another place than the one where it leaves its checkpoint, or leaves parts that are none.
  @Test func aCheckpointWithoutItsManifestKeepsNobodyOut() throws {
    let chain = try LongChain()
    try chain.fill()
    let third = try chain.joining()
    let role = third.role
    chain.hub.lie = { asking, request, reply in
      guard asking == role, case .manifest = request else { return reply }
      return .manifest(nil)
    }
    let before = chain.hub.requests.count
    let report = try third.synchronize()
    #expect(report.failure == nil && report.zones.allSatisfy { $0.alarm == nil })
    #expect(try chain.has(third) && third.isQuiet(with: chain.hub))
    let manifests = asked(chain.hub, since: before) {
      if case .manifest(.items, _, _) = $0 { true } else { false }
    }
    #expect(manifests == 4)
    #expect(chain.pulls(since: before).contains(0), "the entries are verified instead")
  }
}
