import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

@Suite struct DocumentRecordTests {
  private func manifest() throws -> DocumentManifest {
    func version(_ peer: Int, _ count: UInt64, _ chunks: Int) throws -> DocumentVersion {
      try #require(
        DocumentVersion(
          made: VersionVector.Dot(World.peers[peer], count),
          date: WallInstant(milliseconds: -Int64(count)),
          size: UInt64(chunks * DocumentChunk.size),
          chunks: (0..<chunks).map { RecordName(CircleFixture.digest(UInt8($0 % 3))) },
          isResolved: peer == 1
        )
      )
    }
    let name = try #require(DocumentName("é/b"))
    let others = [try version(1, 2, 1), try version(2, 7, 0), try version(0, 4, 3)]
    return try #require(DocumentManifest(name, try version(0, 5, 4), others: others))
  }

  private func head(
    _ fields: [UInt32: [UInt8]],
    isTombstone: Bool = false,
    knowing count: UInt64 = 9
  ) -> RecordHead {
    var vector = VersionVector()
    for peer in World.peers { vector.add(VersionVector.Dot(peer, count)) }
    return RecordHead(
      RecordVersion(
        identifier: World.identifier,
        isTombstone: isTombstone,
        modified: World.beginning,
        keyClass: .afterFirstUnlock,
        content: CircleFixture.digest(1),
        made: VersionVector.Dot(World.peers[0], count),
        vector: vector
      ),
      fields: fields
    )
  }

  private func refusal(_ head: RecordHead) -> DocumentRecord.Refusal? {
    do throws(DocumentRecord.Refusal) {
      _ = try DocumentRecord(head)
      return nil
    } catch { return error }
  }

  @Test func aDocumentAndAChunkComeBackFromTheirFields() throws {
    let newer: [UInt32: [UInt8]] = [9: [1], 700: []]
    for record: DocumentRecord in [
      .document(try manifest(), unknown: [:]), .document(try manifest(), unknown: newer), .chunk,
    ] {
      let sent = try #require(RecordHead(head(record.fields).bytes))
      #expect(try DocumentRecord(sent) == record)
    }
    let kept = DocumentRecord.document(try manifest(), unknown: [1: [7], 9: [1]])
    #expect(try DocumentRecord(head(kept.fields)) == .document(try manifest(), unknown: [9: [1]]))
  }

  @Test func aFieldThatIsMissingOrMalformedIsNamed() throws {
    let fields = DocumentRecord.document(try manifest(), unknown: [:]).fields
    for number in fields.keys {
      var changed = fields
      changed[number] = nil
      #expect(refusal(head(changed)) == .field(number))
      for count in (fields[number] ?? []).indices where number != 2 {
        changed[number] = Array((fields[number] ?? []).prefix(count))
        #expect(refusal(head(changed)) == .field(number), "\(count) bytes of \(number)")
      }
    }
    for name in ["", "/a", "../a"] {
      var changed = fields
      changed[2] = Array(name.utf8)
      #expect(refusal(head(changed)) == .field(2))
    }
    var longer = fields
    longer[3]?.append(0)
    #expect(refusal(head(longer)) == .field(3))
    #expect(refusal(head([1: [3]])) == .field(1))
    #expect(refusal(head([1: [2], 5: []])) == .field(5), "a chunk says nothing")
    #expect(refusal(head(fields, knowing: 6)) == .vector)
    #expect(refusal(head([:], isTombstone: true)) == .tombstone)
    #expect(refusal(head(fields, isTombstone: true)) == .field(1))
  }

  @Test func aChangedByteIsRefusedOrReadsAsItIsWritten() throws {
    let fields = DocumentRecord.document(try manifest(), unknown: [:]).fields
    for place in (fields[3] ?? []).indices {
      for bit: UInt8 in [1, 2, 128] {
        var changed = fields
        changed[3]?[place] ^= bit
        guard let read = try? DocumentRecord(head(changed)) else { continue }
        #expect(read.fields == changed, "byte \(place)")
        #expect(read.fields != fields)
      }
    }
  }

  @Test func theLargestDocumentFitsIntoABody() throws {
    let chunks = [RecordName](repeating: World.names[0], count: DocumentChunk.countMax)
    func version(_ count: UInt64, _ chunks: [RecordName]) -> DocumentVersion? {
      DocumentVersion(
        made: VersionVector.Dot(World.peers[0], count),
        date: World.beginning,
        size: UInt64(chunks.count * DocumentChunk.size),
        chunks: chunks
      )
    }
    let name = try #require(DocumentName(String(repeating: "x", count: 255)))
    var others = (1...99).compactMap { version($0, []) }
    let room = DocumentManifest.chunksMax - DocumentChunk.countMax
    others.append(try #require(version(100, Array(chunks.prefix(room)))))
    let whole = try #require(version(200, chunks))
    let largest = try #require(DocumentManifest(name, whole, others: others))
    let record = DocumentRecord.document(largest, unknown: [:])
    let bytes = head(record.fields, knowing: 900).bytes
    let sent = try #require(RecordHead(bytes))
    #expect(try DocumentRecord(sent) == record)
    let sealed = RecordFormat.paddedSize(bytes.count) + RecordFormat.paddedSize(0)
    #expect(sealed + 2 * RecordFormat.overhead + 5 <= RecordFormat.bodyMax)
  }

  @Test func aZoneIsNamedByItsContainer() {
    #expect(DocumentRecord.zone("notes")?.text == "doc:notes")
    #expect(DocumentRecord.zone("") == nil)
    #expect(DocumentRecord.zone(String(repeating: "n", count: 61)) == nil)
  }

  @Test func aDocumentAndAChunkOfOneKeyHaveTwoNames() {
    let key = CircleFixture.digest(1).bytes
    let messages = [DocumentRecord.documentKind, DocumentRecord.chunkKind].map {
      RecordName.message(kind: $0, key: key)
    }
    #expect(messages[0] != messages[1])
  }
}
