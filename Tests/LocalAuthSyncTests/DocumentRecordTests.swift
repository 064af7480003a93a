import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthSync

@Suite struct DocumentRecordTests {
  private func manifest() throws -> DocumentManifest {
    func version(_ peer: Int, _ count: UInt64, _ chunks: Int) throws -> DocumentVersion {
      try #require(
        DocumentContent(
          date: WallInstant(milliseconds: -Int64(count)),
          size: UInt64(chunks * DocumentChunk.size),
          chunks: (0..<chunks).map { CircleFixture.digest(UInt8($0 % 3)) }
        ).flatMap {
          DocumentVersion(
            made: VersionVector.Dot(World.peers[peer], count),
            $0,
            isResolved: peer == 1
          )
        }
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

  private func record(
    keeping unknown: [UInt32: [UInt8]] = [:],
    in container: String = "notes"
  ) throws -> DocumentRecord {
    try #require(DocumentRecord(try manifest(), in: container, keeping: unknown))
  }

  @Test func aDocumentAndAChunkComeBackFromTheirFields() throws {
    let name = try #require(DocumentName("é/b"))
    for record in [
      try record(), try record(keeping: [9: [1], 700: []]),
      try #require(DocumentRecord(chunkOf: name, in: "notes")),
    ] {
      let sent = try #require(RecordHead(head(record.fields).bytes))
      #expect(try DocumentRecord(sent) == record)
    }
    let kept = try record(keeping: [1: [7], 9: [1]])
    let expected = try record(keeping: [9: [1]])
    #expect(try DocumentRecord(head(kept.fields)) == expected)
  }

  @Test func aContainerThatIsEmptyOrTooLongStaysOnItsDevice() throws {
    let longest = String(repeating: "n", count: DocumentRecord.containerBytesMax)
    #expect(try record(in: longest).container == longest)
    for container in ["", longest + "n", "\0"] {
      #expect(DocumentRecord(try manifest(), in: container) == nil)
      #expect(DocumentRecord(chunkOf: try manifest().name, in: container) == nil)
      var fields = try record().fields
      fields[4] = Array(container.utf8)
      #expect(refusal(head(fields)) == .field(4))
    }
  }

  @Test func aFieldThatIsMissingOrMalformedIsNamed() throws {
    let fields = try record().fields
    for number in fields.keys {
      var changed = fields
      changed[number] = nil
      #expect(refusal(head(changed)) == .field(number))
      for count in (fields[number] ?? []).indices where number == 1 || number == 3 {
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
    var other = fields
    other[1] = [3]
    #expect(refusal(head(other)) == .field(1))
    other[1] = [2]
    #expect(refusal(head(other)) == .field(3), "a chunk says nothing besides")
    #expect(refusal(head(fields, knowing: 6)) == .vector)
    #expect(refusal(head([:], isTombstone: true)) == .tombstone)
    #expect(refusal(head(fields, isTombstone: true)) == .field(1))
  }

  @Test func aChangedByteIsRefusedOrReadsAsItIsWritten() throws {
    let fields = try record().fields
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
    let chunks = [SyncDigest](repeating: .none, count: DocumentChunk.countMax)
    func version(_ count: UInt64, _ chunks: [SyncDigest]) -> DocumentVersion? {
      DocumentContent(
        date: World.beginning,
        size: UInt64(chunks.count * DocumentChunk.size),
        chunks: chunks
      ).flatMap { DocumentVersion(made: VersionVector.Dot(World.peers[0], count), $0) }
    }
    let name = try #require(DocumentName(String(repeating: "x", count: 255)))
    var others = (1...99).compactMap { version($0, []) }
    let room = DocumentManifest.chunksMax - DocumentChunk.countMax
    others.append(try #require(version(100, Array(chunks.prefix(room)))))
    let whole = try #require(version(200, chunks))
    let largest = try #require(DocumentManifest(name, whole, others: others))
    let container = String(repeating: "c", count: DocumentRecord.containerBytesMax)
    let record = try #require(DocumentRecord(largest, in: container))
    let bytes = head(record.fields, knowing: 900).bytes
    let sent = try #require(RecordHead(bytes))
    #expect(try DocumentRecord(sent) == record)
    let sealed = RecordFormat.paddedSize(bytes.count) + RecordFormat.paddedSize(0)
    #expect(sealed + 2 * RecordFormat.overhead + 5 <= RecordFormat.bodyMax)
  }

  @Test func documentsAndChunksOfOneTextHaveTheirOwnNames() throws {
    let (name, other) = (try #require(DocumentName("a")), try #require(DocumentName("ab")))
    let chunk = CircleFixture.digest(1)
    let keys = [
      DocumentRecord.key(name, in: "bc"), DocumentRecord.key(other, in: "c"),
      DocumentRecord.key(chunk, of: name, in: "bc"), DocumentRecord.key(chunk, of: other, in: "c"),
      DocumentRecord.key(CircleFixture.digest(2), of: name, in: "bc"),
    ]
    #expect(Set(keys).count == keys.count)
    let messages = [DocumentRecord.documentKind, DocumentRecord.chunkKind].map {
      RecordName.message(kind: $0, key: keys[0])
    }
    #expect(messages[0] != messages[1])
  }

  @Test func whichDocumentARecordIsIsKeptInARow() throws {
    let name = try #require(DocumentName("é/b"))
    for key in [
      DocumentKey("notes", name), DocumentKey("notes", name, chunk: CircleFixture.digest(7)),
      DocumentKey("n", name, keeping: [9: [1]]),
    ] {
      guard case .put(let row) = DocumentKey.change(of: World.names[0], to: key) else {
        Issue.record("no row")
        continue
      }
      let read = try #require(DocumentKey.read(row))
      #expect(read.record == World.names[0] && read.key == key)
      for place in row.value.indices {
        #expect(DocumentKey.read(SyncRow(row.key, Array(row.value[..<place]))) == nil)
      }
      #expect(DocumentKey.read(SyncRow(row.key, row.value + [0])) == nil)
      #expect(
        DocumentKey.read(SyncRow(SyncRow.Key(.value, .documents, .name(World.names[0])), row.value))
          == nil
      )
    }
    let removed = DocumentKey.change(of: World.names[0], to: nil)
    #expect(removed == .remove(SyncRow.Key(.document, .documents, .name(World.names[0]))))
  }
}
