import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import LocalAuthService

/// What the calls of one user hold at a time is bounded, however many there are.
@Suite struct HeldMemoryTests {
  private static let size = 60_000
  private static let other = Caller(uid: 2000, pid: 43, program: "test", process: LivingProcess())
  private static let identities: QueryDictionary = [
    "class": .text("idnt"), "m_Limit": .text("m_LimitAll"), "r_Data": .boolean(true),
    "r_Attributes": .boolean(true),
  ]
  private static let certificates: QueryDictionary = [
    "class": .text("cert"), "m_Limit": .text("m_LimitAll"), "r_Data": .boolean(true),
  ]

  private let rig: KeychainRig

  init() throws { rig = try KeychainRig { $0.servesEverybody = true } }

  private func add(_ new: [QueryDictionary], bytes: Int = Self.size, by caller: Caller? = nil) {
    for query in new {
      var query = query
      query["v_Data"] = .secret
      let data = String(repeating: "x", count: bytes)
      let call = rig.start(.add([NewItem(query, data: .of(data))]), on: "sim", by: caller)
      rig.turn { call.answer != nil }
      #expect(call.answer?.error == nil)
    }
  }

  private func someCertificates(_ count: Int, _ hash: [UInt8] = [9]) -> [QueryDictionary] {
    (0..<count).map { number in
      [
        "class": .text("cert"), "issr": .data([1]), "slnr": .data([UInt8(number)]),
        "labl": .text("\(number)"), "pkhh": .data(hash),
      ]
    }
  }

  private func key(_ tag: String, _ label: [UInt8]) -> QueryDictionary {
    ["class": .text("keys"), "kcls": .number(1), "klbl": .data(label), "atag": .text(tag)]
  }

  private func addOther() throws {
    var description = DeviceDescription(name: "sim")
    description.passcode = .of("1234")
    try rig.wait { rig.engine.create(description, caller: Self.other, then: $0) }
  }

  private var held: [Int] { rig.engine.keychainRuns.values.map(\.heldBytes) }

  /// Goes on step by step until all have ended; the most that was held by all, and by how many.
  private func most(of calls: [PendingCall]) -> (bytes: Int, holders: Int) {
    var most = (bytes: 0, holders: 0)
    while calls.contains(where: { $0.answer == nil }) {
      let held = held.filter { $0 > 0 }
      most = (max(most.bytes, held.reduce(0, +)), max(most.holders, held.count))
      guard rig.clock.runNext() else {
        rig.turn { calls.allSatisfy { $0.answer != nil } || rig.clock.hasDue }
        continue
      }
    }
    return most
  }

  @Test func identitiesThatManyConnectionsAskForAreHeldByOneAtATime() {
    add(someCertificates(20))
    add([key("one", [9])], bytes: 10)
    let calls = (0..<30).map { _ in rig.begin(.copy(Self.identities, after: nil), on: "sim") }
    let most = most(of: calls)
    // One call has everything; others, before they need its turn, have a place and as much as an answer.
    #expect(most.bytes < 20 * 100_000 + 4 * 2 * AnswerSize.bytesMax, "\(most)")
    #expect(most.holders <= 5, "\(most)")
    for call in calls { #expect(call.answer?.error == .parameter(.tooMuchAtOnce)) }
    #expect(rig.engine.searches.isFree(for: 1000) && rig.engine.largeCalls.isFree(for: 1000))
  }

  @Test func listsThatManyConnectionsAskForAreHeldByAFewAtATime() {
    add(someCertificates(12))
    let calls = (0..<30).map { _ in rig.begin(.copy(Self.certificates, after: nil), on: "sim") }
    let most = most(of: calls)
    #expect(most.holders <= 4, "\(most)")
    for call in calls {
      #expect(call.answer?.error == nil && call.answer?.items.isEmpty == false)
      #expect(call.answer?.next != nil)
    }
  }

  @Test func aListThatWaitedForItsPlaceIsWhole() {
    add(someCertificates(5))
    let calls = (0..<9).map { _ in rig.begin(.copy(Self.certificates, after: nil), on: "sim") }
    rig.turn { calls.allSatisfy { $0.answer != nil } }
    for call in calls {
      #expect(Set(call.answer?.items.map(\.item.identifier) ?? []).count == 5)
      #expect(call.answer?.items.count == 5 && call.answer?.next == nil)
    }
  }

  @Test func anotherUserDoesNotWaitForTheLineOfTheFirst() throws {
    try addOther()
    add(someCertificates(20))
    add(someCertificates(20), by: Self.other)
    add([key("one", [9])], bytes: 10, by: Self.other)
    let greedy = (0..<30).map { _ in rig.begin(.copy(Self.identities, after: nil), on: "sim") }
    let modest = rig.begin(.copy(Self.identities, after: nil), on: "sim", by: Self.other)
    while modest.answer == nil, rig.clock.runNext() {}
    #expect(modest.answer?.error == .parameter(.tooMuchAtOnce))
    #expect(greedy.filter { $0.answer != nil }.count <= 3)
    rig.turn { greedy.allSatisfy { $0.answer != nil } }
  }

  @Test(arguments: [false, true])
  func whoIsCancelledLeavesItsPlaceToTheNext(_ joins: Bool) throws {
    let query = joins ? Self.identities : Self.certificates
    add(someCertificates(20))
    let calls = (0..<12).map { _ in rig.begin(.copy(query, after: nil), on: "sim") }
    for call in calls.dropLast() { rig.engine.cancelKeychain(try #require(call.id)) }
    #expect(held.count == 1)
    rig.turn { calls.allSatisfy { $0.answer != nil } }
    #expect(calls.last?.answer?.error != .authentication(.appCancel))
    #expect(rig.engine.searches.isFree(for: 1000) && rig.engine.largeCalls.isFree(for: 1000))
  }

  @Test func nothingIsHeldWhileAPersonIsAsked() throws {
    add(someCertificates(5))
    let guarded = try AccessControl(.whenUnlocked, flags: .devicePasscode)
    add([["class": .text("cert"), "slnr": .data([99]), "accc": .accessControl(guarded)]])
    let call = rig.ask(.copy(Self.certificates, after: nil), context: rig.newContext())
    #expect(call.answer == nil && rig.prompts.count == 1)
    #expect(held == [0])
    #expect(rig.engine.searches.isFree(for: 1000))
    try rig.answerPasscode(call)
    #expect(call.answer?.error == nil && call.answer?.items.count == 6)
  }

  @Test func nothingIsHeldWhileAnApplicationPasswordIsAskedFor() throws {
    let guarded = try AccessControl(.whenUnlocked, flags: .applicationPassword)
    rig.add("own", accessControl: guarded, password: "word")
    for number in 0..<5 {
      rig.add("\(number)", String(repeating: "x", count: Self.size))
    }
    let searches = ["0", "1", "own"].map { KeychainRig.query($0) }
    let call = rig.begin(.copyEach(searches), on: "sim")
    while rig.asked.isEmpty, call.answer == nil {
      guard !rig.clock.runNext() else { continue }
      rig.turn { !rig.asked.isEmpty || call.answer != nil || rig.clock.hasDue }
    }
    #expect(rig.asked.count == 1)
    #expect(held == [0])
    #expect(rig.engine.searches.isFree(for: 1000))
    rig.turn { call.answer != nil }
  }

  @Test func searchesThatFindMoreThanAnAnswerEndTheCallAtOnce() {
    for number in 0..<12 {
      rig.add("\(number)", String(repeating: "x", count: Self.size))
    }
    let searches = (0..<12).map { KeychainRig.query("\($0)") }
    let call = rig.begin(.copyEach(searches), on: "sim")
    let most = most(of: [call])
    #expect(call.answer?.error == .parameter(.tooMuchAtOnce))
    #expect(call.answer?.failedItem == nil)
    #expect(most.bytes < AnswerSize.bytesMax + 100_000)
    #expect(rig.call(.copyEach(Array(searches.prefix(4)))).items.count == 4)
  }

  /// Certificates times keys are many more identities than items.
  @Test func identitiesOfManyKeysWithOneLabelAreMadeUpToAnAnswer() {
    add(someCertificates(40), bytes: 10)
    add((0..<60).map { key("\($0)", [9]) }, bytes: 10)
    #expect(rig.call(.copy(Self.identities, after: nil)).error == .parameter(.tooMuchAtOnce))
    var one = Self.identities
    one["m_Limit"] = .text("m_LimitOne")
    #expect(rig.call(.copy(one, after: nil)).items.count == 1)
    #expect(rig.call(.delete(["class": .text("idnt")])).count == 100)
  }

  @Test func aLargeUpdateThatWaitsForItsTurnHoldsNothing() throws {
    try addOther()
    let many = (0..<300).map { number in
      NewItem(
        ["class": .text("genp"), "acct": .text("\(number)"), "v_Data": .secret],
        data: .of("x")
      )
    }
    for caller in [rig.caller, Self.other] {
      let adding = rig.start(.add(many), on: "sim", by: caller)
      rig.turn { adding.answer != nil }
    }
    rig.disk.hold()
    let change = KeychainRequest.Operation.update(
      ["class": .text("genp")],
      changes: ["desc": .text("renamed")],
      data: nil
    )
    let first = rig.start(change, on: "sim")
    let second = rig.start(change, on: "sim", by: Self.other)
    #expect(held.filter { $0 > 0 }.count == 1)
    rig.disk.release()
    rig.turn { first.answer != nil && second.answer != nil }
    #expect(first.answer?.count == 300 && second.answer?.count == 300)
  }
}
