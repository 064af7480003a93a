import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// What removed devices know.
extension SyncFlowTests {
  /// Three devices that have two items: one needs an unlocked device, the other one does not.
  private func three(
    _ place: ScratchDirectory
  ) throws -> (circle: SyncCircle, first: SyncDevice, third: SyncDevice) {
    let circle = try SyncCircle("first", "second", "third", in: place)
    let first = circle.devices[0]
    try first.add("open", "1", accessible: .afterFirstUnlock)
    try first.add("locked", "1")
    try circle.exchange()
    return (circle, first, circle.devices[2])
  }

  private func remove(_ circle: SyncCircle) throws {
    try circle.devices[0].remove(try circle.devices[1].identifier)
  }

  @Test func theSecretsOfARemovedDeviceAreListedUntilTheyAreChanged() throws {
    let place = ScratchDirectory()
    let (_, first, second) = try pair(place)
    for account in ["a", "b", "c"] { try first.add(account, "1") }
    try exchange(first, second)
    #expect(try first.exposed().isEmpty)
    try first.remove(try #require(try first.report().peers.first { !$0.isMe }).identifier)
    try first.add("later", "1")
    #expect(try first.exposed() == ["second: a", "second: b", "second: c"])
    #expect(try first.exposed(groups: ["other"]).isEmpty)
    try first.update("a", "2")
    try first.delete("b")
    try first.restart()
    #expect(try first.exposed() == ["second: c"])
    try first.update("c", "2")
    first.clock.pass(.seconds(3600))
    try first.synchronize()
    #expect(try first.exposed().isEmpty)
  }

  // MARK: What stays

  @Test func aSecretStaysOnTheListWhateverElseOfItsItemIsChanged() throws {
    let place = ScratchDirectory()
    let (circle, first, third) = try three(place)
    try remove(circle)
    try third.synchronize()
    try first.update("open", ["icmt": .text("hello"), "labl": .text("label")])
    try first.update("locked", ["acct": .text("renamed")])
    let listed = ["second: open", "second: renamed"]
    #expect(try first.exposed() == listed)
    for device in [first, third, first] { try device.synchronize() }
    for device in [first, third] {
      #expect(try device.exposed() == listed)
      try device.restart()
      #expect(try device.exposed() == listed)
    }
    try third.update("open", "2")
    try third.update("renamed", "2")
    for device in [third, first] { try device.synchronize() }
    #expect(try first.exposed().isEmpty && third.exposed().isEmpty)
  }

  @Test func aSecretThatIsPutBackIsListedAgain() throws {
    let place = ScratchDirectory()
    let (circle, first, third) = try three(place)
    try remove(circle)
    try third.synchronize()
    try first.update("open", "2")
    third.clock.pass(.seconds(10))
    try third.update("open", "3")
    for device in [first, third, first, third] { try device.synchronize() }
    #expect(try first.exposed() == ["second: locked"] && third.exposed() == ["second: locked"])
    try first.update("open", "1")
    for device in [first, third] { try device.synchronize() }
    #expect(try first.exposed() == ["second: locked", "second: open"])
    #expect(try third.exposed() == ["second: locked", "second: open"])
  }

  // MARK: What is not open

  @Test func aLockedDeviceCountsWhatItCannotName() throws {
    let place = ScratchDirectory()
    let (circle, first, _) = try three(place)
    let second = try circle.devices[1].identifier
    try first.lock()
    try first.remove(second)
    #expect(try first.exposed() == ["second: ?", "second: open"])
    try first.unlock()
    #expect(try first.exposed() == ["second: locked", "second: open"])
  }

  @Test func whatCameWhileADeviceWasLockedIsListedOnceItIsOpened() throws {
    let place = ScratchDirectory()
    let (circle, first, third) = try three(place)
    let second = circle.devices[1]
    try third.lock()
    try second.update("locked", "2")
    try second.add("new", "1")
    for device in [second, first, third] { try device.synchronize() }
    try remove(circle)
    try third.synchronize()
    #expect(try third.exposed() == ["second: ?", "second: ?", "second: open"])
    try third.unlock()
    try third.synchronize()
    #expect(try third.get("locked") == "2" && third.get("new") == "1")
    #expect(try third.exposed() == ["second: locked", "second: new", "second: open"])
    try first.update("new", "2")
    for device in [first, third] { try device.synchronize() }
    #expect(try third.exposed() == ["second: locked", "second: open"])
  }

  // MARK: What is not here

  @Test func whoWasAwayListsWhatTheRemovedDeviceCouldReadUntilThen() throws {
    let place = ScratchDirectory()
    let (circle, first, third) = try three(place)
    let second = circle.devices[1]
    try second.add("new", "1")
    for device in [second, first] { try device.synchronize() }
    try remove(circle)
    // Another secret: the same one, created in the same moment, would be that of a renamed item.
    try first.add("later", "3")
    try first.update("open", "2")
    try first.synchronize()
    try third.synchronize()
    #expect(try third.unlisted().isEmpty)
    #expect(try third.exposed() == ["second: locked", "second: new"])
  }

  @Test func whatIsSentAgainAfterARepairIsListed() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, third) = (circle.devices[0], circle.devices[2])
    try first.add("kept", "1")
    try circle.exchange()
    let kept = circle.hub.zones
    try first.add("lost", "1")
    try circle.exchange()
    circle.hub.zones = kept
    for device in [first, third] { try device.synchronize() }
    circle.hub.isDown = true
    try third.repair()
    circle.hub.isDown = false
    try first.repair()
    try first.synchronize()
    try remove(circle)
    for device in [first, third, first, third] { try device.synchronize() }
    for device in [first, third] {
      #expect(try device.exposed() == ["second: kept", "second: lost"])
    }
  }

  @Test func whoJoinedAfterARemovalSaysThatItDoesNotKnow() throws {
    let place = ScratchDirectory()
    let (circle, first, third) = try three(place)
    try remove(circle)
    let fourth = try SyncDevice(circle.hub, in: place.file("fourth"))
    try fourth.enter(as: "fourth", by: first)
    for device in [fourth, first, third] { try device.synchronize() }
    #expect(try fourth.exposed().isEmpty && fourth.unlisted() == ["second"])
    #expect(try first.unlisted().isEmpty && third.unlisted().isEmpty)
    try fourth.restart()
    #expect(try fourth.unlisted() == ["second"])
  }
}
