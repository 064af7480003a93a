import LocalAuthCore
import LocalAuthTestSupport
import Testing

/// What must hold whatever happens, in whatever order.
@Suite struct EvaluationMachinePropertyTests {
  private static let runs = 20_000

  @Test func successTakesEveryClauseProvenInThatEvaluation() {
    var random = SeededGenerator.ofThisRun
    for run in 0..<Self.runs {
      var trial = Trial(using: &random)
      trial.play(using: &random)
      guard trial.machine.outcome == .success else { continue }
      #expect(
        trial.isProven,
        "run \(run) of seed \(random.seed) succeeded with \(trial.heard): \(trial.requirement)"
      )
    }
  }

  @Test func anOutcomeIsGivenOnceAndNeverChanges() {
    var random = SeededGenerator.ofThisRun
    for run in 0..<Self.runs {
      var trial = Trial(using: &random)
      trial.play(using: &random)
      #expect(trial.finishes <= 1, "run \(run) of seed \(random.seed)")
    }
  }

  @Test func thereIsAnOutcomeFromTheEventOnThatFinishes() {
    var random = SeededGenerator.ofThisRun
    for run in 0..<Self.runs {
      var trial = Trial(using: &random)
      trial.play(using: &random)
      #expect(
        (trial.machine.outcome != nil) == (trial.finishes == 1),
        "run \(run) of seed \(random.seed)"
      )
    }
  }

  @Test func aRenewedEvaluationIsOneThatHasNotBegun() {
    var random = SeededGenerator.ofThisRun
    for run in 0..<Self.runs {
      var trial = Trial(using: &random)
      let fresh = trial.machine
      trial.play(using: &random)
      trial.machine.renew()
      #expect(trial.machine == fresh, "run \(run) of seed \(random.seed)")
    }
  }

  @Test func everyEvaluationThatIsEndedHasAnOutcome() {
    var random = SeededGenerator.ofThisRun
    for run in 0..<Self.runs {
      var trial = Trial(using: &random)
      trial.play(using: &random)
      _ = trial.machine.end(Outcome(.timeout))
      #expect(trial.machine.outcome != nil, "run \(run) of seed \(random.seed)")
    }
  }
}

/// One machine, random events, and a count of its own of what was really proven.
private struct Trial {
  let requirement: Requirement
  var machine: EvaluationMachine
  var heard: [String] = []
  var finishes = 0
  private var asked: FactorSet = []
  private var proven: FactorSet = []
  private var generation: UInt64?
  private var redeeming = EvaluationMachine.Action.ignore
  private var granted: Proven?

  init(using random: inout SeededGenerator) {
    requirement = Self.requirement(depth: 3, using: &random)
    let policy = Policy(
      name: "trial",
      requirement: requirement,
      presentation: Bool.random(using: &random) ? .parallel : .sequential,
      fallback: Policy.FallbackMode.allCases.randomElement(using: &random) ?? .allowed,
      passcodeTries: UInt32.random(in: 1...4, using: &random),
      needsPasscodeSet: Bool.random(using: &random)
    )
    let profile = LockoutProfile(
      name: "trial",
      delays: DelayTable(locksAt: 3),
      missesPerEvaluation: Bool.random(using: &random) ? 3 : nil,
      fallbackAfterMisses: UInt32.random(in: 0...1, using: &random)
    )
    machine = EvaluationMachine(
      rules: EvaluationMachine.Rules(
        policy: policy,
        profile: profile,
        isInteractive: UInt8.random(in: 0...9, using: &random) > 0
      )
    )
  }

  /// Whether the requirement is met by what this trial saw proven, by a reading of its own.
  var isProven: Bool { meets(requirement) }

  mutating func play(using random: inout SeededGenerator) {
    for _ in 0..<Int.random(in: 1...24, using: &random) { step(using: &random) }
  }

  private mutating func step(using random: inout SeededGenerator) {
    let conditions = conditions(using: &random)
    if case .redeem = redeeming {
      redeeming = .ignore
      return redeem(conditions, using: &random)
    }
    let factor =
      [Factor.biometry, .passcode, .possession].randomElement(using: &random) ?? .passcode
    let before = machine.outcome
    let action: EvaluationMachine.Action
    switch UInt8.random(in: 0...12, using: &random) {
    case 0: action = begin(conditions, before)
    case 1: action = machine.armed(conditions: conditions)
    case 2, 3, 4: action = offer(factor, conditions)
    case 5, 6, 7, 8: action = judge(factor, conditions, using: &random)
    case 9: action = machine.faulted(factor, .sensor(.general), conditions: conditions)
    case 10: action = machine.fallback(conditions: conditions)
    case 11:
      asked.remove(factor.alone)
      action = machine.withdrawn(factor, conditions: conditions)
    default:
      action =
        Bool.random(using: &random)
        ? machine.changed(conditions: conditions)
        : UInt8.random(in: 0...5, using: &random) == 0
          ? machine.end(Outcome(.userCancel)) : .ignore
    }
    if case .finish = action { finishes += 1 }
    if case .redeem = action {
      redeeming = action
      granted = conditions.granted
    }
  }

  /// The use of the grant is counted, or it ended meanwhile; now and then other events come first.
  private mutating func redeem(_ conditions: Conditions, using random: inout SeededGenerator) {
    let action: EvaluationMachine.Action
    if Bool.random(using: &random) {
      action = machine.redeemed()
      if action == .finish, machine.outcome == .success, let granted {
        proven = granted.factors
        generation = granted.biometryGeneration
        heard.append("grant")
      }
    } else {
      action = machine.notRedeemed(conditions: conditions)
    }
    if case .finish = action { finishes += 1 }
  }

  private mutating func begin(
    _ conditions: Conditions,
    _ before: Outcome?
  ) -> EvaluationMachine.Action {
    let action = machine.begin(conditions: conditions)
    // A reused unlock is a finger that was proven before, within the policy's limits.
    if machine.isUnlockReused, before == nil, let unlock = conditions.reusableUnlock {
      if action != .ignore {
        proven.insert(.biometry)
        generation = unlock
        heard.append("reuse")
      }
    }
    return action
  }

  private mutating func offer(
    _ factor: Factor,
    _ conditions: Conditions
  ) -> EvaluationMachine.Action {
    let action = machine.offered(factor, conditions: conditions)
    if case .attempt(let attempted) = action { asked.insert(attempted.alone) }
    return action
  }

  private mutating func judge(
    _ factor: Factor,
    _ conditions: Conditions,
    using random: inout SeededGenerator
  ) -> EvaluationMachine.Action {
    let verdict: Verdict =
      switch UInt8.random(in: 0...3, using: &random) {
      case 0, 1:
        .proven(
          finger: factor == .biometry ? .leftThumb : nil,
          generation: factor == .biometry ? UInt64.random(in: 1...2, using: &random) : nil
        )
      case 2: .miss
      default: .unjudged(Outcome(.internalError))
      }
    let wasOpen = machine.outcome == nil
    let action = machine.judged(factor, verdict, conditions: conditions)
    if case .proven(_, let matched) = verdict, wasOpen, asked.contains(factor.alone) {
      proven.insert(factor.alone)
      if factor == .biometry { generation = matched }
      heard.append("\(factor)")
    }
    asked.remove(factor.alone)
    return action
  }

  private func conditions(using random: inout SeededGenerator) -> Conditions {
    let biometry: [BiometryCondition] = [
      .usable, .usable, .usable, .notAvailable, .disconnected, .notEnrolled,
      .lockedOut(retryAfter: nil), .passcodeRequired, .needsPasscodeSet,
    ]
    let passcode: [PasscodeCondition] = [
      .usable, .usable, .usable, .notSet, .throttled(retryAfter: .seconds(1)),
    ]
    let possession: [PossessionCondition] = [
      .usable, .usable, .notAvailable, .lockedOut(retryAfter: nil),
    ]
    return Conditions(
      biometry: biometry.randomElement(using: &random) ?? .usable,
      passcode: passcode.randomElement(using: &random) ?? .usable,
      possession: possession.randomElement(using: &random) ?? .usable,
      reusableUnlock: UInt8.random(in: 0...9, using: &random) == 0 ? 1 : nil,
      granted: UInt8.random(in: 0...9, using: &random) == 0
        ? Proven(
          factors: FactorSet(rawValue: UInt8.random(in: 0...3, using: &random)),
          biometryGeneration: UInt64.random(in: 1...2, using: &random)
        ) : nil
    )
  }

  private func meets(_ requirement: Requirement) -> Bool {
    switch requirement {
    case .biometry(.any): proven.contains(.biometry)
    case .biometry(.current(let wanted)): proven.contains(.biometry) && generation == wanted
    case .passcode: proven.contains(.passcode)
    case .possession: proven.contains(.possession)
    case .applicationPassword, .companion: false
    case .allOf(let parts): !parts.isEmpty && !parts.contains { !meets($0) }
    case .anyOf(let parts): parts.contains { meets($0) }
    }
  }

  private static func requirement(
    depth: Int,
    using random: inout SeededGenerator
  ) -> Requirement {
    switch UInt8.random(in: 0...(depth > 0 ? 7 : 4), using: &random) {
    case 0, 1: return .biometry(.any)
    case 2: return .biometry(.current(generation: UInt64.random(in: 1...2, using: &random)))
    case 3: return .passcode
    case 4: return Bool.random(using: &random) ? .possession(.any) : .companion
    case let kind:
      let parts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Self.requirement(depth: depth - 1, using: &random)
      }
      return kind == 5 ? .allOf(parts) : .anyOf(parts)
    }
  }
}
