import LocalAuthCore
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

/// A circle that has used up its share of a hub's bytes.
@Suite struct SyncFullShareTests {
  private let full = HubError.refused(code: "53100", reason: "ERROR:  the circle has no room left")

  private func pair(_ place: ScratchDirectory) throws -> (ModelHub, SyncDevice, SyncDevice) {
    let circle = try SyncCircle("first", "second", in: place)
    return (circle.hub, circle.devices[0], circle.devices[1])
  }

  @Test func aDeletionGoesPastWhatFindsNoRoom() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    for name in ["old", "kept"] { try first.add(name, "1") }
    try first.synchronize()
    try second.synchronize()
    hub.isFull = true
    try first.add("new", "2")
    try first.synchronize()
    #expect(try first.report().failure == full)
    try first.delete("old")
    try first.synchronize()
    #expect(try first.report().failure == full, "something waits all the same")
    try second.synchronize()
    #expect(try second.get("old") == nil && second.get("kept") == "1" && second.get("new") == nil)
    hub.isFull = false
    try first.synchronize()
    #expect(try first.report().failure == nil)
    try second.synchronize()
    #expect(try second.get("new") == "2")
  }

  @Test func aDeletionAndWhatFindsNoRoomInOneBatchDoNotWaitForEachOther() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    try first.add("old", "1")
    try first.synchronize()
    try second.synchronize()
    hub.isFull = true
    for name in ["new", "newer"] { try first.add(name, "2") }
    try first.delete("old")
    try first.synchronize()
    #expect(try first.report().failure == full)
    try second.synchronize()
    #expect(try second.get("old") == nil && second.get("new") == nil)
    try first.restart()
    hub.isFull = false
    try first.synchronize()
    try second.synchronize()
    #expect(try second.get("new") == "2" && second.get("newer") == "2")
  }

  @Test func whoFilledItIsRemovedAndEverythingGetsNewKeys() throws {
    let place = ScratchDirectory()
    let (hub, first, second) = try pair(place)
    try second.add("shared", "1")
    try second.synchronize()
    try first.synchronize()
    hub.isFull = true
    try first.add("mine", "2")
    try second.add("another", "3")
    try second.synchronize()
    try first.remove(#require(first.report().peers.first { !$0.isMe }).identifier)
    try first.synchronize()
    #expect(hub.members == [hub.founder])
    let epochs = hub.zones[.items]?.entries.map(\.epoch)
    #expect(epochs?.last == 2 && epochs?.first == 1)
    #expect(try first.report().failure == full)
    hub.isFull = false
    try first.synchronize()
    #expect(try first.report().failure == nil && hub.zones[.items]?.records.count == 2)
  }
}
