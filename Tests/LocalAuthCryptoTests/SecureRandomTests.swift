import Testing

@testable import LocalAuthCrypto

@Suite struct SecureRandomTests {
  @Test func numbersDoNotRepeat() {
    var generator = SecureRandom()
    let numbers = Set((0..<1000).map { _ in generator.next() })
    #expect(numbers.count == 1000)
  }

  @Test func everyBitIsUsed() {
    var generator = SecureRandom()
    var ones: UInt64 = 0
    var zeros: UInt64 = 0
    for _ in 0..<200 {
      let number = generator.next()
      ones |= number
      zeros |= ~number
    }
    #expect(ones == .max && zeros == .max)
  }
}
