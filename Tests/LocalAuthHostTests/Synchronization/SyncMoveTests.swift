import LocalAuthCore
import LocalAuthCrypto
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// A hub that its administrator moved to another host.
@Suite struct SyncMoveTests {
  private static let host = "/run/new"
  private let place = ScratchDirectory()
  private let circle: SyncCircle
  private var hub: ModelHub { circle.hub }
  private var first: SyncDevice { circle.devices[0] }
  private var second: SyncDevice { circle.devices[1] }

  init() throws {
    circle = try SyncCircle("first", "second", in: place)
    try first.add("mail", "1")
    try circle.exchange()
  }

  /// Has a copy of the hub at the new host.
  private func moved() -> ModelHub {
    let copy = hub.copy()
    hub.elsewhere[Self.host] = copy
    return copy
  }

  private func host(of device: SyncDevice) throws -> String { try device.report().address.host }

  /// Why a device does not take the hub at the new host for its own; nothing of it may have changed then.
  private func refusal(of device: SyncDevice) throws -> EngineError? {
    var refusal: EngineError?
    do { try device.move(to: Self.host) } catch let error as EngineError { refusal = error }
    #expect(try host(of: device) == "/run/hub")
    try device.synchronize()
    #expect(try device.report().zones.allSatisfy { $0.alarm == nil })
    return refusal
  }

  @Test func devicesGoOnAtTheNewAddressAndAskTheOldOneNothing() throws {
    let new = moved()
    try first.move(to: Self.host)
    let asked = hub.requests.count
    try first.update("mail", "2")
    try first.synchronize()
    #expect(hub.requests.count == asked && new.zones[.items] != nil)
    #expect(new.zones[.items]?.head != hub.zones[.items]?.head)
    // The other one comes later, and has to verify what the first one sent there.
    try second.move(to: Self.host)
    try second.synchronize()
    #expect(try second.get("mail") == "2")
    try second.restart()
    #expect(try host(of: second) == Self.host)
    try second.update("mail", "3")
    try second.synchronize()
    try first.synchronize()
    #expect(try first.get("mail") == "3")
  }

  /// It is sent once more, as after any answer that was lost.
  @Test func whatWasUnderWayToTheOldHubIsSentToTheNewOne() throws {
    let new = moved()
    let role = first.role
    hub.passage = { asking, request in
      if case .zonePush = request, asking == role { .waits } else { .arrives }
    }
    try first.update("mail", "2")
    try first.settle(hub)
    try first.move(to: Self.host)
    try first.synchronize()
    #expect(new.zones[.items]?.head.number == 2)
    try second.move(to: Self.host)
    try second.synchronize()
    #expect(try second.get("mail") == "2")
  }

  @Test func theOwnerHasToProveThatAndNothingIsAskedBefore() throws {
    let new = moved()
    #expect(throws: EngineError.self) { try first.move(to: Self.host, passcode: "0000") }
    #expect(throws: EngineError.self) { try first.move(to: Self.host, passcode: nil) }
    #expect(new.requests.isEmpty && new.passwords.isEmpty)
    #expect(try host(of: first) == "/run/hub")
  }

  @Test func aHubThatDoesNotKnowTheDeviceIsNotTaken() throws {
    let stranger = try SyncCircle("stranger", in: place)
    hub.elsewhere[Self.host] = stranger.hub
    guard case .sync(.hub(let error)) = try refusal(of: first) else {
      Issue.record("it was taken")
      return
    }
    #expect(error.isDenial)
  }

  @Test func aHubOfAnotherCircleIsNotTaken() throws {
    let stranger = try SyncCircle("stranger", in: place)
    stranger.hub.members.insert(try #require(first.role))
    // As long as the one that was verified.
    while stranger.hub.entries.count < hub.entries.count + 2 {
      try stranger.devices[0].roll()
      try stranger.devices[0].synchronize()
    }
    hub.elsewhere[Self.host] = stranger.hub
    #expect(try refusal(of: first) == .sync(.otherHub(nil)))
  }

  @Test func aCopyWithoutTheLastEntryOfTheCirclesLogIsNotTaken() throws {
    _ = moved()
    let before = hub.head.number
    try first.roll()
    try first.synchronize()
    let after = hub.head.number
    #expect(after > before)
    let refusal = try refusal(of: first)
    #expect(refusal == .sync(.olderHub(nil, verified: after, offered: before)))
    #expect(throws: EngineError.self) { try first.move(to: Self.host, acceptingOlder: true) }
    #expect(try host(of: first) == "/run/hub")
  }

  @Test func anOlderCopyOfAZoneIsTakenOnAPersonsWordAloneAndRepaired() throws {
    let new = moved()
    let before = try #require(hub.zones[.items]?.head.number)
    try first.update("mail", "2")
    try first.synchronize()
    let refusal = try refusal(of: first)
    #expect(
      refusal == .sync(.olderHub(.items, verified: before + 1, offered: before))
    )
    try first.move(to: Self.host, acceptingOlder: true)
    try first.synchronize()
    #expect(try first.report().zones.contains { $0.alarm != nil })
    try first.repair()
    try first.synchronize()
    #expect(try new.zones[.items] != nil && first.report().zones.allSatisfy { $0.alarm == nil })
    // The other one verified what the copy has not, and meets what went on from there.
    #expect(try self.refusal(of: second) == .sync(.otherHub(.items)))
    try second.move(to: Self.host, acceptingOlder: true)
    try second.synchronize()
    try second.repair()
    try second.update("mail", "3")
    try second.synchronize()
    try first.synchronize()
    #expect(try second.get("mail") == "3" && first.get("mail") == "3")
  }

  @Test func aHubWithAnotherHistoryIsNotTaken() throws {
    let new = moved()
    try second.move(to: Self.host)
    try first.update("mail", "2")
    try first.synchronize()
    for number in 3...5 {
      try second.update("mail", "\(number)")
      try second.synchronize()
    }
    #expect(new.zones[.items]?.head.number ?? 0 > hub.zones[.items]?.head.number ?? 0)
    #expect(try refusal(of: first) == .sync(.otherHub(.items)))
  }

  @Test func aHubThatSaysThatThereIsMoreHasToShowIt() throws {
    let new = moved()
    new.lie = { _, _, reply in
      guard case .heads(let heads) = reply else { return reply }
      let far = ChainPlace(number: 1 << 40, digest: .none)
      let zones = heads.zones.map { ZoneHead($0.zone, far) }
      return .heads(HubHeads(circle: heads.circle, zones: zones, time: heads.time))
    }
    #expect(try refusal(of: first) == .sync(.otherHub(.items)))
  }

  @Test func aHubThatIsNotReachedIsNotTaken() throws {
    moved().isDown = true
    guard case .sync(.hub(.unreachable)) = try refusal(of: first) else {
      Issue.record("it was taken")
      return
    }
  }

  @Test func theAuditSaysWhereTheHubIsToBe() throws {
    _ = moved()
    try first.move(to: Self.host)
    let lines = try first.lines(of: "sync move")
    #expect(lines.count == 1 && lines.allSatisfy { $0.detail.contains(Self.host) }, "\(lines)")
  }
}
