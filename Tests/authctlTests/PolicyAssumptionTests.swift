import LocalAuthJSON
import Testing

@testable import authctl

/// What `policy solve` and `simulate` say of a case: which numbers of attackers are ours, and how many there
/// are of what it is about.
@Suite struct PolicyAssumptionTests {
  private func run(_ line: String) throws -> ProgramRun {
    try ProgramRun(line.split(separator: " ").map(String.init))
  }

  @Test func numbersOfAttackersThatAreOursAreMarked() throws {
    let line = "policy solve device-owner --days 1 --attacker shoulder --attacker insider"
    func text(_ line: String) throws -> String {
      try run(line).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
    let marks = [
      "an attacker's touch 1s", "an attacker's typing 4s", "a program's typing 100ms",
      "an attacker's enrolling 10s", "an attacker's restart 30s", "digits seen otherwise 2",
    ]
    let all = try text(line)
    for mark in marks { #expect(all.contains(mark), "\(mark)") }
    #expect(try !text(line + " --seen-digits 3").contains("digits seen otherwise"))
    let none = try text("policy solve device-owner --days 1")
    for mark in marks { #expect(!none.contains(mark), "\(mark)") }
    let toucher = try text("policy solve device-owner --days 1 --attacker malicious-toucher")
    #expect(toucher.contains(marks[0]) && !toucher.contains(marks[1]))
    let simulated = try text(
      "policy simulate device-owner --population 20 --days 3 --seed 7 --attacker pin --attack-time 1m --attacks 10"
    )
    #expect(simulated.contains(marks[1]) && !simulated.contains(marks[2]))
  }

  @Test func numbersOfAttackersAreInTheObject() throws {
    let line =
      "--json policy solve device-owner --days 1 --attacker shoulder --attacker presentation "
      + "--seen-digits 3 --seen-whole 0.2 --iapar 0.1"
    let assumptions = try run(line).object["assumptions"]?.elements ?? []
    let attacks = assumptions.filter {
      let name = $0["name"]?.string ?? ""
      return name.hasPrefix("attack") || name.hasPrefix("seen") || name.hasPrefix("iapar")
    }
    #expect(
      attacks.compactMap { $0["name"]?.string } == [
        "attackTouch", "attackTyping", "attackEnrolling", "attackRestarting", "seenDigits", "iapar",
      ]
    )
    let given = attacks.suffix(2)
    #expect(given.allSatisfy { $0["ours"]?.content == .bool(false) })
    #expect(given.map { $0["value"]?.double } == [3, 0.1])
    #expect(given.map { $0["unit"]?.string } == ["count", "share"])
    #expect(attacks.dropLast(2).allSatisfy { $0["ours"]?.content == .bool(true) })
  }

  @Test func numbersThatDriveAnAttackAreMarkedUnlessTheyAreGiven() throws {
    func ours(_ options: String) throws -> [String] {
      let line = "--json policy solve device-owner --days 1 --attack-time 1m \(options)"
      return (try run(line).object["assumptions"]?.elements ?? [])
        .filter { $0["ours"]?.content == .bool(true) }.compactMap { $0["name"]?.string }
    }
    let numbers = ["iapar", "digits", "chosenPasscodes"]
    let all = try ours("--attacker fake+pin --attacker targeted")
    #expect(all.filter { (numbers + ["wolfShare", "lambShare"]).contains($0) }.count == 5)
    let given = try ours("--attacker fake+pin --iapar 0.07 --digits 6 --pins markert")
    #expect(given.allSatisfy { !numbers.contains($0) }, "\(given)")
    let text = try run(
      "policy solve device-owner --days 1 --attack-time 1m --attacker fake+pin --attacker pin"
    ).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    for mark in ["IAPAR 7 %", "digits of a passcode 4", "passcodes found by 10 guesses 0.1 %"] {
      #expect(text.contains(mark), "\(mark)")
    }
  }

  /// An attacker's chance moves with each number that is halved, doubled, or taken as published.
  @Test func whatMovesAnAttackByATenthIsListed() throws {
    let line =
      "--json policy solve device-owner --days 1 --sensitivity --attacker presentation --attacker pin "
      + "--attacker targeted"
    let object = try run(line).object
    let listed = Set((object["assumptions"]?.elements ?? []).compactMap { $0["name"]?.string })
    var movers: [String: Set<String>] = [:]
    for row in object["sensitivity"]?.elements ?? [] {
      let name = row["assumption"]?.string ?? ""
      #expect(name == "attackPace" || listed.contains(name), "\(name)")
      for quantity in row["quantities"]?.elements ?? [] {
        let (value, changed) = (quantity["value"]?.double ?? 0, quantity["changed"]?.double ?? 0)
        guard max(value, changed) >= 1.1 * min(value, changed) else { continue }
        movers[quantity["name"]?.string ?? "", default: []].insert(name)
      }
    }
    #expect(movers["success.presentation"] == ["iapar"])
    #expect(movers["success.pin"]?.isSuperset(of: ["digits", "chosenPasscodes"]) == true)
    #expect(movers["success.targeted"]?.contains("lambShare") == true)
    let text = try run(String(line.dropFirst(7))).output
    #expect(text.contains(/IAPAR 7 % +3\.5 %: 10\.1 % +14 %: 36\.4 %/), "\(text)")
    #expect(text.contains(/15 % \(amitay\): 1\d/), "\(text)")
  }

  /// The same machinery for every number, of people and of attackers.
  @Test func everyHeadlineHasItsSensitivity() throws {
    let line =
      "policy solve device-owner --days 2 --sensitivity --attack-time 1m --attacker malicious-toucher "
      + "--attacker zero-effort"
    let object = try run("--json " + line).object
    let names = (object["quantities"]?.elements ?? []).compactMap { $0["name"]?.string }
    for name in ["lockouts.p90", "lockouts.p99", "everLockedOut", "time.p50", "time.p99"] {
      #expect(names.contains(name), "\(name)")
    }
    let rows = object["sensitivity"]?.elements ?? []
    #expect(!rows.isEmpty)
    for row in rows {
      let found = (row["quantities"]?.elements ?? []).compactMap { $0["name"]?.string }
      #expect(found == names, "\(row["assumption"]?.string ?? "")")
    }
    func changed(_ assumption: String, _ name: String) -> [Double] {
      rows.filter { $0["assumption"]?.string == assumption }.compactMap { row in
        row["quantities"]?.elements.first { $0["name"]?.string == name }?["changed"]?.double
      }
    }
    #expect(changed("loginsPerDay", "malicious-toucher.lockouts") == [5, 20])
    for name in ["lockouts.p90", "lockouts.p99", "everLockedOut"] {
      #expect(changed("patience", name).allSatisfy { $0 < 1e-3 }, "\(name)")
    }
    let slow = changed("typing", "time.p99")
    #expect(slow.count == 2 && slow[0] < slow[1])
    #expect(changed("attackPace", "malicious-toucher.effort") == [1.5, 6])
    let file = try run(line + " --csv").output.split(separator: "\n").map(String.init)
    for name in names {
      #expect(file.contains { $0.hasPrefix("\(name)(patience=2.0),") }, "\(name)")
    }
    let text = try run(line).output
    let findings = text.split(separator: "What our own numbers decide").last ?? ""
    for label in [
      "lockouts a year, 90 in 100 people expect at most: ",
      "lockouts a year, 99 in 100 people expect at most: ",
      "people locked out at least once in 2 days: ", "time of a login, 50 in 100 take at most: ",
      "time of a login, 99 in 100 take at most: ",
      "lockouts a day by touching on purpose: 10, from 5 to 20",
    ] {
      #expect(findings.contains(label), "\(label)")
    }
  }

  @Test(arguments: [
    (
      "--pins markert --pin-blocklist 274",
      "only the 100 most frequent passcodes are published, so at most 99"
    ),
    ("--pin-blocklist 10000", "leaves no passcode: there are 10000."),
  ])
  func aBlocklistThatGoesTooFarIsSaidWhy(_ options: String, _ why: String) throws {
    let refused = try run("policy solve passcode --days 1 --attacker pin \(options)")
    #expect(refused.status == 2)
    #expect(refused.error.contains(why), "\(refused.error)")
  }

  @Test(arguments: ["solve", "simulate --population 20 --seed 1"])
  func whatNoFingerCanHaveIsNotPrinted(_ verb: String) throws {
    let run = try run("policy \(verb) passcode --days 1")
    #expect(run.output.contains("\nlogins given up "), "\(run.output)")
    for label in [
      "lockouts", "locked out", "refused to the right person", "instead of a finger", "FTA",
      "BPCER",
      "patience",
    ] {
      #expect(!run.output.contains(label), "\(label)")
    }
    let both = try self.run("policy \(verb) biometrics-and-passcode --days 1").output
    #expect(both.contains("\nlockouts a year ") && !both.contains("instead of a finger"), "\(both)")
  }

  /// One of two policies may come to it, and then why the other does not is said.
  @Test func whatOnePolicyCannotHaveIsSaidBesideTheOther() throws {
    let output = try run("policy diff passcode biometrics-and-passcode --days 1").output
    #expect(output.contains(#/lockouts a year +no finger is asked for +\d/#), "\(output)")
    #expect(!output.contains("instead of a finger"), "\(output)")
  }

  @Test func whatAShoulderSurferSawIsHalvedAndDoubled() throws {
    let line =
      "--json policy solve passcode --days 1 --attacker shoulder --attack-time 1h --sensitivity"
    let rows = (try run(line).object["sensitivity"]?.elements ?? []).filter {
      $0["assumption"]?.string == "seenDigits"
    }
    #expect(rows.compactMap { $0["changed"]?.double } == [1, 4])
    let successes = rows.compactMap { $0["quantities"]?.elements.last?["changed"]?.double }
    #expect(successes.count == 2 && successes[0] < successes[1])
    for row in rows {
      for quantity in row["quantities"]?.elements.dropLast() ?? [] {
        #expect(quantity["value"] == quantity["changed"])
      }
    }
  }

  @Test func noLineBeginsWithASignOfPercent() throws {
    for sensor in ["standard", "goats", "nist"] {
      for logins in ["1", "10", "100"] {
        let line = "policy simulate device-owner --sensor \(sensor) --logins \(logins)"
        let text = try run("\(line) --population 1 --days 1 --seed 1").output
        #expect(!text.contains(#/\n *%/#), "\(text)")
      }
    }
  }

  @Test func whatThereIsOneOfIsSingular() throws {
    let solved = try run("policy solve biometrics --days 1 --logins 1")
    #expect(solved.output.contains(#/\n1 day, \d+ states, exact\n/#), "\(solved.output)")
    #expect(solved.output.contains("people locked out at least once in 1 day "))
    let simulated = try run("policy simulate passcode --population 1 --days 1 --logins 1 --seed 1")
    #expect(simulated.output.contains("\n1 person, 1 day, 1 login, seed 1\n"))
    let diff = try run("policy diff passcode biometrics --days 1 --states 100")
    #expect(diff.output.contains("people locked out at least once in 1 day "))
    for output in [solved.output, simulated.output, diff.output] {
      #expect(!output.contains(#/\b1 (days|logins|states|people|prints)\b/#), "\(output)")
    }
  }
}
