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

  /// What a call allows that has asked for the item.
  private func scope(
    _ accessControl: AccessControl,
    _ context: ContextIdentity? = nil,
    _ operation: AccessOperation = .decrypt,
    on items: Set<ItemIdentifier>? = nil,
    call: UInt64 = 1
  ) -> AuthorizationScope {
    AuthorizationScope(
      operation,
      on: items ?? [item],
      accessControl,
      in: context ?? self.context,
      by: call
    )
  }

  private func use(
    _ accessControl: AccessControl,
    _ context: ContextIdentity? = nil,
    _ operation: AccessOperation = .decrypt,
    of item: ItemIdentifier? = nil,
    call: UInt64 = 2
  ) -> ItemUse {
    ItemUse(operation, of: item ?? self.item, accessControl, in: context ?? self.context, by: call)
  }

  /// An evaluation of `requirement` in which these factors were judged, one after the other.
  private func evaluation(
    of requirement: Requirement,
    _ verdicts: [(Factor, Verdict)],
    reusableUnlock: UInt64? = nil
  ) -> EvaluationMachine {
    let policy = Policy(name: "item", requirement: requirement, presentation: .parallel)
    let profile = LockoutProfile(name: "open", delays: DelayTable(rows: [], locksAt: nil))
    let conditions = Conditions(
      biometry: .usable,
      passcode: .usable,
      reusableUnlock: reusableUnlock
    )
    var evaluation = EvaluationMachine(
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
  private func authorized(_ accessControl: AccessControl) throws -> Authorizations {
    try authorized(scope(accessControl))
  }

  /// The same of any scope whose access control asks for a finger.
  private func authorized(_ scopes: AuthorizationScope...) throws -> Authorizations {
    var authorizations = Authorizations()
    for scope in scopes {
      let isGranted = authorizations.grant(
        scope,
        by: evaluation(of: .biometry(.any), [touch]),
        at: generation,
        until: boot(10)
      )
      try #require(isGranted)
    }
    return authorizations
  }

  private func isProven(
    _ authorizations: inout Authorizations,
    _ use: ItemUse,
    at seconds: Double = 1,
    generation: UInt64? = nil
  ) -> Bool {
    let generation = generation ?? self.generation
    let isAllowed = authorizations.allows(use, at: boot(seconds), generation: generation)
    let isProven = authorizations.proof(for: use, at: boot(seconds), generation: generation) != nil
    #expect(isAllowed == isProven)
    return isProven
  }

  @Test func aSuccessGivesAProofForEachOperation() throws {
    let accessControl = try control(.biometryAny)
    var authorizations = try authorized(accessControl)
    for _ in 0..<3 { #expect(isProven(&authorizations, use(accessControl)) == true) }
    let proof = authorizations.proof(
      for: use(accessControl),
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
      EvaluationMachine(rules: cancelled.rules), evaluation(of: requirement, []), cancelled,
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
      #expect(isProven(&authorizations, use(accessControl)) == false)
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

  @Test func theProofIsForTheItemsThatWereNamedAndNoOthers() throws {
    let accessControl = try control(.biometryAny)
    let second = ItemIdentifier(high: 1, low: 3)
    let third = ItemIdentifier(high: 1, low: 4)
    var authorizations = try authorized(scope(accessControl, on: [item, second]))
    for named in [item, second, item] {
      #expect(isProven(&authorizations, use(accessControl, of: named)))
    }
    #expect(!isProven(&authorizations, use(accessControl, of: third)))
  }

  @Test func twoPromptsAuthorizeWhatEitherNamed() throws {
    let accessControl = try control(.biometryAny)
    let second = ItemIdentifier(high: 1, low: 3)
    var authorizations = try authorized(
      scope(accessControl),
      scope(accessControl, on: [second])
    )
    for named in [item, second] {
      #expect(isProven(&authorizations, use(accessControl, of: named)))
    }
  }

  @Test func theUseOfAKeyIsForTheCallThatAsked() throws {
    let accessControl = try control([.privateKeyUsage, .biometryAny])
    for operation: AccessOperation in [.sign, .computeKey, .decapsulate] {
      var authorizations = try authorized(scope(accessControl, nil, operation, call: 5))
      #expect(!isProven(&authorizations, use(accessControl, nil, operation, call: 6)))
      // A call may have to look at its key more than once.
      for _ in 0..<2 {
        #expect(isProven(&authorizations, use(accessControl, nil, operation, call: 5)))
      }
      authorizations.callEnded(5, of: context)
      #expect(!isProven(&authorizations, use(accessControl, nil, operation, call: 5)))
    }
  }

  @Test func anItemThatAsksAtEachUseIsForTheCallThatAsked() throws {
    let accessControl = try control([.biometryAny, .eachUse])
    var authorizations = try authorized(scope(accessControl, call: 5))
    #expect(!isProven(&authorizations, use(accessControl, call: 6)))
    #expect(isProven(&authorizations, use(accessControl, call: 5)))
    authorizations.callEnded(6, of: context)
    #expect(isProven(&authorizations, use(accessControl, call: 5)))
    authorizations.callEnded(5, of: context)
    #expect(authorizations.count == 0)
  }

  @Test func theEndOfACallEndsNothingElse() throws {
    let accessControl = try control(.biometryAny)
    var authorizations = try authorized(scope(accessControl, call: 5))
    authorizations.callEnded(5, of: context)
    #expect(isProven(&authorizations, use(accessControl, call: 6)))
  }

  @Test func whatIsAskedAboutBeforehandServesEveryItem() throws {
    let accessControl = try control(.biometryAny)
    let every = AuthorizationScope([.decrypt, .update], onEvery: accessControl, in: context)
    var authorizations = try authorized(every)
    for number: UInt64 in 1...3 {
      let some = ItemIdentifier(high: 9, low: number)
      #expect(isProven(&authorizations, use(accessControl, of: some, call: number)))
      #expect(isProven(&authorizations, use(accessControl, nil, .update, of: some, call: number)))
    }
    #expect(authorizations.covers(every, at: boot(1), generation: generation))
    #expect(!authorizations.covers(every, at: boot(10), generation: generation))
  }

  @Test func namedItemsDoNotCoverEveryOne() throws {
    let accessControl = try control(.biometryAny)
    let authorizations = try authorized(scope(accessControl))
    let every = AuthorizationScope([.decrypt], onEvery: accessControl, in: context)
    #expect(!authorizations.covers(every, at: boot(1), generation: generation))
  }

  @Test func beforehandAnItemThatAsksAtEachUseHasOneUse() throws {
    let accessControl = try control([.biometryAny, .eachUse])
    let every = AuthorizationScope([.decrypt, .update], onEvery: accessControl, in: context)
    var authorizations = try authorized(every)
    #expect(isProven(&authorizations, use(accessControl, call: 5)))
    #expect(isProven(&authorizations, use(accessControl, call: 5)), "the same use of the same call")
    for other in [
      use(accessControl, call: 6), use(accessControl, nil, .update, call: 5),
      use(accessControl, of: ItemIdentifier(high: 1, low: 3), call: 5),
    ] {
      #expect(!isProven(&authorizations, other))
    }
    #expect(!authorizations.covers(every, at: boot(1), generation: generation))
  }

  @Test func nothingIsGrantedForOperationsThatAskForDifferentThings() throws {
    let accessControl = try control(.biometryAny)
    for operations: [AccessOperation] in [[], [.decrypt, .delete], [.decrypt, .sign]] {
      var authorizations = Authorizations()
      let isGranted = authorizations.grant(
        AuthorizationScope(operations, onEvery: accessControl, in: context),
        by: evaluation(of: .biometry(.any), [touch]),
        at: generation,
        until: boot(10)
      )
      #expect(!isGranted)
    }
  }

  @Test func oneConnectionNamesNoMoreItemsThanItsShare() throws {
    let accessControl = try control(.biometryAny)
    let share = Authorizations.mostNamesOfAConnection
    func items(_ numbers: Range<Int>) -> Set<ItemIdentifier> {
      Set(numbers.map { ItemIdentifier(high: 7, low: UInt64($0)) })
    }
    let first = scope(accessControl, on: items(0..<share - 1))
    var authorizations = try authorized(first, scope(accessControl, on: [item]))
    #expect(authorizations.count == 2)
    let isGranted = authorizations.grant(
      scope(accessControl, on: items(share..<share + 1)),
      by: evaluation(of: .biometry(.any), [touch]),
      at: generation,
      until: boot(11)
    )
    #expect(isGranted)
    #expect(authorizations.count == 2)
    #expect(!isProven(&authorizations, use(accessControl, of: .init(high: 7, low: 0))))
    let tooMany = authorizations.grant(
      scope(accessControl, on: items(0..<share + 1)),
      by: evaluation(of: .biometry(.any), [touch]),
      at: generation,
      until: boot(11)
    )
    #expect(!tooMany)
  }

  @Test func anotherContextConnectionOperationOrAccessControlIsNotAuthorized() throws {
    let accessControl = try control(.biometryAny)
    var authorizations = try authorized(accessControl)
    let other = try AccessControl(.afterFirstUnlock, flags: .biometryAny).bound(to: .full)
    for use in try [
      use(accessControl, ContextIdentity(connection: 1, context: 2)),
      use(accessControl, ContextIdentity(connection: 2, context: 1)),
      use(accessControl, nil, .sign), use(accessControl, nil, .update), use(other),
      use(control(.biometryCurrentSet)),
    ] {
      #expect(isProven(&authorizations, use) == false)
    }
    #expect(isProven(&authorizations, use(accessControl)) == true)
  }

  @Test func itEndsWithItsTime() throws {
    #expect(Authorizations.longest == .seconds(600), "as prompts and documents say")
    let accessControl = try control(.biometryAny)
    var authorizations = try authorized(accessControl)
    #expect(isProven(&authorizations, use(accessControl), at: 9.999) == true)
    #expect(isProven(&authorizations, use(accessControl), at: 10) == false)
    #expect(isProven(&authorizations, use(accessControl), at: 1) == false, "it is gone for good")
  }

  @Test func itEndsWithItsContextAndItsConnection() throws {
    let accessControl = try control(.biometryAny)
    var authorizations = try authorized(accessControl)
    authorizations.contextEnded(ContextIdentity(connection: 1, context: 2))
    authorizations.connectionEnded(2)
    #expect(isProven(&authorizations, use(accessControl)) == true)
    authorizations.contextEnded(context)
    #expect(isProven(&authorizations, use(accessControl)) == false)
    authorizations = try authorized(accessControl)
    authorizations.connectionEnded(1)
    #expect(isProven(&authorizations, use(accessControl)) == false)
  }

  @Test func itEndsWhenTheDeviceIsLockedOrItsFingersChange() throws {
    let accessControl = try control(.biometryAny)
    var authorizations = try authorized(accessControl)
    authorizations.deviceClosed()
    #expect(authorizations.count == 0)
    authorizations = try authorized(accessControl)
    authorizations.enrolmentChanged()
    #expect(isProven(&authorizations, use(accessControl)) == false)
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
    #expect(isProven(&authorizations, use(accessControl), generation: 8) == true)
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
    #expect(isProven(&authorizations, use(accessControl)) == true)
    #expect(isProven(&authorizations, use(accessControl), generation: 8) == false)
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
    let oldest = use(accessControl, ContextIdentity(connection: 1, context: 0))
    #expect(isProven(&authorizations, oldest) == false)
  }
}
