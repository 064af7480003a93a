import Testing

@testable import authctl

@Suite struct SuggestionTests {
  @Test(arguments: [
    ("", "", 0), ("abc", "abc", 0), ("abc", "", 3), ("", "abc", 3), ("abc", "acb", 1),
    ("abc", "axc", 1), ("abc", "abcd", 1), ("abc", "ab", 1), ("kitten", "sitting", 3),
    ("ca", "abc", 3),
  ])
  func measuresEdits(left: String, right: String, expected: Int) {
    #expect(Suggestion.distance(Array(left.utf8), Array(right.utf8)) == expected)
    #expect(Suggestion.distance(Array(right.utf8), Array(left.utf8)) == expected)
  }

  @Test func prefersTheClosestThenTheFirst() {
    #expect(Suggestion.closest(to: "lst", among: ["last", "list", "lst2"]) == "last")
    #expect(Suggestion.closest(to: "scrpt", among: ["scrip", "script"]) == "script")
  }

  @Test func findsNothingForFarWords() {
    #expect(Suggestion.closest(to: "xyz", among: ["evaluate", "status"]) == nil)
    #expect(Suggestion.closest(to: "", among: ["a", "evaluate"]) == nil)
    #expect(Suggestion.closest(to: String(repeating: "a", count: 100_000), among: ["a"]) == nil)
  }

  @Test func completesABeginningThatOnlyOneNameHas() {
    #expect(Suggestion.closest(to: "eval", among: ["evaluate", "status"]) == "evaluate")
    #expect(Suggestion.closest(to: "eva", among: ["evaluate", "evaporate"]) == nil)
    #expect(Suggestion.closest(to: "ev", among: ["evaluate"]) == nil)
  }
}
