import Testing

@testable import LocalAuthCore

struct OriginTests {
  @Test(arguments: [
    ("owner", Origin.owner), ("user:0", .user(0)), ("user:1001", .user(1001)),
    ("host:203.0.113.5", .host("203.0.113.5")), ("host:", .host("")),
  ])
  func everyOriginReadsAsItWasWritten(text: String, origin: Origin) {
    #expect(Origin(text) == origin)
    #expect(origin.text == text)
  }

  @Test(arguments: [
    "", "Owner", "user:", "user:-1", "user:4294967295", "user:x", "user:+5",
    "user:007", "elsewhere",
  ])
  func otherWordsAreNoOrigin(text: String) { #expect(Origin(text) == nil) }

  @Test func aHostWithALongerNameThanDNSHasIsNoOrigin() {
    #expect(Origin("host:" + String(repeating: "a", count: 255)) != nil)
    #expect(Origin("host:" + String(repeating: "a", count: 256)) == nil)
  }

  @Test(arguments: [
    (Origin.owner, true), (.user(1000), true), (.host(""), true), (.user(0), false),
    (.user(1001), false), (.host("203.0.113.5"), false),
  ])
  func whoeverIsKnownToBeAnotherIsNotTheOwner(origin: Origin, isOwners: Bool) {
    #expect(origin.isOf(1000) == isOwners)
  }

  @Test(arguments: [
    (Origin.owner, false), (.user(1000), false), (.host(""), true), (.user(0), true),
    (.user(1001), true), (.host("203.0.113.5"), true),
  ])
  func whoeverMayBeAnotherIsAmongTheOthers(origin: Origin, isOther: Bool) {
    #expect(origin.isAmongOthers(of: 1000) == isOther)
  }
}
