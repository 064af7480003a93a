import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthFileFormat

/// A program that is killed between two system calls leaves a file of which each chunk is old or new.
@Suite struct CrashTests {
  private enum Step {
    case write([UInt8], Int)
    case truncate(Int)
    case seal
  }

  /// `make nightly` takes 10,000.
  private static let seeds =
    unsafe getenv("CRASH_SEEDS").flatMap { unsafe Int(String(cString: $0)) } ?? 1000

  @Test func fileThatWasNotSealedSaysSo() throws {
    let storage = try SampleFile.file([1, 2, 3])
    let file = try SampleFile.open(storage, for: .write)
    try file.write([9], at: 1)
    #expect(throws: ProtectedFileError.notSealed) {
      try SampleFile.open(storage, isSealedOnly: true)
    }
    let opened = try SampleFile.open(storage)
    #expect(!opened.wasSealed)
    #expect(try opened.all() == [1, 2, 3], "what is not written yet is not there")
  }

  @Test func writerPutsRightWhatWasLeft() throws {
    let storage = try SampleFile.file(SampleFile.content(5000))
    let file = try SampleFile.open(storage, for: .write)
    try file.write(SampleFile.content(9000, 1), at: 3000)
    let again = try SampleFile.open(storage, for: .write)
    #expect(!again.wasSealed)
    try again.write([7], at: 0)
    try again.close()
    let sealed = try SampleFile.open(storage, isSealedOnly: true)
    #expect(sealed.wasSealed)
    #expect(try sealed.read(1, at: 0) == [7])
  }

  /// The kernel may end a write between two pages.
  @Test func chunksBeforeOneThatWasAppendedInPartStay() throws {
    let content = SampleFile.content(4 * 4096)
    let storage = try SampleFile.file(Array(content[..<4096]))
    let file = try SampleFile.open(storage, for: .write)
    try file.write(Array(content[4096...]), at: 4096)
    try file.writeBack()
    storage.bytes.removeLast(100)
    #expect(try SampleFile.open(storage).all() == Array(content[..<(3 * 4096)]))
    let writer = try SampleFile.open(storage, for: .write)
    try writer.write(Array(content[(3 * 4096)...]), at: 3 * 4096)
    try writer.close()
    #expect(try SampleFile.open(storage, isSealedOnly: true).all() == content)
  }

  /// When the power fails, what was not synchronized may be on the disk in any part: the header, say, and no chunk.
  @Test func noPowerFailureLeavesASealOnWhatIsNotThere() throws {
    let (old, new) = (SampleFile.content(9000), SampleFile.content(9000, 1))
    for calls in 0..<20 {
      let storage = try SampleFile.file(old)
      let file = try SampleFile.open(storage, for: .write)
      storage.callsLeft = calls
      _ = try? file.write(new, at: 0)
      _ = try? file.synchronize()
      let header = SampleFile.contentStart
      let bytes = storage.bytes[..<header] + storage.durable[header...]
      let found = try SampleFile.open(MemoryStorage(Array(bytes)))
      #expect(try !found.wasSealed || [old, new].contains(found.all()), "after \(calls) calls")
    }
  }

  /// Of two headers that say the same, one that is not whole leaves the other one the only one.
  @Test(arguments: [0, 2048])
  func headerThatWasNotWrittenWholeTakesNoneWithIt(_ slot: Int) throws {
    let storage = try SampleFile.file([1, 2, 3])
    storage.bytes[slot + FileFormat.slotSize - 1] ^= 1
    let file = try SampleFile.open(storage, for: .write)
    (storage.callsLeft, storage.tornAfter) = (0, 100)
    #expect(throws: MemoryStorage.death) { try file.write([9], at: 0) }
    #expect(try SampleFile.open(storage).all() == [1, 2, 3])
  }

  @Test func fileThatFailedOnceIsUsedNoMore() throws {
    let storage = try SampleFile.file(SampleFile.content(9000))
    let file = try SampleFile.open(storage, for: .write)
    try file.write([1], at: 0)
    storage.callsLeft = 0
    #expect(throws: MemoryStorage.death) { try file.write([2], at: 8999) }
    storage.callsLeft = nil
    #expect(throws: MemoryStorage.death) { try file.write([3], at: 0) }
    #expect(throws: MemoryStorage.death) { try file.read(1, at: 0) }
    #expect(throws: MemoryStorage.death) { try file.close() }
    #expect(try !SampleFile.open(storage).wasSealed)
  }

  /// Runs in batches, each of which ends before one of its calls; then each chunk is as it was before or after
  /// one of the steps, and whoever goes on writing gets a file that is sealed.
  @Test(arguments: 0..<20)
  func everyChunkIsOldOrNewAfterADeathAtAnyCall(_ batch: Int) throws {
    for seed in stride(from: batch, to: Self.seeds, by: 20) { try die(seed) }
  }

  private func die(_ seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let storage = try SampleFile.file(
      SampleFile.content(Int.random(in: 0...15_000, using: &random))
    )
    var states = [try SampleFile.open(storage).all()]
    let steps = (0..<6).map { Self.step($0, &random) }
    for step in steps {
      var next = states[states.count - 1]
      switch step {
      case .write(let bytes, let offset): EncryptedFileTests.write(bytes, at: offset, &next)
      case .truncate(let count): EncryptedFileTests.truncate(&next, to: count)
      case .seal: break
      }
      states.append(next)
    }
    storage.callsLeft = Int.random(in: 0..<40, using: &random)
    let done = Self.run(steps, on: storage)
    storage.callsLeft = nil
    let file = try SampleFile.open(storage)
    let found = try file.all()
    let possible = states.prefix(done + 2)
    for start in stride(from: 0, to: found.count, by: SampleFile.chunkSize) {
      let chunk = Array(found[start...].prefix(SampleFile.chunkSize))
      let isKnown = possible.contains { Self.begins(chunk, $0.dropFirst(start)) }
      #expect(isKnown, "seed \(seed): the chunk at \(start) is of no state")
    }
    let writer = try SampleFile.open(storage, for: .write)
    #expect(try writer.all() == found)
    try writer.close()
    #expect(try SampleFile.open(storage, isSealedOnly: !file.wasSealed).all() == found)
  }

  private static func step(_ number: Int, _ random: inout SeededGenerator) -> Step {
    let offset = Int.random(in: 0...15_000, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0, 1, 2:
      let count = Int.random(in: 0...9000, using: &random)
      return .write(SampleFile.content(count, number + 1), offset)
    case 3: return .truncate(offset)
    default: return .seal
    }
  }

  /// Returns how many steps were done before the program ended.
  private static func run(_ steps: [Step], on storage: MemoryStorage) -> Int {
    guard let file = try? SampleFile.open(storage, for: .write) else { return 0 }
    for (number, step) in steps.enumerated() {
      do throws(ProtectedFileError) {
        switch step {
        case .write(let bytes, let offset): try file.write(bytes, at: offset)
        case .truncate(let count): try file.truncate(to: count)
        case .seal: try file.synchronize()
        }
      } catch {
        #expect(error == MemoryStorage.death)
        return number
      }
    }
    return steps.count - 1
  }

  /// Whether a chunk is the content of a state there, perhaps cut, perhaps with zeros that were to be
  /// overwritten next.
  private static func begins(_ chunk: [UInt8], _ state: ArraySlice<UInt8>) -> Bool {
    let content = Array(state.prefix(chunk.count))
    return content == chunk
      || chunk.starts(with: content) && chunk[content.count...].allSatisfy { $0 == 0 }
  }
}
