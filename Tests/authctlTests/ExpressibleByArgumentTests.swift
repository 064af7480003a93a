import Testing

@testable import authctl

@Suite struct ExpressibleByArgumentTests {
  @Test(arguments: [
    ("30", 30), ("30s", 30), ("5m", 300), ("48h", 172_800), ("0", 0), ("007", 7),
    ("316224000", 316_224_000), ("87840h", 316_224_000),
  ])
  func readsDurations(text: String, seconds: Int64) {
    #expect(Duration(argument: text) == .seconds(seconds))
  }

  @Test(arguments: [
    "", "s", "m", "-5", "+5", "5 s", "5S", "5d", "1.5h", "5ms", "5mm", "0x10", "٣", "316224001",
    "87841h", "9223372036854775807h", "9223372036854775808", "1e3", "５",
  ])
  func refusesOtherDurations(text: String) {
    #expect(Duration(argument: text) == nil)
  }

  @Test func readsNumbersWithoutASign() {
    #expect(Int(argument: "0") == 0)
    #expect(Int(argument: "42") == 42)
    for text in ["", "-1", "+1", " 1", "1 ", "9223372036854775808", "٣"] {
      #expect(Int(argument: text) == nil, "\(text)")
    }
  }

  @Test func readsMembersOfAClosedSetByTheirNames() {
    #expect(CompletionShell(argument: "zsh") == .zsh)
    #expect(CompletionShell(argument: "ZSH") == nil)
    #expect(CompletionShell.allValueStrings == ["bash", "zsh", "fish"])
  }

  @Test func decodesOptionalAndRepeatedContent() {
    #expect(Int?.decode([]) == .some(nil))
    #expect(Int?.decode(["7"]) == .some(7))
    #expect(Int?.decode(["x"]) == nil)
    #expect([Int].decode([]) == [])
    #expect([Int].decode(["1", "2"]) == [1, 2])
    #expect([Int].decode(["1", "x"]) == nil)
    #expect(Int.decode([]) == nil)
  }
}
