import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import LocalAuthSync

@Suite struct ValueRecordTests {
  private static let name = RecordName(CircleFixture.digest(7))

  private func head(
    _ fields: [UInt32: [UInt8]],
    isTombstone: Bool = false,
    _ keyClass: ZoneKeyClass = .afterFirstUnlock
  ) -> RecordHead {
    var vector = VersionVector()
    let dot = VersionVector.Dot(CircleFixture.peer(0), 1)
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

  @Test func aRecordIsReadAsItWasWritten() throws {
    let record = try #require(ValueRecord(store: "com.example", key: "theme"))
    #expect(ValueRecord(head(record.fields)) == record)
    #expect(record.unknown.isEmpty && record.store == "com.example" && record.key == "theme")
  }

  @Test func whatNobodyHereKnowsIsSentAgain() throws {
    let record = try #require(ValueRecord(store: "s", key: "k", keeping: [9: [1], 1: [2]]))
    #expect(record.fields == [1: Array("s".utf8), 2: Array("k".utf8), 9: [1]])
    #expect(ValueRecord(head(record.fields)) == record)
  }

  @Test func whatIsEmptyTooLongOrTheServicesOwnStaysHere() {
    let long = String(repeating: "x", count: ValueRecord.storeBytesMax + 1)
    #expect(ValueRecord(store: String(long.dropLast()), key: "k") != nil)
    for store in ["", long, AccessGroups.internalGroup] {
      #expect(ValueRecord(store: store, key: "k") == nil)
    }
    #expect(ValueRecord(store: "s", key: KeyValueKey(String(repeating: "k", count: 65))) == nil)
    let many = Dictionary(uniqueKeysWithValues: (3..<258).map { (UInt32($0), [UInt8]()) })
    #expect(ValueRecord(store: "s", key: "k", keeping: many) == nil)
  }

  @Test func whatNoMemberSignsIsNoRecord() throws {
    let fields = try #require(ValueRecord(store: "s", key: "k")).fields
    #expect(ValueRecord(head(fields, isTombstone: true)) == nil)
    #expect(ValueRecord(head(fields, .whenUnlocked)) == nil)
    #expect(ValueRecord(head([1: [0xFF], 2: [0x6B]])) == nil)
    #expect(ValueRecord(head([1: [0x73]])) == nil && ValueRecord(head([2: [0x6B]])) == nil)
  }

  @Test func storeAndKeyAreNotOneWord() throws {
    let one = try #require(ValueRecord(store: "ab", key: "c"))
    let other = try #require(ValueRecord(store: "a", key: "bc"))
    #expect(one.nameKey != other.nameKey && one.content != other.content)
  }

  // MARK: Rows

  @Test func aRowIsReadAsItWasWritten() throws {
    let record = try #require(ValueRecord(store: "s", key: "k", keeping: [9: [1]]))
    guard case .put(let row) = ValueRecord.change(of: Self.name, to: record) else {
      Issue.record("it is not written")
      return
    }
    let read = try #require(ValueRecord.read(row))
    #expect(read.name == Self.name && read.record == record)
    #expect(SyncRow(key: row.key.bytes, value: row.value) == row)
    #expect(ValueRecord.change(of: Self.name, to: nil) == .remove(row.key))
    for count in 0..<row.value.count {
      #expect(ValueRecord.read(SyncRow(row.key, Array(row.value.prefix(count)))) == nil)
    }
    let elsewhere = SyncRow.Key(.value, .items, .name(Self.name))
    #expect(ValueRecord.read(SyncRow(elsewhere, row.value)) == nil)
    #expect(SyncedItem.read(row) == nil)
  }

  @Test func whetherTheFirstDownloadEndedIsARowOfItsOwn() {
    let row = ValueRecord.downloaded
    #expect(SyncRow(key: row.key.bytes, value: row.value) == row)
    #expect(TableRecord.downloaded.key != row.key)
  }

  @Test func aPlannedEpochIsReadAsItWasWritten() throws {
    let place = ChainPlace(number: 3, digest: CircleFixture.digest(3))
    let plan = PlannedEpoch(epoch: 2, at: place, SealedZoneKeys(locked: [1, 2], whole: [3]))
    guard case .put(let row) = PlannedEpoch.change(of: .items, to: plan) else {
      Issue.record("it is not written")
      return
    }
    let read = try #require(PlannedEpoch.read(row))
    #expect(read.zone == .items && read.plan == plan)
    #expect(SyncRow(key: row.key.bytes, value: row.value) == row)
    for count in 0..<row.value.count {
      #expect(PlannedEpoch.read(SyncRow(row.key, Array(row.value.prefix(count)))) == nil)
    }
    #expect(PlannedEpoch.read(SyncRow(row.key, row.value + [0])) == nil)
    #expect(PlannedEpoch.change(of: .items, to: nil) == .remove(row.key))
  }
}
