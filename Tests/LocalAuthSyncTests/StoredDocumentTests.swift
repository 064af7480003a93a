import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

@Suite struct StoredDocumentTests {
  private let name = DocumentName("notes/today.txt")

  private func item(_ number: UInt64) -> ItemIdentifier { ItemIdentifier(high: 7, low: number) }

  private func content(_ chunks: [UInt8], at time: Int64 = 0) throws -> DocumentContent {
    try #require(
      DocumentContent(
        date: WallInstant(milliseconds: time),
        size: UInt64(chunks.count * DocumentChunk.size),
        chunks: chunks.map { CircleFixture.digest($0) }
      )
    )
  }

  private func manifest(_ chunks: [UInt8], _ count: UInt64 = 1) throws -> DocumentManifest {
    let dot = VersionVector.Dot(World.peers[1], count)
    let version = try #require(DocumentVersion(made: dot, try content(chunks)))
    return DocumentManifest(try #require(name), version)
  }

  private func added(_ chunks: [UInt8]) -> [SyncDigest: ItemIdentifier] {
    Dictionary(
      uniqueKeysWithValues: Set(chunks).map { (CircleFixture.digest($0), item(UInt64($0))) }
    )
  }

  private func document(_ chunks: [UInt8]) throws -> StoredDocument {
    var document = StoredDocument(try #require(name))
    let gone = document.write(try content(chunks), adding: added(chunks))
    #expect(gone.isEmpty)
    return document
  }

  // MARK: Without a circle

  @Test func whatIsWrittenIsADraftThatReplacesNothing() throws {
    let document = try document([1, 2, 1])
    #expect(try document.content == content([1, 2, 1]))
    #expect(document.draft?.replaced == [] && document.manifest == nil && document.others.isEmpty)
    let complete = [document.isComplete(try content([2])), document.isComplete(try content([3]))]
    #expect(complete == [true, false])
  }

  @Test func chunksThatNothingNeedsGoWithTheWrite() throws {
    var document = try document([1, 2])
    let gone = document.write(try content([2, 3]), adding: added([3]))
    #expect(gone == [item(1)])
    #expect(Set(document.chunks.keys) == document.needed)
  }

  @Test func removingLeavesNothing() throws {
    var document = try document([1, 2])
    #expect(Set(document.remove()) == [item(1), item(2)])
    #expect(document.isEmpty && document.content == nil)
  }

  // MARK: In a circle

  @Test func aDraftReplacesTheVersionThatWasCurrentWhenItWasBegun() throws {
    var document = try document([1])
    _ = document.agree(on: try manifest([1]), sending: true)
    #expect(document.draft == nil)
    _ = document.write(try content([2]), adding: added([2]))
    _ = document.agree(on: try manifest([3], 2))
    _ = document.write(try content([4]), adding: added([4]))
    #expect(document.draft?.replaced == [VersionVector.Dot(World.peers[1], 1)])
    #expect(try document.content == content([4]))
  }

  @Test func aChunkThatIsSharedIsKeptUntilItsRecordGoes() throws {
    var document = try document([1])
    document.share(CircleFixture.digest(1), item(1))
    _ = document.agree(on: try manifest([1]), sending: true)
    #expect(document.write(try content([2]), adding: added([2])).isEmpty)
    #expect(document.agree(on: try manifest([2], 2), sending: true).isEmpty)
    #expect(document.chunks.count == 2)
    #expect(document.unshare(CircleFixture.digest(1)) == [item(1)])
  }

  @Test func aRemovalIsADraftThatHidesTheDocument() throws {
    var document = try document([1])
    _ = document.agree(on: try manifest([1]), sending: true)
    #expect(document.remove().isEmpty, "the others have to be told")
    #expect(document.content == nil && document.others.isEmpty && !document.isEmpty)
    #expect(document.agree(on: nil, sending: true) == [item(1)])
    #expect(document.isEmpty)
  }

  @Test func aChunkThatCameFirstWaitsForItsDocument() throws {
    var document = StoredDocument(try #require(name))
    document.share(CircleFixture.digest(1), item(1))
    #expect(document.content == nil && !document.isEmpty)
    #expect(document.agree(on: try manifest([1])).isEmpty)
    #expect(document.isComplete(try content([1])))
  }

  @Test func whatProgramsSeeIsADraftOnceThereIsNoCircle() throws {
    var document = try document([1])
    document.share(CircleFixture.digest(1), item(1))
    document.share(CircleFixture.digest(9), item(9))
    _ = document.agree(on: try manifest([1]), sending: true)
    #expect(document.disagree() == [item(9)], "what was left over is needed by nobody")
    #expect(document.manifest == nil && document.draft?.replaced == [])
    #expect(try document.content?.chunks == content([1]).chunks)
    #expect(document.remove() == [item(1)])
  }

  @Test func chunksThatAreRecordsAllTheSameStayShared() throws {
    var document = try document([1])
    for chunk in [UInt8(1), 9, 10] {
      document.share(CircleFixture.digest(chunk), item(UInt64(chunk)))
    }
    _ = document.agree(on: try manifest([1]), sending: true)
    let known = CircleFixture.digest(9)
    #expect(document.disagree { $0 == known } == [item(10)])
    #expect(document.chunks[known]?.isShared == true)
    #expect(document.chunks[CircleFixture.digest(1)]?.isShared == false)
  }

  // MARK: Bytes

  private func samples() throws -> [StoredDocument] {
    var shared = try document([1, 2])
    shared.share(CircleFixture.digest(1), item(1))
    var agreed = shared
    _ = agreed.agree(on: try manifest([1]), sending: true)
    var drafted = agreed
    _ = drafted.write(try content([]), adding: [:])
    var removed = agreed
    _ = removed.remove()
    return [StoredDocument(try #require(name)), try document([]), shared, agreed, drafted, removed]
  }

  @Test func bytesAreReadAsTheyWereWritten() throws {
    for document in try samples() { #expect(StoredDocument(document.bytes) == document) }
  }

  @Test func whatIsCutOrLongerIsNoDocument() throws {
    for document in try samples() {
      let bytes = document.bytes
      for count in bytes.indices { #expect(StoredDocument(Array(bytes[..<count])) == nil) }
      #expect(StoredDocument(bytes + [0]) == nil)
    }
  }

  @Test func aChangedByteIsRefusedOrReadsAsItIsWritten() throws {
    for document in try samples() {
      for place in document.bytes.indices {
        var changed = document.bytes
        changed[place] ^= 1
        guard let read = StoredDocument(changed) else { continue }
        #expect(read.bytes == changed, "byte \(place)")
      }
    }
  }

  @Test func equalBytesHaveOneVersionWheneverTheyWereWritten() throws {
    let hash = World.ports.hash
    let version = try content([1, 2]).version(hash)
    #expect(version.utf8.count == 32)
    #expect(try content([1, 2], at: 99).version(hash) == version)
    #expect(try content([2, 1]).version(hash) != version)
    #expect(try content([1]).version(hash) != version)
  }
}
