import LocalAuthKeychain
import Testing

@testable import LocalAuthBackup

@Suite struct BackupRecordTests {
  private func record(_ size: Int = 10) -> BackupRecord {
    var record = BackupRecord(of: BackupRig.item("a"), sealedUnder: .whenUnlocked)
    record.attributes = [1, 2, 3]
    record.data = [UInt8](repeating: 4, count: size)
    return record
  }

  @Test(arguments: 1...60)
  func recordsComeBackWhereverTheyAreCut(_ piece: Int) throws {
    let bytes = record().bytes + [9, 1, 0, 0, 0, 5] + record(0).bytes
    var records = BackupRecords()
    var found: [BackupEntry] = []
    for start in stride(from: 0, to: bytes.count, by: piece) {
      records.add(Array(bytes[start..<min(start + piece, bytes.count)]))
      while let entry = try records.takeNext() { found.append(entry) }
    }
    #expect(found == [.item(record()), .unknown, .item(record(0))])
    #expect(records.isComplete)
  }

  @Test func aRecordThatIsCutIsNotComplete() throws {
    var records = BackupRecords()
    records.add(Array(record().bytes.dropLast()))
    #expect(try records.takeNext() == nil)
    #expect(!records.isComplete)
  }

  @Test func aSizeThatNoRecordHasIsRefusedBeforeItIsRead() {
    var records = BackupRecords()
    records.add([1, 0xFF, 0xFF, 0xFF, 0xFF])
    #expect(throws: BackupError.damaged) { try records.takeNext() }
  }

  @Test func aBodyThatIsNoneIsRefused() {
    for change: (inout [UInt8]) -> Void in [
      { $0[10] = 2 },  // flags
      { $0[10] = 0 },  // data that is not said to be there
      { $0[35] = 0xFF },  // more attributes than there are bytes
    ] {
      var bytes = record().bytes
      change(&bytes)
      var records = BackupRecords()
      records.add(bytes)
      #expect(throws: BackupError.damaged) { try records.takeNext() }
    }
  }
}
