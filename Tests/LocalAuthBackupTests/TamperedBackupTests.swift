import LocalAuthBackup
import LocalAuthCrypto
import LocalAuthKeychain
import LocalAuthSecret
import Testing

/// Backups that somebody changed, cut, or put together.
@Suite struct TamperedBackupTests {
  private let rig = BackupRig()
  private let items = [
    BackupRig.item("a", number: 1), BackupRig.item("b", .afterFirstUnlock, number: 2),
    BackupRig.item("c", .alwaysThisDeviceOnly, number: 3),
  ]

  private func large() throws -> [UInt8] {
    try rig.make(items, secret: [UInt8](repeating: 1, count: 100_000))
  }

  @Test func everyChangedByteIsNoticed() throws {
    let backup = try rig.make(items)
    for index in backup.indices {
      for change: UInt8 in [1, 0x80] {
        var changed = backup
        changed[index] ^= change
        #expect(rig.refusal(of: changed) != nil, "byte \(index)")
      }
    }
  }

  @Test func everyChangedByteOfABackupForOneDeviceIsNoticed() throws {
    let backup = try rig.make(items, isDeviceOnly: true)
    for index in backup.indices {
      var changed = backup
      changed[index] ^= 1
      #expect(rig.refusal(of: changed, password: nil) != nil, "byte \(index)")
    }
  }

  @Test func everyCutIsNoticed() throws {
    let backup = try rig.make(items)
    for size in backup.indices { #expect(rig.refusal(of: Array(backup[..<size])) != nil) }
    #expect(rig.refusal(of: backup + [0]) == .damaged)
  }

  @Test func aCutBetweenChunksIsNoticed() throws {
    let backup = try large()
    let (start, size) = (BackupFormat.headerSize, BackupFormat.chunkSize)
    let trailer = backup.suffix(BackupFormat.trailerSize)
    for chunks in 0..<4 {
      #expect(rig.refusal(of: Array(backup[..<(start + chunks * size)])) == .damaged)
      let shorter = Array(backup[..<(start + chunks * size)] + trailer)
      #expect(rig.refusal(of: shorter) == .damaged)
    }
  }

  @Test func movedAndRepeatedChunksAreNoticed() throws {
    let backup = try large()
    let (start, size) = (BackupFormat.headerSize, BackupFormat.chunkSize)
    let chunks = (0..<4).map { Array(backup[(start + $0 * size)..<(start + ($0 + 1) * size)]) }
    let (header, rest) = (backup[..<start], backup[(start + 4 * size)...])
    for order in [[1, 0, 2, 3], [0, 0, 1, 2], [0, 1, 3, 2], [0, 1, 2, 2], [3, 2, 1, 0]] {
      #expect(rig.refusal(of: Array(header + order.flatMap { chunks[$0] } + rest)) == .damaged)
    }
    #expect(rig.refusal(of: backup) == nil)
  }

  @Test func twoBackupsCannotBeSpliced() throws {
    let (first, second) = (try large(), try large())
    let start = BackupFormat.headerSize
    for cut in stride(from: start, to: first.count, by: BackupFormat.chunkSize) {
      #expect(rig.refusal(of: Array(first[..<cut] + second[cut...])) == .damaged)
    }
    // The keys of one under the identifier of another.
    var mixed = first
    mixed[120..<672] = second[120..<672]
    #expect(rig.refusal(of: mixed) == .wrongPassword)
  }

  @Test func aTrailerIsNoChunkAndAChunkNoTrailer() throws {
    let reader = try rig.open(try rig.make([]))
    let backup = try rig.make([])
    #expect(throws: BackupError.damaged) { try reader.read(Array(backup.suffix(77))) }
  }

  @Test func aWrongPasswordAndAChangedHeaderAreOneError() throws {
    let backup = try rig.make(items)
    #expect(rig.refusal(of: backup, password: "wrong horse battery") == .wrongPassword)
    #expect(rig.refusal(of: backup, password: "") == .wrongPassword)
    #expect(rig.refusal(of: backup, password: nil) == .passwordNeeded)
    for place in [8, 24, 48, 56] {
      var changed = backup
      changed[place] ^= 1
      #expect(rig.refusal(of: changed) == .wrongPassword, "byte \(place)")
    }
  }

  @Test func aHeaderThatWasNeverFinishedIsRefused() throws {
    let writer = try rig.begin()
    let header = writer.unfinished
    let (rest, _) = writer.finish(BackupCounts())
    #expect(rig.refusal(of: header.bytes + rest.flatMap { $0 }) == .damaged)
  }

  @Test func aRecordInAnotherPlaceDoesNotOpen() throws {
    // Whoever knows the password can seal chunks, but not what only the device opens.
    let backup = try rig.make([items[2], items[2]])
    let reader = try rig.open(backup)
    let end = backup.count - BackupFormat.trailerSize
    let entries = try reader.read(Array(backup[BackupFormat.headerSize..<end]))
    var records = BackupRecords()
    for case .item(let record) in entries.reversed() { records.add(record.bytes) }
    for case .item(let record) in entries { #expect(reader.open(record).read == .item(items[2])) }
    for _ in entries {
      guard case .item(let moved)? = try records.takeNext() else { break }
      #expect(reader.open(moved).read == .damaged)
    }
    #expect(records.taken == 2)
  }

  // MARK: Cost

  private func costing(_ passes: UInt32, _ kibibytes: UInt32) throws -> [UInt8] {
    var backup = try rig.make(items)
    for byte in 0..<4 {
      backup[40 + byte] = UInt8(truncatingIfNeeded: passes >> UInt32(8 * byte))
      backup[44 + byte] = UInt8(truncatingIfNeeded: kibibytes >> UInt32(8 * byte))
    }
    return backup
  }

  /// A tebibyte, and what is just above either limit; nothing is derived, so the test takes no time.
  @Test(
    arguments: [(1, 1 << 30), (1, 4_194_305), (17, 8), (0, 8), (.max, .max)] as [(UInt32, UInt32)]
  )
  func aCostThatNoReaderPaysIsRefused(_ passes: UInt32, _ kibibytes: UInt32) throws {
    #expect(rig.refusal(of: try costing(passes, kibibytes)) == .tooExpensive)
  }

  @Test func aChangedCostDoesNotOpen() throws {
    #expect(rig.refusal(of: try costing(2, 8)) == .wrongPassword)
    #expect(rig.refusal(of: try costing(1, 16)) == .wrongPassword)
  }

  @Test func anInstallationMayHaveLimitsOfItsOwn() throws {
    let key = DeviceKey.generate()
    let backup = try BackupRig(key).make(items)
    let strict = BackupRig(BackupCipher(key, cost: .floor))
    #expect(strict.refusal(of: backup) == .tooCheap)
    let small = BackupCipher(key, cost: .minimum, floor: .minimum, kibibytesMax: 7)
    #expect(BackupRig(small).refusal(of: backup) == .tooExpensive)
  }
}
