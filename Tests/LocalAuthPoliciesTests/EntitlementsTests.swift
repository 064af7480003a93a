import Testing

@testable import LocalAuthPolicies

@Suite struct EntitlementsTests {
  /// A program that a test describes, and what was asked about it.
  private struct Program: ProgramFacts {
    var userID: UInt32 = 1000
    var group: ControlGroupPath? = ControlGroupPath("/system.slice/web.service")
    var executable: String? = "/usr/bin/web"
    var asked: [String] = []

    mutating func controlGroup() throws(UnknownFact) -> ControlGroupPath {
      asked.append("cgroup")
      guard let group else { throw UnknownFact("no group") }
      return group
    }

    mutating func runs(_ path: String) throws(UnknownFact) -> Bool {
      asked.append(path)
      guard let executable else { throw UnknownFact("no executable") }
      return executable == path
    }
  }

  private func rule(
    _ name: String,
    _ change: (inout Entitlements.Rule) -> Void = { _ in }
  ) -> Entitlements.Rule {
    var rule = Entitlements.Rule(Entitlement(applicationIdentifier: name, groups: ["g"]))
    change(&rule)
    return rule
  }

  /// The identifier that the rules give, or why there is none.
  private func decide(
    _ rules: [Entitlements.Rule],
    _ program: Program = Program(),
    in scope: EntitlementScope = .user
  ) -> String {
    var program = program
    switch Entitlements(rules).decide(&program, in: scope) {
    case .entitled(let entitlement): return entitlement.applicationIdentifier
    case .noRule: return "none"
    case .unknown(let fact): return "unknown: \(fact)"
    }
  }

  @Test func groupsStandInTheKeychainsOrderAndOnce() {
    let entitlement = Entitlement(
      applicationIdentifier: "app",
      groups: ["b", "app", "*"],
      applicationGroups: ["a", "b"]
    )
    #expect(entitlement.accessGroups == ["b", "app", "*", "a"])
    #expect(Entitlement.builtIn.accessGroups == ["local"])
  }

  @Test func theBuiltInRuleIsForEverybodyAndReadsNothing() {
    for scope in EntitlementScope.allCases {
      var program = Program(group: nil, executable: nil)
      #expect(Entitlements.builtIn.decide(&program, in: scope) == .entitled(.builtIn))
      #expect(program.asked == [])
    }
  }

  @Test func theFirstRuleThatMatchesHolds() {
    let rules = [
      rule("other") { $0.users = [1] }, rule("first") { $0.users = [7, 1000] }, rule("second"),
    ]
    #expect(decide(rules) == "first")
    #expect(decide(rules, Program(userID: 5)) == "second")
    #expect(decide(Array(rules.prefix(2)), Program(userID: 5)) == "none")
    #expect(decide([]) == "none")
  }

  @Test func everyConditionMustHold() {
    let all = rule("all") {
      $0.users = [1000]
      $0.unit = "web.service"
      $0.controlGroup = ControlGroupPath("/system.slice/web.service")
      $0.executable = "/usr/bin/web"
    }
    #expect(decide([all]) == "all")
    #expect(decide([all], Program(userID: 1001)) == "none")
    #expect(decide([all], Program(group: ControlGroupPath("/web.service"))) == "none")
    #expect(decide([all], Program(executable: "/usr/bin/other")) == "none")
  }

  @Test func aGroupBelowIsNotTheGroupButInTheUnit() {
    let below = Program(group: ControlGroupPath("/system.slice/web.service/worker"))
    #expect(decide([rule("unit") { $0.unit = "web.service" }], below) == "unit")
    let group = rule("group") { $0.controlGroup = ControlGroupPath("/system.slice/web.service") }
    #expect(decide([group], below) == "none")
    #expect(decide([group]) == "group")
  }

  /// A user can give units of his own any name.
  @Test func onlyAUsersOwnDaemonBelievesHisManager() {
    let program = Program(
      group: ControlGroupPath("/user.slice/user-1000.slice/user@1000.service/a.slice/cron.service")
    )
    let rules = [rule("cron") { $0.unit = "cron.service" }]
    #expect(decide(rules, program, in: .user) == "cron")
    #expect(decide(rules, program, in: .system) == "none")
    let manager = [rule("manager") { $0.unit = "user@1000.service" }]
    #expect(decide(manager, program, in: .user) == "none")
    #expect(decide(manager, program, in: .system) == "manager")
  }

  @Test func onlyAUsersOwnDaemonAsksForTheExecutable() {
    let rules = [rule("web") { $0.executable = "/usr/bin/web" }, rule("rest")]
    #expect(decide(rules, in: .user) == "web")
    #expect(decide(rules, in: .system) == "rest")
    #expect(decide(rules, Program(executable: nil), in: .system) == "rest")
  }

  @Test func whatIsUnknownEndsTheSearch() {
    let rest = rule("rest")
    let byUnit = rule("unit") { $0.unit = "web.service" }
    let byGroup = rule("group") { $0.controlGroup = ControlGroupPath("/a") }
    let byFile = rule("file") { $0.executable = "/usr/bin/web" }
    for scope in EntitlementScope.allCases {
      #expect(decide([byUnit, rest], Program(group: nil), in: scope) == "unknown: no group")
      #expect(decide([byGroup, rest], Program(group: nil), in: scope) == "unknown: no group")
    }
    #expect(decide([byFile, rest], Program(executable: nil)) == "unknown: no executable")
    #expect(decide([rest], Program(group: nil, executable: nil)) == "rest")
  }

  @Test func oneConditionThatFailsMakesTheOthersNeedless() {
    let both = rule("both") {
      $0.unit = "web.service"
      $0.executable = "/usr/bin/web"
    }
    let other = Program(group: nil, executable: "/usr/bin/other")
    #expect(decide([both, rule("rest")], other) == "rest")
    #expect(decide([both, rule("rest")], Program(group: nil)) == "unknown: no group")
    let elsewhere = Program(group: ControlGroupPath("/"), executable: nil)
    #expect(decide([both, rule("rest")], elsewhere) == "rest")
    let another = rule("user") {
      $0.users = [1]
      $0.unit = "web.service"
    }
    #expect(decide([another, rule("rest")], Program(group: nil)) == "rest")
  }

  @Test func nothingIsReadThatNoRuleAsksFor() {
    var program = Program()
    let rules = Entitlements([
      rule("a") {
        $0.users = [1]
        $0.unit = "web.service"
        $0.executable = "/usr/bin/web"
      }, rule("b") { $0.users = [1000] }, rule("c") { $0.unit = "web.service" },
    ])
    _ = rules.decide(&program, in: .user)
    #expect(program.asked == [])
  }
}
