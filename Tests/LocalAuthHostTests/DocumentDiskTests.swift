import LocalAuthCore
import LocalAuthService
import LocalAuthStore
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// Documents as they lie on the disk.
@Suite struct DocumentDiskTests {
  private static let name = "findable name"
  private static let text = "findable text"

  /// A directory in which one device has a document of two chunks.
  private func kept() throws -> StateScratch {
    let scratch = StateScratch()
    try StateRig.found(scratch.path)
    let rig = try #require(try StateRig(opening: scratch.path))
    #expect(rig.create("sim", passcode: "1234"))
    try rig.put(Self.name, Self.bytes)
    rig.close()
    return scratch
  }

  private static var bytes: [UInt8] {
    Array(text.utf8) + DocumentTests.bytes(DocumentChunk.size)
  }

  private func open(_ scratch: StateScratch) throws -> StateRig {
    let rig = try #require(try StateRig(opening: scratch.path))
    rig.unlock("sim", "1234")
    return rig
  }

  @Test func aDocumentIsThereAfterAStartOnceTheDeviceIsUnlocked() throws {
    let scratch = try kept()
    let rig = try #require(try StateRig(opening: scratch.path))
    #expect(rig.objection { _ = try rig.documents() }?.code == .itemLocked)
    #expect(rig.unlock("sim", "1234"))
    #expect(try rig.document(Self.name) == Self.bytes)
  }

  @Test func neitherNamesNorContentsLieOnTheDisk() throws {
    let scratch = try kept()
    let rig = try open(scratch)
    rig.clock.pass(.seconds(1))
    try rig.put("another name", text: "another text")
    for (file, bytes) in StateFiles(of: scratch.path).contents {
      for text in [Self.name, Self.text, "another name", "another text", "document:local"] {
        #expect(!bytes.contains(Array(text.utf8)), "\(text) in \(file)")
      }
    }
  }

  @Test func whatWasChangedIsAnErrorAndCanBeRemoved() throws {
    for sql: StaticString in [
      "UPDATE item SET secret = zeroblob(length(secret))",
      "UPDATE item SET attributes = zeroblob(length(attributes))",
      "DELETE FROM item WHERE length(secret) > 200000",
    ] {
      let scratch = try kept()
      let rows = try ItemRows(scratch.path + "/" + StateFiles.database)
      try rows.execute(sql)
      let rig = try open(scratch)
      guard case .internalError(let message) = rig.objection({ _ = try rig.document(Self.name) })
      else {
        Issue.record("\(sql): it was read")
        continue
      }
      #expect(message.contains("damaged") || message.contains("come yet"))
      try rig.removeDocument(Self.name)
      #expect(rig.objection { _ = try rig.document(Self.name) }?.code == .itemNotFound)
      try rig.put(Self.name, Self.bytes)
      #expect(try rig.document(Self.name) == Self.bytes)
    }
  }

  @Test func whatWasDamagedIsWrittenAgainAndNotTakenForWhatItWas() throws {
    for changes in [Self.bytes, Self.bytes + [1]] {
      let scratch = try kept()
      let rows = try ItemRows(scratch.path + "/" + StateFiles.database)
      try rows.execute(
        "UPDATE item SET secret = zeroblob(length(secret)) WHERE length(secret) > 200000"
      )
      let rig = try open(scratch)
      rig.clock.pass(.seconds(1))
      #expect(throws: EngineError.self) { try rig.document(Self.name) }
      #expect(try rig.put(Self.name, changes).isChange)
      #expect(try rig.document(Self.name) == changes)
    }
  }
}
