import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import LocalAuthSync

@Suite struct TableRecordTests {
  private func head(
    _ fields: [UInt32: [UInt8]],
    isTombstone: Bool = false,
    _ keyClass: ZoneKeyClass = .afterFirstUnlock
  ) -> RecordHead {
    let dot = VersionVector.Dot(CircleFixture.peer(0), 1)
    var vector = VersionVector()
    vector.add(dot)
    let version = RecordVersion(
      identifier: ValueRecord.identifier,
      isTombstone: isTombstone,
      modified: WallInstant(milliseconds: 1),
      keyClass: keyClass,
      content: CircleFixture.digest(1),
      made: dot,
      vector: vector
    )
    return RecordHead(version, fields: fields)
  }

  private func key(
    _ store: ExactText = "com.example",
    unknown: [UInt32: [UInt8]] = [:]
  ) throws -> TableKey {
    try #require(TableKey(store, "notes", "t42", keeping: unknown))
  }

  @Test func aRecordIsReadAsItWasWritten() throws {
    let record = try #require(TableRecord(try key(unknown: [9: [1]])))
    #expect(TableRecord(head(record.fields)) == record)
    #expect(record.key.unknown == [9: [1]] && record.key.plain.unknown.isEmpty)
  }

  @Test func whatHasNoNameOrTooLongOneIsNoRow() {
    let long = { ExactText(String(repeating: "x", count: $0)) }
    #expect(TableKey("s", long(128), long(512)) != nil)
    for (store, table, row) in [
      ("", "t", "r"), ("s", "", "r"), ("s", "t", ""), ("s", "a\nb", "r"), ("s", "t", "a\u{0}"),
      ("s", "t\u{2028}", "r"), ("s", long(129), "r"), ("s", "t", long(513)),
    ] as [(ExactText, ExactText, ExactText)] { #expect(TableKey(store, table, row) == nil) }
  }

  @Test func theServicesOwnStoresStayHere() throws {
    #expect(TableRecord(try key(ExactText(AccessGroups.internalGroup))) == nil)
    #expect(TableRecord(try key(ExactText(String(repeating: "x", count: 1025)))) == nil)
  }

  @Test func whatNoMemberSignsIsNoRecord() throws {
    let fields = try #require(TableRecord(try key())).fields
    #expect(TableRecord(head(fields, isTombstone: true)) == nil)
    #expect(TableRecord(head(fields, .whenUnlocked)) == nil)
    for field in fields.keys {
      var less = fields
      less[field] = nil
      #expect(TableRecord(head(less)) == nil)
      less[field] = [0xFF]
      #expect(TableRecord(head(less)) == nil)
    }
  }

  @Test func partsOfANameDoNotRunTogether() throws {
    let one = try #require(TableKey("s", "ab", "c").flatMap { TableRecord($0) })
    let other = try #require(TableKey("s", "a", "bc").flatMap { TableRecord($0) })
    #expect(one.nameKey != other.nameKey)
  }

  @Test func whichRowARecordIsIsKeptAndReadAgain() throws {
    let name = RecordName(CircleFixture.digest(3))
    let key = try key(unknown: [7: [1, 2]])
    guard case .put(let row) = TableKey.change(of: name, to: key) else {
      Issue.record("nothing is written")
      return
    }
    let read = try #require(TableKey.read(row))
    #expect(read.record == name && read.key == key)
    #expect(TableKey.change(of: name, to: nil) == .remove(row.key))
    for end in 0..<row.value.count {
      #expect(TableKey.read(SyncRow(row.key, Array(row.value[..<end]))) == nil)
    }
  }
}
