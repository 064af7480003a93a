import Testing

@testable import LocalAuthFileFormat

/// A file that is made shorter or longer while its disk fails one call, or all calls from one on.
@Suite struct FailedTruncationTests {
  /// What became of the file since it was opened.
  enum Past: CaseIterable {
    case none
    /// It was written, and all of that handed to the system.
    case written
    /// A chunk in its middle was overwritten, and is kept behind the end.
    case overwritten
    /// The last chunk was, and what was synchronized of it is on the disk behind the end alone.
    case appended
  }

  private static let count = 18_000

  /// A file of ``count`` bytes with such a past, open for writing, and its content.
  private static func opened(_ past: Past) throws -> (MemoryStorage, EncryptedFile, [UInt8]) {
    var content = SampleFile.content(count)
    let isNew = past == .written
    let storage = try SampleFile.file(
      isNew ? [] : past == .appended ? Array(content.dropLast(100)) : content
    )
    let file = try SampleFile.open(storage, for: .write)
    switch past {
    case .none: break
    case .written: try file.write(content, at: 0)
    case .overwritten:
      content.replaceSubrange(5000..<6000, with: SampleFile.content(1000, 9))
      try file.write(Array(content[5000..<6000]), at: 5000)
    case .appended: try file.write(Array(content.suffix(100)), at: count - 100)
    }
    try file.writeBack()
    return (storage, file, content)
  }

  /// Changes the length while call number `call` fails; returns whether all calls were made before that one.
  private func passes(
    _ past: Past,
    to length: Int,
    _ call: Int,
    torn: Int,
    isLasting: Bool,
    _ isExpected: ([UInt8], _ old: [UInt8]) -> Bool
  ) throws -> Bool {
    let (storage, file, old) = try Self.opened(past)
    if isLasting { storage.callsLeft = call } else { storage.callsUntilError = call }
    storage.tornAfter = torn
    do throws(ProtectedFileError) { try file.truncate(to: length) } catch {
      let comment: Comment = "\(past) to \(length), call \(call), \(torn), \(isLasting)"
      #expect(try isExpected(SampleFile.open(MemoryStorage(storage.bytes)).all(), old), comment)
      if file.isUsable {
        let isOld = try file.all() == old
        #expect(isOld, comment)
      } else {
        #expect(throws: error, comment) { try file.read(1, at: 0) }
      }
      (storage.callsLeft, storage.callsUntilError) = (nil, nil)
      try? file.close()
      #expect(try isExpected(SampleFile.open(storage).all(), old), comment)
      let writer = try SampleFile.open(storage, for: .write)
      try writer.truncate(to: min(length, old.count))
      try writer.close()
      let left = try SampleFile.open(storage, isSealedOnly: true).all()
      let isShort = left == Array(old.prefix(length))
      #expect(isShort, comment)
      return false
    }
    (storage.callsLeft, storage.callsUntilError) = (nil, nil)
    try file.close()
    let zeros = [UInt8](repeating: 0, count: max(0, length - old.count))
    #expect(try SampleFile.open(storage, isSealedOnly: true).all() == old.prefix(length) + zeros)
    return true
  }

  private func failEachCall(
    _ past: Past,
    to length: Int,
    _ isExpected: ([UInt8], _ old: [UInt8]) -> Bool
  ) throws {
    for torn in [0, 1000, 4100] {
      // Nobody puts a chunk back that was not synchronized and was torn when all calls failed.
      let outlivesDeath = torn == 0 || past == .none || past == .overwritten
      for isLasting in outlivesDeath ? [false, true] : [false] {
        for call in 0... {
          let isDone = try passes(
            past,
            to: length,
            call,
            torn: torn,
            isLasting: isLasting,
            isExpected
          )
          if isDone { break }
        }
      }
    }
  }

  @Test(
    arguments: Past.allCases,
    [0, 1, 3000, 4096, 4097, 5500, 8192, 12_288, 16_384, 17_000, 17_999]
  )
  func shorteningThatFailsLeavesAllOrWhatWasToStay(_ past: Past, _ length: Int) throws {
    try failEachCall(past, to: length) { found, old in
      found == old || length > 0 && found == Array(old.prefix(length))
    }
  }

  @Test(arguments: Past.allCases, [18_001, 20_480, 20_481, 40_000])
  func growingThatFailsTakesNothing(_ past: Past, _ length: Int) throws {
    try failEachCall(past, to: length) { found, old in
      found.starts(with: old) && found.count <= length
        && found[old.count...].allSatisfy { $0 == 0 }
    }
  }

  @Test(arguments: Past.allCases, [0, 3000, 4096, 17_000])
  func shorteningOnAFullDiskLeavesAllOrWhatWasToStay(_ past: Past, _ length: Int) throws {
    for free in 0...3 {
      let (storage, file, old) = try Self.opened(past)
      storage.freePages = free
      let isRefused = (try? file.truncate(to: length)) == nil
      let found = try SampleFile.open(MemoryStorage(storage.bytes)).all()
      #expect(isRefused ? found == old : found == Array(old.prefix(length)), "\(past), \(free)")
      #expect(!isRefused || length > 0)
    }
  }
}
