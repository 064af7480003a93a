import Foundation
import Security
import Testing

/// Bytes of CoreFoundation, used as clients use them.
@Suite struct CoreFoundationDataTests {
  private static let sizes = [0, 1, 14, 15, 4096]

  @Test(arguments: sizes) func bytesAreReadThroughAPointer(_ size: Int) {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    let data = Data(bytes) as CFData
    let pointer = CFDataGetBytePtr(data)
    let length = CFDataGetLength(data)
    #expect(length == size)
    #expect([UInt8](UnsafeBufferPointer(start: pointer, count: length)) == bytes)
    if size > 0 { #expect(Data(bytes: CFDataGetBytePtr(data)!, count: length) == Data(bytes)) }
    withExtendedLifetime(data) {}
  }

  @Test func bytesOfACertificatesNumberAreRead() throws {
    let key = SampleKeys.curves[0]
    let external: CFData = try #require(SecKeyCopyExternalRepresentation(key, nil))
    var copy = [UInt8](repeating: 0, count: CFDataGetLength(external))
    memcpy(&copy, CFDataGetBytePtr(external), CFDataGetLength(external))
    #expect(Data(copy) == external as Data)
  }

  @Test(arguments: sizes) func bytesAreLentWithoutACopy(_ size: Int) throws {
    let memory = UnsafeMutablePointer<UInt8>.allocate(capacity: max(size, 1))
    defer { memory.deallocate() }
    memory.initialize(repeating: 7, count: size)
    let data = try #require(CFDataCreateWithBytesNoCopy(nil, memory, size, kCFAllocatorNull))
    #expect(data as Data == Data(repeating: 7, count: size))
    if size > 0 { #expect(CFDataGetBytePtr(data) == UnsafePointer(memory)) }
  }

  @Test func bytesAreGivenAway() throws {
    let memory = try #require(malloc(100)).assumingMemoryBound(to: UInt8.self)
    memset(memory, 9, 100)
    let data = CFDataCreateWithBytesNoCopy(kCFAllocatorDefault, memory, 100, kCFAllocatorDefault)
    #expect(data! as Data == Data(repeating: 9, count: 100))
  }

  @Test func bytesThatCannotBeAreNone() {
    let bytes: [UInt8] = [1]
    #expect(CFDataCreateWithBytesNoCopy(nil, bytes, -1, kCFAllocatorNull) == nil)
    #expect(CFDataCreateWithBytesNoCopy(nil, nil, 1, kCFAllocatorNull) == nil)
    #expect(CFDataCreateWithBytesNoCopy(nil, nil, 0, kCFAllocatorNull)?.length == 0)
  }

  @Test func numbersOfFoundationsAreSwifts() {
    let count: NSInteger = [1, 2].count
    #expect(count == 2)
    let code: FourCharCode = "genp".utf8.reduce(0) { $0 << 8 | FourCharCode($1) }
    #expect(code == 0x6765_6E70)
    #expect(OSStatus(bitPattern: code) == 0x6765_6E70)
  }
}
