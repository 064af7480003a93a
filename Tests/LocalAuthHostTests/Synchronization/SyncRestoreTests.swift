import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// A hub that was restored from an older copy, and what its devices do behind that.
@Suite struct SyncRestoreTests {
  private let place = ScratchDirectory()

  /// A circle whose hub has lost what the first device wrote last, and which all devices have.
  private func restored(_ names: String...) throws -> SyncCircle {
    let circle = try SyncCircle(names, in: place)
    try circle.devices[0].add("kept", "1")
    try circle.exchange()
    let kept = circle.hub.zones
    try circle.devices[0].add("lost", "2")
    try circle.exchange()
    circle.hub.zones = kept
    return circle
  }

  private func expectEverything(on devices: [SyncDevice], _ accounts: [String]) throws {
    for device in devices {
      let report = try device.report()
      #expect(report.stage == .member && report.zones.allSatisfy { $0.alarm == nil })
      for account in accounts { #expect(try device.get(account) != nil, "\(account)") }
    }
  }

  // MARK: Starts

  @Test func aDeviceThatWasRepairedIsTakenUpByEachStart() throws {
    let circle = try restored("first", "second")
    let (first, second) = (circle.devices[0], circle.devices[1])
    for device in circle.devices {
      try device.synchronize()
      try device.repair()
    }
    try circle.exchange()
    for number in 1...3 {
      for device in circle.devices { try device.restart() }
      try first.add("behind \(number)", "3")
      try circle.exchange()
      try second.update("behind \(number)", "4")
      try circle.exchange()
      #expect(try first.get("behind \(number)") == "4")
    }
    try expectEverything(on: circle.devices, ["kept", "lost"])
  }

  @Test func aDeviceThatWasRepairedTwiceIsTakenUpByTheNextStart() throws {
    let circle = try restored("first", "second")
    let copy = circle.hub.zones
    for _ in 0..<2 {
      for device in circle.devices {
        try device.synchronize()
        try device.repair()
      }
      try circle.exchange()
      for device in circle.devices { try device.restart() }
      try expectEverything(on: circle.devices, ["kept", "lost"])
      circle.hub.zones = copy
    }
  }

  /// The person's word, the new place and the ledger are one commit.
  @Test(arguments: [true, false])
  func whoIsKilledRightBehindItsRepairIsRepaired(_ isReached: Bool) throws {
    let circle = try restored("first", "second")
    let (first, second) = (circle.devices[0], circle.devices[1])
    for device in circle.devices { try device.synchronize() }
    circle.hub.isDown = !isReached
    try first.repair()
    try first.restart()
    circle.hub.isDown = false
    #expect(try first.report().stage == .member && first.replica?.alarm == nil)
    try second.repair()
    try circle.exchange()
    try expectEverything(on: circle.devices, ["kept", "lost"])
  }

  // MARK: Words

  @Test func whatRepairedDevicesSaidBeforeIsNoForkForWhoWasAway() throws {
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, third) = (circle.devices[0], circle.devices[2])
    let others = Array(circle.devices.prefix(2))
    try first.add("kept", "1")
    try circle.exchange()
    let kept = circle.hub.zones
    try first.add("lost", "2")
    for device in others {
      device.clock.pass(.seconds(901))
      try device.synchronize()
    }
    circle.hub.zones = kept
    for device in others {
      try device.synchronize()
      try device.repair()
    }
    for account in ["b", "c"] {
      try first.add(account, "3")
      for device in others { try device.synchronize() }
    }
    third.clock.pass(.seconds(901))
    for _ in 0..<2 { try third.synchronize() }
    try expectEverything(on: [third], ["kept", "lost", "b", "c"])
  }

  // MARK: Removals

  /// All go on after the removal of the first device by the second, and so does who joins later.
  private func expectTheOthersGoOn(_ circle: SyncCircle, _ accounts: [String]) throws {
    let (second, third) = (circle.devices[1], circle.devices[2])
    for device in [second, third] {
      try device.synchronize()
      if device.replica?.alarm != nil { try device.repair() }
    }
    try second.add("after", "5")
    for _ in 0..<3 { for device in [second, third] { try device.synchronize() } }
    let joiner = try SyncDevice(circle.hub, in: place.file("joiner"))
    try joiner.enter(as: "joiner", by: third)
    for device in [joiner, second, third, joiner] { try device.synchronize() }
    try expectEverything(on: [second, third, joiner], accounts + ["after"])
    for device in [second, third, joiner] { try device.restart() }
    try expectEverything(on: [second, third, joiner], accounts + ["after"])
  }

  /// How far the removed device's changes count would be a place of a history that the hub has lost.
  @Test(arguments: [true, false])
  func whoHasNotRepairedRemovesNobody(_ hasNoticed: Bool) throws {
    let circle = try restored("first", "second", "third")
    let (first, second) = (circle.devices[0], circle.devices[1])
    let peer = try first.identifier
    if hasNoticed { try second.synchronize() }
    let entries = circle.hub.entries
    #expect(throws: EngineError.sync(.unrepaired)) { try second.remove(peer) }
    #expect(circle.hub.entries == entries)
    try second.repair()
    try second.remove(peer)
    try expectTheOthersGoOn(circle, ["kept", "lost"])
  }

  @Test func whoHasNotRepairedRemovesADeviceThatHas() throws {
    let circle = try restored("first", "second", "third")
    let (first, second) = (circle.devices[0], circle.devices[1])
    let peer = try first.identifier
    try first.synchronize()
    try first.repair()
    for account in ["b", "c", "d"] {
      try first.add(account, "3")
      try first.synchronize()
    }
    // The hub's chain is longer than what the second one verified, and another.
    try second.synchronize()
    guard case .hubForked = second.replica?.alarm else {
      Issue.record("it is another history")
      return
    }
    try second.remove(peer)
    try expectTheOthersGoOn(circle, ["kept", "lost", "b", "d"])
  }

  @Test func aHubThatGoesBackWhileSomebodyIsRemovedTakesNoRemoval() throws {
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second) = (circle.devices[0], circle.devices[1])
    try first.add("kept", "1")
    try circle.exchange()
    let kept = circle.hub.zones
    try first.add("lost", "2")
    try circle.exchange()
    let peer = try first.identifier
    let head = circle.hub.head
    circle.hub.passage = { [hub = circle.hub] _, request in
      if case .circlePush = request { hub.zones = kept }
      return .arrives
    }
    #expect(throws: EngineError.sync(.circleChanged)) { try second.remove(peer) }
    #expect(circle.hub.head == head)
    circle.hub.passage = nil
    try second.synchronize()
    try second.repair()
    try second.remove(peer)
    try expectTheOthersGoOn(circle, ["kept", "lost"])
  }

  /// Whoever could keep itself in by a word that nobody can believe would stay for good.
  @Test func aMemberThatSpeaksOfAnotherHistoryIsRemovedAllTheSame() throws {
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second, third) = (circle.devices[0], circle.devices[1], circle.devices[2])
    for account in ["kept", "lost"] {
      try first.add(account, "1")
      for _ in 0..<2 { try circle.exchange() }
    }
    try say(ZoneHead(.items, ChainPlace(number: 1, digest: .none)), as: second, at: circle.hub)
    first.clock.pass(.seconds(31))
    try first.synchronize()
    #expect(first.replica?.alarm == .hubForked(.items, at: 1))
    try first.remove(try second.identifier)
    for device in [first, third] {
      try device.synchronize()
      if device.replica?.alarm != nil { try device.repair() }
    }
    for _ in 0..<3 { for device in [first, third] { try device.synchronize() } }
    try expectEverything(on: [first, third], ["kept", "lost"])
  }

  /// Has a member say that a zone ends where it does not.
  private func say(_ head: ZoneHead, as device: SyncDevice, at hub: ModelHub) throws {
    device.clock.pass(.seconds(60))
    let author = try device.identifier
    let beat = Heartbeat(
      circle: try device.report().circle,
      author: author,
      time: device.clock.now().wall,
      circleHead: try device.report().head,
      heads: [head],
      acknowledged: [0]
    )
    var said = try #require(beat)
    said.signature = try #require(device.synchronizer?.secrets.signer.sign(said.signed))
    let role = try #require(device.role)
    hub.heartbeats[role] = said
  }
}
