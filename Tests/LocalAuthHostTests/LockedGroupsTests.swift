import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTestSupport
import Testing

@testable import LocalAuthService

/// A group is a boundary also while what is in it cannot be read.
@Suite struct LockedGroupsTests {
  /// Why items cannot be read.
  enum Lock: CaseIterable {
    case restarted
    case locked

    func shut(_ rig: KeychainRig) throws {
      switch self {
      case .restarted: try rig.reboot()
      case .locked:
        try rig.lock()
        rig.clock.pass(Keybag.grace)
      }
    }
  }

  /// A rig in which group "a" has an item, which is found by the reference that is returned, too.
  private func rig(_ accessible: ProtectionClass? = nil) throws -> (KeychainRig, QueryDictionary) {
    let rig = try KeychainRig()
    rig.groups = AccessGroups(["a"])
    let added = rig.add("ann", accessible: accessible, more: ["r_PersistentRef": .boolean(true)])
    let reference = try #require(added.items.first).item.reference
    return (rig, ["class": .text("genp"), "v_PersistentRef": .data(reference.bytes)])
  }

  /// What is answered to each call about what a query finds.
  private func answers(to query: QueryDictionary, in rig: KeychainRig) -> [KeychainAnswer] {
    var data = query
    data["r_Data"] = .boolean(true)
    let calls: [KeychainRequest.Operation] = [
      .copy(query, after: nil), .copy(data, after: nil), .copyEach([data]),
      .update(query, changes: ["labl": .text("new")], data: nil),
      .update(query, changes: ["v_Data": .secret], data: .of("new")),
      .delete(query, onlyCounts: true), .delete(query),
    ]
    return calls.map { rig.call($0) }
  }

  private func expectNothing(
    _ query: QueryDictionary,
    in rig: KeychainRig,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let before = try rig.rows()
    for answer in answers(to: query, in: rig) {
      #expect(answer.error == .itemNotFound, sourceLocation: location)
      #expect(answer.count == nil && answer.items.isEmpty, sourceLocation: location)
    }
    #expect(try rig.rows() == before, sourceLocation: location)
  }

  // MARK: Items of other groups

  @Test(arguments: Lock.allCases)
  func aReferenceToALockedItemOfAnotherGroupNamesNothing(_ lock: Lock) throws {
    let (rig, query) = try rig()
    try lock.shut(rig)
    rig.groups = AccessGroups(["b", "c"])
    try expectNothing(query, in: rig)
    try rig.unlock()
    try expectNothing(query, in: rig)
    rig.groups = AccessGroups(["a"])
    #expect(rig.get("ann") == .secret("secret"))
  }

  @Test(arguments: Lock.allCases)
  func whoseGroupItIsHearsThatItIsLockedAndMayDeleteIt(_ lock: Lock) throws {
    for groups in [["a"], ["b", "a"], ["*"]] {
      let (rig, query) = try rig()
      try lock.shut(rig)
      rig.groups = AccessGroups(groups)
      let answers = answers(to: query, in: rig)
      #expect(answers.prefix(5).allSatisfy { $0.error == .locked }, "\(groups)")
      #expect(answers.suffix(2).map(\.count) == [1, 1], "\(groups)")
      #expect(try rig.rows().isEmpty, "\(groups)")
    }
  }

  @Test(arguments: Lock.allCases)
  func aQueryFindsTheLockedItemsOfItsGroupsOnly(_ lock: Lock) throws {
    let (rig, _) = try rig()
    rig.groups = AccessGroups(["b"])
    rig.add("bob")
    try lock.shut(rig)
    rig.groups = AccessGroups(["c"])
    try expectNothing(["class": .text("genp")], in: rig)
    rig.groups = AccessGroups(["b"])
    #expect(rig.call(.delete(["class": .text("genp")])).count == 1)
    try rig.unlock()
    rig.groups = AccessGroups(["*"])
    #expect(rig.get("ann") == .secret("secret"))
    #expect(rig.get("bob") == .failed(.itemNotFound))
  }

  @Test func anItemThatIsGoneForGoodIsNothingToAnotherGroupAndStays() throws {
    let (rig, query) = try rig(.whenPasscodeSetThisDeviceOnly)
    try rig.removePasscode()
    rig.groups = AccessGroups(["b"])
    try expectNothing(query, in: rig)
    rig.groups = AccessGroups(["a"])
    #expect(rig.call(.delete(query)).count == 1)
    #expect(try rig.rows().isEmpty)
  }

  @Test(arguments: Lock.allCases)
  func aLockedKeyOfAnotherGroupIsNotThere(_ lock: Lock) throws {
    let rig = try KeychainRig()
    rig.groups = AccessGroups(["a"])
    let made = rig.call(.generateKey(["labl": .text("signer")]))
    let reference = try #require(made.items.first).item.reference
    let query: QueryDictionary = [
      "class": .text("keys"), "v_PersistentRef": .data(reference.bytes),
    ]
    try lock.shut(rig)
    rig.groups = AccessGroups(["b"])
    let use = KeyUse.sign([1], .ecdsaSignatureMessageX962SHA256)
    #expect(rig.call(.useKey(query, use)).error == .itemNotFound)
    #expect(rig.call(.copy(query, after: nil)).error == .itemNotFound)
    #expect(rig.call(.delete(query)).error == .itemNotFound)
    rig.groups = AccessGroups(["a"])
    #expect(rig.call(.useKey(query, use)).error == .locked)
  }

  // MARK: The service's own

  /// Items of the service's own.
  enum Kind: CaseIterable {
    case store
    case document
    case row
    case keysOfFiles

    func make(in rig: KeychainRig) throws {
      switch self {
      case .store: try rig.set("theme", "dark")
      case .document: try rig.put("letter", text: "Dear Ann")
      case .row: try rig.put(row: "one", 1)
      case .keysOfFiles: _ = try rig.merge(try KeychainRig().backup(openingFiles: "1234"))
      }
    }
  }

  @Test(arguments: Kind.allCases, Lock.allCases)
  func nobodyHasTheServicesOwnItems(_ kind: Kind, _ lock: Lock) throws {
    let rig = try KeychainRig()
    try kind.make(in: rig)
    let rows = try rig.rows()
    #expect(!rows.isEmpty)
    try lock.shut(rig)
    for groups in [["*"], ["local", "*"], ["local", "more"]] {
      rig.groups = AccessGroups(groups)
      for row in rows {
        let name = PersistentReference.item(row.header.itemClass, row.header.identifier)
        let itemClass = QueryValue.text(row.header.itemClass.rawValue)
        try expectNothing(["class": itemClass], in: rig)
        try expectNothing(["class": itemClass, "sync": .text("syna")], in: rig)
        try expectNothing(["class": itemClass, "v_PersistentRef": .data(name.bytes)], in: rig)
      }
    }
    #expect(try rig.rows() == rows)
  }

  /// Writing excludes the group of tokens, reading does not.
  @Test func aLockedItemOfATokenIsNotDeletedByWhoHasAllGroups() throws {
    let rig = try KeychainRig()
    let device = try #require(rig.engine.devices.values.first)
    let item = Item(
      identifier: ItemIdentifier(high: 7, low: 7),
      itemClass: .genericPassword,
      group: AccessGroups.token,
      accessControl: AccessControl(.afterFirstUnlock),
      created: WallInstant(milliseconds: 1),
      modified: WallInstant(milliseconds: 1),
      attributes: [.account: .text("card")],
      hasData: false
    )
    let classKey = try #require(device.keybag.record.classKey(of: .afterFirstUnlock))
    let made = device.vault.seal(item, data: nil, classKey: classKey, password: nil)
    let sealed = try #require(made)
    var isStored = false
    rig.engine.runner.store([], [.add(sealed)]) { _ in isStored = true }
    rig.turn { isStored }
    let rows = try rig.rows()
    try rig.reboot()
    rig.groups = AccessGroups(["*"])
    let query: QueryDictionary = ["class": .text("genp")]
    var reference = query
    reference["v_PersistentRef"] = .data(item.reference.bytes)
    for query in [query, reference] {
      #expect(rig.call(.delete(query)).error == .itemNotFound)
      #expect(rig.call(.copy(query, after: nil)).error == .locked)
    }
    #expect(try rig.rows() == rows && rows.count == 1)
  }

  // MARK: What only the content tells

  /// No hash is kept of a comment, so nobody knows which of the items is meant.
  @Test(arguments: Lock.allCases)
  func aDeletionByWhatOnlyTheContentTellsTakesNothingWhileLocked(_ lock: Lock) throws {
    let rig = try KeychainRig()
    rig.add("ann", more: ["icmt": .text("old")])
    rig.add("bob", more: ["icmt": .text("new")])
    let rows = try rig.rows()
    try lock.shut(rig)
    let query: QueryDictionary = ["class": .text("genp"), "icmt": .text("old")]
    #expect(rig.call(.delete(query)).error == .locked)
    #expect(try rig.rows() == rows)
    try rig.unlock()
    #expect(rig.call(.delete(query)).count == 1)
    #expect(rig.get("bob") == .secret("secret"))
  }
}
