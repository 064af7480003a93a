import LocalAuthCore
import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSync
import LocalAuthUnix
import Testing

/// Shares, older keys and heartbeats as a hub keeps them, on a real PostgreSQL.
@Suite(.enabled(if: PostgreSQLServer.isPossible, "needs root and PostgreSQL 15"))
struct HubKeysTests {
  private let hub: HubDevice
  private let other = HubDevice.role(2)
  private let password = HubPassword.generate()

  init() throws { hub = try HubDevice() }

  /// A second device of the circle.
  private func second() throws -> HubClient {
    let sponsor = try hub.client()
    try sponsor.invite(other, verifier: password.verifier(), offer: [])
    let client = try hub.client(other, password.text)
    try client.ask([1])
    try sponsor.admit(other, answer: [])
    return client
  }

  /// What is counted against the circle's share of the disk.
  private func bytesUsed() throws -> Int64? {
    Int64(try hub.server.administrator().text("select bytes::text from localauth.circle"))
  }

  @Test func sharesComeToWhomTheyAreForNewestFirst() throws {
    let client = try hub.client()
    let first = HubDevice.share(to: 7)
    let later = HubDevice.share(to: 7, epoch: 3)
    try client.put([first, HubDevice.share(to: 8)])
    try client.put([later])
    #expect(try client.shares(for: first.receiver) == [later, first])
    #expect(try client.shares(for: PeerIdentifier(high: 9, low: 9)).isEmpty)
    #expect(throws: HubError.self, "of two epochs") { try client.put([first, later]) }
  }

  /// The circle's log decides whose epoch it is; the loser's shares must not stand in the winner's way.
  @Test func twoDevicesThatBeginTheSameEpochKeepTheirOwnShares() throws {
    let one = try hub.client()
    let two = try second()
    let (mine, theirs) = (HubDevice.share(to: 7), HubDevice.share(to: 7, sealed: [2]))
    try one.put([mine])
    try two.put([theirs])
    #expect(Set(try one.shares(for: mine.receiver)) == [mine, theirs])
    let again = HubDevice.share(to: 7, sealed: [3])
    try one.put([again])
    #expect(Set(try one.shares(for: mine.receiver)) == [again, theirs])
  }

  /// A device that loses its connection may begin the epoch anew before the hub does what it asked first.
  @Test func sharesThatComeLateTakeNoNewerOnesPlace() throws {
    let client = try hub.client()
    let late = [HubDevice.share(to: 7, at: 4), HubDevice.share(to: 8, at: 4, sealed: [5, 5])]
    let new = HubDevice.share(to: 7, at: 6, sealed: [6, 6, 6])
    try client.put([new])
    let used = try #require(try bytesUsed())
    try client.put(late)
    #expect(try client.shares(for: new.receiver) == [new])
    #expect(try client.shares(for: late[1].receiver) == [late[1]])
    #expect(try bytesUsed() == used + Int64(late[1].bytes.count) + 500)
    let newest = HubDevice.share(to: 7, at: 7)
    try client.put([newest])
    #expect(try client.shares(for: new.receiver) == [newest])
  }

  /// A sender can leave more than a message has.
  @Test func sharesOfOneSenderStandInNobodysWay() throws {
    let one = try hub.client()
    _ = try second()
    let mine = HubDevice.share(to: 7)
    try one.put([mine])
    try hub.server.administrator().runScript(
      """
      insert into localauth.key_share (circle, zone, epoch, receiver, sender, body)
        select circle, 'z' || n % 20, 1000 + n, receiver, '\(other.text)', decode(repeat('00', 64), 'hex')
          from localauth.key_share, generate_series(1, 6000) n
      """
    )
    let found =
      "from localauth.shares('\\x00000000000000070000000000000000') with ordinality as s(body, place)"
    let device = try hub.server.connect(hub.role, hub.password.text)
    #expect(try device.text("select count(*)::text \(found)") == "4096")
    let place = try device.text("select min(place)::text \(found) where length(body) > 64")
    #expect(try #require(Int(place)) <= 2)
  }

  @Test func oneSenderHasTheNewestSharesForADeviceAndNoMore() throws {
    let client = try hub.client()
    try client.put([HubDevice.share(to: 7)])
    try hub.server.administrator().runScript(
      """
      insert into localauth.key_share (circle, zone, epoch, receiver, sender, body)
        select circle, zone, 1000 + n, receiver, sender, decode(repeat('00', 64), 'hex')
          from localauth.key_share, generate_series(1, 1500) n;
      update localauth.circle set bytes = bytes + 1500 * 564
      """
    )
    let used = try #require(try bytesUsed())
    let newest = HubDevice.share(to: 7, epoch: 3000)
    try client.put([newest])
    let oldest = "select count(*) || ' ' || min(epoch) from localauth.key_share"
    #expect(try hub.server.administrator().text(oldest) == "1024 1478")
    let gone = Int64(477 * 564 + HubDevice.share(to: 7).bytes.count + 500)
    #expect(try bytesUsed() == used + Int64(newest.bytes.count) + 500 - gone)
  }

  @Test func olderKeysOfWhoBeganTheEpochStandBeforeThoseOfOthers() throws {
    let client = try hub.client()
    _ = try second()
    let entry = HubDevice.removal(of: [])
    let keys = try (1...200).map {
      try #require(OlderKeys(.items, epoch: $0, under: 201, wrapped: [1]))
    }
    try client.put(keys, at: 0)
    _ = try client.push(entry)
    try hub.server.administrator().runScript(
      """
      insert into localauth.older_key (circle, zone, newer, epoch, sender, body, head)
        select circle, zone, newer, epoch, '\(other.text)', 'x', 7 from localauth.older_key
      """
    )
    let found = try client.olderKeys(.items, under: 201)
    #expect(found.count == 256)
    #expect(keys.allSatisfy(found.contains))
  }

  @Test func olderKeysComeUnderTheEpochThatWrapsThem() throws {
    let client = try hub.client()
    let first = try #require(OlderKeys(.items, epoch: 1, under: 3, wrapped: [1]))
    let second = try #require(OlderKeys(.items, epoch: 2, under: 3, wrapped: [2]))
    let under = try #require(OlderKeys(.items, epoch: 1, under: 2, wrapped: [3]))
    try client.put([first, second, under], at: 4)
    try client.put([first], at: 4)
    #expect(try client.olderKeys(.items, under: 3) == [second, first])
    #expect(try client.olderKeys(.items, under: 2) == [under])
    #expect(try client.olderKeys(.items, under: 4).isEmpty)
  }

  /// Keys that a failed attempt to begin the epoch wrapped open under no key that anybody has.
  @Test func olderKeysThatComeLateTakeNoNewerOnesPlace() throws {
    let client = try hub.client()
    let new = try #require(OlderKeys(.items, epoch: 1, under: 3, wrapped: [1]))
    let late = try #require(OlderKeys(.items, epoch: 1, under: 3, wrapped: [6, 6]))
    let missing = try #require(OlderKeys(.items, epoch: 2, under: 3, wrapped: [7, 7]))
    try client.put([new], at: 6)
    let used = try #require(try bytesUsed())
    try client.put([late, missing], at: 4)
    #expect(try client.olderKeys(.items, under: 3) == [missing, new])
    #expect(try bytesUsed() == used + 502)
    try client.put([late], at: 7)
    #expect(try client.olderKeys(.items, under: 3) == [missing, late])
  }

  @Test func heartbeatTakesThePlaceOfTheOneBefore() throws {
    let one = try hub.client()
    let two = try second()
    let beats = try (1...3).map { try #require(HubDevice.heartbeat($0)) }
    try one.put(beats[0])
    try two.put(beats[1])
    try one.put(beats[2])
    let heard = try two.heartbeats(after: nil)
    #expect(heard.heartbeats == [HubHeartbeat(hub.role, beats[2]), HubHeartbeat(other, beats[1])])
    #expect(heard.isLast)
    #expect(try one.heartbeats(after: hub.role).heartbeats == [HubHeartbeat(other, beats[1])])
  }

  @Test func strangersSeeNoneOfThem() throws {
    let client = try hub.client()
    let share = HubDevice.share(to: 7)
    try client.put([share])
    try client.put([try #require(OlderKeys(.items, epoch: 1, under: 2, wrapped: [1]))], at: 1)
    try client.put(try #require(HubDevice.heartbeat(1)))
    try HubSchema.found(hub.server.administrator(), role: other, verifier: password.verifier())
    let stranger = try hub.client(other, password.text)
    #expect(try stranger.shares(for: share.receiver).isEmpty)
    #expect(try stranger.olderKeys(.items, under: 2).isEmpty)
    #expect(try stranger.heartbeats(after: nil).heartbeats.isEmpty)
  }

  @Test func headsSayWhereEverythingEndsAndWhatTimeItIs() throws {
    let client = try hub.client()
    let before = SystemClock.wallNow()
    #expect(try client.heads().circle == .beginning)
    let entry = HubDevice.entry([HubDevice.change(1, to: [1])], batch: 1)
    _ = try client.push(entry, [HubDevice.name(1): [1]])
    let heads = try client.heads()
    #expect(heads.zones == [ZoneHead(.items, entry.place(MessageHash()))])
    #expect(abs(heads.time.milliseconds - before.milliseconds) < 60_000)
  }
}
