import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthService
import LocalAuthTestSupport
import Testing

/// From the simulated sensor to the secret, with the real engine, database and keys.
@Suite struct KeychainFlowTests {
  private let anyFinger: AccessControl
  private let currentSet: AccessControl
  private let passcode: AccessControl
  private let either: AccessControl
  private let both: AccessControl

  init() throws {
    anyFinger = try AccessControl(.whenUnlocked, flags: .biometryAny)
    currentSet = try AccessControl(.whenUnlocked, flags: .biometryCurrentSet)
    passcode = try AccessControl(.whenUnlocked, flags: .devicePasscode)
    either = try AccessControl(
      .whenUnlocked,
      flags: [.biometryCurrentSet, .or, .devicePasscode]
    )
    both = try AccessControl(.whenUnlocked, flags: [.biometryAny, .and, .devicePasscode])
  }

  // MARK: Without access control

  @Test func whatIsAddedIsFoundChangedAndDeleted() throws {
    let rig = try KeychainRig()
    #expect(rig.add("ann").error == nil)
    #expect(rig.get("ann") == .secret("secret"))
    #expect(rig.add("ann").error == .duplicateItem)
    let change = rig.call(
      .update(
        ["class": .text("genp"), "acct": .text("ann")],
        changes: ["v_Data": .secret],
        data: .of("new")
      )
    )
    #expect(change.error == nil)
    #expect(rig.get("ann") == .secret("new"))
    #expect(rig.call(.delete(["class": .text("genp"), "acct": .text("ann")])).error == nil)
    #expect(rig.get("ann") == .failed(.itemNotFound))
    #expect(
      rig.call(.delete(["class": .text("genp"), "acct": .text("ann")])).error == .itemNotFound
    )
  }

  @Test func aProofNamesNoFactorThatTheItemDoesNotAskFor() throws {
    let rig = try KeychainRig()
    #expect(rig.add("ann", accessControl: anyFinger).error == nil)
    let answer = rig.call(.copy(KeychainRig.query("ann"), after: nil), script: "match")
    #expect(answer.error == nil)
    #expect(answer.evaluation?.method == "fingerprint")
  }

  @Test func aRefusedAdditionChangesNothingAndHoldsUpNobody() throws {
    let rig = try KeychainRig()
    rig.add("ann", "first", more: ["labl": .text("old")])
    for _ in 0..<3 {
      let refused = rig.add("ann", "second", more: ["labl": .text("new")])
      #expect(refused.error == .duplicateItem && refused.items.isEmpty)
      #expect(rig.add("ann", "third", accessControl: anyFinger).error == .duplicateItem)
    }
    #expect(rig.get("ann") == .secret("first"))
    let query: QueryDictionary = ["class": .text("genp"), "labl": .text("new")]
    #expect(rig.call(.copy(query, after: nil)).error == .itemNotFound)
    #expect(rig.add("bob").error == nil)
    #expect(rig.get("bob") == .secret("secret"))
  }

  @Test func aLockedItemKeepsItsKey() throws {
    let rig = try KeychainRig()
    rig.add("ann", accessible: .whenUnlocked)
    try rig.lock()
    rig.clock.pass(Keybag.grace)
    #expect(rig.add("ann", "other", accessible: .always).error == .duplicateItem)
    // Encryption comes before uniqueness.
    #expect(rig.add("ann", accessible: .whenUnlocked).error == .locked)
    try rig.unlock()
    #expect(rig.get("ann") == .secret("secret"))
  }

  @Test func anUpdateOfAttributesKeepsTheData() throws {
    let rig = try KeychainRig()
    rig.add("ann")
    let change = rig.call(
      .update(
        ["class": .text("genp"), "acct": .text("ann")],
        changes: ["acct": .text("bob"), "labl": .text("work")],
        data: nil
      )
    )
    #expect(change.error == nil)
    #expect(rig.get("ann") == .failed(.itemNotFound))
    #expect(rig.get("bob") == .secret("secret"))
  }

  @Test func anUpdateOfSeveralItemsIsOneChangeOrNone() throws {
    let rig = try KeychainRig()
    for (name, label) in [("ann", "a"), ("bob", "a"), ("cid", "b")] {
      rig.add(name, more: ["labl": .text(label)])
    }
    let query: QueryDictionary = ["class": .text("genp"), "labl": .text("a")]
    let both = rig.call(
      .update(query, changes: ["icmt": .text("new"), "v_Data": .secret], data: .of("changed"))
    )
    #expect(both.error == nil)
    #expect(rig.get("ann") == .secret("changed"))
    #expect(rig.get("bob") == .secret("changed"))
    #expect(rig.get("cid") == .secret("secret"))
    // Both would have one primary key: neither is changed.
    let clash = rig.call(
      .update(query, changes: ["acct": .text("same"), "v_Data": .secret], data: .of("lost"))
    )
    #expect(clash.error == .duplicateItem)
    #expect(rig.get("ann") == .secret("changed"))
    #expect(rig.get("bob") == .secret("changed"))
  }

  @Test func aChangeOfMoreThanIsHeldAtOnceChangesNothing() throws {
    let rig = try KeychainRig()
    for number in 0..<10 { rig.add("user\(number)") }
    let change = KeychainRequest.Operation.update(
      ["class": .text("genp")],
      changes: ["icmt": .text("new"), "v_Data": .secret],
      data: .of("changed")
    )
    #expect(rig.call(change, heldBytesMax: 3000).error == .parameter(.tooMuchAtOnce))
    for number in 0..<10 { #expect(rig.get("user\(number)") == .secret("secret")) }
    // A deletion holds nothing of its items.
    #expect(rig.call(.delete(["class": .text("genp")]), heldBytesMax: 3000).error == nil)
  }

  @Test func anotherProtectionMovesTheItemToItsKeys() throws {
    let rig = try KeychainRig()
    rig.add("ann", accessible: .whenUnlocked)
    let change = rig.call(
      .update(
        ["class": .text("genp"), "acct": .text("ann")],
        changes: ["pdmn": .text("ck")],
        data: nil
      )
    )
    #expect(change.error == nil)
    try rig.lock()
    rig.clock.pass(Keybag.grace)
    #expect(rig.get("ann") == .secret("secret"))
  }

  @Test func aTombstoneGivesWayToANewItem() throws {
    let rig = try KeychainRig()
    let synchronizable: QueryDictionary = ["sync": .boolean(true)]
    #expect(rig.add("ann", more: synchronizable).error == nil)
    var query: QueryDictionary = [
      "class": .text("genp"), "acct": .text("ann"), "sync": .boolean(true),
    ]
    #expect(rig.call(.delete(query)).error == nil)
    query["r_Data"] = .boolean(true)
    #expect(rig.call(.copy(query, after: nil)).error == .itemNotFound)
    let answered = rig.add(
      "ann",
      "again",
      more: ["sync": .boolean(true), "r_Data": .boolean(true)]
    )
    #expect(KeychainRig.Read(answered) == .secret("again"))
    #expect(KeychainRig.Read(rig.call(.copy(query, after: nil))) == .secret("again"))
  }

  @Test func anItemIsFoundByItsReferenceAfterItWasRenamed() throws {
    let rig = try KeychainRig()
    let added = rig.add("ann", more: ["r_PersistentRef": .boolean(true)])
    let reference = try #require(added.items.first).item.reference
    let rename = rig.call(
      .update(
        ["class": .text("genp"), "acct": .text("ann")],
        changes: ["acct": .text("bob")],
        data: nil
      )
    )
    #expect(rename.error == nil)
    let query: QueryDictionary = [
      "v_PersistentRef": .data(reference.bytes), "r_Data": .boolean(true),
    ]
    #expect(KeychainRig.Read(rig.call(.copy(query, after: nil))) == .secret("secret"))
  }

  @Test func anotherGroupsItemIsNotFound() throws {
    let rig = try KeychainRig()
    rig.add("ann")
    rig.groups = AccessGroups(["other"])
    #expect(rig.get("ann") == .failed(.itemNotFound))
    let named = KeychainRig.query("ann", ["agrp": .text("local")])
    #expect(rig.call(.copy(named, after: nil)).error == .accessGroup("local"))
    rig.groups = AccessGroups(["*"])
    #expect(rig.get("ann") == .secret("secret"))
    rig.groups = AccessGroups([])
    #expect(rig.get("ann") == .failed(.accessGroup(nil)))
  }

  @Test func aListIsAnsweredInPiecesWithoutLosingOrRepeatingAny() throws {
    let rig = try KeychainRig()
    for number in 0..<40 { rig.add("user\(number)", "secret \(number)") }
    var seen: [String] = []
    var cursor: KeychainCursor?
    repeat {
      let query = KeychainRig.query(nil, ["m_Limit": .text("m_LimitAll")])
      let answer = rig.call(.copy(query, after: cursor), bytesMax: 1000)
      #expect(answer.error == nil)
      seen += answer.items.compactMap { $0.data?.text }
      cursor = answer.next
    } while cursor != nil
    #expect(seen.count == 40)
    #expect(Set(seen) == Set((0..<40).map { "secret \($0)" }))
  }

  @Test func aLimitHoldsAcrossPieces() throws {
    let rig = try KeychainRig()
    for number in 0..<20 { rig.add("user\(number)", "secret \(number)") }
    var left: Int64 = 13
    var cursor: KeychainCursor?
    var seen: [String] = []
    repeat {
      let query = KeychainRig.query(nil, ["m_Limit": .number(left), "r_Data": .boolean(true)])
      let answer = rig.call(.copy(query, after: cursor), bytesMax: 700)
      left -= Int64(answer.items.count)
      seen += answer.items.compactMap { $0.data?.text }
      cursor = answer.next
    } while cursor != nil
    #expect(left == 0)
    #expect(seen == (0..<13).map { "secret \($0)" })
  }

  /// The oldest may do; else few are sorted, and where there are more the whole class is gone through by age.
  @Test(arguments: [10, 20, 100, 300]) func aLimitTakesThoseThatWereAddedFirst(_ count: Int) throws
  {
    let rig = try KeychainRig()
    rig.groups = AccessGroups(["one", "two"])
    let add = { (number: Int, group: String) in
      let item: QueryDictionary = [
        "class": .text("genp"), "acct": .text("\(number)"), "svce": .text("s"),
        "agrp": .text(group), "labl": .text(number % 12 == 11 ? "rare" : "usual"),
        "v_Data": .secret,
      ]
      let answer = rig.call(.add([NewItem(item, data: .of("\(number)"))]))
      #expect(answer.error == nil)
    }
    for number in 0..<count { add(number, number % 3 == 0 ? "two" : "one") }
    func first(_ limit: Int64, _ more: QueryDictionary = [:]) -> [String] {
      var query: QueryDictionary = [
        "class": .text("genp"), "r_Data": .boolean(true), "r_Attributes": .boolean(true),
        "m_Limit": .number(limit),
      ]
      for entry in more.entries { query[entry.key] = entry.value }
      return rig.call(.copy(query, after: nil)).items.compactMap { $0.data?.text }
    }
    #expect(first(1) == ["0"])
    #expect(first(1, ["svce": .text("s")]) == ["0"])
    #expect(first(7, ["svce": .text("s")]) == (0..<7).map { "\($0)" })
    #expect(first(3, ["agrp": .text("one")]) == ["1", "2", "4"])
    #expect(first(2, ["svce": .text("none")]).isEmpty)
    let rare = (0..<count).filter { $0 % 12 == 11 }.map { "\($0)" }
    for limit in [1, 3, 20, 50] {
      #expect(first(Int64(limit), ["labl": .text("rare")]) == Array(rare.prefix(limit)))
    }
    // The oldest of the same name, whichever group it is in.
    add(0, "one")
    #expect(first(1, ["acct": .text("0"), "svce": .text("s")]) == ["0"])
    #expect(first(Int64(count) + 5).count == count + 1)
  }

  // MARK: Access control

  @Test func anItemOpensOnAMatchAndNotOnMisses() throws {
    let rig = try KeychainRig()
    rig.add("ann", accessControl: anyFinger)
    #expect(rig.get("ann", script: "match:right-index") == .secret("secret"))
    #expect(rig.get("ann", script: "miss,match:right-index") == .secret("secret"))
    #expect(
      rig.get("ann", script: "miss,miss,miss") == .failed(.authentication(.biometryLockout))
    )
    #expect(
      rig.get("ann", script: "match:right-index") == .failed(.authentication(.biometryLockout))
    )
  }

  @Test func whereNobodyCanBeAskedItStaysShut() throws {
    let rig = try KeychainRig()
    rig.add("ann", accessControl: anyFinger)
    let interactionNeeded = KeychainRig.Read.failed(.authentication(.notInteractive))
    #expect(rig.get("ann", isInteractive: false) == interactionNeeded)
    let skipping = KeychainRig.query("ann", ["u_AuthUI": .text("u_AuthUIS")])
    #expect(rig.call(.copy(skipping, after: nil)).error == .itemNotFound)
    let failing = KeychainRig.query("ann", ["u_AuthUI": .text("u_AuthUIF")])
    #expect(rig.call(.copy(failing, after: nil)).error == .authentication(.notInteractive))
  }

  @Test func aContextIsAskedOnceAndAnotherAgain() throws {
    let rig = try KeychainRig()
    rig.add("ann", accessControl: anyFinger)
    rig.add("bob", accessControl: anyFinger)
    let context = rig.newContext()
    #expect(rig.get("ann", script: "match", context: context) == .secret("secret"))
    #expect(rig.get("ann", context: context, isInteractive: false) == .secret("secret"))
    #expect(
      rig.get("bob", context: context, isInteractive: false)
        == .failed(.authentication(.notInteractive)),
      "the prompt did not name it"
    )
    #expect(rig.get("ann", isInteractive: false) == .failed(.authentication(.notInteractive)))
    var other = context
    other.context = 2
    #expect(
      rig.get("ann", context: other, isInteractive: false)
        == .failed(.authentication(.notInteractive))
    )
  }

  @Test func anAccessControlCanBeProvenBeforehand() throws {
    let rig = try KeychainRig()
    rig.add("ann", accessControl: anyFinger)
    let context = rig.newContext()
    let proven = rig.call(.evaluate(anyFinger, [.decrypt]), script: "match", context: context)
    #expect(proven.error == nil)
    #expect(rig.get("ann", context: context, isInteractive: false) == .secret("secret"))
    rig.engine.contextEnded(context)
    #expect(
      rig.get("ann", context: context, isInteractive: false)
        == .failed(.authentication(.notInteractive))
    )
  }

  @Test func oneQueryAsksOnceForSeveralItems() throws {
    let rig = try KeychainRig()
    for name in ["ann", "bob", "cid"] { rig.add(name, accessControl: anyFinger) }
    let query = KeychainRig.query(nil, ["m_Limit": .text("m_LimitAll")])
    let answer = rig.call(.copy(query, after: nil), script: "match")
    #expect(answer.error == nil)
    #expect(answer.items.count == 3)
    #expect(answer.evaluation?.attempts == 1)
  }

  @Test(arguments: ["lock", "reboot", "disconnect", "enrol", "time"])
  func anAuthorizationEndsWith(_ event: String) throws {
    let rig = try KeychainRig()
    rig.add("ann", accessControl: anyFinger)
    let context = rig.newContext()
    #expect(rig.get("ann", script: "match", context: context) == .secret("secret"))
    switch event {
    case "lock":
      try rig.lock()
      try rig.unlock()
    case "reboot":
      try rig.reboot()
      try rig.unlock()
    case "disconnect": rig.engine.connectionEnded(context.connection)
    case "enrol": try rig.enroll(.leftThumb)
    default: rig.clock.pass(Authorizations.longest)
    }
    #expect(
      rig.get("ann", context: context, isInteractive: false)
        == .failed(.authentication(.notInteractive))
    )
  }

  @Test func aNewFingerEndsItemsOfTheCurrentSet() throws {
    let rig = try KeychainRig()
    rig.add("ann", accessControl: currentSet)
    rig.add("bob", accessControl: either)
    #expect(rig.get("ann", script: "match") == .secret("secret"))
    #expect(rig.get("bob", script: "match") == .secret("secret"))
    try rig.enroll(.leftThumb)
    #expect(rig.get("ann", script: "match") == .failed(.itemNotFound))
    #expect(rig.get("bob", script: "passcode:1234") == .secret("secret"))
  }

  @Test func bothMustBeProvenWhereBothAreAskedFor() throws {
    let rig = try KeychainRig()
    rig.add("ann", accessControl: both)
    #expect(rig.get("ann", script: "match,passcode:1234") == .secret("secret"))
    #expect(
      rig.get("ann", script: "match,passcode:0,passcode:0,passcode:0")
        == .failed(.authentication(.authenticationFailed))
    )
  }

  @Test func theApplicationPasswordIsPartOfTheKey() throws {
    let rig = try KeychainRig()
    let control = try AccessControl(.whenUnlocked, flags: [.applicationPassword])
    #expect(rig.add("ann", accessControl: control, password: "pepper").error == nil)
    #expect(rig.get("ann", password: "pepper") == .secret("secret"))
    #expect(
      rig.get("ann", password: "salt") == .failed(.authentication(.authenticationFailed))
    )
    #expect(rig.get("ann") == .failed(.authentication(.userCancel)), "nobody typed it")
  }

  // MARK: The device's state

  @Test func aLockedDeviceGivesNothingThatNeedsItUnlocked() throws {
    let rig = try KeychainRig()
    rig.add("ann", accessible: .whenUnlocked)
    rig.add("bob", accessible: .afterFirstUnlock)
    rig.add("cid", accessible: .always)
    try rig.lock()
    #expect(rig.get("ann") == .secret("secret"), "the grace")
    rig.clock.pass(Keybag.grace)
    #expect(rig.get("ann") == .failed(.locked))
    #expect(rig.get("bob") == .secret("secret"))
    #expect(rig.add("dot", accessible: .whenUnlocked).error == .locked)
    try rig.reboot()
    #expect(rig.get("bob") == .failed(.locked))
    #expect(rig.get("cid") == .secret("secret"))
    try rig.unlock()
    for name in ["ann", "bob", "cid"] { #expect(rig.get(name) == .secret("secret")) }
  }

  @Test func aLockedItemIsFoundToBeDeleted() throws {
    let rig = try KeychainRig()
    rig.add("ann")
    try rig.reboot()
    #expect(rig.call(.delete(["class": .text("genp"), "acct": .text("ann")])).error == nil)
    try rig.unlock()
    #expect(rig.get("ann") == .failed(.itemNotFound))
  }

  @Test func removingThePasscodeDestroysWhatNeedsOne() throws {
    let rig = try KeychainRig()
    rig.add("ann", accessible: .whenPasscodeSetThisDeviceOnly)
    rig.add("bob")
    try rig.removePasscode()
    #expect(rig.get("ann") == .failed(.itemNotFound))
    #expect(rig.get("bob") == .secret("secret"))
    #expect(
      rig.add("ann", accessible: .whenPasscodeSetThisDeviceOnly).error
        == .authentication(.passcodeNotSet)
    )
    try rig.setPasscode("5678", old: nil)
    #expect(rig.get("ann") == .failed(.itemNotFound))
    #expect(rig.add("ann", "again", accessible: .whenPasscodeSetThisDeviceOnly).error == nil)
    #expect(rig.get("ann") == .secret("again"))
  }

  @Test func aChangedPasscodeOpensWhatTheOldOneDid() throws {
    let rig = try KeychainRig()
    rig.add("ann")
    try rig.setPasscode("5678", old: "1234")
    #expect(rig.get("ann") == .secret("secret"))
    try rig.reboot()
    #expect(throws: EngineError.self) { try rig.unlock("1234") }
    try rig.unlock("5678")
    #expect(rig.get("ann") == .secret("secret"))
  }

  // MARK: PAM

  @Test func aPAMDeviceHasNoKeychainBeforeItsPasswordWasSet() throws {
    let rig = try KeychainRig(passcode: nil, pam: true)
    #expect(rig.add("ann").error == .authentication(.passcodeNotSet))
    #expect(throws: EngineError.self) { try rig.setPasscode("wrong", old: nil) }
    try rig.setPasscode("1234", old: nil)
    #expect(rig.add("ann").error == nil)
    try rig.reboot()
    #expect(rig.get("ann") == .failed(.locked))
    try rig.unlock()
    #expect(rig.get("ann") == .secret("secret"))
  }

  @Test func aPasswordChangedElsewhereLosesNothing() throws {
    let rig = try KeychainRig(passcode: nil, pam: true)
    try rig.setPasscode("1234", old: nil)
    rig.add("ann")
    rig.pam.password = "5678"
    try rig.reboot()
    #expect(throws: EngineError.self) { try rig.unlock("5678") }
    #expect(rig.get("ann") == .failed(.locked))
    #expect(throws: EngineError.self) { try rig.setPasscode("5678", old: nil) }
    #expect(throws: EngineError.self) { try rig.setPasscode("5678", old: "9999") }
    try rig.setPasscode("5678", old: "1234")
    try rig.unlock("5678")
    #expect(rig.get("ann") == .secret("secret"))
  }
}

/// Certificates and keys, and what joins them.
@Suite struct IdentityFlowTests {
  private func rig() throws -> KeychainRig {
    let rig = try KeychainRig()
    for (name, hash) in [("one", [1, 1]), ("two", [2, 2])] as [(String, [UInt8])] {
      let certificate = rig.call(
        .add([
          NewItem(
            [
              "class": .text("cert"), "labl": .text(name), "issr": .data(hash),
              "slnr": .data(hash), "pkhh": .data(hash), "v_Data": .secret,
            ],
            data: .of("certificate \(name)")
          )
        ])
      )
      #expect(certificate.error == nil)
    }
    let key = rig.call(
      .add([
        NewItem(
          [
            "class": .text("keys"), "kcls": .number(1), "klbl": .data([1, 1]), "v_Data": .secret,
          ],
          data: .of("key")
        )
      ])
    )
    #expect(key.error == nil)
    return rig
  }

  @Test func anIdentityIsACertificateWithItsKey() throws {
    let rig = try rig()
    let answer = rig.call(
      .copy(
        ["class": .text("idnt"), "m_Limit": .text("m_LimitAll"), "r_Data": .boolean(true)],
        after: nil
      )
    )
    #expect(answer.error == nil)
    #expect(answer.items.map(\.item.itemClass) == [.identity])
    #expect(answer.items.first?.data?.text == "certificate one")
  }

  @Test func whoWantsAnObjectOfAnIdentityGetsItsKeyToo() throws {
    let answer = try rig().call(
      .copy(
        [
          "class": .text("idnt"), "m_Limit": .text("m_LimitAll"), "r_Data": .boolean(true),
          "r_Ref": .boolean(true),
        ],
        after: nil
      )
    )
    #expect(answer.items.map(\.item.itemClass) == [.identity, .key])
    #expect(answer.items.map(\.data?.text) == ["certificate one", "key"])
  }

  @Test func deletingAnIdentityDeletesBothHalvesAndNothingElse() throws {
    let rig = try rig()
    #expect(rig.call(.delete(["class": .text("idnt")])).error == nil)
    for (itemClass, count) in [("cert", 1), ("keys", 0), ("idnt", 0)] {
      let answer = rig.call(
        .copy(["class": .text(itemClass), "m_Limit": .text("m_LimitAll")], after: nil)
      )
      #expect(answer.items.count == count, "\(itemClass)")
    }
  }
}
