import LocalAuthCore
import Testing

@testable import LocalAuthSync

@Suite struct HeartbeatTests {
  private let world = World(.ascending)
  private var circle: CircleLog { world.devices[0].circle }

  private func heartbeat(
    _ device: Int,
    at time: Int64,
    acknowledged: UInt64,
    signer: Int? = nil
  )
    throws -> Heartbeat
  {
    var heartbeat = try #require(
      Heartbeat(
        circle: circle.circle,
        author: World.peers[device],
        time: WallInstant(milliseconds: time),
        circleHead: circle.head,
        heads: [ZoneHead(.items, ChainPlace(number: 9, digest: CircleFixture.digest(9)))],
        acknowledged: [acknowledged]
      )
    )
    heartbeat.signature = World.signers[signer ?? device].sign(heartbeat.signed) ?? []
    return heartbeat
  }

  @Test func onlyAMembersOwnNewerHeartbeatCounts() throws {
    var book = HeartbeatBook()
    try book.hear(heartbeat(0, at: 100, acknowledged: 3), in: circle, World.ports)
    #expect(throws: HeartbeatBook.Refusal.replayed) {
      try book.hear(heartbeat(0, at: 100, acknowledged: 9), in: circle, World.ports)
    }
    #expect(throws: HeartbeatBook.Refusal.signature) {
      try book.hear(heartbeat(1, at: 100, acknowledged: 9, signer: 0), in: circle, World.ports)
    }
    #expect(throws: HeartbeatBook.Refusal.notMember) {
      try book.hear(heartbeat(1, at: 100, acknowledged: 9), in: CircleLog(), World.ports)
    }
    #expect(book.last.count == 1)
  }

  @Test func aDeviceWroteWithinAQuarterOfAnHourOfItsLastHeartbeatOrNotThen() throws {
    var book = HeartbeatBook()
    let said = 20_000_000_000 as Int64
    try book.hear(heartbeat(1, at: said, acknowledged: 3), in: circle, World.ports)
    func mayHaveWritten(_ time: Int64, _ device: Int = 1) -> Bool {
      book.mayHaveWritten(World.peers[device], at: WallInstant(milliseconds: time))
    }
    let times = [said, said + 1, said + Heartbeat.interval]
    #expect(times.allSatisfy { mayHaveWritten($0) && !mayHaveWritten($0, 2) })
    let others = [0, said - 1, said + Heartbeat.interval + 1, .max, .min]
    #expect(others.allSatisfy { !mayHaveWritten($0) })
  }

  @Test func tombstonesWaitForWhoeverWasHeardWithinNinetyDays() throws {
    var book = HeartbeatBook()
    let now = WallInstant(milliseconds: 200 * World.day)
    var horizon = TimeHorizon(now)
    for (device, acknowledged) in [(0, 9 as UInt64), (1, 7), (2, 2)] {
      let days: Int64 = device == 2 ? 110 : 200
      try book.hear(
        heartbeat(device, at: days * World.day, acknowledged: acknowledged),
        in: circle,
        World.ports
      )
    }
    #expect(book.acknowledged(.items, in: circle, horizon) == 2)
    horizon.hear(WallInstant(milliseconds: now.milliseconds + 1), from: .hub)
    #expect(book.acknowledged(.items, in: circle, horizon) == 7)
    #expect(book.isSilent(World.peers[2], horizon))
  }

  @Test func aHeartbeatOfAnyTimeIsJudged() throws {
    for time in [Int64.min, .max] {
      var book = HeartbeatBook()
      try book.hear(heartbeat(0, at: time, acknowledged: 3), in: circle, World.ports)
      for now in [Int64.min, 0, .max] {
        let horizon = TimeHorizon(WallInstant(milliseconds: now))
        #expect(book.isSilent(World.peers[0], horizon) == (now > time))
        #expect(horizon.isAhead(WallInstant(milliseconds: time)) == (time > now))
      }
    }
  }
}
