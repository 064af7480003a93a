import Testing

@testable import authctl

@Suite struct ArgumentParserTests {
  // MARK: Good lines

  @Test func readsOptionsInBothForms() throws {
    let arguments = try Sample.run(
      "evaluate",
      "--policy",
      "device-owner",
      "--reason=deploy to production",
      "--timeout=5m"
    )
    #expect(arguments.path == ["authctl", "evaluate"])
    #expect(arguments[Sample.policy] == "device-owner")
    #expect(arguments[Sample.reason] == "deploy to production")
    #expect(arguments[Sample.timeout] == .seconds(300))
    #expect(!arguments[Sample.nonInteractive])
    #expect(arguments[Sample.script] == nil)
  }

  @Test func fillsInDefaults() throws {
    let arguments = try Sample.run("device", "create", "phone")
    #expect(arguments[Sample.sensor] == .simulated)
    #expect(arguments[Sample.finger] == [])
    #expect(arguments[Sample.passcodeDescriptor] == nil)
  }

  @Test func keepsRepeatedOptionsInOrder() throws {
    let arguments = try Sample.run(
      "device",
      "create",
      "--finger",
      "left-thumb",
      "phone",
      "--finger=right-index"
    )
    #expect(arguments[Sample.finger] == ["left-thumb", "right-index"])
    #expect(arguments[Sample.name] == "phone")
  }

  @Test(arguments: [
    ["--json", "--device", "phone", "device", "list"],
    ["device", "--json", "--device=phone", "list"],
    ["device", "list", "--device", "phone", "--json"],
  ])
  func takesGlobalOptionsBeforeAndAfterTheVerb(words: [String]) throws {
    guard case .run(let command, let arguments) = try Sample.line.parse(words) else {
      Issue.record("not a run")
      return
    }
    #expect(command.run?(arguments) == 2)
    #expect(arguments[GlobalOptions.device] == "phone")
    #expect(arguments[GlobalOptions.json])
    #expect(!arguments[GlobalOptions.quiet])
  }

  @Test func takesADashAsAValueAndAsAnOperand() throws {
    let arguments = try Sample.run("evaluate", "--policy=p", "--reason=r", "--script", "-")
    #expect(arguments[Sample.script] == "-")
    #expect(try Sample.run("check", "-")[Sample.file] == "-")
  }

  @Test func takesEverythingAfterTwoDashesAsOperands() throws {
    let arguments = try Sample.run("replay", "--quiet", "--", "--json", "--help", "--", "x")
    #expect(arguments[Sample.name] == "--json")
    #expect(arguments[Sample.events] == ["--help", "--", "x"])
    #expect(!arguments[GlobalOptions.json])
    #expect(arguments[GlobalOptions.quiet])
  }

  @Test func takesAValueThatBeginsWithADashWhenGlued() throws {
    let arguments = try Sample.run("evaluate", "--policy=--json", "--reason=-1=2")
    #expect(arguments[Sample.policy] == "--json")
    #expect(arguments[Sample.reason] == "-1=2")
    #expect(!arguments[GlobalOptions.json])
  }

  @Test func takesAnEmptyValue() throws {
    #expect(try Sample.run("evaluate", "--policy", "", "--reason=")[Sample.reason] == "")
  }

  @Test func takesOptionalOperandsOrNone() throws {
    #expect(try Sample.run("check")[Sample.file] == nil)
    #expect(try Sample.run("replay", "phone")[Sample.events] == [])
  }

  @Test func takesAFlagTwice() throws {
    #expect(try Sample.run("device", "list", "--quiet", "--quiet")[GlobalOptions.quiet])
  }

  // MARK: Help and version

  @Test(arguments: [
    ["evaluate", "--help"], ["--help", "evaluate"], ["help", "evaluate"], ["evaluate", "-h"],
    ["evaluate", "--polcy", "x", "--help"], ["evaluate", "--timeout", "--help"],
  ])
  func explainsAVerbFromAnyLine(words: [String]) throws {
    guard case .help(let text) = try Sample.line.parse(words) else {
      Issue.record("no help")
      return
    }
    #expect(text.hasPrefix("Evaluate a policy.\n"))
  }

  @Test func explainsTheProgramItself() throws {
    guard case .help(let text) = try Sample.line.parse(["help"]) else {
      Issue.record("no help")
      return
    }
    #expect(text.contains("authctl VERB ..."))
  }

  @Test(arguments: [
    ["help", "nonsense"], ["--help", "nonsense"], ["nonsense", "--help"],
    ["device", "help", "nonsense"], ["--device", "x", "nonsense", "-h"],
  ])
  func helpOnAVerbThatIsNotThereSaysSo(_ words: [String]) {
    let problem = #expect(throws: UsageError.self) { try Sample.line.parse(words) }?.problem
    guard case .unknownVerb = problem else {
      Issue.record("\(String(describing: problem))")
      return
    }
  }

  @Test func helpOnAMistypedVerbSuggestsOne() {
    let problem = #expect(throws: UsageError.self) { try Sample.line.parse(["help", "devise"]) }?
      .problem
    #expect(
      problem == .unknownVerb(similar: "device", verbs: Sample.line.root.subcommands.map(\.name))
    )
  }

  @Test(arguments: [
    ["--home", "nonsense", "--help"], ["--unknown", "nonsense", "--help"],
    ["check", "x", "--help"],
  ])
  func valuesAndOperandsAreNoVerbsForHelp(_ words: [String]) throws {
    guard case .help = try Sample.line.parse(words) else {
      Issue.record("no help")
      return
    }
  }

  @Test(arguments: [["device", "help", "create"], ["device", "create", "help", "-h"]])
  func explainsAVerbBehindTheOneItBelongsTo(words: [String]) throws {
    guard case .help(let text) = try Sample.line.parse(words) else {
      Issue.record("no help")
      return
    }
    #expect(text.contains("authctl device create"), "\(text)")
  }

  @Test func tellsTheVersionFromAnyLine() throws {
    for words in [["--version"], ["evaluate", "--version"], ["--version", "nonsense"]] {
      guard case .version(let wantsJSON) = try Sample.line.parse(words) else {
        Issue.record("no version from \(words)")
        continue
      }
      #expect(!wantsJSON)
    }
    guard case .version(true) = try Sample.line.parse(["--json", "--version"]) else {
      Issue.record("--json was lost")
      return
    }
  }

  @Test func doesNotLookForHelpBehindTwoDashes() {
    #expect(
      Sample.error("device", "list", "--", "--help")?.problem == .tooManyArguments(allowed: 0)
    )
  }

  // MARK: Bad lines

  @Test func refusesALineWithoutAVerb() {
    let verbs = ["evaluate", "device", "check", "replay", "completion"]
    #expect(Sample.error()?.problem == .missingVerb(verbs))
    #expect(Sample.error("--json")?.problem == .missingVerb(verbs))
    #expect(Sample.error("device")?.problem == .missingVerb(["create", "list"]))
    #expect(Sample.error("--", "evaluate")?.problem == .missingVerb(verbs))
  }

  @Test func suggestsTheVerbThatWasMeant() {
    let verbs = ["evaluate", "device", "check", "replay", "completion"]
    #expect(
      Sample.error("evalute")?.problem
        == .unknownVerb(similar: "evaluate", verbs: verbs)
    )
    #expect(Sample.error("xyz")?.problem == .unknownVerb(similar: nil, verbs: verbs))
    #expect(
      Sample.error("device", "craete")?.problem
        == .unknownVerb(similar: "create", verbs: ["create", "list"])
    )
  }

  @Test func suggestsTheOptionThatWasMeant() {
    #expect(
      Sample.error("evaluate", "--polcy", "x")?.problem
        == .unknownOption("--polcy", similar: "--policy")
    )
    #expect(
      Sample.error("evaluate", "--jsn")?.problem == .unknownOption("--jsn", similar: "--json")
    )
    #expect(
      Sample.error("evaluate", "--frobnicate=1")?.problem
        == .unknownOption("--frobnicate", similar: nil)
    )
  }

  @Test func doesNotTakeAbbreviations() {
    #expect(
      Sample.error("evaluate", "--poli", "x")?.problem
        == .unknownOption("--poli", similar: "--policy")
    )
  }

  @Test func saysWhereAnOptionOfAVerbBelongs() {
    #expect(
      Sample.error("--policy", "x", "evaluate")?.problem
        == .optionBeforeVerb(option: "--policy", verb: "evaluate")
    )
  }

  @Test(arguments: ["-x", "-policy", "-hq", "-=", "-1"])
  func refusesUnknownLetters(word: String) {
    guard case .unknownOption(_, similar: nil) = Sample.error("evaluate", word)?.problem else {
      Issue.record("\(word) was taken")
      return
    }
  }

  @Test(arguments: ["---", "--=", "--=x", "---json"])
  func refusesOptionsWithoutAName(word: String) {
    guard case .unknownOption = Sample.error("evaluate", word)?.problem else {
      Issue.record("\(word) was taken")
      return
    }
  }

  @Test func refusesAMissingValue() {
    let problem = UsageError.Problem.missingValue(option: "--policy", placeholder: "NAME")
    #expect(Sample.error("evaluate", "--policy")?.problem == problem)
    #expect(Sample.error("evaluate", "--policy", "--reason", "r")?.problem == problem)
    #expect(Sample.error("evaluate", "--policy", "--")?.problem == problem)
  }

  @Test func refusesAValueForAFlag() {
    #expect(
      Sample.error("evaluate", "--non-interactive=yes")?.problem
        == .unexpectedValue(option: "--non-interactive")
    )
  }

  @Test func refusesAnOptionGivenTwice() {
    #expect(
      Sample.error("evaluate", "--policy=a", "--policy=b")?.problem == .repeatedOption("--policy")
    )
    #expect(
      Sample.error("--device", "a", "device", "list", "--device", "a")?.problem
        == .repeatedOption("--device")
    )
  }

  @Test func refusesOptionsThatExcludeEachOther() {
    #expect(
      Sample.error("device", "create", "x", "--passcode-fd=3", "--passcode-stdin")?.problem
        == .conflictingOptions("--passcode-stdin", "--passcode-fd")
    )
  }

  @Test func refusesMissingOptionsAndOperands() {
    #expect(
      Sample.error("evaluate", "--policy", "p")?.problem == .missingOption("--reason TEXT")
    )
    #expect(Sample.error("device", "create")?.problem == .missingArgument("NAME"))
  }

  @Test func refusesAListOfNoneWhereThereIsToBeOne() throws {
    let line = CommandTree(
      root: Command("authctl", abstract: "", subcommands: [TableVerbs.command])
    )
    for words in [["table", "remove", "notes"], ["table", "remove", "notes", "--"]] {
      #expect { try line.parse(words) } throws: {
        ($0 as? UsageError)?.problem == .missingArgument("ROW")
      }
    }
    guard case .run(_, let arguments) = try line.parse(["table", "remove", "n", "a", "--", "-b"])
    else {
      throw Sample.NotARun()
    }
    #expect(arguments[TableVerbs.rows].words == ["a", "-b"])
  }

  @Test func refusesOperandsTooMany() {
    #expect(Sample.error("device", "list", "all")?.problem == .tooManyArguments(allowed: 0))
    #expect(Sample.error("check", "a", "b")?.problem == .tooManyArguments(allowed: 1))
  }

  @Test func namesTheValuesOfAClosedSet() {
    #expect(
      Sample.error("device", "create", "x", "--sensor=simulatd")?.problem
        == .invalidChoice(
          parameter: "'--sensor'",
          choices: ["simulated", "none"],
          similar: "simulated"
        )
    )
    #expect(
      Sample.error("completion", "tcsh")?.problem
        == .invalidChoice(
          parameter: "SHELL",
          choices: ["bash", "zsh", "fish"],
          similar: nil
        )
    )
  }

  @Test func refusesValuesThatDoNotParse() {
    #expect(
      Sample.error("evaluate", "--timeout", "soon")?.problem
        == .invalidValue(
          parameter: "'--timeout'",
          expectation: "a duration such as 30, 30s, 5m or 48h"
        )
    )
    #expect(
      Sample.error("device", "create", "x", "--passcode-fd=three")?.problem
        == .invalidValue(parameter: "'--passcode-fd'", expectation: "a number")
    )
  }

  @Test func remembersThatJSONWasWanted() {
    #expect(Sample.error("evalute", "--json")?.wantsJSON == true)
    #expect(Sample.error("--json", "evaluate", "--timeout")?.wantsJSON == true)
    #expect(Sample.error("evaluate", "--timeout", "--json")?.wantsJSON == true)
    #expect(Sample.error("evalute")?.wantsJSON == false)
    #expect(Sample.error("device", "list", "--", "--json")?.wantsJSON == false)
  }

  @Test func namesTheVerbInTheError() {
    #expect(Sample.error("device", "create")?.path == ["authctl", "device", "create"])
  }
}
