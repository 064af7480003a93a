import LocalAuthCore
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthService

/// New keys that nobody's removal asked for: a person wants them, or they are a year old.
@Suite struct SyncRollTests {
  /// The epochs that the records of a device's zone are sealed under.
  private func epochs(_ device: SyncDevice, _ zone: ZoneName = .items) -> Set<UInt32> {
    Set(device.replica(of: zone)?.chain.manifest.lines.values.map(\.epoch) ?? [])
  }

  @Test func whoWantsNewKeysHasEverythingSealedAnew() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    for name in ["one", "two", "three"] { try first.add(name, name) }
    try circle.exchange()
    #expect(epochs(second) == [1])
    try second.roll()
    try circle.exchange()
    for device in [first, second] {
      #expect(epochs(device) == [2])
      #expect(try device.get("two") == "two")
      try device.restart()
      try device.synchronize()
    }
    try first.add("four", "4")
    try circle.exchange()
    #expect(try second.get("four") == "4")
    let third = try SyncDevice(circle.hub, in: place.file("third"))
    try third.enter(as: "third", by: first)
    try third.synchronize()
    #expect(try third.get("one") == "one")
  }

  /// All those keys in one message were more than it may have, and nothing was ever sent again.
  @Test func manyEpochsKeepNobodyFromMakingNewKeys() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    for name in ["one", "two"] { try first.add(name, name) }
    try circle.exchange()
    let count = HubRequest.sharesMax + 4
    for _ in 0..<count {
      try second.roll()
      try second.synchronize()
    }
    try circle.exchange()
    try first.roll()
    try circle.exchange()
    #expect(epochs(first) == [UInt32(count + 2)])
    let third = try SyncDevice(circle.hub, in: place.file("third"))
    try third.enter(as: "third", by: first)
    try third.synchronize()
    #expect(try third.get("one") == "one" && third.get("two") == "two")
  }

  @Test func whoseNewestKeysTheHubLostSaysSoUntilAnotherDeviceMakesNewOnes() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.add("one", "1")
    try circle.exchange()
    #expect(try second.report().zones.allSatisfy { !$0.lacksKeys })
    // Shares of the first epoch have come already.
    circle.hub.lie = { _, request, reply in
      if case .shares = request { return .shares([]) }
      return reply
    }
    try first.roll()
    try circle.exchange()
    let lacking = try #require(try second.report().zones.first { $0.name == .items })
    #expect(lacking.lacksKeys && lacking.incoming == 1)
    #expect(try first.report().zones.allSatisfy { !$0.lacksKeys })
    try second.lock()
    #expect(try second.report().zones.first { $0.name == .items }?.lacksKeys == true)
    try second.unlock()
    circle.hub.lie = nil
    try first.roll()
    try circle.exchange()
    #expect(try second.report().zones.allSatisfy { !$0.lacksKeys && $0.incoming == 0 })
    #expect(try second.get("one") == "1")
  }

  @Test func aLockedDeviceLacksNoKeys() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.add("one", "1")
    try circle.exchange()
    try second.lock()
    try first.roll()
    try circle.exchange()
    #expect(try second.report().zones.allSatisfy { !$0.lacksKeys })
    try second.restart(isUnlocked: true)
    try circle.exchange()
    #expect(try second.report().zones.allSatisfy { !$0.lacksKeys })
  }

  @Test func nobodyMakesNewKeysWithoutThePasscode() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    let entries = circle.hub.entries.count
    #expect(throws: EngineError.passcodeRequired) { try first.roll(passcode: nil) }
    #expect(throws: EngineError.self) { try first.roll(passcode: "9999") }
    try first.lock()
    first.clock.pass(.seconds(11))
    #expect(throws: EngineError.self) { try first.roll() }
    #expect(circle.hub.entries.count == entries)
  }

  /// What the new keys do not know nobody could open any more.
  @Test func whoLacksSomethingMakesNoNewKeys() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try circle.exchange()
    let entries = circle.hub.entries.count
    var asked = 0
    circle.hub.lie = { [hub = circle.hub] role, request, reply in
      guard role == first.role, request == .heads else { return reply }
      asked += 1
      guard asked == 2 else { return reply }
      hub.lie = nil
      do {
        try second.add("late", "1")
        try second.synchronize()
      } catch { Issue.record(error) }
      return .heads(hub.heads)
    }
    #expect(throws: EngineError.sync(.incomplete)) { try first.roll() }
    #expect(circle.hub.entries.count == entries && asked == 2)
    try first.roll()
    try circle.exchange()
    #expect(epochs(first) == [2] && epochs(second) == [2])
    #expect(try first.get("late") == "1")
  }

  @Test func keysAreRenewedEachYear() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.add("mail", "1")
    try circle.exchange()
    for (days, epoch) in [(200, 1), (366, 2), (500, 2), (732, 3)] as [(Int, UInt32)] {
      try pass(to: days, circle)
      #expect(
        [epochs(first), epochs(second)] == [[epoch], [epoch]],
        "after \(days) days, \(first.replica(of: .items)!.horizon)"
      )
      for device in [first, second] { try device.restart() }
    }
    #expect(try second.get("mail") == "1")
  }

  /// A hub, or one clock, would otherwise have a circle seal everything anew as often as it likes.
  @Test func oneClockThatIsAheadRenewsNoKeys() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.add("mail", "1")
    try circle.exchange()
    circle.hub.time = circle.hub.time.advanced(byDays: 4000)
    try circle.exchange()
    #expect(epochs(first) == [1] && epochs(second) == [1])
  }

  /// Lets time pass on both devices and at the hub, until so many days after the beginning.
  private func pass(to days: Int, _ circle: SyncCircle) throws {
    let now = circle.hub.time
    circle.hub.time = ModelHub.beginning.advanced(byDays: days)
    let milliseconds = circle.hub.time.milliseconds - now.milliseconds
    for device in circle.devices { device.clock.pass(.milliseconds(milliseconds)) }
    for _ in 1...2 {
      // Each hears the other's heartbeat, which is a quarter of an hour old at most.
      for device in circle.devices { device.clock.pass(.seconds(901)) }
      try circle.exchange()
    }
  }
}

extension WallInstant {
  fileprivate func advanced(byDays days: Int) -> WallInstant {
    WallInstant(milliseconds: milliseconds + Int64(days) * 24 * 3_600_000)
  }
}
