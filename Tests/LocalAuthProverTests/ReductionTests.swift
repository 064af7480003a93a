import LocalAuthCore
import LocalAuthPolicies
import Testing

@testable import LocalAuthProver

/// The reduced model does what the full one does, and leaves nothing out.
@Suite struct ReductionTests {
  /// A policy with everything that the shipped ones leave out, and a set that is named.
  private static let policies = [
    Policy(
      name: "strict",
      requirement: .anyOf([.biometry(.any), .passcode]),
      needsPasscodeSet: true,
      freshness: FreshnessRules(passcodeWithin: .seconds(1000), unlessMatchedWithin: .seconds(100)),
      grant: GrantRule(maxAge: .seconds(300), idle: .seconds(60), uses: 2)
    ),
    Policy(name: "named", requirement: .biometry(.current(generation: 2))),
    Policy(
      name: "either",
      requirement: .anyOf([.possession(.any), .biometry(.any)]),
      presentation: .parallel,
      grant: GrantRule(maxAge: .seconds(300))
    ),
  ]

  /// Setups that have all that is renamed or dropped, and lockouts of which one forgets.
  private static let setups: [Setup] = {
    var all: [Setup] = []
    for (policy, lockout) in [
      ("device-owner", "three-strikes"), ("biometrics-and-passcode", "tpm"),
      ("device-owner-parallel", "faillock"),
    ] {
      if let setup = try? Setup.shipped(policy, lockout) { all += setup.inAllSurroundings }
    }
    guard let own = all.first else { return [] }
    return all
      + policies.flatMap { policy in
        Setup(policy: policy, lockout: own.lockout, delays: own.delays).inAllSurroundings
      }
  }()

  /// What both models do from the same beginning.
  private struct Pair {
    var full: Model
    var reduced: Model
  }

  private static func pairs(_ setup: Setup) -> [Pair] {
    PasscodeKind.allCases.flatMap { kind in
      [false, true].map { isDistrusted in
        Pair(
          full: Model(setup, kind, isDistrusted: isDistrusted, isReduced: false),
          reduced: Model(setup, kind, isDistrusted: isDistrusted)
        )
      }
    }
  }

  /// Returns both models after every event that can happen, checked to be alike in everything that
  /// anybody outside can tell.
  private static func after(_ pair: Pair, _ pace: Pace) -> [Pair] {
    let events = pair.full.events(pace)
    #expect(pair.reduced.events(pace) == events)
    return events.map { event in
      var next = pair
      next.full.apply(event, pace)
      next.reduced.apply(event, pace)
      #expect(next.reduced.state.answers == next.full.state.answers)
      #expect(next.reduced.premises == next.full.premises)
      #expect(next.reduced.state.violated == next.full.state.violated)
      return next
    }
  }

  /// Returns every situation of the full model that at most `depth` events lead to.
  private static func reached(_ setup: Setup, _ pace: Pace, _ depth: Int) -> [Pair] {
    var known: Set<Int> = []
    var all: [Pair] = []
    var level = pairs(setup)
    for step in 0...depth {
      level = level.filter { known.insert($0.full.fingerprint).inserted }
      all += level
      if step < depth { level = level.flatMap { after($0, pace) } }
    }
    return all
  }

  private static let cases = setups.indices.flatMap { index in
    Pace.allCases.map { (index, $0) }
  }

  @Test func thereAreSetupsOfBothJudges() {
    #expect(Self.setups.count >= 10)
    #expect(Self.setups.contains { $0.surroundings == .byItself })
  }

  @Test(arguments: cases)
  func bothReachTheSameSituations(_ number: Int, _ pace: Pace) {
    let setup = Self.setups[number]
    let full = Self.reached(setup, pace, 3)
    var exploration = Exploration(setup, Bounds(depth: 3), pace)
    exploration.run()
    let reduced = Set(full.map(\.reduced.fingerprint))
    #expect(exploration.fingerprints == reduced)
    #expect(exploration.states < full.count, "the reduction finds something to leave out")
    #expect(exploration.violations.isEmpty)
  }

  /// What follows each situation that has the same hash in the reduced model is the same.
  @Test(arguments: cases)
  func whatIsTakenForOneGoesOnAlike(_ number: Int, _ pace: Pace) {
    struct Step: Hashable {
      let event: Event
      let outcomes: [Bool]
      let premises: Premises
      let violated: Property?
      let leadsTo: Int
    }
    var known: [Int: [Step]] = [:]
    var merged = 0
    for pair in Self.reached(Self.setups[number], pace, 2) {
      let steps = zip(pair.reduced.events(pace), Self.after(pair, pace)).map { event, next in
        Step(
          event: event,
          outcomes: next.reduced.state.answers.map { $0.outcome.code == .success },
          premises: next.reduced.premises,
          violated: next.reduced.state.violated,
          leadsTo: next.reduced.fingerprint
        )
      }
      if let other = known[pair.reduced.fingerprint] {
        merged += 1
        #expect(other == steps)
      }
      known[pair.reduced.fingerprint] = steps
    }
    #expect(merged > 0)
  }

  // MARK: Faults

  /// Mistakes of a machine, as what really happened differs from what it knows.
  enum Fault: CaseIterable {
    case lostCount, lostDistrust, lostRefusal, lostPasscode, unpromisedGrant, extraTries

    func plant(in model: inout Model) {
      switch self {
      case .lostCount: model.state.history.passcode.judged = 1
      case .lostDistrust: model.state.history.isDistrusted = true
      case .lostRefusal: model.state.history.finger.left = 60_000_000_000
      case .lostPasscode: model.state.history.sincePasscode = nil
      case .unpromisedGrant: model.state.history.promises = []
      case .extraTries: model.state.history.finger.judged = 3
      }
    }
  }

  /// Explores from a device that is remembered, has been rebooted or is fresh, with `fault`.
  private static func explored(_ fault: Fault, _ pace: Pace, isReduced: Bool) throws -> Exploration
  {
    let setup = try Setup.shipped("device-owner")
    let rule = try #require(setup.policy.grant)
    let wish = Request(wish: Wish(scope: 0, maxAge: rule.maxAge))
    let ways: [[Event]] = [
      [], [.reboot, .settle], [.request(.first, wish), .touch(isRight: true), .settle],
      [.act(.fingers, isRight: true), .settle],
    ]
    let rungs = ways.map { way in
      var model = Model(setup, isReduced: isReduced)
      for event in way { model.apply(event) }
      fault.plant(in: &model)
      return Ladder.Rung(
        kind: .own,
        isDistrusted: false,
        trace: way,
        model: model,
        premises: PremiseCounts()
      )
    }
    var exploration = Exploration(setup, Bounds(depth: 4), pace, from: .fresh, rungs)
    exploration.run()
    return exploration
  }

  @Test(arguments: Fault.allCases, Pace.allCases)
  func aFaultIsFoundByTheSameEvents(_ fault: Fault, _ pace: Pace) throws {
    let full = try Self.explored(fault, pace, isReduced: false)
    let reduced = try Self.explored(fault, pace, isReduced: true)
    #expect(!full.violations.isEmpty)
    #expect(reduced.depth == full.depth)
    #expect(reduced.violations.map(\.property) == full.violations.map(\.property))
    #expect(reduced.violations.map(\.trace) == full.violations.map(\.trace))
  }

  // MARK: What is told apart

  @Test func whatDecidesIsToldApart() throws {
    var model = Model(try Setup.shipped("device-owner"))
    let fresh = model.fingerprint
    var others: Set<Int> = []
    for event: Event in [
      .request(.first, Request()), .request(.second, Request()), .act(.fingers, isRight: true),
      .act(.passcode, isRight: true), .act(.erase, isRight: true), .reboot, .lock,
      .pass(.seconds(1)),
    ] {
      var next = model
      next.apply(event)
      others.insert(next.fingerprint)
    }
    #expect(others.count >= 7)
    #expect(!others.contains(fresh) || others.count == 8)
    model.state.history.passcode.judged += 1
    #expect(model.fingerprint != fresh)
  }

  @Test func aSetByAnotherNumberIsTheSame() throws {
    var model = Model(try Setup.shipped("device-owner"))
    let fresh = model.fingerprint
    model.apply(.act(.fingers, isRight: true))
    model.apply(.settle)
    #expect(model.state.disk.enrolment.generation != 2)
    // The passcode was proven for it just now, so nothing else has changed.
    #expect(model.fingerprint == fresh)
    model.apply(.act(.erase, isRight: true))
    model.apply(.settle)
    #expect(model.fingerprint != fresh, "a device without fingers is another one")
  }
}
