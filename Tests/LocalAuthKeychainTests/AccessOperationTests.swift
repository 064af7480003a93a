import LocalAuthKeychain
import Testing

@Suite struct AccessOperationTests {
  @Test func usesHaveApplesNumbersAndTheirOperations() {
    let uses: [(Int, [AccessOperation])] = [
      (0, [.encrypt]), (1, [.decrypt]), (2, [.encrypt]), (3, [.sign]), (4, [.computeKey]),
      (5, [.computeKey]), (6, [.sign, .computeKey]),
    ]
    for (number, operations) in uses {
      #expect(AccessControlUse(rawValue: number)?.operations == operations)
    }
    #expect(AccessControlUse(rawValue: 7) == nil)
  }
}
