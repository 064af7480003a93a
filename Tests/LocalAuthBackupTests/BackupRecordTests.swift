import LocalAuthKeychain
import Testing

@testable import LocalAuthBackup

@Suite struct BackupRecordTests {
  private func record(_ size: Int = 10, number: UInt64 = 0) -> BackupRecord {
    var record = BackupRecord(
      of: BackupRig.item("a"),
      sealedUnder: .whenUnlocked,
      number: number
    )
    record.sealed = [UInt8](repeating: 4, count: size + BackupFormat.tagSize)
    return record
  }

  @Test(arguments: 1...60)
  func recordsComeBackWhereverTheyAreCut(_ piece: Int) throws {
    let bytes = record(200).bytes + [9, 1, 5] + record(0, number: 2).bytes
    var records = BackupRecords()
    var found: [BackupEntry] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      records.add(Array(bytes[start..<min(start + piece, bytes.count)]))
      while let entry = try records.takeNext() { found.append(entry) }
    }
    #expect(found == [.item(record(200)), .unknown, .item(record(0, number: 2))])
    #expect(records.isComplete && records.taken == 3)
  }

  @Test func aRecordThatIsCutIsNotComplete() throws {
    var records = BackupRecords()
    records.add(Array(record().bytes.dropLast()))
    #expect(try records.takeNext() == nil)
    #expect(!records.isComplete)
  }

  @Test(
    arguments: [
      [0xFF, 0xFF, 0xFF, 0xFF],  // five bytes or more
      [0xFF, 0xFF, 0xFF, 0x7F],  // more than a record has
      [0x80, 0x00], [0x85, 0x80, 0x00],  // not the shortest form
      [36] + [UInt8](repeating: 0, count: 36),  // too short for a head and a tag
    ] as [[UInt8]]
  )
  func aSizeThatNoRecordHasIsRefused(_ bytes: [UInt8]) {
    var records = BackupRecords()
    records.add([1] + bytes)
    #expect(throws: BackupError.damaged) { try records.takeNext() }
  }

  @Test(arguments: [0, 1, 127, 128, 16_383, 16_384, 2_097_152, BackupSize.most])
  func aSizeComesBackAndItsBeginningIsNone(_ size: Int) throws {
    let bytes = BackupSize.bytes(size)
    let read = try #require(try BackupSize.read(bytes + [9]))
    #expect(read == (size, bytes.count))
    #expect(try BackupSize.read(bytes.dropLast()) == nil)
  }

  @Test func attributesAreFoundInAContentAndNowhereElse() {
    let attributes = [UInt8](repeating: 7, count: 300)
    let content = BackupRecord.contentStart(attributesSize: 300) + attributes + [1, 2]
    #expect(BackupRecord.attributes(in: content) == 2..<302)
    #expect(BackupRecord.attributes(in: content.prefix(301)) == nil)
    #expect(BackupRecord.attributes(in: []) == nil)
    #expect(BackupRecord.attributes(in: [0x80, 0]) == nil)
  }
}
