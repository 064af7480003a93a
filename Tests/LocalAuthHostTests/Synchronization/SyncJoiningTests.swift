import LocalAuthSync
import LocalAuthTestSupport
import LocalAuthWire
import Testing

@testable import LocalAuthHost
@testable import LocalAuthService

/// Several devices whose people typed one code: they are one role at the hub, and one of them is let in.
@Suite struct SyncJoiningTests {
  /// A circle of one device, and two others with one code, of which the second asked first.
  private struct Shared {
    let hub: ModelHub
    let first: SyncDevice
    let second: SyncDevice
    let third: SyncDevice
    let code: String

    init(in place: ScratchDirectory) throws {
      let circle = try SyncCircle("first", in: place)
      hub = circle.hub
      first = circle.devices[0]
      second = try SyncDevice(hub, in: place.file("second"))
      third = try SyncDevice(hub, in: place.file("third"))
      code = try first.invite().text
      _ = try second.join(.of(code), as: "second")
      try second.synchronize()
    }

    func join(_ device: SyncDevice) throws {
      _ = try device.join(.of(code), as: "third")
      try device.synchronize()
    }

    func approve() throws {
      #expect(try first.answering()?.name == "second")
      try first.approve()
    }

    /// Whether anybody chose another password for the role of the code.
    var isPasswordRenewed: Bool {
      let role = second.role
      return hub.renewals.contains { $0 == role }
    }

    func expectIsOut(_ device: SyncDevice) throws {
      let report = try device.synchronize()
      #expect(report.stage == .codeWasUsed && report.failure == nil)
      #expect(report.peers.isEmpty && report.zones.isEmpty, "nothing of the circle is kept")
    }
  }

  @Test(arguments: [true, false])
  func whoseCodeLetAnotherDeviceInIsNotInAndKeepsNobodyOut(_ isBeforeApproval: Bool) throws {
    let place = ScratchDirectory()
    let shared = try Shared(in: place)
    if isBeforeApproval { try shared.join(shared.third) }
    try shared.approve()
    if !isBeforeApproval { try shared.join(shared.third) }
    try shared.expectIsOut(shared.third)
    #expect(!shared.isPasswordRenewed, "the password is for the one that is in")
    try shared.first.add("mail", "1")
    for device in [shared.first, shared.second, shared.first] { try device.synchronize() }
    #expect(shared.isPasswordRenewed)
    #expect(try shared.second.report().stage == .member && shared.second.get("mail") == "1")
    #expect(try shared.first.report().peers.map(\.name) == ["first", "second"])
    try shared.third.restart()
    try shared.expectIsOut(shared.third)
  }

  /// Whatever the hub says, the circle's log does not change.
  @Test func whoseCodeLetAnotherDeviceInIsToldSoAndAsksNoMore() throws {
    let place = ScratchDirectory()
    let shared = try Shared(in: place)
    try shared.join(shared.third)
    try shared.approve()
    try shared.second.synchronize()
    try shared.expectIsOut(shared.third)
    var asked = 0
    shared.hub.passage = { _, _ in
      asked += 1
      return .arrives
    }
    try shared.expectIsOut(shared.third)
    shared.third.clock.pass(.seconds(600))
    #expect(asked == 0)
    let reply = SyncMessages.StatusReply(try shared.third.report())
    #expect(reply.stage == "joining" && reply.failureCode == "codeWasUsed")
    #expect(reply.failure == "it let another device in by the same code")
  }

  @Test func whoseCodeLetAnotherDeviceInJoinsWithANewOne() throws {
    let place = ScratchDirectory()
    let shared = try Shared(in: place)
    try shared.join(shared.third)
    try shared.approve()
    try shared.second.synchronize()
    try shared.expectIsOut(shared.third)
    try shared.third.enter(as: "third", by: shared.first)
    #expect(try shared.third.report().peers.map(\.name) == ["first", "second", "third"])
  }

  @Test(arguments: [ModelHub.Passage.isLost, .losesReply])
  func whoWasLetInAndCutOffIsInAfterwards(_ passage: ModelHub.Passage) throws {
    let place = ScratchDirectory()
    let shared = try Shared(in: place)
    try shared.approve()
    shared.hub.passage = { [hub = shared.hub] _, request in
      guard case .circlePull(after: 0) = request else { return .arrives }
      hub.passage = nil
      return passage
    }
    let report = try shared.second.synchronize()
    #expect(report.stage == .joining && report.failure?.isDenial == false)
    try shared.second.restart()
    #expect(try shared.second.synchronize().stage == .member)
  }

  /// The hub could say that a device is in, and begin a log of its own that does not have it.
  @Test func whoIsNotInTheCirclesLogIsInNoCircleWhateverTheHubSays() throws {
    let place = ScratchDirectory()
    let shared = try Shared(in: place)
    let role = try #require(shared.second.role)
    shared.hub.lie = { asking, request, reply in
      guard asking == role else { return reply }
      switch request {
      case .answer: return .letter([1])
      case .circlePull: return .circle([])
      default: return reply
      }
    }
    try shared.expectIsOut(shared.second)
  }

  /// An answer that was lost may have been yes; one that came counts, also once the letter is gone.
  @Test func whomTheHubRefusedIsNotTakenForLetIn() {
    var admissions = SyncAdmissions()
    let peer = PeerIdentifier(high: 1, low: 2)
    #expect(!admissions.mayBeDone(for: peer))
    admissions.ask(for: peer)
    #expect(admissions.mayBeDone(for: peer) && !admissions.areDone(for: peer))
    admissions.note(.failed(.refused(code: "23505", reason: "")), of: peer)
    admissions.begin()
    #expect(!admissions.mayBeDone(for: peer))
    admissions.ask(for: peer)
    admissions.note(.done, of: peer)
    #expect(admissions.mayBeDone(for: peer) && admissions.areDone(for: peer))
  }

  /// The letter was forgotten with the invitation, or the hub keeps it back.
  @Test func aSponsorIsToldThatTheHubLetNobodyIn() throws {
    let place = ScratchDirectory()
    let shared = try Shared(in: place)
    #expect(try shared.first.answering()?.name == "second")
    shared.hub.lie = { _, request, reply in
      if case .requests = request { .requests([:]) } else { reply }
    }
    #expect(throws: EngineError.sync(.noInvitation)) { try shared.first.approve() }
    shared.hub.lie = nil
    #expect(try shared.second.synchronize().stage == .joining)
    try shared.first.approve()
    #expect(try shared.second.synchronize().stage == .member)
  }

  @Test(arguments: [true, false])
  func aSponsorIsToldThatItsInvitationIsOver(_ isAnswered: Bool) throws {
    let place = ScratchDirectory()
    let shared = try Shared(in: place)
    if isAnswered { #expect(try shared.first.answering() != nil) }
    shared.first.clock.pass(.seconds(601))
    #expect(throws: EngineError.sync(.noInvitation)) { try shared.first.answering() }
    #expect(throws: EngineError.sync(.noInvitation)) { try shared.first.approve() }
  }

  @Test func aSponsorWhoseInvitationNobodyAnsweredIsToldThatItIsOver() throws {
    let place = ScratchDirectory()
    let first = try SyncCircle("first", in: place).devices[0]
    _ = try first.invite()
    #expect(try first.answering() == nil)
    first.clock.pass(.seconds(601))
    #expect(throws: EngineError.sync(.noInvitation)) { try first.answering() }
  }

  @Test func whoIsOnItsWayIntoACircleInvitesNobodyYet() throws {
    let place = ScratchDirectory()
    let shared = try Shared(in: place)
    #expect(throws: EngineError.sync(.onItsWay)) { try shared.second.invite() }
  }

  @Test func whoAsksByAnotherNameKeepsTheFirst() throws {
    let place = ScratchDirectory()
    let shared = try Shared(in: place)
    _ = try shared.second.join(.of(shared.code), as: "another")
    #expect(try shared.second.report().name == "second")
  }
}
