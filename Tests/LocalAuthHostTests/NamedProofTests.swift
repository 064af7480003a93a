import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthTestSupport
import Testing

/// What was proven serves the items, the operation and the message that the prompt was about, and
/// nothing else.
@Suite struct NamedProofTests {
  private static let notAsked = KeychainError.authentication(.notInteractive)
  private let guarded: AccessControl
  private let eachUse: AccessControl
  private let keyUse: AccessControl

  init() throws {
    guarded = try AccessControl(.whenUnlocked, flags: .devicePasscode)
    eachUse = try AccessControl(.whenUnlocked, flags: [.devicePasscode, .eachUse])
    keyUse = try AccessControl(.whenUnlocked, flags: [.privateKeyUsage, .devicePasscode])
  }

  /// A keychain with a password for each of these accounts.
  private func rig(_ accounts: [String], _ accessControl: AccessControl) throws -> KeychainRig {
    let rig = try KeychainRig()
    for account in accounts {
      let added = rig.add(account, accessControl: accessControl, more: ["svce": .text("mail")])
      try #require(added.error == nil)
    }
    return rig
  }

  private func find(_ account: String) -> QueryDictionary {
    ["class": .text("genp"), "acct": .text(account)]
  }

  private func change(_ account: String) -> KeychainRequest.Operation {
    .update(find(account), changes: ["icmt": .text("new")], data: nil)
  }

  // MARK: Items

  @Test func aTouchForOneItemOpensNoOther() throws {
    let rig = try rig(["ann", "bob"], guarded)
    let context = rig.newContext()
    #expect(rig.get("ann", script: "passcode:1234", context: context) == .secret("secret"))
    #expect(rig.prompts.map(\.items?.text) == [#"open "mail" (account ann)"#])
    #expect(rig.get("bob", context: context, isInteractive: false) == .failed(Self.notAsked))
    #expect(rig.get("ann", context: context, isInteractive: false) == .secret("secret"))
    #expect(rig.get("bob", script: "passcode:1234", context: context) == .secret("secret"))
    #expect(rig.prompts.last?.items?.text == #"open "mail" (account bob)"#)
  }

  @Test func aPromptForManySaysHowManyAndServesThemAll() throws {
    let accounts = (1...17).map { "user\($0)" }
    let rig = try rig(accounts, guarded)
    let context = rig.newContext()
    let query = KeychainRig.query(nil, ["m_Limit": .text("m_LimitAll")])
    let answer = rig.call(.copy(query, after: nil), script: "passcode:1234", context: context)
    #expect(answer.items.count == 17)
    let items = try #require(rig.prompts.first?.items)
    #expect(items.count == 17)
    #expect(items.names.count == NamedItems.mostNames)
    #expect(items.text.hasPrefix("open 17 items: "))
    #expect(items.text.hasSuffix(" and 13 more"))
    for account in accounts {
      #expect(rig.get(account, context: context, isInteractive: false) == .secret("secret"))
    }
  }

  @Test func whatIsAddedAfterThePromptIsNotServedByIt() throws {
    let rig = try rig(["ann"], guarded)
    let context = rig.newContext()
    #expect(rig.get("ann", script: "passcode:1234", context: context) == .secret("secret"))
    rig.add("bob", accessControl: guarded)
    #expect(rig.get("bob", context: context, isInteractive: false) == .failed(Self.notAsked))
  }

  @Test func whatIsAddedWhileThePromptIsShownIsAskedForByItself() throws {
    let rig = try rig(["ann"], guarded)
    let query = KeychainRig.query(nil, ["m_Limit": .text("m_LimitAll")])
    let call = rig.ask(.copy(query, after: nil), context: rig.newContext())
    #expect(rig.prompts.last?.items?.text == #"open "mail" (account ann)"#)
    rig.add("bob", accessControl: guarded)
    try rig.answerPasscode(call)
    #expect(call.answer == nil)
    #expect(rig.prompts.last?.items?.text == #"open "bob""#)
    try rig.answerPasscode(call)
    #expect(call.answer?.items.count == 2)
  }

  @Test func anItemThatTookTheNamedOnesPlaceIsAskedForByItself() throws {
    let rig = try rig(["ann"], guarded)
    let call = rig.ask(.copy(KeychainRig.query("ann"), after: nil), context: rig.newContext())
    #expect(rig.call(.delete(find("ann"))).error == nil)
    rig.add("ann", "other", accessControl: guarded)
    try rig.answerPasscode(call)
    #expect(call.answer == nil)
    #expect(rig.prompts.last?.items?.text == #"open "ann""#)
    try rig.answerPasscode(call)
    #expect(call.answer.map { KeychainRig.Read($0) } == .secret("other"))
  }

  // MARK: Operations

  @Test func aTouchToOpenChangesNothingAndOneToChangeOpensNothing() throws {
    let rig = try rig(["ann", "bob"], guarded)
    let context = rig.newContext()
    #expect(rig.get("ann", script: "passcode:1234", context: context) == .secret("secret"))
    #expect(rig.call(change("ann"), context: context, isInteractive: false).error == Self.notAsked)
    #expect(rig.call(change("bob"), script: "passcode:1234", context: context).error == nil)
    #expect(rig.prompts.last?.items?.text == #"change "mail" (account bob)"#)
    #expect(rig.get("bob", context: context, isInteractive: false) == .failed(Self.notAsked))
  }

  @Test func anAccessControlThatWasProvenBeforehandServesEveryItemThatHasIt() throws {
    let rig = try rig(["ann", "bob"], guarded)
    let context = rig.newContext()
    let asked = rig.call(
      .evaluate(guarded, [.decrypt, .update]),
      script: "passcode:1234",
      context: context
    )
    #expect(asked.error == nil)
    #expect(
      rig.prompts.map(\.items?.text) == ["open or change any item that asks for devicePasscode"]
    )
    for account in ["ann", "bob"] {
      #expect(rig.get(account, context: context, isInteractive: false) == .secret("secret"))
      #expect(rig.call(change(account), context: context, isInteractive: false).error == nil)
    }
  }

  // MARK: Keys

  private func sign(_ message: String) -> KeychainRequest.Operation {
    .useKey(
      ["class": .text("keys")],
      .sign(Array(message.utf8), .ecdsaSignatureMessageX962SHA256)
    )
  }

  private func keyRig(_ accessControl: AccessControl) throws -> KeychainRig {
    let rig = try KeychainRig()
    let made = rig.call(
      .generateKey(["labl": .text("signer"), "accc": .accessControl(accessControl)])
    )
    try #require(made.error == nil)
    return rig
  }

  @Test func aTouchForOneSignatureGivesNoOther() throws {
    let rig = try keyRig(keyUse)
    let context = rig.newContext()
    #expect(rig.call(sign("one"), script: "passcode:1234", context: context).error == nil)
    #expect(rig.prompts.map(\.items?.text) == [#"sign with "signer""#])
    for message in ["two", "one"] {
      let again = rig.call(sign(message), context: context, isInteractive: false)
      #expect(again.error == Self.notAsked)
      #expect(again.keyUse == nil)
    }
  }

  /// An access control that says nothing of keys guards one use as it would guard one reading.
  @Test func aTouchForOneUseOfAKeyThatIsGuardedAsAnItemGivesNoOther() throws {
    let control = try AccessControl(.whenUnlocked, flags: .devicePasscode)
    let rig = try keyRig(control)
    let context = rig.newContext()
    #expect(rig.call(sign("one"), script: "passcode:1234", context: context).error == nil)
    #expect(rig.prompts.map(\.items?.text) == [#"use "signer""#])
    for message in ["two", "one"] {
      let again = rig.call(sign(message), context: context, isInteractive: false)
      #expect(again.error == Self.notAsked && again.keyUse == nil)
    }
    // Whoever was shown the keys signs nothing with them.
    let all: QueryDictionary = ["class": .text("keys"), "r_Attributes": .boolean(true)]
    let list = KeychainRequest.Operation.copy(all, after: nil)
    #expect(rig.call(list, script: "passcode:1234", context: context).error == nil)
    #expect(rig.call(list, context: context, isInteractive: false).error == nil)
    #expect(rig.call(sign("two"), context: context, isInteractive: false).error == Self.notAsked)
    // What was asked about every such item beforehand goes for every such key.
    let ahead = rig.newContext()
    #expect(
      rig.call(.evaluate(control, [.decrypt]), script: "passcode:1234", context: ahead).error == nil
    )
    for message in ["one", "two"] {
      #expect(rig.call(sign(message), context: ahead, isInteractive: false).keyUse != nil)
    }
  }

  @Test func aCallBesideTheOneThatAskedDoesNotGetItsSignature() throws {
    let rig = try keyRig(keyUse)
    let context = rig.newContext()
    let asking = rig.ask(sign("one"), context: context)
    let beside = rig.call(sign("two"), context: context, isInteractive: false)
    #expect(beside.error == Self.notAsked)
    try rig.answerPasscode(asking)
    #expect(asking.answer?.keyUse != nil)
    #expect(rig.call(sign("two"), context: context, isInteractive: false).error == Self.notAsked)
  }

  @Test func aKeyThatWasProvenBeforehandSignsUntilItsContextEnds() throws {
    let rig = try keyRig(keyUse)
    let context = rig.newContext()
    let asked = rig.call(.evaluate(keyUse, [.sign]), script: "passcode:1234", context: context)
    #expect(asked.error == nil)
    #expect(
      rig.prompts.map(\.items?.text)
        == ["sign with any key that asks for devicePasscode,privateKeyUsage"]
    )
    for message in ["one", "two"] {
      #expect(rig.call(sign(message), context: context, isInteractive: false).error == nil)
    }
  }

  // MARK: Each use

  @Test func anItemThatAsksAtEachUseAsksAtEachUse() throws {
    let rig = try rig(["ann"], eachUse)
    let context = rig.newContext()
    for count in 1...3 {
      #expect(rig.get("ann", context: context, isInteractive: false) == .failed(Self.notAsked))
      #expect(rig.get("ann", script: "passcode:1234", context: context) == .secret("secret"))
      #expect(rig.prompts.count == count)
    }
  }

  @Test func askingForItsAttributesIsAUseToo() throws {
    let rig = try rig(["ann"], eachUse)
    let context = rig.newContext()
    var query = find("ann")
    query["r_Attributes"] = .boolean(true)
    let named = rig.call(.copy(query, after: nil), script: "passcode:1234", context: context)
    #expect(named.items.count == 1)
    #expect(rig.get("ann", context: context, isInteractive: false) == .failed(Self.notAsked))
  }

  @Test func askingForItsAttributesSpendsWhatWasProvenBeforehand() throws {
    let rig = try rig(["ann"], eachUse)
    let context = rig.newContext()
    let evaluate = KeychainRequest.Operation.evaluate(eachUse, [.decrypt, .update])
    #expect(rig.call(evaluate, script: "passcode:1234", context: context).error == nil)
    var query = find("ann")
    query["r_Attributes"] = .boolean(true)
    let named = rig.call(.copy(query, after: nil), context: context, isInteractive: false)
    #expect(named.items.count == 1)
    #expect(rig.get("ann", context: context, isInteractive: false) == .failed(Self.notAsked))
  }

  @Test func onePromptServesEachOfTheNamedItemsOnce() throws {
    let rig = try rig(["ann", "bob"], eachUse)
    let context = rig.newContext()
    let query = KeychainRig.query(nil, ["m_Limit": .text("m_LimitAll")])
    let answer = rig.call(.copy(query, after: nil), script: "passcode:1234", context: context)
    #expect(answer.items.count == 2)
    #expect(rig.prompts.count == 1)
    for account in ["ann", "bob"] {
      #expect(rig.get(account, context: context, isInteractive: false) == .failed(Self.notAsked))
    }
  }

  @Test func provenBeforehandItHasOneUseByOneCall() throws {
    let rig = try rig(["ann", "bob"], eachUse)
    let context = rig.newContext()
    let evaluate = KeychainRequest.Operation.evaluate(eachUse, [.decrypt, .update])
    #expect(rig.call(evaluate, script: "passcode:1234", context: context).error == nil)
    #expect(
      rig.prompts.map(\.items?.text)
        == ["open or change one item that asks for devicePasscode,eachUse"]
    )
    #expect(rig.get("ann", context: context, isInteractive: false) == .secret("secret"))
    for account in ["ann", "bob"] {
      #expect(rig.get(account, context: context, isInteractive: false) == .failed(Self.notAsked))
      let changed = rig.call(change(account), context: context, isInteractive: false)
      #expect(changed.error == Self.notAsked)
    }
  }

  @Test func oneUseIsEnoughWhereAnApplicationPasswordIsStretchedInBetween() throws {
    let flags: AccessControlFlags = [.devicePasscode, .eachUse, .applicationPassword]
    let control = try AccessControl(.whenUnlocked, flags: flags)
    let rig = try KeychainRig()
    #expect(rig.add("ann", accessControl: control, password: "pepper").error == nil)
    let context = rig.newContext()
    for count in 1...2 {
      let read = rig.get("ann", script: "passcode:1234", context: context, password: "pepper")
      #expect(read == .secret("secret"))
      #expect(rig.prompts.count == count)
    }
    let changed = rig.call(
      change("ann"),
      script: "passcode:1234",
      context: context,
      password: "pepper"
    )
    #expect(changed.error == nil)
    #expect(rig.prompts.count == 3)
  }

  @Test func anItemWithoutTheFlagAsksAsBefore() throws {
    let rig = try rig(["ann"], guarded)
    let context = rig.newContext()
    #expect(rig.get("ann", script: "passcode:1234", context: context) == .secret("secret"))
    for _ in 0..<3 {
      #expect(rig.get("ann", context: context, isInteractive: false) == .secret("secret"))
    }
  }
}
