import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import Testing

/// An application password that did not come with the call is asked for, where somebody can be asked.
@Suite struct ApplicationPasswordTests {
  private static let old = "Application password:"
  private static let new = "New application password:"
  private static let again = "The same application password again:"

  private let rig: KeychainRig
  private let control: AccessControl

  init() throws {
    rig = try KeychainRig()
    control = try AccessControl(.whenUnlocked, flags: .applicationPassword)
  }

  private func addPeppered(_ more: AccessControlFlags = []) throws {
    let control = try AccessControl(.whenUnlocked, flags: more.union(.applicationPassword))
    #expect(rig.add("ann", accessControl: control, password: "pepper").error == nil)
  }

  @Test func itIsAskedForOnceToFind() throws {
    try addPeppered()
    rig.typed = ["pepper"]
    #expect(rig.get("ann") == .secret("secret"))
    #expect(rig.questions == [Self.old])
  }

  @Test func itIsAskedForTwiceToAdd() {
    rig.typed = ["pepper", "pepper"]
    #expect(rig.add("ann", accessControl: control).error == nil)
    #expect(rig.questions == [Self.new, Self.again])
    #expect(rig.get("ann", password: "pepper") == .secret("secret"))
  }

  @Test func twoThatDifferAndAnEmptyOneAreAskedForAnew() {
    rig.typed = ["", "salt", "pepper", "pepper", "pepper"]
    #expect(rig.add("ann", accessControl: control).error == nil)
    #expect(rig.questions == [Self.new, Self.new, Self.again, Self.new, Self.again])
    #expect(rig.get("ann", password: "pepper") == .secret("secret"))
  }

  @Test func aWrongOneIsAskedForAgainAndTheThirdEndsTheCall() throws {
    try addPeppered()
    rig.typed = ["salt", "pepper"]
    #expect(rig.get("ann") == .secret("secret"))
    rig.typed = ["salt", "sugar", "flour", "pepper"]
    #expect(rig.get("ann") == .failed(.authentication(.authenticationFailed)))
    #expect(rig.questions.count == 5)
  }

  @Test func oneThatCameWithTheCallIsNotAskedForAgain() throws {
    try addPeppered()
    rig.typed = ["pepper"]
    #expect(
      rig.get("ann", password: "salt") == .failed(.authentication(.authenticationFailed))
    )
    #expect(rig.questions.isEmpty)
  }

  /// An item judges its password when the prompt is over.
  @Test func theAuditSaysWhatCameOfEveryOne() throws {
    try addPeppered()
    rig.typed = ["salt", "pepper"]
    #expect(rig.get("ann") == .secret("secret"))
    _ = rig.get("ann", password: "salt")
    #expect(rig.get("ann", password: "pepper") == .secret("secret"))
    rig.typed = ["pepper", "pepper"]
    #expect(rig.add("ann", accessControl: control).error == .duplicateItem)
    let outcomes = try rig.auditedOutcomes()
    let ends: [OutcomeCode] = [
      .authenticationFailed, .success, .authenticationFailed, .success, .duplicateItem,
    ]
    #expect(outcomes == ends)
  }

  /// Also where the prompt is over, and what came of it is not told yet.
  @Test(arguments: 0..<16)
  func aCallThatIsCalledOffAtAnyMomentLeavesNoLineOpen(_ steps: Int) throws {
    try addPeppered(.userPresence)
    rig.typed = ["pepper"]
    let pending = rig.begin(
      .copy(KeychainRig.query("ann"), after: nil),
      on: "sim",
      script: "passcode:1234"
    )
    var left = steps
    rig.turn {
      left -= 1
      return pending.answer != nil || left < 0
    }
    rig.engine.cancelKeychain(try #require(pending.id))
    rig.turn { pending.answer != nil && rig.engine.isAtRest }
    #expect(try rig.auditedOutcomes().allSatisfy { $0 != nil })
  }

  @Test func everyOneThatIsTypedIsChargedAndRefusedLikeThoseThatCameWithACall() throws {
    try addPeppered()
    var end: KeychainError?
    var typed = 0
    repeat {
      rig.typed = ["salt", "sugar", "flour"]
      end = rig.call(.copy(KeychainRig.query("ann"), after: nil)).error
      typed += 3 - rig.typed.count
    } while end == .authentication(.authenticationFailed)
    // The delay table of passcodes refuses before the sixth guess.
    #expect(typed == 6 && end == .authentication(.passcodeThrottled), "\(end as Any)")
    #expect(
      rig.get("ann", password: "pepper") == .failed(.authentication(.passcodeThrottled)),
      "the same count"
    )
  }

  @Test func theOneThatOpensEndsTheCount() throws {
    try addPeppered()
    for _ in 1...20 {
      rig.typed = ["salt", "pepper"]
      #expect(rig.get("ann") == .secret("secret"))
    }
  }

  /// More than have a count of their own.
  @Test func theRightOneOpensAnyNumberOfItemsAtOnce() throws {
    let items = (0..<70).map { number in
      let attributes: QueryDictionary = [
        "class": .text("genp"), "acct": .text("\(number)"), "accc": .accessControl(control),
        "v_Data": .secret,
      ]
      return NewItem(attributes, data: .of("secret"))
    }
    #expect(rig.call(.add(items), password: "pepper").error == nil)
    let all: QueryDictionary = [
      "class": .text("genp"), "m_Limit": .text("m_LimitAll"), "r_Data": .boolean(true),
    ]
    for _ in 1...2 {
      let found = rig.call(.copy(all, after: nil), password: "pepper")
      #expect(found.error == nil && found.items.count == 70)
    }
    #expect(rig.get("3", password: "pepper") == .secret("secret"))
    #expect(
      rig.call(.copy(all, after: nil), password: "salt").error
        == .authentication(.authenticationFailed)
    )
  }

  /// Nothing but what is sealed under it can tell whether it is right.
  @Test func withoutDataThereIsNone() throws {
    let refused = rig.add("ann", nil, accessControl: control, password: "pepper")
    #expect(refused.error == .parameter(.missingData))
    #expect(rig.get("ann") == .failed(.itemNotFound))
  }

  @Test func aKeyJudgesItAlsoWhereItStays() throws {
    let made = rig.call(
      .generateKey([
        "type": .text("73"), "bsiz": .number(256), "labl": .text("k"),
        "accc": .accessControl(control),
      ]),
      password: "pepper"
    )
    #expect(made.error == nil)
    let attributes: QueryDictionary = [
      "class": .text("keys"), "labl": .text("k"), "r_Attributes": .boolean(true),
    ]
    #expect(
      rig.call(.copy(attributes, after: nil), password: "salt").error
        == .authentication(.authenticationFailed)
    )
    let found = rig.call(.copy(attributes, after: nil), password: "pepper")
    #expect(found.error == nil && found.items.count == 1 && found.items[0].data == nil)
  }

  @Test func thePromptSaysForWhatItIs() throws {
    try addPeppered()
    _ = rig.get("ann")
    _ = rig.add("bob", accessControl: control)
    rig.typed = ["pepper"]
    _ = rig.call(
      .update(
        ["class": .text("genp"), "acct": .text("ann")],
        changes: ["labl": .text("x")],
        data: nil
      )
    )
    #expect(
      rig.asked.map { $0.items?.text } == ["open \"ann\"", "add \"bob\"", "change \"ann\""]
    )
  }

  @Test func whoeverCancelsGetsNothing() throws {
    try addPeppered()
    #expect(rig.get("ann") == .failed(.authentication(.userCancel)))
    #expect(rig.add("bob", accessControl: control).error == .authentication(.userCancel))
  }

  @Test func whereNobodyCanBeAskedNobodyIs() throws {
    try addPeppered()
    #expect(rig.get("ann", isInteractive: false) == .failed(.authentication(.notInteractive)))
    let query = KeychainRig.query("ann", ["u_AuthUI": .text("u_AuthUIF")])
    #expect(rig.call(.copy(query, after: nil)).error == .authentication(.notInteractive))
    let addition: QueryDictionary = [
      "class": .text("genp"), "acct": .text("bob"), "accc": .accessControl(control),
      "v_Data": .secret,
    ]
    let item = NewItem(addition, data: .of("secret"))
    #expect(
      rig.call(.add([item]), isInteractive: false).error == .authentication(.authenticationFailed)
    )
    #expect(rig.questions.isEmpty)
  }

  @Test func theFingerComesFirstAndScriptsAnswerBoth() throws {
    try addPeppered(.biometryAny)
    rig.typed = ["pepper"]
    #expect(rig.get("ann", script: "match") == .secret("secret"))
    #expect(rig.get("ann", script: "match,passcode:pepper") == .secret("secret"))
    #expect(rig.get("ann", script: "match,passcode:salt,passcode:pepper") == .secret("secret"))
    #expect(rig.get("ann", script: "cancel") == .failed(.authentication(.userCancel)))
  }

  @Test func aProofBeforehandAsksForNoneBecauseNothingWouldJudgeIt() {
    let answer = rig.call(.evaluate(control, [.decrypt]))
    #expect(answer.error == .authentication(.authenticationFailed))
    #expect(rig.questions.isEmpty)
  }

  @Test func aScriptThatWaitsAnswersACallerWithoutAnInterface() throws {
    #expect(
      rig.add("ann", accessControl: try AccessControl(.whenUnlocked, flags: .biometryAny)).error
        == nil
    )
    let query = KeychainRig.query("ann")
    let alone = rig.call(.copy(query, after: nil), hasInterface: false)
    #expect(alone.error == .authentication(.notInteractive))
    let script = ScriptSource(text: .of("match"), isArgument: true)
    _ = try rig.engine.queueScript(script, times: 1, on: "sim", caller: rig.caller)
    #expect(rig.call(.copy(query, after: nil), hasInterface: false).error == nil)
  }
}
