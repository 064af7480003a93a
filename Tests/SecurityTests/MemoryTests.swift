import Foundation
import Security
import Testing

/// Functions of the C library that clients of Security's use.
@Suite struct MemoryTests {
  @Test(arguments: [1, 15, 16, 4096]) func equalBytesAreEqual(_ count: Int) {
    let one = [UInt8](repeating: 3, count: count)
    #expect(timingsafe_bcmp(one, one, count) == 0)
    for index in [0, count / 2, count - 1] {
      var other = one
      other[index] ^= 0x80
      #expect(timingsafe_bcmp(one, other, count) != 0)
      #expect(timingsafe_bcmp(one, other, index) == 0)
    }
  }

  @Test func dataIsComparedThroughItsBytes() {
    func isEqual(_ one: Data, _ other: Data) -> Bool {
      guard one.count == other.count else { return false }
      return one.withUnsafeBytes { one in
        other.withUnsafeBytes { other in
          timingsafe_bcmp(one.baseAddress!, other.baseAddress!, one.count) == 0
        }
      }
    }
    #expect(isEqual(Data("tag".utf8), Data("tag".utf8)))
    #expect(!isEqual(Data("tag".utf8), Data("tug".utf8)))
    #expect(timingsafe_bcmp(nil, nil, 0) == 0)
    #expect(timingsafe_bcmp(nil, nil, 1) != 0)
    #expect(timingsafe_bcmp([1], [1], -1) != 0)
  }

  @Test func memoryIsOverwritten() {
    var secret = Array("a passphrase".utf8)
    let count = secret.count
    #expect(memset_s(&secret, count, 0, count) == 0)
    #expect(secret == [UInt8](repeating: 0, count: count))
    memset_s(&secret, count, 0x1AB, 2)
    #expect(secret == [0xAB, 0xAB] + [UInt8](repeating: 0, count: count - 2))
    var data = Data("another".utf8)
    data.withUnsafeMutableBytes { _ = memset_s($0.baseAddress, $0.count, 0, $0.count) }
    #expect(data == Data(repeating: 0, count: 7))
  }

  @Test func moreThanThereIsIsRefusedAndOverwrittenAllTheSame() {
    var memory: [UInt8] = [1, 2, 3, 4]
    #expect(memset_s(&memory, 3, 9, 4) == EOVERFLOW)
    #expect(memory == [9, 9, 9, 4])
    #expect(memset_s(&memory, 2, 7, -1) == EOVERFLOW)
    #expect(memory == [7, 7, 9, 4])
    #expect(memset_s(&memory, -1, 0, 1) == E2BIG)
    #expect(memory == [7, 7, 9, 4])
    #expect(memset_s(nil, 0, 0, 0) == EINVAL)
  }

  /// What is freed at once nobody reads, which is why a compiler would like to leave the writing out.
  @Test func memoryIsOverwrittenBeforeItIsFreed() throws {
    let size = 1 << 20
    let memory = try #require(
      mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
    )
    defer { munmap(memory, size) }
    memset(memory, 0x55, size)
    Self.forget(memory, size)
    #expect(UnsafeRawBufferPointer(start: memory, count: size).allSatisfy { $0 == 0 })
  }

  @inline(never) private static func forget(_ memory: UnsafeMutableRawPointer, _ size: Int) {
    memset_s(memory, size, 0, size)
  }
}
