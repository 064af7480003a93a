import LocalAuthTestSupport
import Testing

@testable import authctl

@Suite struct CompletionTests {
  private func texts(_ words: String...) -> [String]? {
    guard case .words(let words) = Completion(of: words, in: Sample.line).offer else { return nil }
    return words.map { $0.text }
  }

  private func source(_ words: String...) -> ValueSource? {
    guard case .values(let source, prefix: "") = Completion(of: words, in: Sample.line).offer
    else { return nil }
    return source
  }

  @Test func verbsAreOfferedWhereOneIsExpected() {
    #expect(texts("") == ["evaluate", "device", "check", "replay", "completion"])
    #expect(texts("dev") == texts(""))
    #expect(texts("device", "") == ["create", "list"])
    #expect(texts("--device", "phone", "device", "") == ["create", "list"])
    #expect(texts("--device=phone", "device", "") == ["create", "list"])
  }

  @Test func verbsCarryTheirAbstract() {
    let offer = Completion(of: ["device", ""], in: Sample.line).offer
    let create = Completion.Word(text: "create", help: "Make a simulated device.")
    let list = Completion.Word(text: "list", help: "List the devices.")
    #expect(offer == .words([create, list]))
  }

  @Test func noWordsAtAllOfferTheVerbs() {
    #expect(
      Completion(of: [], in: Sample.line).offer == Completion(of: [""], in: Sample.line).offer
    )
  }

  @Test func optionsOfTheVerbAndGlobalOnesAreOffered() throws {
    let offered = try #require(texts("device", "create", "--"))
    #expect(offered.starts(with: ["--sensor", "--finger", "--passcode-stdin", "--passcode-fd"]))
    #expect(offered.contains("--home"))
    #expect(!offered.contains("--policy"))
  }

  @Test func anOptionThatWasGivenIsNotOfferedAgainUnlessItRepeats() throws {
    let offered = try #require(
      texts("device", "create", "--sensor", "none", "--finger", "left-thumb", "--")
    )
    #expect(!offered.contains("--sensor"))
    #expect(offered.contains("--finger"))
  }

  @Test func anOptionThatExcludesAnotherRulesItOut() throws {
    let offered = try #require(texts("device", "create", "--passcode-stdin", "--"))
    #expect(!offered.contains("--passcode-fd"))
  }

  @Test func valuesOfAClosedSetAreOffered() {
    #expect(texts("device", "create", "--sensor", "") == ["simulated", "none"])
    #expect(texts("device", "create", "--sensor=") == ["--sensor=simulated", "--sensor=none"])
    #expect(texts("completion", "") == ["bash", "zsh", "fish"])
  }

  @Test func openValuesNameTheirSource() {
    #expect(source("--home", "") == .directories)
    #expect(source("check", "") == .files)
    #expect(source("evaluate", "--device", "") == .devices)
    #expect(source("--user", "") == .users)
    let offer = Completion(of: ["evaluate", "--device=ph"], in: Sample.line).offer
    #expect(offer == .values(.devices, prefix: "--device="))
  }

  @Test func nothingIsOfferedBehindTheLastOperandOrAnUnknownOption() {
    #expect(texts("check", "a", "") == [])
    #expect(texts("evaluate", "--nonsense=") == [])
  }

  @Test func nothingIsOfferedBehindAVerbThatIsNotThere() {
    #expect(texts("nonsense", "") == [])
    #expect(texts("nonsense", "--") == [])
    #expect(texts("device", "nonsense", "") == [])
    #expect(texts("help", "device", "") == ["create", "list"])
  }

  @Test func theLastOperandMayRepeat() {
    #expect(source("replay", "name", "one", "two", "") == .nothing)
  }

  @Test func wordsBehindTwoDashesAreOperands() {
    #expect(source("check", "--", "--ho") == .files)
    #expect(texts("check", "--", "--ho", "") == [])
  }

  @Test func globalOptionsBeforeTheLastWordAreKept() {
    let given = Completion(
      of: ["--home", "/a", "device", "--system", "--device=x", "create", ""],
      in: Sample.line
    ).given
    #expect(given.path == ["authctl", "device", "create"])
    #expect(given[GlobalOptions.home] == "/a")
    #expect(given[GlobalOptions.system])
    #expect(given[GlobalOptions.device] == "x")
  }

  @Test func aValueThatAnOptionDoesNotTakeIsIgnored() {
    let given = Completion(of: ["--user", "a:b", "--system=yes", ""], in: Sample.line).given
    #expect(given[GlobalOptions.user]?.text == nil)
  }

  /// Whatever is typed, completion ends with an offer, and keeps no value that the table refuses.
  @Test func anyWordsAreCompleted() {
    var random = SeededGenerator.ofThisRun
    let pieces = [
      "", "-", "--", "--=", "=", "device", "create", "--sensor", "--sensor=", "none", "--user",
      "-h",
      "completion", "\t", "\u{202E}", "--passcode-fd", "x", "--home=/",
    ]
    for _ in 0..<2000 {
      let count = Int.random(in: 0...6, using: &random)
      let words = (0..<count).map { _ in pieces.randomElement(using: &random) ?? "" }
      let completion = Completion(of: words, in: Sample.line)
      _ = completion.given[GlobalOptions.user]
      _ = completion.given[GlobalOptions.home]
    }
  }
}
