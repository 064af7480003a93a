import LocalAuthCrypto
import LocalAuthSecret
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthService

/// What a person asked of a circle and was cut off in the middle, and asks once more.
@Suite struct SyncInterruptionTests {
  /// A request behind the entry that lets a device in.
  enum Moment: CaseIterable {
    case entry
    case share
    case admission

    func isMeant(_ request: HubRequest) -> Bool {
      switch (self, request) {
      case (.entry, .circlePush), (.share, .putShares), (.admission, .admit): true
      default: false
      }
    }
  }

  /// A circle of one device with an item, and another device that asks to be let in.
  private struct Asked {
    let hub: ModelHub
    let first: SyncDevice
    let second: SyncDevice
    let code: String
    let words: [String]

    init(in place: ScratchDirectory) throws {
      let circle = try SyncCircle("first", in: place)
      hub = circle.hub
      first = circle.devices[0]
      second = try SyncDevice(hub, in: place.file("second"))
      try first.add("mail", "1")
      try first.synchronize()
      code = try first.invite().text
      words = try second.join(.of(code), as: "second")
      try second.synchronize()
      _ = try first.answering()
    }

    /// Something becomes of the next request of this moment.
    func once(_ moment: Moment, _ passage: ModelHub.Passage) {
      hub.passage = { [hub] _, request in
        guard moment.isMeant(request) else { return .arrives }
        hub.passage = nil
        return passage
      }
    }

    func expectIsIn() throws {
      for device in [first, second, first, second] { try device.synchronize() }
      #expect(try second.report().stage == .member)
      #expect(try second.get("mail") == "1")
      #expect(try first.report().peers.map(\.name) == ["first", "second"])
    }
  }

  @Test(arguments: Moment.allCases, [ModelHub.Passage.isLost, .losesReply])
  func whoIsInterruptedApprovesOnceMore(
    _ moment: Moment,
    _ passage: ModelHub.Passage
  ) throws {
    let place = ScratchDirectory()
    let asked = try Asked(in: place)
    asked.once(moment, passage)
    #expect(throws: EngineError.self) { try asked.first.approve() }
    try asked.first.approve()
    try asked.expectIsIn()
  }

  @Test(arguments: [Moment.share, .admission], [ModelHub.Passage.isLost, .losesReply])
  func aSponsorThatStartsAnewLetsInWhomItHadApproved(
    _ moment: Moment,
    _ passage: ModelHub.Passage
  ) throws {
    let place = ScratchDirectory()
    let asked = try Asked(in: place)
    asked.once(moment, passage)
    #expect(throws: EngineError.self) { try asked.first.approve() }
    try asked.first.restart()
    try asked.expectIsIn()
  }

  @Test func aSponsorThatStartsAnewLetsNobodyInWhomItHadNotApproved() throws {
    let place = ScratchDirectory()
    let asked = try Asked(in: place)
    // Whoever was told a code knows its sponsor's keys, and can say that they are its own.
    let role = try #require(asked.hub.invited.first { $0.value.request != nil }?.key)
    let request = try #require(asked.hub.invited[role]?.request.flatMap { JoinRequest($0) })
    let sponsor = try #require(asked.first.peerKeys)
    asked.hub.invited[role]?.request =
      JoinRequest(
        invitation: request.invitation,
        keys: sponsor,
        consent: request.consent,
        tag: request.tag
      ).bytes
    try asked.first.restart()
    for device in [asked.first, asked.second] { try device.synchronize() }
    #expect(!asked.hub.members.contains(role))
    #expect(try asked.second.report().stage == .joining)
  }

  @Test func whoTypesTheCodeAgainIsToldTheSameWords() throws {
    let place = ScratchDirectory()
    let asked = try Asked(in: place)
    try asked.second.restart()
    #expect(try asked.second.join(.of(asked.code), as: "second") == asked.words)
    try asked.first.approve()
    try asked.expectIsIn()
    #expect(try asked.second.join(.of(asked.code), as: "second") == asked.words)
    let other = try asked.first.invite()
    #expect(throws: EngineError.sync(.alreadyMember)) {
      try asked.second.join(other, as: "second")
    }
  }

  @Test func aMemberThatFoundsWithItsCodeElsewhereIsToldThatItIsInACircle() throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let first = try SyncDevice(hub, in: place.file("first"))
    try first.found(by: code)
    let address = try first.report().address
    #expect(throws: EngineError.sync(.alreadyMember)) {
      try first.found(by: code, at: "/elsewhere")
    }
    #expect(try first.report().address == address)
  }

  @Test func whoFoundsWithTheSameCodeAgainIsToldThatItIsDone() throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let first = try SyncDevice(hub, in: place.file("first"))
    try first.found(by: code)
    try first.restart()
    try first.found(by: code)
    #expect(try first.report().peers.count == 1 && hub.entries.count == 2)
    let asked = try first.invite().text
    let second = try SyncDevice(hub, in: place.file("second"))
    _ = try second.join(.of(asked), as: "second")
    #expect(throws: EngineError.sync(.alreadyMember)) {
      try second.wait { done in
        second.engine.foundCircle(
          second.beginning("second"),
          code: .of(asked),
          second.callerDevice,
          by: second.ownersProof,
          then: done
        )
      }
    }
  }

  @Test func aLockedDeviceLetsNobodyInWhoWouldGetNoKeys() throws {
    let place = ScratchDirectory()
    let asked = try Asked(in: place)
    try asked.first.lock()
    asked.first.clock.pass(.seconds(11))
    let entries = asked.hub.entries.count
    #expect(throws: EngineError.self) { try asked.first.approve() }
    #expect(asked.hub.entries.count == entries, "nothing was written")
    try asked.first.unlock()
    try asked.first.approve()
    try asked.expectIsIn()
  }

  @Test func whoFoundsOnceMoreSaysWhereTheHubIs() throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let first = try SyncDevice(hub, in: place.file("first"))
    hub.isDown = true
    try first.found(by: code, at: "/run/wrong")
    #expect(try first.report().address.host == "/run/wrong")
    hub.isDown = false
    try first.found(by: code, at: "/run/right")
    try first.restart()
    try first.unlock()
    try first.synchronize()
    #expect(try first.report().address.host == "/run/right")
    #expect(try first.report().stage == .member && hub.entries.count == 2)
  }

  @Test func whoFoundsOnceMoreSaysWhatTheDeviceIsCalled() throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let first = try SyncDevice(hub, in: place.file("first"))
    hub.isDown = true
    try first.found(by: code, at: "/run/wrong", as: "vm")
    try first.found(by: code, at: "/run/wrong", as: "J\u{F6}rgs Laptop")
    #expect(try first.report().name == "J\u{F6}rgs Laptop")
    hub.isDown = false
    try first.found(by: code, as: "laptop")
    #expect(try first.report().peers.map(\.name) == ["laptop"] && hub.entries.count == 2)
    try first.found(by: code, as: "another")
    #expect(try first.report().peers.map(\.name) == ["laptop"] && hub.entries.count == 2)
  }

  /// Another entry would be refused by a hub that has the first.
  @Test(arguments: [ModelHub.Passage.isLost, .losesReply], [false, true])
  func whoMayBeAtTheHubAlreadyKeepsItsName(
    _ passage: ModelHub.Passage,
    _ isRestarted: Bool
  ) throws {
    let place = ScratchDirectory()
    let code = InvitationCode.generate()
    let hub = ModelHub(founder: try #require(code.hubRole()))
    let first = try SyncDevice(hub, in: place.file("first"))
    hub.passage = { [hub] _, request in
      guard Moment.entry.isMeant(request) else { return .arrives }
      hub.passage = nil
      return passage
    }
    try first.found(by: code, as: "vm")
    if isRestarted { try first.restart() }
    try first.found(by: code, as: "laptop")
    #expect(try first.report().stage == .member)
    #expect(try first.report().peers.map(\.name) == ["vm"] && hub.entries.count == 2)
  }

  @Test func aNewCodeTakesThePlaceOfOneThatWaits() throws {
    let place = ScratchDirectory()
    let asked = try Asked(in: place)
    let (first, second) = (asked.first, asked.second)
    try first.engine.declineDevice(first.callerDevice)
    let wrong = InvitationCode.generate()
    #expect(throws: EngineError.self) {
      try second.join(SecretBox(wrong.printed), as: "second")
    }
    #expect(try second.join(.of(asked.code), as: "second") == asked.words, "it waits as before")
    let code = try first.invite().text
    let words = try second.join(.of(code), as: "second")
    #expect(words != asked.words)
    try second.restart()
    try second.unlock()
    try second.synchronize()
    #expect(try first.answering()?.words == words)
    try first.approve()
    for device in [second, first, second] { try device.synchronize() }
    #expect(try second.report().stage == .member && second.get("mail") == "1")
    #expect(try first.report().peers.count == 2)
  }

  /// A circle is left by another proof than a code takes.
  @Test func whoIsLetInWhileItsNewCodeWaitsForItsTurnStaysIn() throws {
    let place = ScratchDirectory()
    let asked = try Asked(in: place)
    let second = asked.second
    try asked.first.approve()
    let code = try asked.first.invite()
    let turns = try #require(second.synchronizer).device.mutations
    turns.enter {}
    func isAnswered(_ request: HubRequest, after begin: () -> Void) throws {
      let before = asked.hub.requests.count
      begin()
      try second.turn { asked.hub.requests.dropFirst(before).contains(request) }
      second.clock.runDue()
    }
    try isAnswered(.answer) {
      second.engine.synchronize(second.callerDevice) { _ in }
    }
    var joined: Result<[String], EngineError>?
    try isAnswered(.offer) {
      second.engine.joinCircle(
        second.beginning("second"),
        code: code,
        second.callerDevice,
        by: second.ownersProof
      ) { joined = $0 }
    }
    #expect(try second.report().stage == .joining && joined == nil)
    turns.leave()
    try second.turn { joined != nil }
    #expect(throws: EngineError.sync(.alreadyMember)) { try joined?.get() }
    try second.synchronize()
    #expect(try second.report().stage == .member && second.get("mail") == "1")
  }

  @Test func whoseHubIsNotReachedMayJoinInstead() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let second = try SyncDevice(circle.hub, in: place.file("second"))
    circle.hub.isDown = true
    try second.found(by: InvitationCode.generate())
    circle.hub.isDown = false
    try second.enter(as: "second", by: circle.devices[0])
    #expect(try second.report().peers.count == 2)
  }

  @Test func anInvitationIsShownUntilItIsOver() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    _ = try first.invite()
    #expect(try first.report().isInviting)
    first.clock.pass(.seconds(601))
    #expect(try !first.report().isInviting)
    _ = try first.invite()
    try first.engine.declineDevice(first.callerDevice)
    #expect(try !first.report().isInviting)
  }

  @Test func whoAnsweredAnInvitationIsShownOnceTheHubWasAsked() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let (first, second) = (circle.devices[0], try SyncDevice(circle.hub, in: place.file("second")))
    let words = try second.join(try first.invite(), as: "second")
    try first.synchronize()
    #expect(try first.report().answering == nil)
    try second.synchronize()
    try first.synchronize()
    let answering = try #require(try first.report().answering)
    #expect(answering.name == "second" && answering.words == words)
    try first.approve()
    #expect(try first.report().answering == nil && !first.report().isInviting)
  }

  @Test func whoWaitsForAnInvitationThatIsDeclinedIsToldSo() throws {
    let place = ScratchDirectory()
    let asked = try Asked(in: place)
    asked.hub.isDown = true
    try asked.first.engine.declineDevice(asked.first.callerDevice)
    #expect(try asked.first.synchronize().failure != nil)
    asked.hub.isDown = false
    try asked.first.synchronize()
    #expect(asked.hub.invited.isEmpty)
    let report = try asked.second.synchronize()
    #expect(report.stage == .joining && report.failure?.isDenial == true)
  }

  @Test func anotherInvitationEndsTheOneBeforeAtTheHubToo() throws {
    let place = ScratchDirectory()
    let asked = try Asked(in: place)
    let before = Set(asked.hub.invited.keys)
    asked.hub.isDown = true
    #expect(throws: EngineError.self) { try asked.first.invite() }
    asked.hub.isDown = false
    #expect(try asked.first.answering()?.words == asked.words, "it is open as before")
    _ = try asked.first.invite()
    #expect(asked.hub.invited.count == 1 && before.isDisjoint(with: asked.hub.invited.keys))
    #expect(try asked.second.synchronize().failure?.isDenial == true)
  }

  @Test(arguments: Moment.allCases, [true, false])
  func whoIsInTheCirclesLogIsLetInThoughTheInvitationEnds(
    _ moment: Moment,
    _ isDeclined: Bool
  ) throws {
    let place = ScratchDirectory()
    let asked = try Asked(in: place)
    let first = asked.first
    asked.once(moment, .losesReply)
    #expect(throws: EngineError.self) { try first.approve() }
    if isDeclined {
      try first.engine.declineDevice(first.callerDevice)
    } else {
      _ = try first.invite()
    }
    try asked.expectIsIn()
  }

  /// What may happen between the proof and the entry that lets a device in.
  @Test(arguments: [SyncFailure.locked, .noInvitation])
  func whatIsNoLongerMeantIsNotApproved(_ failure: SyncFailure) throws {
    let place = ScratchDirectory()
    let asked = try Asked(in: place)
    let (hub, first) = (asked.hub, asked.first)
    let entries = hub.entries.count
    hub.lie = { _, request, reply in
      guard request == .heads else { return reply }
      hub.lie = nil
      #expect(throws: Never.self) {
        guard failure == .locked else {
          return try first.engine.declineDevice(first.callerDevice)
        }
        try first.lock()
        first.clock.pass(.seconds(11))
      }
      return reply
    }
    #expect(throws: EngineError.sync(failure)) { try first.approve() }
    #expect(hub.entries.count == entries, "nothing was written")
  }

  @Test func aRemovalWhoseAnswerIsLostIsDoneWhenItIsAskedForAgain() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    let first = circle.devices[0]
    try circle.exchange()
    let peer = try circle.devices[1].identifier
    circle.hub.passage = { [hub = circle.hub] _, request in
      guard case .circlePush = request else { return .arrives }
      hub.passage = nil
      return .losesReply
    }
    #expect(throws: EngineError.self) { try first.remove(peer) }
    try first.remove(peer)
    #expect(try first.report().peers.map(\.name) == ["first"])
    #expect(try first.synchronize().circleAlarm == nil)
  }

  /// Two devices that have four items, of which the hub has lost the entries of three.
  private func circleWithALostHistory(
    in place: ScratchDirectory
  ) throws -> (circle: SyncCircle, first: SyncDevice, second: SyncDevice) {
    let (circle, first, second) = try SyncCircle.pair(in: place)
    try first.add("kept", "1")
    try circle.exchange()
    let kept = circle.hub.zones
    for account in ["a", "b", "c"] {
      try first.add(account, "1")
      try circle.exchange()
    }
    circle.hub.zones = kept
    return (circle, first, second)
  }

  /// Whoever has not repaired yet goes on saying how far it is in a history that the hub has lost.
  @Test func whatDevicesSaidBeforeARepairIsNoForkBehindIt() throws {
    let place = ScratchDirectory()
    let (circle, _, second) = try circleWithALostHistory(in: place)
    func heartbeats() throws {
      for device in circle.devices + circle.devices {
        device.clock.pass(.seconds(901))
        try device.synchronize()
      }
    }
    try heartbeats()
    for device in circle.devices {
      try device.repair()
      try heartbeats()
    }
    for account in ["d", "e", "f", "g", "h"] {
      try second.add(account, "1")
      try circle.exchange()
    }
    try heartbeats()
    for device in circle.devices {
      for zone in try device.report().zones { #expect(zone.alarm == nil && zone.claimed == nil) }
      for account in ["kept", "a", "b", "c", "d", "h"] { #expect(try device.get(account) == "1") }
    }
  }

  @Test func whoHasNotRepairedYetStopsNobodyWhoHas() throws {
    let place = ScratchDirectory()
    let (circle, first, second) = try circleWithALostHistory(in: place)
    for device in circle.devices { try device.synchronize() }
    try first.repair()
    for account in ["d", "e", "f", "g", "h"] {
      try first.add(account, "1")
      for device in circle.devices + [first] {
        device.clock.pass(.seconds(901))
        try device.synchronize()
      }
    }
    #expect(try first.report().zones.allSatisfy { $0.alarm == nil })
    #expect(try second.report().zones[0].alarm != nil)
    try second.repair()
    try circle.exchange()
    for device in circle.devices {
      #expect(try device.report().zones.allSatisfy { $0.alarm == nil })
      for account in ["kept", "a", "c", "h"] { #expect(try device.get(account) == "1") }
    }
  }

  @Test func whoNeverSaidAnythingLosesItsRoleAtTheHubWithItsSponsor() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", in: place)
    let first = circle.devices[0]
    circle.hub.lie = { _, request, reply in
      guard case .heartbeats = request else { return reply }
      return .heartbeats([], isLast: true)
    }
    let silent = try SyncDevice(circle.hub, in: place.file("silent"))
    try silent.enter(as: "silent", by: first)
    let role = try #require(silent.role)
    #expect(circle.hub.members.contains(role))
    try first.remove(try silent.identifier)
    try first.synchronize()
    #expect(!circle.hub.members.contains(role))
  }

  /// A role that a member let in without an entry, and that brings what another device signed, or what it takes for that.
  private func ghost(in circle: SyncCircle, like device: SyncDevice) throws -> HubRole {
    let ghost = try #require(HubRole("localauth_" + String(repeating: "f", count: 32)))
    let role = try #require(device.role)
    circle.hub.members.insert(ghost)
    circle.hub.heartbeats[ghost] = circle.hub.heartbeats[role]
    #expect(circle.hub.heartbeats[ghost] != nil)
    return ghost
  }

  /// The removal that the hub was asked for last.
  private func lastRemoval(_ hub: ModelHub) -> HubRemoval? {
    for case .circlePush(_, let removal?) in hub.requests.reversed() { return removal }
    return nil
  }

  /// Who brought a heartbeat nobody signs.
  @Test(arguments: [false, true]) func roleThatBringsAnothersHeartbeatGoes(
    _ isAsOfTheStart: Bool
  ) throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second) = (circle.devices[0], circle.devices[1])
    try circle.exchange()
    let ghost = try ghost(in: circle, like: circle.devices[2])
    if isAsOfTheStart { try first.restart() }
    try first.remove(try second.identifier)
    #expect(!circle.hub.members.contains(ghost))
    let remaining = [first.role, circle.devices[2].role].compactMap { $0 }
    #expect(circle.hub.members == Set(remaining))
    #expect(lastRemoval(circle.hub)?.remaining?.roles == [])
  }

  @Test func roleThatIsKnownIsNotThatOfWhoBringsTheSameOnceMore() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    let (first, second) = (circle.devices[0], circle.devices[1])
    try circle.exchange()
    _ = try ghost(in: circle, like: second)
    try first.remove(try second.identifier)
    let role = try #require(second.role)
    #expect(lastRemoval(circle.hub)?.role == role)
  }

  @Test func recoveryKeyRemainsByItsEntryAndTheOneBeforeDoesNot() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", in: place)
    let (first, second) = (circle.devices[0], circle.devices[1])
    try circle.exchange()
    let before = circle.hub.members
    _ = try first.makeRecoveryKey()
    let old = circle.hub.members.subtracting(before)
    let ghost = try ghost(in: circle, like: first)
    let key = try first.makeRecoveryKey()
    #expect(circle.hub.members.isDisjoint(with: old.union([ghost])))
    try first.remove(try second.identifier)
    let third = try SyncDevice(circle.hub, in: place.file("third"))
    try third.recover(key, as: "third")
    #expect(try third.report().peers.count { $0.kind == .device } == 2)
  }

  /// The hub takes any entry, so one that does not count would be the end of the circle for everybody.
  @Test func whatTwoRemoveAtOnceIsRemovedByOneEntry() throws {
    let place = ScratchDirectory()
    let circle = try SyncCircle("first", "second", "third", in: place)
    let (first, second) = (circle.devices[0], circle.devices[1])
    try circle.exchange()
    let peer = try circle.devices[2].identifier
    // Nobody heard of the third since their start, so nobody knows its role.
    circle.hub.heartbeats = [:]
    for device in [first, second] { try device.restart() }
    for device in [first, second] { try device.synchronize() }
    circle.hub.passage = { [hub = circle.hub] _, request in
      guard first.isAsked, request == .heads else { return .arrives }
      hub.passage = nil
      #expect(throws: Never.self) { try second.remove(peer) }
      return .arrives
    }
    try first.remove(peer)
    for device in [first, second, first, second] { try device.synchronize() }
    for device in [first, second] {
      #expect(try device.report().circleAlarm == nil)
      #expect(try device.report().peers.map(\.name) == ["first", "second"])
    }
  }
}
