import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// What a device holds when it joins a circle, after it was in it before or in another one.
@Suite struct SyncRejoiningTests {
  /// A circle of three whose second device left, after all had these documents.
  private struct Parted {
    let circle: SyncCircle
    let first: SyncDevice
    let second: SyncDevice

    init(_ documents: [String: [UInt8]], in place: ScratchDirectory) throws {
      circle = try SyncCircle("first", "second", "third", in: place)
      first = circle.devices[0]
      second = circle.devices[1]
      for (name, bytes) in documents.sorted(by: { $0.key < $1.key }) { try first.put(name, bytes) }
      try circle.exchange()
      try second.leave()
    }

    /// The device that is out comes back as another peer, and all get what there is.
    func rejoin() throws {
      try first.synchronize()
      try circle.devices[2].synchronize()
      try second.enter(as: "again", by: first)
      try circle.exchange()
      try circle.exchange()
    }

    /// All devices are at one place, where their words are equal, and have these documents.
    func expectAll(_ documents: [String: [UInt8]]) throws {
      let zones = try circle.devices.map { try $0.report().zones.first { $0.name == .documents } }
      #expect(Set(zones.map { $0?.words }).count == 1 && zones.allSatisfy { $0?.outgoing == 0 })
      for device in circle.devices {
        #expect(try device.documentNames() == documents.keys.sorted())
        for (name, bytes) in documents { #expect(try device.document(name) == bytes) }
        #expect(try device.documents().allSatisfy { $0.conflicts == 0 && $0.isComplete })
      }
    }
  }

  private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  // MARK: The same circle

  @Test func aDocumentThatWasDeletedWhileADeviceWasOutComesBackOnAll() throws {
    let place = ScratchDirectory()
    let film = DocumentTests.bytes(2 * DocumentChunk.size + 5)
    let parted = try Parted(["film": film, "note": bytes("milk")], in: place)
    for name in ["film", "note"] { try parted.first.removeDocument(name) }
    try parted.rejoin()
    try parted.expectAll(["film": film, "note": bytes("milk")])
    try parted.second.restart()
    try parted.circle.exchange()
    try parted.expectAll(["film": film, "note": bytes("milk")])
  }

  @Test func whatCameBackAndIsDeletedOnceMoreIsGoneOnAll() throws {
    let place = ScratchDirectory()
    let parted = try Parted(["note": bytes("milk")], in: place)
    try parted.first.removeDocument("note")
    try parted.rejoin()
    try parted.first.removeDocument("note")
    try parted.circle.exchange()
    try parted.expectAll([:])
  }

  @Test func aDocumentThatWasChangedMeanwhileHasNoSecondVersion() throws {
    let place = ScratchDirectory()
    let parted = try Parted(["note": bytes("milk")], in: place)
    try parted.first.put("note", text: "eggs")
    try parted.rejoin()
    try parted.expectAll(["note": bytes("eggs")])
  }

  // MARK: Another circle

  @Test func aDocumentThatAnotherCircleHasTooIsOneOfTwoVersions() throws {
    let place = ScratchDirectory()
    let elsewhere = ScratchDirectory()
    let parted = try Parted(["note": bytes("milk")], in: place)
    let other = try SyncCircle("other", in: elsewhere)
    try other.devices[0].put("note", text: "eggs")
    try other.exchange()
    try parted.second.restart(reaching: other.hub)
    try parted.second.enter(as: "wanderer", by: other.devices[0])
    for device in [parted.second, other.devices[0], parted.second] { try device.synchronize() }
    for device in [parted.second, other.devices[0]] {
      let texts = try device.versions("note").map { try device.text("note", version: $0.version) }
      #expect(texts.sorted() == ["eggs", "milk"])
    }
  }

  // MARK: Fetching once more

  @Test func whatIsDeletedElsewhereIsGoneWhereAnotherDocumentWasDamaged() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try SyncCircle.pair(in: place)
    let film = DocumentTests.bytes(8 * DocumentChunk.size)
    try first.put("film", film)
    try first.put("note", text: "milk")
    try circle.exchange()
    circle.hub.isDown = true
    try second.restart { try second.damageLongDocuments() }
    #expect(throws: EngineError.self) { try second.document("film") }
    try second.removeDocument("film")
    circle.hub.isDown = false
    try first.removeDocument("note")
    try circle.exchange()
    try circle.exchange()
    for device in [first, second] {
      #expect(try device.documentNames() == ["film"])
      #expect(try device.document("film") == film)
    }
  }
}

extension SyncDevice {
  /// Has whoever has the disk change what is kept of documents of many chunks, and none of the chunks.
  fileprivate func damageLongDocuments() throws {
    try ItemRows(path + "/" + StateFiles.database).execute(
      "UPDATE item SET secret = x'00' WHERE length(secret) BETWEEN 500 AND 5000"
    )
  }
}
