import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import LocalAuthBackup

@Suite struct BackupHeaderTests {
  private func header(_ label: String = "desk") -> BackupHeader {
    var header = BackupHeader(
      .password,
      identifier: Array(0..<16),
      salt: Array(16..<32),
      cost: .standard,
      created: WallInstant(milliseconds: -1),
      label: label
    )
    header.wrappedKeys = (0..<6).map { [UInt8](repeating: $0, count: 92) }
    header.counts.add(.included(under: .always), .always)
    for reason in LeftOut.allCases { header.counts.add(.leftOut(reason), .always) }
    header.mac = [UInt8](repeating: 9, count: 32)
    return header
  }

  private func refusal(_ bytes: [UInt8]) -> BackupError? {
    do throws(BackupError) {
      _ = try BackupHeader(unverified: bytes)
      return nil
    } catch { return error }
  }

  @Test(arguments: ["desk", "", "größe", String(repeating: "x", count: 64)])
  func comesBackAsItWasWritten(_ label: String) throws {
    let bytes = header(label).bytes
    #expect(bytes.count == BackupFormat.headerSize)
    let read = try BackupHeader(unverified: bytes)
    #expect(read == header(label))
    #expect(read.label == label)
    #expect(read.counts.total == 1)
    #expect(read.counts.totalLeftOut == UInt64(LeftOut.allCases.count))
  }

  @Test func aLongLabelIsCutBetweenCharacters() {
    #expect(header(String(repeating: "ü", count: 40)).label == String(repeating: "ü", count: 32))
  }

  @Test func whatIsNoBackupSaysSo() {
    #expect(refusal([]) == .notABackup)
    #expect(refusal(Array("LAF1".utf8) + [UInt8](repeating: 0, count: 1020)) == .notABackup)
    #expect(refusal(Array("LAB1".utf8)) == .notABackup)
    #expect(refusal(Array(header().bytes.dropLast())) == .damaged)
  }

  @Test func aNewerReaderIsNamedAndANewerWriterIsRead() {
    var bytes = header().bytes
    bytes[4] = 2
    #expect(refusal(bytes) == nil)
    bytes[5] = 2
    #expect(refusal(bytes) == .newer(2))
    // The version is told even if this one cannot tell how long such a header is.
    #expect(refusal(Array(bytes.prefix(6))) == .newer(2))
  }

  @Test func whatHasNoMeaningIsZero() {
    for place in [60, 119, BackupHeader.countsStart + 14 * 8, BackupHeader.macStart - 1] {
      var bytes = header().bytes
      bytes[place] ^= 1
      #expect(refusal(bytes) == .damaged, "byte \(place)")
    }
    var bytes = header().bytes
    bytes[6] = 2
    #expect(refusal(bytes) == .damaged)
    bytes = header().bytes
    bytes[6] = 1
    #expect(refusal(bytes) == .damaged, "one device has no cost")
    bytes = header().bytes
    bytes[7] = 65
    #expect(refusal(bytes) == .damaged)
  }

  @Test func theDefaultsAreThoseOfTheDocument() {
    #expect(BackupCost.standard == BackupCost(passes: 4, kibibytes: 256 * 1024))
    #expect(BackupCost.floor == BackupCost(passes: 3, kibibytes: 64 * 1024))
    #expect(BackupCost(passes: 17, kibibytes: 8) == nil)
  }

  /// Deriving a key cannot be ended, so nobody is to ask for minutes of it.
  @Test func allPassesTogetherAreLimited() {
    for passes in [1, 2, 3, 4, 16] as [UInt32] {
      let most = (4 << 20) / passes
      #expect(BackupCost(passes: passes, kibibytes: most) != nil)
      #expect(BackupCost(passes: passes, kibibytes: most + 1) == nil)
    }
    #expect(BackupCost(passes: 16, kibibytes: .max) == nil)
    #expect(BackupCost(passes: 3, kibibytes: 1 << 20) != nil)
  }

  @Test func theTrailerHasTheSizeOfTheDocument() {
    #expect(
      BackupFormat.trailerContent
        == BackupTrailer(records: 0, chunks: 0, digest: [UInt8](repeating: 0, count: 32)).bytes
        .count
    )
  }
}
