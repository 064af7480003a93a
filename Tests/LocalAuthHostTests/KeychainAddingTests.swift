import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// Several items in one call: one commit, all of them or none.
@Suite struct KeychainAddingTests {
  private func password(
    _ account: String,
    _ secret: String? = "secret",
    _ more: QueryDictionary = [:]
  ) -> NewItem {
    var dictionary: QueryDictionary = ["class": .text("genp"), "acct": .text(account)]
    if secret != nil { dictionary["v_Data"] = .secret }
    for entry in more.entries { dictionary[entry.key] = entry.value }
    return NewItem(dictionary, data: secret.map { .of($0) })
  }

  @Test func allAreThereAfterwardsInTheOrderOfTheCall() throws {
    let rig = try KeychainRig()
    let accounts = (0..<50).map { "account \($0)" }
    let answer = rig.call(
      .add(accounts.map { password($0, "secret of \($0)", ["r_Attributes": .boolean(true)]) })
    )
    #expect(answer.error == nil)
    #expect(answer.items.map { $0.item.value(of: .account) } == accounts.map { .text($0) })
    for account in accounts { #expect(rig.get(account) == .secret("secret of \(account)")) }
  }

  @Test func whatOneOfThemAsksForIsAnsweredAndDataOnlyOfThatOne() throws {
    let rig = try KeychainRig()
    let answer = rig.call(
      .add([password("a"), password("b", "gold", ["r_Data": .boolean(true)]), password("c", nil)])
    )
    #expect(answer.returns == .data)
    #expect(answer.items.map { $0.data?.text } == [nil, "gold", nil])
  }

  @Test func oneThatIsThereAlreadyFailsAll() throws {
    let rig = try KeychainRig()
    rig.add("b", "older")
    let answer = rig.call(.add([password("a"), password("b"), password("c")]))
    #expect(answer.error == .duplicateItem)
    #expect(answer.failedItem == 1)
    #expect(answer.items.isEmpty)
    #expect(rig.get("a") == .failed(.itemNotFound))
    #expect(rig.get("b") == .secret("older"))
    #expect(rig.get("c") == .failed(.itemNotFound))
  }

  @Test func twoOfOneNameFailAll() throws {
    let rig = try KeychainRig()
    let answer = rig.call(.add([password("a"), password("b"), password("a", "other")]))
    #expect(answer.error == .duplicateItem)
    #expect(answer.failedItem == 2)
    #expect(rig.get("a") == .failed(.itemNotFound))
    // The turn is free again.
    #expect(rig.add("a").error == nil)
  }

  @Test func aNameInAnotherClassIsAnotherName() throws {
    let rig = try KeychainRig()
    let internet = NewItem(["class": .text("inet"), "acct": .text("a")], data: nil)
    #expect(rig.call(.add([password("a"), internet])).error == nil)
  }

  private static let senseless: [(QueryDictionary, KeychainError)] = [
    (["v_PersistentRef": .data([1])], .parameter(.malformedReference)),
    (["agrp": .text("somebody's")], .accessGroup("somebody's")),
    (["pdmn": .text("xx")], .parameter(.invalidType("pdmn"))),
  ]

  @Test(arguments: senseless)
  func oneThatMakesNoSenseFailsAllBeforeAnythingIsWritten(
    _ wrong: QueryDictionary,
    _ error: KeychainError
  ) throws {
    let rig = try KeychainRig()
    let answer = rig.call(.add([password("a"), password("b"), password("c", "x", wrong)]))
    #expect(answer.error == error)
    #expect(answer.failedItem == 2)
    #expect(rig.get("a") == .failed(.itemNotFound))
  }

  @Test func oneThatIsLockedFailsAll() throws {
    let rig = try KeychainRig()
    try rig.lock()
    rig.clock.pass(Keybag.grace)
    let answer = rig.call(.add([password("a", "x", ["pdmn": .text("dk")]), password("b")]))
    #expect(answer.error == .locked)
    #expect(answer.failedItem == 1)
    #expect(rig.get("a") == .failed(.itemNotFound))
  }

  @Test func eachGetsItsOwnKeyOfTheApplicationPassword() throws {
    let rig = try KeychainRig()
    let control = try AccessControl(.whenUnlocked, flags: .applicationPassword)
    let guarded: QueryDictionary = ["accc": .accessControl(control)]
    let answer = rig.call(
      .add([password("a", "one", guarded), password("b", "two"), password("c", "three", guarded)]),
      password: "opens"
    )
    #expect(answer.error == nil)
    #expect(rig.get("a", password: "opens") == .secret("one"))
    #expect(rig.get("b") == .secret("two"))
    #expect(rig.get("c", password: "opens") == .secret("three"))
    #expect(rig.get("c", password: "wrong") == .failed(.authentication(.authenticationFailed)))
  }

  @Test func aCallThatAddsOneSaysWhichToo() throws {
    let rig = try KeychainRig()
    rig.add("a")
    #expect(rig.add("a").failedItem == 0)
  }
}
