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

  /// What publications give is not listed, whatever was given instead.
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
        "attackTouch", "attackTyping", "attackEnrolling", "attackRestarting", "seenDigits",
      ]
    )
    #expect(attacks.last?["ours"]?.content == .bool(false))
    #expect(attacks.last?["value"]?.double == 3)
    #expect(attacks.last?["unit"]?.string == "count")
    #expect(attacks.dropLast().allSatisfy { $0["ours"]?.content == .bool(true) })
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
    let solved = try run("policy solve passcode --days 1 --logins 1")
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
