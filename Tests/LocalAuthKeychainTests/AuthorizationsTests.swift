import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

@Suite struct AuthorizationsTests {
  private let generation: UInt64 = 7
  private let item = ItemIdentifier(high: 1, low: 2)
  private let context = ContextIdentity(connection: 1, context: 1)

  private func control(_ flags: AccessControlFlags) throws -> AccessControl {
    try AccessControl(.whenUnlocked, flags: flags).bound(to: .full)
  }

  private func scope(
    _ accessControl: AccessControl,
    _ context: ContextIdentity? = nil,
    _ operation: AccessOperation = .decrypt
  ) -> AuthorizationScope {
    AuthorizationScope(
      context: context ?? self.context,
      accessControl: accessControl,
      operation: operation
    )
  }

  /// An evaluation of `requirement` in which these factors were judged, one after the other.
  private func evaluation(
    of requirement: Requirement,
    _ verdicts: [(Factor, Verdict)],
    reusableUnlock: UInt64? = nil
  ) -> Evaluation {
    let policy = Policy(name: "item", requirement: requirement, presentation: .parallel)
    let profile = LockoutProfile(name: "open", delays: DelayTable(rows: [], locksAt: nil))
    let conditions = Conditions(
      biometry: .usable,
      passcode: .usable,
      reusableUnlock: reusableUnlock
    )
    var evaluation = Evaluation(
      rules: .init(policy: policy, profile: profile, isInteractive: true)
    )
    _ = evaluation.begin(conditions: conditions)
    _ = evaluation.armed(conditions: conditions)
    for (factor, verdict) in verdicts {
      _ = evaluation.offered(factor, conditions: conditions)
      _ = evaluation.judged(factor, verdict, conditions: conditions)
    }
    return evaluation
  }

  private var touch: (Factor, Verdict) {
    (.biometry, .proven(finger: nil, generation: generation))
  }

  /// Authorizations of one item with `biometryAny`, until the tenth second.
  private func authorized(_ accessControl: AccessControl) -> Authorizations {
    var authorizations = Authorizations()
    let isGranted = authorizations.grant(
      scope(accessControl),
      by: evaluation(of: .biometry(.any), [touch]),
      at: generation,
      until: boot(10)
    )
    #expect(isGranted)
    return authorizations
  }

  private func isProven(
    _ authorizations: inout Authorizations,
    _ scope: AuthorizationScope,
    at seconds: Double = 1,
    generation: UInt64? = nil
  ) -> Bool {
    authorizations.proof(
      for: scope,
      of: item,
      at: boot(seconds),
      generation: generation ?? self.generation
    ) != nil
  }

  @Test func aSuccessGivesAProofForEachOperation() throws {
    let accessControl = try control(.biometryAny)
    var authorizations = authorized(accessControl)
    for _ in 0..<3 { #expect(isProven(&authorizations, scope(accessControl)) == true) }
    let proof = authorizations.proof(
      for: scope(accessControl),
      of: item,
      at: boot(1),
      generation: generation
    )
    guard let proof else { throw KeychainError.itemNotFound }
    let isForTheItem = proof.item == item && proof.operation == .decrypt
    #expect(isForTheItem)
  }

  @Test func nothingButASuccessIsTaken() throws {
    let accessControl = try control(.biometryAny)
    let requirement = Requirement.biometry(.any)
    var cancelled = evaluation(of: requirement, [])
    _ = cancelled.end(Outcome(.userCancel))
    for failed in [
      Evaluation(rules: cancelled.rules), evaluation(of: requirement, []), cancelled,
      evaluation(of: requirement, [(.biometry, .miss)]),
      evaluation(of: requirement, [(.passcode, .proven(finger: nil, generation: nil))]),
    ] {
      var authorizations = Authorizations()
      let isGranted = authorizations.grant(
        scope(accessControl),
        by: failed,
        at: generation,
        until: boot(10)
      )
      #expect(!isGranted)
      #expect(isProven(&authorizations, scope(accessControl)) == false)
    }
  }

  @Test func aSuccessAtSomethingElseIsNotTaken() throws {
    let accessControl = try control(.biometryCurrentSet)
    var authorizations = Authorizations()
    for requirement in [
      Requirement.passcode, .biometry(.any), .anyOf([.biometry(.any), .passcode]),
    ] {
      let other = evaluation(
        of: requirement,
        [touch, (.passcode, .proven(finger: nil, generation: nil))]
      )
      #expect(other.outcome?.code == .success)
      let isGranted = authorizations.grant(
        scope(accessControl),
        by: other,
        at: generation,
        until: boot(10)
      )
      #expect(!isGranted)
    }
  }

  @Test func anUnlockThatStandsInForATouchOpensNoItem() throws {
    let accessControl = try control(.biometryAny)
    let reused = evaluation(of: .biometry(.any), [], reusableUnlock: generation)
    #expect(reused.outcome?.code == .success)
    var authorizations = Authorizations()
    let isGranted = authorizations.grant(
      scope(accessControl),
      by: reused,
      at: generation,
      until: boot(10)
    )
    #expect(!isGranted)
  }

  @Test func anotherContextConnectionOperationOrAccessControlIsNotAuthorized() throws {
    let accessControl = try control(.biometryAny)
    var authorizations = authorized(accessControl)
    let other = try AccessControl(.afterFirstUnlock, flags: .biometryAny).bound(to: .full)
    for scope in try [
      scope(accessControl, ContextIdentity(connection: 1, context: 2)),
      scope(accessControl, ContextIdentity(connection: 2, context: 1)),
      scope(accessControl, nil, .sign), scope(other), scope(control(.biometryCurrentSet)),
    ] {
      #expect(isProven(&authorizations, scope) == false)
    }
    #expect(isProven(&authorizations, scope(accessControl)) == true)
  }

  @Test func itEndsWithItsTime() throws {
    let accessControl = try control(.biometryAny)
    var authorizations = authorized(accessControl)
    #expect(isProven(&authorizations, scope(accessControl), at: 9.999) == true)
    #expect(isProven(&authorizations, scope(accessControl), at: 10) == false)
    #expect(isProven(&authorizations, scope(accessControl), at: 1) == false, "it is gone for good")
  }

  @Test func itEndsWithItsContextAndItsConnection() throws {
    let accessControl = try control(.biometryAny)
    var authorizations = authorized(accessControl)
    authorizations.contextEnded(ContextIdentity(connection: 1, context: 2))
    authorizations.connectionEnded(2)
    #expect(isProven(&authorizations, scope(accessControl)) == true)
    authorizations.contextEnded(context)
    #expect(isProven(&authorizations, scope(accessControl)) == false)
    authorizations = authorized(accessControl)
    authorizations.connectionEnded(1)
    #expect(isProven(&authorizations, scope(accessControl)) == false)
  }

  @Test func itEndsWhenTheDeviceIsLockedOrItsFingersChange() throws {
    let accessControl = try control(.biometryAny)
    var authorizations = authorized(accessControl)
    authorizations.deviceClosed()
    #expect(authorizations.count == 0)
    authorizations = authorized(accessControl)
    authorizations.enrolmentChanged()
    #expect(isProven(&authorizations, scope(accessControl)) == false)
  }

  @Test func aPasscodesAuthorizationOutlivesAChangeOfFingers() throws {
    let accessControl = try control(.devicePasscode)
    var authorizations = Authorizations()
    let isGranted = authorizations.grant(
      scope(accessControl),
      by: evaluation(of: .passcode, [(.passcode, .proven(finger: nil, generation: nil))]),
      at: generation,
      until: boot(10)
    )
    #expect(isGranted)
    authorizations.enrolmentChanged()
    #expect(isProven(&authorizations, scope(accessControl), generation: 8) == true)
  }

  @Test func aTouchOfAnotherSetIsNoProofOfTheCurrentOne() throws {
    let accessControl = try control(.biometryCurrentSet)
    var authorizations = Authorizations()
    let isGranted = authorizations.grant(
      scope(accessControl),
      by: evaluation(of: .biometry(.current(generation: generation)), [touch]),
      at: generation,
      until: boot(10)
    )
    #expect(isGranted)
    #expect(isProven(&authorizations, scope(accessControl)) == true)
    #expect(isProven(&authorizations, scope(accessControl), generation: 8) == false)
  }

  @Test func oneConnectionCannotHoldMoreThanItsShare() throws {
    let accessControl = try control(.biometryAny)
    var authorizations = Authorizations()
    for number in 0..<UInt64(Authorizations.mostOfAConnection + 10) {
      let isGranted = authorizations.grant(
        scope(accessControl, ContextIdentity(connection: 1, context: number)),
        by: evaluation(of: .biometry(.any), [touch]),
        at: generation,
        until: boot(10 + Double(number))
      )
      #expect(isGranted)
    }
    #expect(authorizations.count == Authorizations.mostOfAConnection)
    let oldest = scope(accessControl, ContextIdentity(connection: 1, context: 0))
    #expect(isProven(&authorizations, oldest) == false)
  }
}
