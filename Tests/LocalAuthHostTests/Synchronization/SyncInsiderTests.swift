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
    circle.hub.restore(.items, before: 1)
    try first.synchronize()
    #expect(try first.report().zones.contains { $0.alarm != nil })
    try first.remove(second.identifier)
    #expect(try first.report().peers.count == 1)
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
}
