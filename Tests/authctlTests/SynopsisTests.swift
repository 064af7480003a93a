import Testing

@testable import authctl

@Suite struct SynopsisTests {
  @Test func marksWhatIsOptionalRepeatedAndExclusive() {
    #expect(
      Synopsis.pieces(of: Sample.evaluate, path: ["authctl", "evaluate"]) == [
        "authctl evaluate", "--policy NAME", "--reason TEXT", "[--timeout DURATION]",
        "[--non-interactive | --script EVENTS|@FILE|-]",
      ]
    )
    #expect(
      Synopsis.pieces(of: Sample.replay, path: ["authctl", "replay"])
        == ["authctl replay", "NAME", "[EVENT ...]"]
    )
    #expect(
      Synopsis.pieces(of: TableVerbs.remove, path: ["authctl", "table", "remove"])
        == ["authctl table remove", "[--group GROUP]", "TABLE", "ROW ..."]
    )
    #expect(
      Synopsis.pieces(of: Sample.check, path: ["authctl", "check"])
        == ["authctl check", "[FILE]"]
    )
    #expect(
      Synopsis.pieces(of: Sample.line.root, path: ["authctl"]) == ["authctl", "VERB ..."]
    )
  }
}
