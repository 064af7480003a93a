import Testing

@testable import LocalAuthCore

/// A device's machine with judges that judge by themselves.
@Suite struct ByItselfMachineTests {
  private static let now = Moment(
    boot: BootInstant(nanoseconds: 1_000_000_000_000),
    bootID: BootIdentifier(high: 1, low: 1),
    wall: WallInstant(milliseconds: 1_800_000_000_000)
  )
  private static let id = EvaluationID(high: 0, low: 1)
  private static let touch = AttemptID(id, .biometry)
  private static let key = AttemptID(id, .possession)
  private static let match = Verdict.proven(finger: nil, generation: nil)
  private static let strangers = EnrolledPrints(fingers: [.leftIndex], token: 2)

  private static func judge(_ kind: AuthenticatorKind) -> AuthenticatorDescription {
    AuthenticatorDescription(
      name: kind.name,
      kind: kind,
      judging: .byItself,
      asking: .touch,
      method: kind.name,
      isSimulated: false,
      reportsPresence: true
    )
  }

  /// A machine that asks for the first of these, with the charge of its judge on the way to the disk.
  private func asking(_ requirement: Requirement) -> DeviceMachine {
    var record = DeviceRecord(
      identity: DeviceIdentity(owner: 1000, name: "own"),
      isSimulated: false
    )
    record.enrolment = EnrolmentSet(fingers: [.rightIndex], generation: 2)
    record.passcode = .device
    (record.prints, record.programs) = (1, 1)
    record.attempts.freshness.passcodeUsed(at: Self.now)
    let lockout = LockoutProfile(name: "three", delays: DelayTable(locksAt: 3))
    let delays = PasscodeDelays(name: "ten", delays: DelayTable(locksAt: 10))
    var machine = DeviceMachine(
      record,
      isDistrusted: false,
      sensor: .ready(.strong),
      rules: DeviceAttempts.Rules(lockout: lockout, delays: delays)
    )
    machine.authenticators = [Self.judge(.fingerprint), Self.judge(.key)]
    machine.programs = 1
    let policy = Policy(name: "test", requirement: requirement)
    let rules = EvaluationMachine.Rules(policy: policy, profile: lockout, isInteractive: true)
    let request = DeviceRequest(Self.id, of: policy, and: nil, under: rules, for: 1000)
    machine.requested(request, at: Self.now)
    return machine
  }

  /// Makes durable whatever is on its way, and returns everything else that was asked for.
  @discardableResult
  private func settle(_ machine: inout DeviceMachine) -> [DeviceMachine.Effect] {
    var others: [DeviceMachine.Effect] = []
    var effects = machine.takeEffects()[...]
    while let effect = effects.popFirst() {
      if case .commit(let commit) = effect {
        machine.committed(commit, .success(()), at: Self.now)
        effects += machine.takeEffects()
      } else {
        others.append(effect)
      }
    }
    return others
  }

  private func say(_ verdict: Verdict, _ attempt: AttemptID, _ machine: inout DeviceMachine) {
    machine.judged(DurableCharge(attempt), verdict, at: Self.now)
    settle(&machine)
  }

  private func misses(_ machine: DeviceMachine) -> UInt32 {
    machine.record.attempts.lockout.tally.failures
  }

  private func isSuccess(_ machine: DeviceMachine) -> Bool { machine[evaluation: Self.id] == nil }

  @Test func aMatchThatComesAfterItWasToldToStopClearsNothingAndStaysCharged() {
    var machine = asking(.anyOf([.biometry(.any), .passcode]))
    settle(&machine)
    say(.miss, Self.touch, &machine)
    machine.fellBack(Self.id, at: Self.now)
    settle(&machine)
    say(Self.match, Self.touch, &machine)
    #expect(misses(machine) == 2)
    #expect(machine.record.attempts.freshness.match == nil)
    #expect(!isSuccess(machine))
  }

  @Test func otherPrintsStopTheLastTryThatTheLockAllows() {
    var machine = asking(.anyOf([.biometry(.any), .passcode]))
    settle(&machine)
    for _ in 0..<2 { say(.miss, Self.touch, &machine) }
    #expect(misses(machine) == 3, "the charge of the try under way locks")
    let isNews = machine.found(Self.strangers, byAct: false)
    #expect(isNews)
    machine.changed(at: Self.now)
    #expect(settle(&machine).contains(.abort(Self.touch)))
    say(Self.match, Self.touch, &machine)
    #expect(!isSuccess(machine), "the passcode comes first")
  }

  @Test func whatWasToldToStopBeforeItsChargeWasDurableIsNotStarted() {
    var machine = asking(.anyOf([.biometry(.any), .passcode]))
    let charge = machine.takeEffects()
    machine.fellBack(Self.id, at: Self.now)
    #expect(machine.takeEffects().contains(.abort(Self.touch)))
    for case .commit(let commit) in charge {
      machine.committed(commit, .success(()), at: Self.now)
    }
    #expect(!settle(&machine).contains(.judge(DurableCharge(Self.touch))))
    #expect(misses(machine) == 0)
  }

  @Test func otherProgramsAreNotStartedForWhatWasChargedBefore() {
    var machine = asking(.anyOf([.possession(.any), .passcode]))
    let charge = machine.takeEffects()
    machine.programs = 2
    machine.changed(at: Self.now)
    for case .commit(let commit) in charge {
      machine.committed(commit, .success(()), at: Self.now)
    }
    #expect(!settle(&machine).contains(.judge(DurableCharge(Self.key))))
    #expect(machine.record.others.possession == Lockout())
  }
}
