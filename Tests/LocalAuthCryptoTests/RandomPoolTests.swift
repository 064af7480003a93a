import LocalAuthCrypto
import Testing

@Suite struct RandomPoolTests {
  @Test func numbersDoNotComeAgain() {
    let pool = RandomPool()
    // More than three fillings.
    let numbers = (0..<200).map { _ in pool.next() }
    #expect(Set(numbers).count == numbers.count)
    #expect(!numbers.contains(0), "what is wiped is not handed out")
  }

  @Test func poolsDiffer() {
    let (one, other) = (RandomPool(), RandomPool())
    #expect(one.next() != other.next())
  }

  @Test func whoeverHoldsItDrawsFromTheSame() {
    let pool = RandomPool()
    var one: any RandomNumberGenerator = pool
    var other: any RandomNumberGenerator = pool
    #expect(one.next() != other.next())
  }
}
