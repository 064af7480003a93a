import Testing

@testable import LocalAuthSync

@Suite struct KeyShareTests {
  private func share(
    _ fixture: CircleFixture,
    to receiver: Int,
    from sender: Int = 0,
    epoch: UInt32 = 1,
    signer: Int? = nil,
    at head: ChainPlace? = nil
  ) -> KeyShare {
    var share = KeyShare(
      circle: fixture.log.circle,
      zone: .items,
      epoch: epoch,
      receiver: CircleFixture.peer(receiver),
      sender: CircleFixture.peer(sender),
      circleHead: head ?? fixture.log.head,
      ephemeral: [UInt8](repeating: 4, count: PeerKeys.keySize),
      sealed: [1, 2, 3]
    )
    share.signature = ModelSigner(signer ?? sender).sign(share.signed) ?? []
    return share
  }

  private func refusal(
    _ share: KeyShare,
    _ fixture: CircleFixture,
    me: Int = 1,
    epoch: UInt32 = 1
  ) -> KeyShare.Refusal? {
    do throws(KeyShare.Refusal) {
      try share.verify(
        for: CircleFixture.peer(me),
        .items,
        epoch: epoch,
        in: fixture.log,
        CircleFixture.ports
      )
      return nil
    } catch { return error }
  }

  @Test func aShareIsForOneDeviceAndOneEpoch() throws {
    var circle = try CircleFixture()
    try circle.add(1, by: 0)
    #expect(refusal(share(circle, to: 1), circle) == .sender, "the epoch has not begun")
    let head = circle.log.head
    try circle.append(.roll(.items, epoch: 1, shares: .none), by: 0)
    #expect(refusal(share(circle, to: 1, at: head), circle) == nil)
    #expect(refusal(share(circle, to: 0, at: head), circle) == .otherPlace)
    #expect(refusal(share(circle, to: 1, at: head), circle, epoch: 2) == .otherPlace)
    #expect(refusal(share(circle, to: 1, signer: 1, at: head), circle) == .signature)
  }

  @Test func aShareOfAnAttemptThatFailedDoesNotCount() throws {
    var circle = try CircleFixture()
    try circle.add(1, by: 0)
    let early = share(circle, to: 1)
    try circle.add(2, by: 0)
    let timely = share(circle, to: 1)
    try circle.append(.roll(.items, epoch: 1, shares: .none), by: 0)
    #expect(refusal(early, circle) == .sender, "the circle was another when the epoch began")
    #expect(refusal(timely, circle) == nil)
    #expect(refusal(share(circle, to: 1), circle) == .sender, "who was there got its share with it")
    try circle.add(3, by: 0)
    #expect(refusal(share(circle, to: 3, at: early.circleHead), circle, me: 3) == .sender)
  }

  @Test func aStrangersOrRemovedDevicesShareIsRefused() throws {
    var circle = try CircleFixture()
    try circle.append(.roll(.items, epoch: 1, shares: .none), by: 0)
    try circle.add(1, by: 0)
    try circle.add(2, by: 0)
    #expect(refusal(share(circle, to: 1, from: 5), circle) == .sender)
    let early = share(circle, to: 1, from: 2)
    #expect(refusal(early, circle) == nil)
    try circle.append(.remove(CircleFixture.peer(2), cuts: []), by: 0)
    #expect(refusal(early, circle) == .sender)
    #expect(refusal(share(circle, to: 1, from: 2), circle) == .sender)
  }

  @Test func ofTwoWhoBeginAnEpochTheSlowerOnesSharesDoNotCount() throws {
    var circle = try CircleFixture()
    try circle.add(1, by: 0)
    try circle.add(2, by: 0)
    let head = circle.log.head
    try circle.append(.roll(.items, epoch: 1, shares: .none), by: 2)
    #expect(refusal(share(circle, to: 1, at: head), circle) == .sender)
    #expect(refusal(share(circle, to: 1, from: 2, at: head), circle) == nil)
    try circle.add(3, by: 0)
    #expect(refusal(share(circle, to: 3), circle, me: 3) == nil, "whoever joins later trusts all")
  }
}
