import LocalAuthKeychain
import Testing

@Suite struct AccessOperationTests {
  @Test func theUsesHaveApplesNumbersAndTheirOperations() {
    let uses: [(Int, AccessOperation)] = [
      (0, .encrypt), (1, .decrypt), (2, .encrypt), (3, .sign), (4, .computeKey), (5, .computeKey),
    ]
    for (number, operation) in uses {
      #expect(AccessControlUse(rawValue: number)?.operation == operation)
    }
    #expect(AccessControlUse(rawValue: 6) == nil)
  }
}
