import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSensor
import Testing

/// The chain in PRISM's language; whether it adds up to what was solved is asked of Storm elsewhere.
@Suite struct PrismChainTests {
  private func plan(
    _ policy: String = "device-owner",
    _ lockout: LockoutProfile = Cases.lock(at: 3),
    _ sensor: SensorModel = Cases.goats,
    logins: UInt32 = 2
  ) throws -> PolicyCase {
    try Cases.plan(policy, lockout, sensor, habits: Cases.habits(logins: logins))
  }

  /// The numbers behind `word` in a text.
  private func numbers(behind word: String, in text: some StringProtocol) -> [Int] {
    text.split(separator: word, omittingEmptySubsequences: false).dropFirst().compactMap {
      Int($0.prefix { $0.isNumber })
    }
  }

  private func module(_ chain: PrismChain) throws -> Substring {
    let model = chain.model
    let start = try #require(model.firstRange(of: "\nmodule "))
    let end = try #require(model.firstRange(of: "\nendmodule"))
    return model[start.upperBound..<end.lowerBound]
  }

  /// Nodes that a command leads to have commands of their own, and all are there.
  @Test func everyNodeIsLeft() throws {
    for lockout in try Cases.lockouts {
      for policy in Cases.policies where policy != "biometrics-and-passcode" {
        let chain = try PrismChain(try plan(policy, lockout, logins: 1), days: 2)
        let commands = try module(chain).split(separator: "\n").filter { $0.contains("->") }
        let left = Set(commands.flatMap { numbers(behind: "] node = ", in: $0) })
        let entered = Set(commands.flatMap { numbers(behind: "(node'=", in: $0) })
        let over = try #require(numbers(behind: "const int over = ", in: chain.model).first)
        #expect(left.union(entered).isSubset(of: 0...over))
        #expect(entered == Set(1..<over), "\(policy), \(lockout.name)")
        // Those that are left only with the last login are ends.
        #expect(chain.model.contains("[leave] isEnd & isLast -> (node'=over)"))
        #expect(left.contains(0) && left.count > 1, "\(policy), \(lockout.name)")
      }
    }
  }

  @Test func writingItAgainIsTheSame() throws {
    let plan = try plan("biometrics", Cases.lock(at: 5))
    let (first, second) = (try PrismChain(plan, days: 2), try PrismChain(plan, days: 2))
    #expect(first.model == second.model)
    #expect(first.properties == second.properties)
    #expect(first.states == second.states)
  }

  @Test func moreDaysAreMoreStates() throws {
    let states = try (1...4).map { try PrismChain(try plan(), days: $0).states }
    #expect(zip(states, states.dropFirst()).allSatisfy { $0 < $1 }, "\(states)")
  }

  /// One passcode after the other, at most two.
  @Test func statesAreThoseThatCanBeCounted() throws {
    var single = try plan("passcode", logins: 1)
    single.policy.passcodeTries = 1
    single.habits.evaluations = 2
    let chain = try PrismChain(single, days: 1)
    // The beginning and the end; and of each of three classes and two states of a finger a login that
    // has not begun, two passcodes, an end after each that is right, and one after both were wrong.
    #expect(chain.states == 2 + 3 * 2 * (1 + 2 + 3), "\(chain.states)\n\(chain.model)")
  }

  @Test func classesHaveTheSharesOfTheMixture() throws {
    let model = try PrismChain(try plan(), days: 1).model
    #expect(model.contains("person : [0..2] init 0;"))
    #expect(model.contains("const double share2 = 1 - share0 - share1;"))
    #expect(model.contains("share2 * impaired : (person'=2)"))
  }

  @Test func agesAreThereOnlyIfARuleAsksForThem() throws {
    #expect(try PrismChain(try plan(), days: 1).model.contains("sinceTyped"))
    #expect(!(try PrismChain(try plan("passcode"), days: 1).model.contains("sinceTyped")))
  }

  @Test func chainsThatAreTooLargeAreRefused() throws {
    #expect(throws: PrismError.tooManyStates(PrismChain.statesMax)) {
      try PrismChain(try plan(logins: 10), days: 60)
    }
    let forgetting = DelayTable(
      rows: [.init(from: 32, through: nil, delay: .seconds(600))],
      forgets: .one(every: .seconds(600))
    )
    let patient = LockoutProfile(name: "32", delays: forgetting)
    var large = try plan("biometrics-and-passcode", patient)
    large.rules.delays = try Cases.catalog.passcodeDelays(named: "gatekeeper").get()
    #expect(throws: PrismError.tooManyNodes(PrismChain.nodesMax)) {
      try PrismChain(large, days: 1)
    }
  }

  @Test func loginsThatOverlapAreRefused() throws {
    let waits = LockoutProfile(
      name: "waits",
      delays: DelayTable(rows: [.init(from: 1, through: nil, delay: .seconds(59))])
    )
    let plan = try plan("biometrics", waits, logins: 1_000)
    #expect(throws: PrismError.overlappingLogins) { try PrismChain(plan, days: 1) }
  }

  @Test func errorsSayWhatToDo() {
    let errors: [PrismError] = [.tooManyStates(5), .tooManyNodes(5), .overlappingLogins]
    for error in errors { #expect("\(error)".contains("give ")) }
  }

  /// What the solution drops by default is less than anybody could see.
  @Test func droppingNobodyChangesNothingThatCounts() throws {
    for policy in Cases.policies {
      let plan = try plan(policy, Cases.lock(at: 3))
      let usual = Solution(plan, days: 4)
      let all = Solution(plan, days: 4, dropping: PrismChain.dropping)
      #expect(all.states >= usual.states)
      for (left, right) in [
        (usual.rejected, all.rejected), (usual.fallbacks, all.fallbacks),
        (usual.denied, all.denied), (usual.everLockedOut, all.everLockedOut),
        (usual.lockoutsPerYear, all.lockoutsPerYear), (usual.everDenied, all.everDenied),
      ] { #expect(abs(left - right) < 1e-8, "\(policy): \(left), \(right)") }
    }
  }

  /// A refusal that has passed and a match that is too old leave no states behind.
  @Test func statesDoNotGrowWithoutEnd() throws {
    let plan = try Cases.plan(
      "biometrics",
      try Cases.catalog.lockoutProfile(named: "faillock").get(),
      Cases.goats,
      habits: Cases.habits(logins: 1, mistyped: 0.3)
    )
    #expect(Solution(plan, days: 40).states == Solution(plan, days: 30).states)
  }
}
