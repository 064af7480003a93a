import LocalAuthCore
import LocalAuthCrypto
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

/// What other devices do between two requests of one round.
@Suite struct SyncRacesTests {
  private static func isPush(_ request: HubRequest) -> Bool {
    if case .zonePush = request { true } else { false }
  }

  private static func isHeads(_ request: HubRequest) -> Bool { request == .heads }

  @Test func circleThatGrowsWhileItIsPulledDidNotGoBack() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second, third) = (circle.devices[0], circle.devices[1], circle.devices[2])
    try circle.exchange()
    let peer = try third.identifier
    let fourth = try SyncDevice(circle.hub, in: place.file("fourth"))
    try fourth.enter(as: "fourth", by: first)
    circle.onReply(to: second, where: Self.isHeads) { try first.remove(peer) }
    #expect(try second.synchronize().circleAlarm == nil)
    #expect(try second.report().peers.count == 3)
  }

  @Test func deviceThatIsErasedWhileItJoinsIsInNoCircle() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let (hub, first) = (circle.hub, circle.devices[0])
    let second = try SyncDevice(hub, in: place.file("second"))
    hub.lie = { _, request, reply in
      guard request == .offer else { return reply }
      hub.lie = nil
      #expect(throws: Never.self) {
        // The first time says what would die.
        second.engine.erase("sim", caller: second.caller) { _ in }
        try second.wait { second.engine.erase("sim", caller: second.caller, then: $0) }
      }
      return reply
    }
    let code = try first.invite()
    #expect(throws: EngineError.self) { try second.join(code, as: "second") }
    #expect(throws: EngineError.sync(.notMember)) { try second.report() }
    try second.restart(isUnlocked: false)
    #expect(throws: EngineError.sync(.notMember)) { try second.report() }
  }

  @Test func aDeviceBeforeItsFirstUnlockDoesNotSayThatItIsInNoCircle() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    try first.restart(isUnlocked: false)
    func isClosed(_ error: any Error) -> Bool {
      guard case .refused(let outcome)? = error as? EngineError else { return false }
      return outcome.code == .itemLocked
    }
    #expect { try first.report() } throws: { isClosed($0) }
    #expect { try first.synchronize() } throws: { isClosed($0) }
    #expect(throws: EngineError.self) { try first.found(by: .generate()) }
    try first.unlock()
    #expect(try first.report().stage == .member)
  }

  @Test(arguments: [true, false])
  func whoLeavesOrIsErasedBeforeTheFirstUnlockBeginsAnew(_ isErased: Bool) throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    try first.restart(isUnlocked: false)
    if isErased {
      first.engine.erase("sim", caller: first.caller) { _ in }
      try first.wait { first.engine.erase("sim", caller: first.caller, then: $0) }
      try first.wait {
        first.engine.setPasscode(
          .of("1234"),
          on: "sim",
          passcode: nil,
          caller: first.caller,
          then: $0
        )
      }
    } else {
      try first.leave()
    }
    try first.unlock()
    #expect(throws: EngineError.sync(.notMember)) { try first.report() }
    let code = InvitationCode.generate()
    try first.restart(reaching: ModelHub(founder: try #require(code.hubRole())))
    try first.found(by: code)
    #expect(try first.report().stage == .member)
  }

  /// The hub may do what it was asked first at the very end, and then no other password would let the device in.
  @Test func aPasswordThatTheHubMayHaveBeenToldIsNotReplaced() throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let first = try SyncDevice(hub, in: place.file("first"))
    var cuts = 0
    hub.lie = { _, request, reply in
      // The request is lost, and then the hub does not know the new password.
      guard cuts == 1 || cuts == 0 && request.isRenewal else { return reply }
      cuts += 1
      return .failed(.unreachable("cut"))
    }
    try first.found(by: code)
    try first.synchronize()
    let (old, new) = (hub.passwords[0], hub.passwords[1])
    #expect(cuts == 2 && old != new)
    #expect(hub.passwords.dropFirst(2).first == old && hub.passwords.last == new)
    #expect(Set(hub.passwords).count == 2)
  }

  @Test func zoneThatGrowsByAnEntryOfAYoungerCircleWasNotChanged() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second, third) = (circle.devices[0], circle.devices[1], circle.devices[2])
    try circle.exchange()
    let peer = try third.identifier
    try first.add("before", "1")
    try first.synchronize()
    circle.onReply(to: second, where: Self.isHeads) {
      try first.remove(peer)
      try first.add("after", "2")
      try first.synchronize()
    }
    #expect(try second.synchronize().zones[0].alarm == nil)
    #expect(try second.get("before") == "1" && second.get("after") == "2")
  }

  /// Nobody has fetched the first ones yet, and the entry says whose keys they are and not which.
  @Test func entryOfNewKeysThatArrivesLateGetsTheKeysThatWereSharedSince() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    let (hub, first) = (circle.hub, circle.devices[0])
    let peer = try circle.devices[1].identifier
    var rolls = 0
    hub.passage = { _, request in
      guard case .circlePush(let entry, _) = request, case .roll = entry.act else {
        return .arrives
      }
      rolls += 1
      if rolls == 2 { hub.arriveLate() }
      return rolls == 1 ? .arrivesLate : .arrives
    }
    try first.remove(peer)
    try first.add("mail", "1")
    for _ in 0..<3 { try first.synchronize() }
    #expect(rolls == 2)
    #expect(try first.report().zones.map(\.outgoing) == [0])
    let third = try SyncDevice(hub, in: place.file("third"))
    try third.enter(as: "third", by: first)
    try third.synchronize()
    #expect(try third.get("mail") == "1")
  }

  @Test func whatAPersonAsksForAtTheEndOfARoundIsDoneInTheNextOne() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    var invited: Result<SecretBox, EngineError>?
    circle.onReply(to: first, where: Self.isPush) {
      first.engine.inviteDevice(first.callerDevice) {
        invited = $0
      }
    }
    try first.add("mail", "1")
    try first.synchronize()
    try first.turn { invited != nil }
    #expect(throws: Never.self) { try invited?.get() }
  }

  @Test func whoWaitsBehindARoundThatFindsALieIsAnswered() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let (first, hub) = (circle.devices[0], circle.hub)
    try first.settle(hub)
    var isAnswered = false
    circle.onReply(to: first, where: Self.isHeads) {
      first.engine.synchronize(first.callerDevice) { _ in
        isAnswered = true
      }
    }
    hub.head = .beginning
    #expect(try first.synchronize().circleAlarm != nil)
    try first.turn { isAnswered }
  }

  @Test func othersAreToldOnceMoreWhereNobodyKnowsWhetherTheyWere() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let (first, hub) = (circle.devices[0], circle.hub)
    try first.settle(hub)
    func told() -> Int { hub.requests.count { $0 == .tell } }
    for isKilled in [false, true] {
      let before = told()
      hub.passage = { _, request in request == .tell ? .isLost : .arrives }
      try first.add("item \(isKilled)")
      try first.synchronize()
      #expect(told() == before)
      hub.passage = nil
      if isKilled { try first.restart() }
      try first.synchronize()
      #expect(told() == before + 1)
      try first.synchronize()
      #expect(told() == before + 1)
    }
  }
}

extension HubRequest {
  /// Whether it gives the hub a new password.
  fileprivate var isRenewal: Bool { if case .setVerifier = self { true } else { false } }
}
