import LocalAuthCore
import Testing

@testable import LocalAuthSync

/// Codes of the tests, under a number.
private struct NumberedCode: RecordTagger {
  let number: UInt8

  func tag(over message: [UInt8]) -> [UInt8] { ModelHash().sha256(of: [number] + message) }
  func verify(_ tag: [UInt8], over message: [UInt8]) -> Bool { tag == self.tag(over: message) }
}

@Suite struct InvitationTests {
  private let circle = CircleFixture.digest(1)
  private let code = NumberedCode(number: 1)

  private func moment(_ seconds: Int64, boot: UInt64 = 1) -> Moment {
    Moment(
      boot: BootInstant(nanoseconds: seconds * 1_000_000_000),
      bootID: BootIdentifier(high: boot, low: 0),
      wall: WallInstant(milliseconds: 0)
    )
  }

  private var invitation: Invitation {
    Invitation(CircleFixture.digest(2), into: circle, by: CircleFixture.keys(0), at: moment(100))
  }

  private func request(
    _ joiner: Int,
    code: NumberedCode = NumberedCode(number: 1),
    invitation: SyncDigest = CircleFixture.digest(2)
  ) -> JoinRequest {
    let consent = Voucher.consent(
      to: circle,
      invitation: invitation,
      joiner: CircleFixture.keys(joiner),
      sponsor: CircleFixture.keys(0)
    )
    func request(_ tag: [UInt8]) -> JoinRequest {
      JoinRequest(
        invitation: invitation,
        keys: CircleFixture.keys(joiner),
        consent: ModelSigner(joiner).sign(consent) ?? [],
        tag: tag
      )
    }
    return request(code.tag(over: request([]).authenticated))
  }

  @Test func aPersonIsShownNameAndWordsAndApproves() {
    var invitation = invitation
    let words = FingerprintWords.words(CircleFixture.keys(1).digest(World.ports.hash), count: 6)
    let shown = invitation.received(request(1), code, at: moment(101), World.ports)
    #expect(shown == .ask(name: "device 1", words: words))
    guard case .sign(.add(let keys, _)) = invitation.approved(at: moment(102)) else {
      Issue.record("nothing is signed")
      return
    }
    #expect(keys == CircleFixture.keys(1))
    #expect(invitation.approved(at: moment(103)) == .end)
  }

  @Test func aRequestWithAnotherCodeIsIgnoredAndTheRightOneStillCounts() {
    var invitation = invitation
    let wrong = request(1, code: NumberedCode(number: 2))
    #expect(invitation.received(wrong, code, at: moment(101), World.ports) == .ignore)
    #expect(invitation.approved(at: moment(101)) == .ignore)
    let right = invitation.received(request(1), code, at: moment(101), World.ports)
    #expect(right != .ignore)
  }

  @Test func theHubCannotExchangeKeys() {
    var invitation = invitation
    let genuine = request(1)
    let exchanged = JoinRequest(
      invitation: genuine.invitation,
      keys: CircleFixture.keys(2),
      consent: genuine.consent,
      tag: genuine.tag
    )
    #expect(invitation.received(exchanged, code, at: moment(101), World.ports) == .ignore)
  }

  @Test func aSecondDeviceDoesNotTakeTheFirstOnesPlace() {
    var invitation = invitation
    _ = invitation.received(request(1), code, at: moment(101), World.ports)
    #expect(invitation.received(request(2), code, at: moment(101), World.ports) == .ignore)
    guard case .sign(.add(let keys, _)) = invitation.approved(at: moment(102)) else {
      Issue.record("nothing is signed")
      return
    }
    #expect(keys == CircleFixture.keys(1))
  }

  @Test func itIsGoodForTenMinutesOfOneBoot() {
    var late = invitation
    #expect(late.received(request(1), code, at: moment(700), World.ports) == .end)
    var justInTime = invitation
    #expect(justInTime.received(request(1), code, at: moment(699), World.ports) != .end)
    #expect(justInTime.approved(at: moment(700)) == .end)
    var rebooted = invitation
    let next = moment(101, boot: 2)
    #expect(rebooted.received(request(1), code, at: next, World.ports) == .end)
    #expect(rebooted.received(request(1), code, at: moment(101), World.ports) == .ignore)
  }
}
