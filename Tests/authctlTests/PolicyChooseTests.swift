import Glibc
import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthJSON
import LocalAuthPolicies
import LocalAuthSensor
import LocalAuthUnix
import Testing

@testable import authctl

/// `policy choose`, as it is typed.
@Suite struct PolicyChooseTests {
  private func run(_ line: String) throws -> ProgramRun {
    try ProgramRun(line.split(separator: " ").map(String.init))
  }

  private let quick = "policy choose --with passcode --days 2"

  @Test(arguments: [
    "--max-attack 1.5", "--max-attack nobody=0.1", "--max-attack pin=", "--max-attack -1",
    "--max-lockouts -1", "--max-lockouts x", "--max-denied 2", "--max-time 0", "--max-time 2h",
    "--max-time soon", "--max-cost nan", "--rule nothing", "--with finger,,key", "--with thumb",
    "--cost-lockout -1", "--cost-hour x", "--cost-denied inf", "--show 0", "--show 101",
    "--days 0", "--threads 0", "--attacker pin", "--max-attack malicious-toucher=0.1",
    "--max-attack shoulder=0.1 --pins markert", "--name Bad --out /nowhere/x.json",
    "--csv --json", "--fmr 2", "--prints 0", "--replace=x", "surplus",
  ])
  func whatCannotBeIsOneClearLine(_ options: String) throws {
    let run = try run("\(quick) \(options)")
    #expect(run.status == 2, "\(options): \(run.error)")
    #expect(run.output.isEmpty || options.contains("json"), "\(options): \(run.output)")
    #expect(run.error.split(separator: "\n").count <= 1, "\(options): \(run.error)")
  }

  @Test func aDirectoryThatIsNotThereIsAnError() throws {
    // Nothing is computed before, which would take minutes.
    let run = try run("policy choose --days 3650 --out /nowhere/chosen.json")
    #expect(run.status == 2)
    #expect(run.error.contains("/nowhere/chosen.json cannot be written"), "\(run.error)")
  }

  /// They are refused before anything is computed, which says nothing of them.
  @Test func whatCannotBeWrittenIsRefusedAtOnce() throws {
    let scratch = Scratch()
    let (folder, link) = ("\(scratch.path)/folder", "\(scratch.path)/link.json")
    // SAFETY: the strings are C strings for the length of the calls.
    #expect(unsafe mkdir(folder, 0o700) == 0)
    #expect(unsafe symlink("\(scratch.path)/gone", link) == 0)
    for (path, why) in [(folder, "Is a directory"), (link, "it is no regular file")] {
      for replace in ["", " --replace"] {
        let run = try run("policy choose --days 3650 --out \(path)\(replace)")
        #expect(run.status == 2 && run.output.isEmpty)
        #expect(run.error.contains("\(path) cannot be written: \(why)."), "\(run.error)")
        #expect(!run.error.contains("--replace"), "\(run.error)")
      }
    }
  }

  /// A limit on the size of files is a full disk; standard output is a pipe, which has none.
  @Test func whatWasFoundIsPrintedIfItCannotBeWritten() throws {
    let scratch = Scratch()
    let program = try #require(ThisProgram.directory) + "/authctl"
    let line = "\(program) \(quick) --out \(scratch.path)/full.json"
    let script = "(trap '' XFSZ; ulimit -f 0; \(line); echo status $?) 2>&1 | cat"
    let run = try ProgramRun(["-c", script], executable: "/bin/sh")
    #expect(run.output.contains("decides"), "\(run.output)")
    #expect(
      run.output.contains(
        "full.json cannot be written: the file would be too large. Nothing was written."
      ),
      "\(run.output)"
    )
    #expect(run.output.hasSuffix("\nstatus 70\n"), "\(run.output)")
    #expect(!run.output.contains("was written. The device"))
    // SAFETY: the string is a C string for the length of the call.
    #expect(unsafe access("\(scratch.path)/full.json", F_OK) != 0)
  }

  @Test func theRulesAreThoseThatAreJudged() throws {
    let catalog = PolicyCatalog()
    let plan = PolicyCase(
      policy: try catalog.policy(named: "passcode").get(),
      rules: DeviceAttempts.Rules(
        lockout: try catalog.lockoutProfile(named: "apple").get(),
        delays: try catalog.passcodeDelays(named: "apple").get()
      ),
      sensor: try catalog.sensorProfile(named: "standard").get().model
    )
    #expect(RuleChoice.allCases.map(\.rawValue) == Compliance(plan, rejected: 0).rules.map(\.rule))
  }

  @Test func aFileIsNotReplacedUnlessThatIsSaid() throws {
    let scratch = Scratch()
    let file = scratch.write("mine", to: "chosen.json")
    let refused = try run("\(quick) --out \(file)")
    #expect(refused.status == 2 && refused.error.contains("--replace"), "\(refused.error)")
    #expect(try TextFile.read(path: file) == "mine")
    let allowed = try run("\(quick) --out \(file) --replace")
    #expect(allowed.status == 0, "\(allowed.error)")
    #expect(try TextFile.read(path: file).contains("\"passcode\""))
  }

  /// The written policy, solved by itself on the device that is named, comes to what was said.
  @Test func aWrittenPolicyComesToWhatWasSaid() throws {
    let scratch = Scratch()
    let path = "\(scratch.path)/best.json"
    let line =
      "policy choose --sensor goats --days 2 --rule apple --iapar 0.05 --max-attack pin=0.001"
    let object = try run("\(line) --out \(path) --name best --json").object
    let chosen = try #require(object["chosen"]?.elements.first)
    let text = try TextFile.read(path: path)
    let catalog = PolicyCatalog()
    let policy = try catalog.check(Array(text.utf8), file: path).get()
    #expect(policy.name == "best" && policy.acr == "urn:localauth:acr:best")
    #expect(policy.lockout == chosen["lockout"]?.string)
    let lockout = try catalog.lockoutProfile(named: try #require(policy.lockout)).get()
    let delays = try #require(chosen["passcodeDelays"]?.string)
    let plan = PolicyCase(
      policy: policy,
      rules: DeviceAttempts.Rules(
        lockout: lockout,
        and: lockout,
        delays: try catalog.passcodeDelays(named: delays).get()
      ),
      sensor: try catalog.sensorProfile(named: "goats").get().model
    )
    let solution = Solution(plan, days: 2)
    let lockouts = try #require(chosen["lockouts"]?.double)
    let mean = try #require(chosen["meanTime"]?.double)
    #expect(abs(lockouts - solution.lockoutsPerYear) < 1e-6 * max(1, solution.lockoutsPerYear))
    #expect(abs(mean - solution.meanTime / .seconds(1)) < 1e-6)
    let attack = try AttackSolution(plan, Attack(.pin, time: .seconds(4 * 3600)))
    #expect(chosen["attacks"]?.elements.first?["success"]?.double == attack.success)
  }

  /// Ten guesses among 10,000 are computed as a little more than 1 in 1000.
  @Test func aLimitThatIsReachedExactlyIsKeptTo() throws {
    let found = try run("\(quick) --max-attack pin=0.001 --attack-time 3d")
    #expect(found.status == 0, "\(found.output)")
    #expect(found.output.contains("--max-attack pin=0.001 (100 %)"), "\(found.output)")
  }

  @Test func conflictsAreSaid() throws {
    let run = try run("\(quick) --max-attack pin=0.002 --max-time 1s --max-lockouts 5")
    #expect(run.status == 1)
    #expect(run.output.contains("Nothing keeps to --max-time 1s."), "\(run.output)")
    let pair = try self.run(
      "policy choose --sensor goats --days 1 --rule android-class-1 --max-time 2s"
    )
    #expect(pair.status == 1)
    #expect(pair.output.contains("conflict") || pair.output.contains("Nothing keeps to"))
  }

  @Test func peopleWithoutAPasscodeAreNotComputed() throws {
    let run = try run("policy choose --with finger --days 2")
    #expect(run.status == 2 && run.output.isEmpty)
    #expect(run.error.contains("the people of the model have a passcode"), "\(run.error)")
  }

  /// Fingers are looked at by FIDO's rule, a passcode is not; how often a fake passes is not said.
  @Test func whatIsNotKnownOfARuleIsSaidWithTheOptionsThatSayIt() throws {
    let line = "policy choose --sensor goats --days 1 --rule fido"
    let unsaid = try run(line)
    #expect(unsaid.status == 1, "\(unsaid.error)")
    #expect(unsaid.output.contains("--rule fido: not known of "), "\(unsaid.output)")
    #expect(unsaid.output.contains(" which count as missing it; say --iapar\n"))
    #expect(unsaid.output.contains("\nNothing is known to keep to --rule fido.\n"))
    let said = try run("\(line) --iapar 0.05")
    #expect(said.status == 0, "\(said.error)")
    #expect(!said.output.contains("not known"), "\(said.output)")
    #expect(!said.output.contains("No clause of fido says anything of 1"), "\(said.output)")
  }

  /// No finger meets Android's rules at a rate of exactly 1 in 50,000, and none speaks of a passcode.
  @Test func aRuleThatNothingMeetsIsNoRuleThatAPasscodeMeets() throws {
    let scratch = Scratch()
    let line = "policy choose --sensor goats --days 1 --rule android-class-3 --iapar 0.05"
    let run = try run("\(line) --out \(scratch.path)/chosen.json")
    #expect(run.status == 1, "\(run.output)")
    #expect(run.output.contains("\nNothing keeps to --rule android-class-3.\n"), "\(run.output)")
    #expect(
      run.output.contains(
        "\nNo candidate meets this clause of --rule android-class-3: FAR less than 1 in 50000 (C-1-1); "
          + "here: 1 in 50000.\n"
      )
    )
    #expect(run.output.contains(" says anything of 6 candidates, which is not meeting it.\n"))
    // SAFETY: the string is a C string for the length of the call.
    #expect(unsafe access("\(scratch.path)/chosen.json", F_OK) != 0)
    let unmet = try self.run("\(line) --json").object["unmet"]?.elements.first
    #expect(unmet?["moot"]?.integer == 6 && unmet?["bound"]?.string == "--rule android-class-3")
    #expect(try self.run("\(line) --fmr 1e-5").status == 0)
  }

  /// What is shown was solved for all days, as `solve` does; other candidates for a fortnight.
  @Test func theNumbersOfAYearAreThoseOfSolve() throws {
    let line = "--sensor goats --days 30"
    let found = try run("policy choose \(line) --rule apple --iapar 0.05 --show 1 --json").object
    let chosen = try #require(found["chosen"]?.elements.first)
    #expect(found["days"]?.integer == 30 && found["firstDays"]?.integer == 14)
    #expect(chosen["days"]?.integer == 30)
    let policy = try #require(chosen["policy"]?.string)
    #expect(policy == "device-owner" && chosen["freshness"]?["passcodeWithin"]?.string == "156h")
    let solved = try run("policy solve \(policy) \(line) --profile apple --delays apple --json")
      .object
    let quantities = solved["quantities"]?.elements ?? []
    for (name, own) in [("time", "meanTime"), ("lockouts", "lockouts")] {
      let value = quantities.first { $0["name"]?.string == name }?["value"]?.double ?? 0
      #expect(abs((chosen[own]?.double ?? 0) - value) <= 1e-4 * value, "\(name)")
    }
    let text = try run("policy choose \(line) --with passcode --show 1").output
    #expect(
      text.contains("\nsolved for 14 days: all; for 30 days: what is shown, and all that could")
    )
  }

  @Test func whatNothingIsKnownToKeepToIsNotSaidToBeMissed() throws {
    let run = try run("\(quick) --rule nist")
    #expect(run.status == 1)
    #expect(run.output.contains("\nNothing is known to keep to --rule nist.\n"), "\(run.output)")
    #expect(run.output.contains("count as missing it; say --digits, --pin-blocklist\n"))
    let object = try self.run("\(quick) --rule nist --json").object
    let unknown = try #require(object["unknown"]?.elements.first)
    #expect(unknown["bound"]?.string == "--rule nist")
    #expect(
      unknown["options"]?.elements.compactMap(\.string) == ["--digits", "--pin-blocklist"]
    )
    #expect(try self.run("\(quick) --rule nist --digits 6 --pin-blocklist 10").status == 0)
  }

  @Test func noMoreDigitsArePrintedThanAreKnown() throws {
    let run = try run("policy choose --sensor goats --days 1 --max-attack pin=0.001 --show 5")
    let lines = run.output.split(separator: "\n").map(String.init)
    let head = try #require(lines.firstIndex { $0.contains(#/cost +lockouts +given up/#) })
    #expect(lines.count > head + 1)
    for line in lines[(head + 1)...] {
      for number in line.matches(of: #/\d[\d.]*/#).map(\.output) {
        let digits = number.filter { $0 != "." }.drop { $0 == "0" }
        let known = String(digits.reversed().drop { $0 == "0" }.reversed())
        #expect(known.count <= 3, "\(number) in \(line)")
      }
    }
  }

  @Test func whatIsOursIsMarkedAndWhatWasGivenIsNot() throws {
    let run = try run(
      "policy choose --with passcode --days 1 --max-attack pin=0.01 --cost-hour 20 --show 1"
    )
    #expect(
      run.output.contains("\ncosts: 15 a lockout (ours), 15 a login given up (ours), 20 an hour\n"),
      "\(run.output)"
    )
    let words = run.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    #expect(words.contains("an attacker's typing 4s"), "\(run.output)")
    #expect(run.output.contains(" computations, 1 day, exact\n"), "\(run.output)")
    let object = try self.run("\(quick) --max-attack pin=0.01 --json").object
    let names = object["assumptions"]?.elements.compactMap { $0["name"]?.string } ?? []
    #expect(names.contains("attackTyping") && names.contains("mistyped"))
    #expect(!names.contains("seenDigits"))
  }

  @Test func commaSeparatedFilesHaveARowAPolicy() throws {
    let run = try run("\(quick) --csv --max-attack pin=0.01")
    let rows = run.output.split(separator: "\n").map {
      $0.split(separator: ",", omittingEmptySubsequences: false)
    }
    #expect(rows.first?.first == "rank" && rows.last?.first == "complete")
    #expect(rows.count > 2 && rows.allSatisfy { $0.count == rows[0].count }, "\(run.output)")
  }

  @Test func anyNumberOfThreadsFindsTheSame() throws {
    let line = "policy choose --sensor goats --days 1 --rule apple --iapar 0.05"
    #expect(try run("\(line) --threads 1").output == run("\(line) --threads 3").output)
  }

  /// Five bounds and the reasons of what misses them are wider than either terminal.
  @Test(arguments: [60, 80])
  func whatIsChosenFitsTheTerminal(_ columns: Int) throws {
    let line = "\(quick) --max-attack pin=0.000001 --max-cost 100 --max-denied 1e-30 --max-time 1s"
    let whole = try run(line)
    #expect(whole.status == 1, "\(whole.error)")
    var terminal = try TerminalRun(
      line.split(separator: " ").map(String.init) + ["--quiet"],
      columns: columns
    )
    let (exit, screen) = try terminal.answer([])
    #expect(exit == .status(1), "\(screen)")
    let lines = screen.split(separator: "\r\n", omittingEmptySubsequences: false)
    #expect(lines.allSatisfy { $0.count <= columns }, "\(screen)")
    func words(_ text: String) -> Set<Substring> { Set(text.split(whereSeparator: \.isWhitespace)) }
    #expect(words(screen).isSuperset(of: words(whole.output)), "\(screen)")
  }
}
