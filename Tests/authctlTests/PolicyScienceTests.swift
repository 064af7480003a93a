import LocalAuthJSON
import LocalAuthUnix
import Testing

@testable import authctl

/// `policy simulate` and `policy solve`, as they are typed.
@Suite struct PolicyScienceTests {
  private func run(_ line: String, environment: [String] = []) throws -> ProgramRun {
    try ProgramRun(line.split(separator: " ").map(String.init), environment: environment)
  }

  private let few = "--population 20 --days 3 --seed 7"

  @Test(arguments: [
    ("--d-prime 0", 2), ("--d-prime -1", 2), ("--fmr 2", 2), ("--fmr 0", 2), ("--fnmr 1", 2),
    ("--fmr 0.5 --fnmr 0.6", 2), ("--fmr 1e-4 --fnmr 0.01 --d-prime 6", 2), ("--fmr x", 2),
    ("--prints 0", 2), ("--prints 11", 2), ("--logins 0", 2), ("--mistyped 1", 2),
    ("--patience 0", 2),
    ("--days 0", 2), ("--days 100000", 2), ("--attacker nobody", 2), ("--attack-time 0", 2),
    ("--attack-time 400d", 2), ("--digits 0", 2), ("--iapar 1.5 --attacker presentation", 2),
    ("--csv --json", 2), ("--pins nothing", 2), ("--pins amitay --digits 6", 2),
    ("--pin-blocklist 10000", 2), ("--pins amitay --pin-blocklist 10", 2),
    ("--pin-blocklist -1", 2), ("--attacker shoulder --seen-whole 2", 2),
    ("--attacker shoulder --seen-digits 5", 2), ("--attacker shoulder --pins markert", 2),
    ("--profile nothing", 78), ("--delays nothing", 78),
    ("--sensor nothing", 78),
  ])
  func whatCannotBeIsOneClearLine(_ options: String, _ status: Int32) throws {
    for verb in ["simulate", "solve"] {
      let run = try run("policy \(verb) device-owner \(options)")
      #expect(run.status == status, "\(verb) \(options): \(run.error)")
      #expect(run.error.split(separator: "\n").count == 1, "\(verb) \(options): \(run.error)")
    }
  }

  @Test(arguments: [
    "--population 0", "--population 10000001", "--threads 0", "--seed -1", "--seed x",
    "--attacks 0",
  ])
  func whatCannotBeSimulatedIsAUsageError(_ options: String) throws {
    let run = try run("policy simulate device-owner \(options)")
    #expect(run.status == 2, "\(run.error)")
    #expect(run.output.isEmpty)
    #expect(run.error.split(separator: "\n").count == 1, "\(run.error)")
  }

  @Test func unknownPoliciesSayWhereThoseThereAreAre() throws {
    let run = try run("policy solve nothing")
    #expect(run.status == 78)
    #expect(run.error.contains("There is no policy 'nothing'"))
    #expect(run.error.contains("authctl policy list"))
  }

  @Test func sameSeedIsTheSameOutputOnAnyNumberOfThreads() throws {
    let line = "policy simulate device-owner \(few) --attacker targeted --attacks 2000"
    let one = try run("\(line) --threads 1")
    #expect(one.status == 0, "\(one.error)")
    for threads in [2, 7] { #expect(try run("\(line) --threads \(threads)").output == one.output) }
    let other = try run("policy simulate device-owner --population 20 --days 3 --seed 8")
    #expect(other.output != one.output)
  }

  @Test func seedsThatWereNotGivenAreSaid() throws {
    let object = try run("policy simulate passcode --population 2 --days 1 --json").object
    let seed = try #require(object["seed"]?.string)
    let again = try run("policy simulate passcode --population 2 --days 1 --json --seed \(seed)")
    #expect(try again.object == object)
    #expect(object["complete"] == true)
    #expect(object["logins"]?.integer == 20)
  }

  @Test func commaSeparatedFilesHaveARowAQuantity() throws {
    for verb in ["simulate device-owner \(few)", "solve device-owner --days 3"] {
      let run = try run("policy \(verb) --csv --attacker pin")
      let rows = run.output.split(separator: "\n")
      #expect(rows.first == "quantity,value,low,high")
      #expect(rows.count > 8 && rows.allSatisfy { $0.count { $0 == "," } == 3 }, "\(run.output)")
      #expect(rows.contains { $0.hasPrefix("success.pin,0.00") }, "\(run.output)")
    }
  }

  @Test func solutionsSayWhichClausesAreNotMet() throws {
    let run = try run("policy solve device-owner --days 2 --profile android --iapar 0.05")
    #expect(run.status == 0)
    #expect(run.output.contains("apple  not met"))
    #expect(run.output.contains("not met: at most 5 misses, then the passcode; here: 20"))
    let line = "policy solve device-owner --days 2 --profile apple --iapar 0.05"
    let strict = try self.run("\(line) --digits 6 --pin-blocklist 10")
    #expect(strict.output.contains("apple  met"))
    #expect(strict.output.contains("nist  met as far as assessed"))
    #expect(strict.output.contains("not assessed: a finger only together with a physical"))
    let unsaid = try self.run(line)
    #expect(unsaid.output.contains("nist  not known"))
    #expect(unsaid.output.contains("not known: a passcode of at least 6 characters"))
  }

  @Test func noClauseJudgesAFingerThatIsNotAskedFor() throws {
    let run = try run("policy solve passcode --days 1 --iapar 0.9 --profile android")
    #expect(run.output.contains("fido  not assessed"))
    #expect(run.output.contains("here: the policy asks for no finger"))
    #expect(!run.output.contains("IAPAR at most"), "\(run.output)")
  }

  @Test func aGuessedPasscodeIsWorthAFinger() throws {
    for (policy, success) in [("biometrics", 8.6e-4), ("biometrics-and-passcode", 8e-4)] {
      let run = try run("policy solve \(policy) --days 1 --attacker pin --csv")
      let row = run.output.split(separator: "\n").first { $0.hasPrefix("success.pin,") }
      let value = row?.split(separator: ",").dropFirst().first.flatMap { Double($0) }
      #expect(abs((value ?? 0) - success) < 1e-6, "\(run.output)")
    }
  }

  /// Where a publication ends within the guesses there are, both ends of what it allows are said.
  @Test func chosenPasscodesHaveTwoEnds() throws {
    let line = "policy solve passcode --days 1 --attacker pin --pins amitay --json"
    let quantities = try run(line).object["quantities"]?.elements ?? []
    let row = quantities.first { $0["name"]?.string == "success.pin" }
    let (low, high) = (row?["low"]?.double ?? 0, row?["high"]?.double ?? 0)
    #expect(abs(low - (0.09 + 5 * 0.06 / 7)) < 1e-9)
    #expect(abs(high - 0.15) < 1e-9 && row?["value"]?.double == high)
  }

  /// A lock has no time that fingers are refused, so rows are paired by name.
  @Test func whatOnlyOneOfTwoComesToIsNotCompared() throws {
    let line = "policy diff --profile three-strikes device-owner biometrics --days 1 --states 200"
    let rows =
      try run("\(line) --attacker malicious-toucher --attacker pin --json")
      .object["quantities"]?.elements ?? []
    let names = rows.compactMap { $0["name"]?.string }
    #expect(names.contains("malicious-toucher.touches") && names.contains("success.pin"))
    #expect(!names.contains("malicious-toucher.refusal"))
  }

  @Test func touchesOnPurposeAreCosts() throws {
    let run = try run("policy solve device-owner --days 1 --attacker malicious-toucher --csv")
    #expect(run.output.contains("\nmalicious-toucher.touches,3.0,,\n"), "\(run.output)")
    #expect(run.output.contains("\nmalicious-toucher.lockouts,10.0,,\n"), "\(run.output)")
    #expect(!run.output.contains("success."))
  }

  @Test func calibrationReachesTheSensor() throws {
    let object = try run("policy solve biometrics --days 1 --fmr 1e-4 --fnmr 0.05 --json").object
    let sensor = try #require(object["sensor"])
    #expect(abs((sensor["dPrime"]?.double ?? 0) - 5.364) < 0.001)
    #expect(abs((sensor["fmr"]?.double ?? 0) - 1e-4) < 1e-12)
  }

  private static let reader = #"""
    {"selfAttestedFRR": 0.05, "selfAttestedFAR": 0.0001, "iAPARThreshold": 0.5, "maxTemplates": 3,
     "maxRetries": 5, "blockSlowdown": 30}
    """#

  /// A descriptor as it was found is the profile with its rates, and what it attests of fakes holds.
  @Test func aFileIsASensorToo() throws {
    let scratch = Scratch()
    let line = "policy solve biometrics --days 1 --json --attacker presentation --attack-time 1m"
    let named = try run("\(line) --sensor nist --iapar 0.5").object
    for (name, text) in [
      ("bare.json", Self.reader),
      (
        "statement.json",
        #"{"aaguid": "x", "userVerificationDetails": [[{"baDesc": \#(Self.reader)}]]}"#
      ),
      (
        "profile", #"{"name": "p", "summary": "s", "source": "s", "descriptor": \#(Self.reader)}"#
      ),
    ] {
      let path = scratch.write(text, to: name)
      let found = try run("\(line) --sensor \(path)").object
      #expect(found["quantities"] == named["quantities"], "\(name)")
      #expect(found["rules"] == named["rules"], "\(name)")
      #expect(found["sensor"]?["ownLockout"] == "for 30s at each miss from 5 on")
      #expect(found["sensor"]?["name"]?.string == (name == "profile" ? "p" : path))
    }
    #expect(named["sensor"]?["ownLockout"] == JSONValue(.null))
  }

  @Test func whatIsGivenGoesBeforeWhatIsAttested() throws {
    let scratch = Scratch()
    let path = scratch.write(Self.reader, to: "reader.json")
    let line = "policy simulate device-owner --population 2 --days 1 --seed 1 --attacks 2000"
    let shares = try ["", " --iapar 0"].map { given in
      let run = try run(
        "\(line) --json --attacker presentation --attack-time 1m --sensor \(path)\(given)"
      )
      guard case .array(let rows)? = try run.object["quantities"]?.content else { return -1.0 }
      return rows.last?["value"]?.double ?? -1
    }
    #expect(shares[0] > 0.8 && shares[1] == 0)
    let shown = try run("\(line) --sensor \(path)").output
    #expect(
      shown.contains(
        "the sensor blocks by itself for 30s at each miss from 5 on: not in these numbers"
      )
    )
  }

  @Test func policiesAreComparedBeforeASensorOfAFile() throws {
    let scratch = Scratch()
    let path = scratch.write(Self.reader, to: "reader.json")
    let line = "policy diff biometrics device-owner --days 1 --states 2000 --json"
    let quantities = try run("\(line) --sensor \(path)").object["quantities"]
    #expect(try quantities == run("\(line) --sensor nist --iapar 0.5").object["quantities"])
  }

  @Test func aSensorTakesNoMorePrintsThanItHolds() throws {
    let scratch = Scratch()
    let path = scratch.write(Self.reader, to: "reader.json")
    let full = try run("policy solve biometrics --days 1 --sensor \(path) --prints 3")
    #expect(full.status == 0, "\(full.error)")
    let over = try run("policy solve biometrics --days 1 --sensor \(path) --prints 4")
    #expect(over.status == 2)
    #expect(over.error.contains("holds 3 prints, fewer than 4."), "\(over.error)")
  }

  private static let mistakes: [(String, String, Int32)] = [
    ("", ":1:1: the text ends too early; complete the value", 78),
    ("d' is 6", ":1:1: ", 78), ("[]", ":1:1: \"sensor profile\" must be an object", 78),
    (#"{"selfAttestedFRR": 2}"#, ":1:21: \"selfAttestedFRR\" cannot be \"2.0\"; allowed: ", 78),
    (#"{"selfAttestedFAR": 0.1}"#, "the descriptor does not attest selfAttestedFRR", 78),
    (#"{"selfAttestedFAR": 0.1, "FRR": 0.1}"#, ":1:26: unknown key \"FRR\"; allowed: ", 78),
    (
      #"{"name":"x","summary":"s","source":"s","calibration":{"dPrime":0,"falseMatch":0.1}}"#,
      "\"dPrime\" cannot be \"0.0\"; allowed: a number above 0 and at most 100", 78
    ),
    (
      #"{"name":"x","summary":"s","source":"s","calibration":{"dPrime":6,"falseMatch":1.1}}"#,
      "\"falseMatch\" cannot be \"1.1\"; allowed: a number above 0 and below 1", 78
    ),
    (String(repeating: " ", count: 70_000), ": the file is too large; at most 65536 bytes", 78),
    (String(repeating: " ", count: 140_000), " has more than 131072 bytes", 2),
  ]

  @Test(arguments: mistakes)
  func aFileThatIsNoSensorIsOneClearLine(
    _ text: String,
    _ message: String,
    _ status: Int32
  ) throws {
    let scratch = Scratch()
    let path = scratch.write(text, to: "reader.json")
    for verb in ["simulate device-owner", "solve device-owner", "diff biometrics device-owner"] {
      let run = try run("policy \(verb) --sensor \(path)")
      #expect(run.status == status && run.output.isEmpty, "\(verb): \(run.error)")
      #expect(run.error.split(separator: "\n").count == 1, "\(verb): \(run.error)")
      #expect(run.error.contains(message), "\(verb): \(run.error)")
    }
  }

  @Test(arguments: ["./none.json", "none.json", "/", "none/standard"])
  func aFileThatCannotBeReadIsAUsageError(_ path: String) throws {
    let run = try run("policy solve device-owner --sensor \(path)")
    #expect(run.status == 2)
    #expect(run.error.contains("\(path) cannot be read: "), "\(run.error)")
  }

  @Test func theUsersOwnPoliciesAreFoundUnlessTheSystemIsMeant() throws {
    let scratch = Scratch()
    try write("mine", #""requirement": "passcode""#, to: scratch)
    let environment = ["XDG_CONFIG_HOME=\(scratch.path)"]
    let own = try run("policy solve user/mine --days 1", environment: environment)
    #expect(own.status == 0, "\(own.error)")
    let system = try run("--system policy solve user/mine --days 1", environment: environment)
    #expect(system.status == 78)
  }

  /// Writes a policy of the user's own of these `rules`.
  private func write(_ name: String, _ rules: String, to scratch: Scratch) throws {
    let folder = "localauth/policies/policy"
    var made = try ChildProcess.spawn(
      SpawnRequest(executable: "/bin/mkdir", arguments: ["-p", "\(scratch.path)/\(folder)"])
    )
    _ = try made.waitForExit()
    _ = scratch.write(
      #"{"name": "\#(name)", "summary": "Mine.", \#(rules)}"#,
      to: "\(folder)/\(name).json"
    )
  }

  @Test func whatNoEventIsAboutIsSaidOfTwoPolicies() throws {
    let scratch = Scratch()
    try write("calm", #""requirement": "biometry""#, to: scratch)
    let rules = #""requirement": "biometry", "timeLimit": "30s", "minimumStrength": "strong""#
    try write("hasty", rules, to: scratch)
    let line = "policy diff user/calm user/hasty --days 1 --states 3000"
    let environment = ["XDG_CONFIG_HOME=\(scratch.path)"]
    let text = try run(line, environment: environment)
    #expect(text.status == 0, "\(text.error)")
    #expect(
      text.output.contains(" states; they are set differently in minimumStrength, timeLimit.\n"),
      "\(text.output)"
    )
    #expect(text.output.contains(/\ntimeLimit +- +30s\n/), "\(text.output)")
    let settings = try run("--json \(line)", environment: environment).object["settings"]
    let rows = settings?.elements.map { [$0["name"]?.string, $0["a"]?.string, $0["b"]?.string] }
    #expect(rows?.contains(["minimumStrength", "weak", "strong"]) == true)
    #expect(rows?.contains(["timeLimit", nil, "30s"]) == true)
    #expect(rows?.count == 2)
  }

  @Test func whatIsSetAlikeIsNotSaid() throws {
    let run = try run("--json policy diff biometrics biometrics --days 1 --states 100")
    #expect(try run.object["settings"]?.elements.isEmpty == true)
  }

  /// A policy of a passcode alone judges no finger, so nothing can go wrong with one.
  @Test func whatNoEventPutAtRiskIsNotExercised() throws {
    let run = try run("--json policy prove passcode --states 2000")
    #expect(run.status == 0)
    let properties = try run.object["items"]?.elements.first?["properties"]?.elements ?? []
    let vacuous = properties.filter { $0["premises"]?.integer == 0 }
    #expect(vacuous.contains { $0["property"]?.string == "sensor-is-strong" })
    #expect(vacuous.count < properties.count)
    for property in properties {
      let isVacuous = property["premises"]?.integer == 0
      #expect(property["verdict"]?.string == (isVacuous ? "notExercised" : "holds"))
    }
  }

  @Test func aProofTellsHowFarItIsAndTakesThatAway() throws {
    var terminal = try TerminalRun(["policy", "prove", "biometrics", "--states", "20000"])
    let (exit, screen) = try terminal.answer([("states/s", "")])
    #expect(exit == .status(0), "\(screen)")
    #expect(screen.contains("left  biometrics three-strikes apple"), "\(screen)")
    #expect(screen.contains("holds          success-is-proven"), "\(screen)")
  }

  @Test(arguments: [
    "solve device-owner", "diff device-owner biometrics", "simulate device-owner --plot x.svg",
    "choose", "report device-owner",
  ])
  func aChainOfMoreThanAHundredLoginsADayIsRefused(_ words: String) throws {
    let refused = try run("policy \(words) --logins 101")
    #expect(refused.status == 2)
    #expect(refused.error.contains("A chain is solved for at most 100 logins a day; "))
    #expect(refused.error.split(separator: "\n").count == 1)
  }

  @Test func moreLoginsAreSimulatedAllTheSame() throws {
    let line = "policy simulate device-owner --logins 1000 --days 1 --population 2 --seed 1"
    #expect(try run(line).status == 0)
  }

  @Test func numbersThatAreOursAreMarked() throws {
    let text = try run("policy solve device-owner --days 1 --mistyped 0.1").output
      .split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(
      text.contains(
        "ours, from no publication (see policy solve --sensitivity): variance of people's own 50 %"
      )
    )
    #expect(text.contains("patience in misses no limit"))
    #expect(!text.contains("mistyped passcodes"))
    let line = "--json policy solve device-owner --days 1 --mistyped 0.1"
    let assumptions = try run(line).object["assumptions"]?.elements ?? []
    #expect(assumptions.count > 10)
    for assumption in assumptions {
      #expect(assumption["ours"]?.content == .bool(assumption["name"]?.string != "mistyped"))
    }
  }

  @Test func sensitivityNamesWhatMovesAHeadlineTheStrongestFirst() throws {
    let line = "policy solve device-owner --days 2 --attacker pin --attack-time 1h --sensitivity"
    let object = try run("--json " + line).object
    let rows = object["sensitivity"]?.elements ?? []
    let patience = try #require(rows.first { $0["assumption"]?.string == "patience" })
    #expect(patience["value"]?.content == .null)
    #expect(patience["changed"]?.double == 2)
    let lockouts = try #require(
      patience["quantities"]?.elements.first { $0["name"]?.string == "lockouts" }
    )
    #expect(try #require(lockouts["changed"]?.double) < 1e-6)
    let own = try #require(
      object["quantities"]?.elements.first { $0["name"]?.string == "lockouts" }
    )
    #expect(lockouts["value"]?.double == own["value"]?.double)
    let last = try #require(rows.last)
    #expect(last["assumption"]?.string == "attackPace")
    #expect(last["quantities"]?.elements.last?["name"]?.string == "success.pin")
    let text = try run(line).output.split(separator: "\n").map(String.init)
    let head = try #require(text.firstIndex { $0.hasPrefix("lockouts a year: ") })
    #expect(text[head].hasSuffix(": an order of magnitude"))
    #expect(text[head + 1].contains(#/^ {2}patience in misses no limit +2: /#))
  }

  @Test func sensitivityIsInTheFileToo() throws {
    let file = try run("policy solve passcode --days 1 --sensitivity --csv").output
      .split(separator: "\n").map(String.init)
    #expect(file.contains { $0.hasPrefix("time(typing=2.0),") })
    #expect(file.last == "complete,1,,")
    #expect(
      file.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 4 }
    )
  }

  @Test func interruptedItTellsWhatItHas() throws {
    var terminal = try TerminalRun(
      "policy simulate device-owner --population 10000000 --seed 1".split(separator: " ")
        .map(String.init)
    )
    let (exit, screen) = try terminal.answer([("logins/s", "\u{3}")])
    #expect(exit == .status(3), "\(screen)")
    #expect(screen.contains("Interrupted: the results are partial."), "\(screen)")
    #expect(screen.contains("left"), "\(screen)")
  }

  @Test func interruptedAmongItsSensitivitiesItTellsThoseThatItHas() throws {
    var terminal = try TerminalRun(
      "policy solve device-owner --days 60 --sensitivity".split(separator: " ").map(String.init)
    )
    let (exit, screen) = try terminal.answer([("cases/s", "\u{3}")])
    #expect(exit == .status(3), "\(screen)")
    #expect(screen.contains("lockouts a year"), "\(screen)")
    #expect(screen.contains("Interrupted: the results are partial."), "\(screen)")
  }

  @Test func aChoiceThatWasInterruptedWritesNoPolicy() throws {
    let scratch = Scratch()
    var terminal = try TerminalRun(
      "policy choose --max-lockouts 10 --out \(scratch.path)/chosen.json".split(separator: " ")
        .map(String.init)
    )
    let (exit, screen) = try terminal.answer([("cases/s", "\u{3}")])
    #expect(exit == .status(3), "\(screen)")
    #expect(screen.contains("Interrupted: the results are partial."), "\(screen)")
    #expect(throws: (any Error).self) { try TextFile.read(path: "\(scratch.path)/chosen.json") }
  }

  @Test func aReportThatWasInterruptedHasWhatWasComputedAndSaysSo() throws {
    let scratch = Scratch()
    let page = "\(scratch.path)/page.html"
    var terminal = try TerminalRun(
      "policy report device-owner passcode --out \(page)".split(separator: " ").map(String.init)
    )
    let (exit, screen) = try terminal.answer([("cases/s", "\u{3}")])
    #expect(exit == .status(3), "\(screen)")
    #expect(screen.contains("Interrupted: this report is partial."), "\(screen)")
    let text = try TextFile.read(path: page)
    #expect(
      text.contains("<p class=\"failed\">Interrupted: this report is partial. device-owner was")
    )
    #expect(text.contains("passcode not at all."))
    #expect(text.contains("All 1,000 together meet"))
  }
}

extension JSONValue {
  /// The number that it is.
  var double: Double? {
    switch content {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .null, .bool, .string, .array, .object: nil
    }
  }
}
