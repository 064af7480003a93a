import LocalAuthTestSupport
import Testing

@testable import LocalAuthFileFormat

/// How long a file seems to be to who does not have its key.
@Suite struct LikelyLengthTests {
  private func likelyLength(_ storage: MemoryStorage) throws -> Int {
    let headers = try EncryptedFile.slots(of: storage).map(\.header)
    return try #require(headers.max { $0.number < $1.number }).likelyLength(of: storage)
  }

  @Test(arguments: [0, 1, 4096, 4097, 10_000])
  func fileThatIsSealedSaysHowLongItIs(_ count: Int) throws {
    #expect(try likelyLength(SampleFile.file(SampleFile.content(count))) == count)
  }

  @Test(arguments: [(0, 4096), (5000, 10), (9990, 10), (9990, 500)])
  func chunkThatIsKeptBehindTheEndIsNoContent(_ offset: Int, _ count: Int) throws {
    let storage = try SampleFile.file(SampleFile.content(10_000))
    let file = try SampleFile.open(storage, for: .write)
    try file.write(SampleFile.content(count, 1), at: offset)
    try file.writeBack()
    #expect(try likelyLength(storage) == max(10_000, offset + count))
    #expect(try SampleFile.open(storage).length == max(10_000, offset + count))
  }

  @Test(arguments: [true, false])
  func fileThatIsAsLongAsAFileCanBeHasALength(_ isSealed: Bool) throws {
    let storage = try SampleFile.file(SampleFile.content(10_000))
    if !isSealed {
      try SampleFile.open(storage, for: .write).write(SampleFile.content(10, 1), at: 0)
    }
    let headers = try EncryptedFile.slots(of: storage).map(\.header)
    let newest = try #require(headers.max { $0.number < $1.number })
    #expect(newest.isSealed == isSealed)
    for size in [Int.max, Int.max - 1, 1 << 62] {
      let length = try newest.likelyLength(of: VastStorage(storage, size: size))
      #expect(length > 1 << 61 && length < size)
    }
  }

  @Test func fileThatIsLeftBetweenAnyTwoStepsIsAsLongAsItWasOrIsToBe() throws {
    for calls in 0...8 {
      for torn in [0, 1, 16, 100, 4096] {
        let storage = try SampleFile.file(SampleFile.content(10_000))
        let file = try SampleFile.open(storage, for: .write)
        (storage.callsLeft, storage.tornAfter) = (calls, torn)
        do throws(ProtectedFileError) {
          try file.write(SampleFile.content(500, 1), at: 9990)
          try file.writeBack()
        } catch { #expect(error == MemoryStorage.death) }
        let found = try likelyLength(storage)
        #expect(
          [10_000, 10_490].contains(found),
          "\(found) after \(calls) calls and \(torn) bytes"
        )
      }
    }
  }
}
