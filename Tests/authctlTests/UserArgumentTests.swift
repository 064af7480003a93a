import Testing

@testable import authctl

@Suite struct UserArgumentTests {
  @Test(arguments: ["0", "1000", "4294967295"]) func aNumberIsTakenAsItIs(text: String) throws {
    #expect(try UserArgument(argument: text)?.number() == UInt32(text))
  }

  @Test func aNameIsLookedUp() throws {
    #expect(try UserArgument(argument: "root")?.number() == 0)
  }

  @Test func aNameThatNobodyHasIsSaid() throws {
    let user = try #require(UserArgument(argument: "nobody-has-this-name"))
    let failure = #expect(throws: Failure.self) { try user.number() }
    #expect(failure?.message == "There is no user 'nobody-has-this-name'.")
  }

  /// getent(1) looks up numbers too, and would read a second name.
  @Test(arguments: [
    "", "-1", "-s", "a:b", "a b", "a\n", "4294967296", "99999999999999999999",
    String(repeating: "a", count: 257),
  ])
  func whatIsNoUserIsRefused(text: String) {
    #expect(UserArgument(argument: text) == nil)
  }
}
