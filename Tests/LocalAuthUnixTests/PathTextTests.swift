import Testing

@testable import LocalAuthUnix

/// Parts of paths, which are bytes and not characters.
@Suite struct PathTextTests {
  @Test func namesLieBetweenSlashesWhateverFollowsThem() {
    #expect(components(ofPath: "/etc//localauth/") == ["etc", "localauth"])
    #expect(components(ofPath: "notes") == ["notes"])
    #expect(components(ofPath: "/") == [] && components(ofPath: "") == [])
    // A mark behind a slash makes one character of both.
    #expect(components(ofPath: "../\u{FF9E}notes") == ["..", "\u{FF9E}notes"])
    #expect(components(ofPath: "a/\u{301}b") == ["a", "\u{301}b"])
  }
}
