import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// Documents of two devices.
@Suite struct SyncDocumentsTests {
  // MARK: One document

  @Test func whatOneDeviceWritesTheOtherReads() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.put("notes/today.txt", text: "milk")
    try circle.exchange()
    #expect(try second.text("notes/today.txt") == "milk")
    try second.put("notes/today.txt", text: "milk, eggs")
    try circle.exchange()
    #expect(try first.text("notes/today.txt") == "milk, eggs")
    #expect(try first.documents().map(\.conflicts) == [0])
    try first.removeDocument("notes/today.txt")
    try circle.exchange()
    #expect(try second.documents().isEmpty)
  }

  @Test func whoWatchesIsToldOnceOfWhatAnotherDeviceChanged() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let (here, there) = (try first.watchDocuments(as: 1), try second.watchDocuments(as: 2))
    let bytes = DocumentTests.bytes(3 * DocumentChunk.size)
    try first.put("film", bytes, as: 1)
    try circle.exchange()
    try first.put("film", text: "mine", as: 1)
    second.clock.pass(.seconds(5))
    try second.put("film", text: "yours", as: 2)
    try circle.exchange()
    try second.settle("film", try second.versions("film").filter { !$0.isCurrent }.map(\.version))
    try circle.exchange()
    try second.removeDocument("film", as: 2)
    try circle.exchange()
    #expect(there.told == ["anything", "film \(bytes.count) 0", "film 5 1", "film 5 0"])
    #expect(here.told == ["anything", "film 5 1", "film 5 0", "removed film"])
  }

  @Test func versionsHaveTheDeviceThatWroteThem() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.put("a", text: "mine")
    #expect(try first.versions("a").map(\.author) == ["first"])
    try second.put("a", text: "yours")
    try circle.exchange()
    for device in [first, second] {
      #expect(try Set(device.versions("a").map(\.author)) == ["first", "second"])
    }
  }

  @Test func documentsWithSeveralVersionsAreCountedUntilTheyAreSettled() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    for name in ["a", "b"] {
      try first.put(name, text: "mine")
      try second.put(name, text: "yours")
    }
    try circle.exchange()
    #expect(try [first.documentConflicts(), second.documentConflicts()] == [2, 2])
    circle.hub.isDown = true
    try first.settle("a", try first.versions("a").filter { !$0.isCurrent }.map(\.version))
    #expect(try first.documentConflicts() == 1)
    circle.hub.isDown = false
    try second.removeDocument("b")
    try circle.exchange()
    #expect(try [first.documentConflicts(), second.documentConflicts()] == [0, 0])
  }

  @Test func theyAreCountedAfterAStart() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.put("a", text: "mine")
    try second.put("a", text: "yours")
    try circle.exchange()
    try first.restart()
    try first.synchronize()
    #expect(try first.documentConflicts() == 1)
  }

  @Test func aDocumentOfManyChunksArrivesWhole() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let bytes = DocumentTests.bytes(70 * DocumentChunk.size + 5)
    try first.put("film", bytes)
    try circle.exchange()
    #expect(try second.document("film") == bytes)
    #expect(try second.documents().map(\.isComplete) == [true])
    // One chunk changes, and no other is sent again.
    var edited = bytes
    edited[DocumentChunk.size * 30] ^= 1
    try first.put("film", edited)
    let before = circle.hub.bytesOfBodies
    try circle.exchange()
    #expect(try second.document("film") == edited)
    #expect(circle.hub.bytesOfBodies - before < 2 * DocumentChunk.size)
  }

  @Test func nobodySeesADocumentWhoseChunksAreNotThere() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.put("film", text: "old")
    try circle.exchange()
    let bytes = DocumentTests.bytes(70 * DocumentChunk.size)
    try first.put("film", bytes)
    // The way to the hub is cut after each request once more.
    for count in 1...40 {
      circle.hub.cut(after: count)
      _ = try? first.synchronize()
      circle.hub.cut(after: nil)
      try second.synchronize()
      let seen = try second.document("film")
      #expect(seen == bytes || seen == Array("old".utf8))
    }
    try circle.exchange()
    #expect(try second.document("film") == bytes)
  }

  @Test func theHubIsToldNoContainerNoNameAndNoContent() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    try circle.devices[0].put("diary.txt", text: "turquoise", in: "more")
    try circle.exchange()
    #expect(try circle.devices[1].text("diary.txt", in: "more") == "turquoise")
    for request in circle.hub.requests {
      let text = String(decoding: request.bytes(number: 1), as: UTF8.self)
      for word in ["diary", "turquoise", "more"] { #expect(!text.contains(word)) }
    }
  }

  @Test func whereNobodyHasADocumentThereIsNoZone() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    try circle.exchange()
    #expect(circle.hub.zones[.documents] == nil)
  }

  // MARK: Conflicts

  @Test func whatTwoWroteAtOnceAreTwoVersionsOnBoth() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.put("a", text: "old")
    try circle.exchange()
    try first.put("a", text: "mine")
    second.clock.pass(.seconds(5))
    let later = try second.put("a", text: "yours")
    try circle.exchange()
    for device in [first, second] {
      #expect(try device.text("a") == "yours", "the later one stands")
      #expect(try device.documents().map(\.conflicts) == [1])
      #expect(try device.versions("a").map(\.isCurrent) == [true, false])
      let other = try #require(try device.versions("a").last)
      #expect(other.version != later.version)
      #expect(try device.text("a", version: other.version) == "mine")
    }
    let lost = try #require(try first.versions("a").last)
    try first.settle("a", [lost.version])
    try circle.exchange()
    for device in [first, second] {
      #expect(try device.documents().map(\.conflicts) == [0])
      #expect(try device.text("a") == "yours")
    }
    #expect(try first.conflicts().isEmpty && second.conflicts().isEmpty)
  }

  @Test func whatIsChangedHereAndRemovedThereStays() throws {
    for isFirst in [true, false] {
      let place = ScratchDirectory()
      let (circle, first, second) = try SyncCircle.pair(in: place)
      try first.put("a", text: "old")
      try circle.exchange()
      try first.removeDocument("a")
      second.clock.pass(.seconds(5))
      try second.put("a", text: "new")
      for device in isFirst ? [first, second, first] : [second, first, second] {
        try device.synchronize()
      }
      try circle.exchange()
      for device in [first, second] { #expect(try device.text("a") == "new") }
    }
  }

  @Test func whatBothHadBeforeTheyMetIsOneDocumentOfTwoVersions() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    try first.put("a", text: "one")
    try first.put("same", text: "same")
    try first.synchronize()
    let second = try SyncDevice(circle.hub, in: place.file("second"))
    second.clock.pass(.seconds(9))
    try second.put("a", text: "two")
    try second.put("same", text: "same")
    try second.put("own", text: "own")
    try second.enter(as: "second", by: first)
    for device in [second, first, second] { try device.synchronize() }
    for device in [first, second] {
      #expect(try device.documentNames() == ["a", "own", "same"])
      #expect(try device.text("a") == "two")
      #expect(try device.documents().map(\.conflicts) == [1, 0, 0])
    }
  }

  @Test func aDocumentThatWasDamagedAndRemovedComesBackFromTheOthers() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let bytes = DocumentTests.bytes(2 * DocumentChunk.size)
    try first.put("film", bytes)
    try first.put("note", text: "milk")
    try circle.exchange()
    try second.damageStores()
    #expect(throws: EngineError.self) { try second.document("film") }
    try first.put("note", text: "eggs")
    try circle.exchange()
    for name in ["film", "note"] { try second.removeDocument(name) }
    try circle.exchange()
    #expect(try second.document("film") == bytes)
    #expect(try second.text("note") == "eggs")
    #expect(try first.document("film") == bytes)
    #expect(try first.documents().map(\.conflicts) == [0, 0])
  }

  @Test func whatWasNotSentYetIsNotLostWhereAnotherDocumentWasDamaged() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let bytes = DocumentTests.bytes(2 * DocumentChunk.size)
    try first.put("note", text: "old")
    try first.put("film", bytes)
    try circle.exchange()
    // The push of the version is lost again and again, so it is agreed here and not sent.
    try second.put("note", text: "new")
    circle.hub.cut {
      if case .zonePush(let entry, _) = $0 { entry.zone == .documents } else { false }
    }
    for _ in 0..<3 { _ = try? second.synchronize() }
    try second.restart { try second.damageChunks() }
    _ = try? second.synchronize()
    try second.removeDocument("film")
    circle.hub.passage = nil
    try circle.exchange()
    for device in [first, second] { #expect(try device.text("note") == "new") }
  }

  @Test func aChunkThatAnotherDeviceGaveUpIsSentAgain() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let bytes = DocumentTests.bytes(2 * DocumentChunk.size)
    try first.put("film", bytes)
    try circle.exchange()
    try second.giveUpChunks()
    try circle.exchange()
    try circle.exchange()
    for device in [first, second] { #expect(try device.document("film") == bytes) }
    let third = try SyncDevice(circle.hub, in: place.file("third"))
    try third.enter(as: "third", by: first)
    for device in [third, first, third] { try device.synchronize() }
    #expect(try third.document("film") == bytes)
  }

  @Test func aHubThatLiesAboutDocumentsKeepsNoItem() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.put("film", text: "old")
    try circle.exchange()
    try first.put("film", text: "new")
    try first.synchronize()
    circle.hub.lie = { _, request, reply in
      guard case .zonePull(.documents, _, _) = request, case .zone(let page) = reply else {
        return reply
      }
      let bodies = page.bodies.mapValues { Array($0.dropLast()) }
      return .zone(ZonePage(entries: page.entries, bodies: bodies, head: page.head))
    }
    try first.add("mail")
    try first.synchronize()
    try second.add("bank")
    try second.synchronize()
    #expect(try second.get("mail") == "secret")
    try first.synchronize()
    #expect(try first.get("bank") == "secret")
    #expect(try second.text("film") == "old")
  }

  @Test func aDraftThatWasDamagedStaysHereAndTheOthersGo() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let bytes = DocumentTests.bytes(2 * DocumentChunk.size)
    circle.hub.isDown = true
    try first.put("film", bytes)
    try first.restart { try first.damageChunks() }
    try first.put("note", text: "milk")
    circle.hub.isDown = false
    try circle.exchange()
    #expect(try second.documentNames() == ["note"])
    try first.put("film", text: "anew")
    try circle.exchange()
    #expect(try second.text("film") == "anew")
  }

  // MARK: Leaving

  @Test func whoLeavesKeepsItsDocuments() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.put("a", text: "milk")
    try circle.exchange()
    try second.leave()
    #expect(try second.text("a") == "milk")
    try second.put("a", text: "eggs")
    try second.removeDocument("a")
    #expect(try second.documents().isEmpty)
    try first.synchronize()
    #expect(try first.text("a") == "milk")
  }

  // MARK: Left-over chunks

  @Test func chunksThatNothingNeedsGoAfterSevenDays() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let bytes = DocumentTests.bytes(3 * DocumentChunk.size)
    try first.put("film", bytes)
    try circle.exchange()
    try first.put("film", text: "short")
    try circle.exchange()
    for _ in 0..<9 {
      for device in [first, second] { device.clock.pass(.seconds(24 * 3600)) }
      circle.hub.time.milliseconds += 24 * 3_600_000
      try circle.exchange()
    }
    #expect(try second.text("film") == "short")
    for device in [first, second] {
      #expect(try device.itemCount == 2, "the document and one chunk")
    }
  }
}

extension SyncDevice {
  /// Deletes the records of all chunks, as a device does that thinks nobody needs them.
  fileprivate func giveUpChunks() throws {
    let synchronizer = try #require(synchronizer)
    try wait { end in
      synchronizer.inTurn { this, change in
        guard let keys = this.keys.newest(of: .documents) else { return false }
        let tombstone = keys.content(ItemRecord.tombstoneContent, Secret(capacity: 0))
        for (name, key) in this.state.documents.entries where key.chunk != nil {
          change.state.zones[.documents]?.delete(name, content: tombstone, at: this.now.wall)
        }
        return true
      } then: {
        end($0.mapError { EngineError($0) })
      }
    }
  }
}

extension ModelHub {
  /// How many bytes of bodies devices have sent.
  fileprivate var bytesOfBodies: Int {
    requests.reduce(0) { sum, request in
      guard case .zonePush(_, let bodies) = request else { return sum }
      return sum + bodies.values.reduce(0) { $0 + $1.count }
    }
  }

  /// Loses every request after so many; nil for none.
  fileprivate func cut(after count: Int?) {
    guard let count else {
      passage = nil
      return
    }
    var left = count
    passage = { _, _ in
      left -= 1
      return left >= 0 ? .arrives : .isLost
    }
  }

  /// Loses every request of a kind.
  fileprivate func cut(where isLost: @escaping (HubRequest) -> Bool) {
    passage = { _, request in isLost(request) ? .isLost : .arrives }
  }
}
