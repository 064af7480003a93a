import Testing

@testable import LocalAuthService

@Suite struct MutationQueueTests {
  private final class Call {}

  @Test func turnsComeInTheOrderOfTheLine() {
    let queue = MutationQueue()
    var order: [Int] = []
    for number in 1...3 {
      queue.enter { order.append(number) }
    }
    #expect(order == [1])
    queue.leave()
    queue.leave()
    #expect(order == [1, 2, 3])
    queue.leave()
    queue.enter { order.append(4) }
    #expect(order == [1, 2, 3, 4])
  }

  /// A call has secrets, which are wiped when nobody has it any more.
  @Test(arguments: [0, 1, 3]) func nothingOfACallStaysThatHadItsTurn(_ others: Int) {
    let queue = MutationQueue()
    queue.enter {}
    weak var seen: Call?
    do {
      let call = Call()
      seen = call
      queue.enter { withExtendedLifetime(call) {} }
    }
    for _ in 0..<others { queue.enter {} }
    #expect(seen != nil)
    queue.leave()
    #expect(seen == nil)
  }
}
