import Testing

@testable import LocalAuthStore

@Suite struct ByteCodingTests {
  @Test func valuesComeBackInOrder() {
    var writer = ByteWriter()
    writer.put(UInt32(0xA1B2_C3D4))
    writer.put(Int64(-2))
    writer.put(true)
    writer.put("größe")
    writer.put([9, 8] as [UInt8])
    writer.put(Optional<UInt64>.none) { $0.put($1) }
    writer.put(UInt64(7) as UInt64?) { $0.put($1) }
    var reader = ByteReader(writer.bytes)
    #expect(reader.number(UInt32.self) == 0xA1B2_C3D4)
    #expect(reader.number(Int64.self) == -2)
    #expect(reader.flag() == true)
    #expect(reader.text() == "größe")
    #expect(reader.blob() == [9, 8])
    #expect(reader.optional { $0.number(UInt64.self) } == .some(nil))
    #expect(reader.optional { $0.number(UInt64.self) } == .some(7))
    #expect(reader.isAtEnd)
  }

  @Test func numbersAreLittleEndian() {
    var writer = ByteWriter()
    writer.put(UInt32(1))
    #expect(writer.bytes == [1, 0, 0, 0])
  }

  @Test func aCountBeyondTheEndIsRefused() {
    var reader = ByteReader([255, 255, 255, 255, 1])
    #expect(reader.blob() == nil)
    var list = ByteReader([255, 255, 255, 255, 1])
    #expect(list.list { $0.number(UInt8.self) } == nil)
  }

  @Test func textThatIsNotUTF8IsRefused() {
    var reader = ByteReader([1, 0, 0, 0, 0xC3])
    #expect(reader.text() == nil)
  }

  @Test(arguments: [UInt8(2), 255]) func aFlagIsZeroOrOne(_ byte: UInt8) {
    var reader = ByteReader([byte])
    #expect(reader.flag() == nil)
  }
}
