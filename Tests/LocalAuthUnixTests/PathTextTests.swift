import Testing

@testable import LocalAuthUnix

/// Parts of paths, which are bytes and not characters.
@Suite struct PathTextTests {
  @Test func namesLieBetweenSlashesWhateverFollowsThem() {
    #expect(names(inPath: "/etc//localauth/") == ["etc", "localauth"])
    #expect(names(inPath: "notes") == ["notes"])
    #expect(names(inPath: "/") == [] && names(inPath: "") == [])
    // A mark behind a slash makes one character of both.
    #expect(names(inPath: "../\u{FF9E}notes") == ["..", "\u{FF9E}notes"])
    #expect(names(inPath: "a/\u{301}b") == ["a", "\u{301}b"])
  }
}
