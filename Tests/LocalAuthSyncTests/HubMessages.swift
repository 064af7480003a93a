import LocalAuthCore
import LocalAuthKeychain
import Testing

@testable import LocalAuthSync

/// One of each message between the daemon and its worker, with every part that may be missing there and missing.
struct HubMessages {
  let requests: [HubRequest]
  let replies: [HubReply]

  private static let signature = [UInt8](repeating: 9, count: ChainPlace.signatureSize)
  private static let place = ChainPlace(number: 7, digest: CircleFixture.digest(3))
  private static let heads = [ZoneHead(.items, place)]

  static func role(_ byte: UInt8) throws -> HubRole {
    try #require(HubRole(bytes: [UInt8](repeating: byte, count: 16)))
  }

  static func name(_ byte: UInt8) -> RecordName { RecordName(CircleFixture.digest(byte)) }

  static func entry(_ changes: [ZoneChange]) -> ZoneEntry {
    ZoneEntry(
      circle: CircleFixture.digest(1),
      zone: .items,
      previous: place,
      author: CircleFixture.peer(0),
      batch: BatchIdentifier(high: 1, low: 2),
      changes: changes,
      epoch: 3,
      circleHead: place,
      heads: heads,
      signature: signature
    )
  }

  private static func change(_ byte: UInt8, isThere: Bool) -> ZoneChange {
    ZoneChange(name(byte), isThere ? CircleFixture.digest(9) : nil, .afterFirstUnlock)
  }

  static func address(_ certificate: HubAddress.Certificate? = nil) throws -> HubAddress {
    try #require(
      HubAddress(
        host: "hub.example",
        port: 5433,
        database: "hub",
        authority: "/etc/localauth/hub.pem",
        role: role(1),
        certificate: certificate
      )
    )
  }

  private static func share(_ index: Int) -> KeyShare {
    KeyShare(
      circle: CircleFixture.digest(1),
      zone: .items,
      epoch: 2,
      receiver: CircleFixture.peer(index),
      sender: CircleFixture.peer(0),
      circleHead: place,
      ephemeral: [UInt8](repeating: 4, count: PeerKeys.keySize),
      sealed: [1, 2, 3],
      signature: signature
    )
  }

  private static func checkpoint() -> ZoneCheckpoint {
    ZoneCheckpoint(
      circle: CircleFixture.digest(1),
      zone: .items,
      place: place,
      circleHead: place,
      manifest: CircleFixture.digest(4),
      author: CircleFixture.peer(0),
      signature: signature
    )
  }

  init() throws {
    let circle = try CircleFixture()
    let entry = Self.entry([Self.change(1, isThere: true), Self.change(2, isThere: false)])
    let bodies: ZoneBodies = [Self.name(1): [1, 2, 3]]
    let beat = try #require(
      Heartbeat(
        circle: CircleFixture.digest(1),
        author: CircleFixture.peer(0),
        time: WallInstant(milliseconds: -5),
        circleHead: Self.place,
        heads: Self.heads,
        acknowledged: [6],
        signature: Self.signature
      )
    )
    let older = try #require(OlderKeys(.items, epoch: 1, under: 2, wrapped: [1, 2]))
    let line = ZoneManifest.Line(
      body: CircleFixture.digest(5),
      keyClass: .whenUnlocked,
      epoch: 2,
      number: 3
    )
    let part = try #require(ManifestPart([Self.name(3): line, Self.name(1): line]))
    let removal = CircleAct.remove(CircleFixture.peer(0), cuts: Self.heads)
    requests = [
      .connect(try Self.address()),
      .connect(try Self.address(HubAddress.Certificate(path: "/etc/a.pem", key: "/etc/a.key"))),
      .circlePush(circle.entries[0], removing: nil),
      .circlePush(
        circle.entry(removal, by: 0),
        removing: HubRemoval(entry: 2, role: try Self.role(2))
      ),
      .circlePush(circle.entry(removal, by: 0), removing: HubRemoval(entry: .max, role: nil)),
      .circlePush(
        circle.entry(removal, by: 0),
        removing: HubRemoval(
          entry: 3,
          role: nil,
          remaining: HubRemaining(entries: [1, 9], roles: [try Self.role(1)], heads: Self.heads)
        )
      ),
      .circlePull(after: 3), .zonePush(entry, bodies), .zonePull(.items, after: 9, limit: 256),
      .records(.items, upTo: 7, after: nil), .records(.items, upTo: 7, after: Self.name(4)), .heads,
      .putShares([Self.share(1), Self.share(2)]), .shares(CircleFixture.peer(1)),
      .putOlderKeys([older], at: 7), .olderKeys(.items, under: 2),
      .putCheckpoint(Self.checkpoint(), part: 0, of: 2, part), .checkpoint(.items),
      .manifest(.items, at: Self.place, part: 1), .putHeartbeat(beat), .heartbeats(after: nil),
      .heartbeats(after: try Self.role(1)),
      .invite(try Self.role(3), verifier: "SCRAM-SHA-256$…", offer: [1]),
      .revoke(try Self.role(3)), .offer, .ask([2]), .requests,
      .admit(try Self.role(3), answer: [], entry: nil),
      .admit(try Self.role(3), answer: [1], entry: 9), .answer, .setVerifier("SCRAM-SHA-256$…"),
      .tell,
    ]
    replies = [
      .done, .failed(.unreachable("no route")), .failed(.refused(code: "42501", reason: "no")),
      .failed(.denied("wrong password")),
      .failed(.unexpected("")), .failed(.schema(found: nil, wanted: 1)),
      .failed(.schema(found: 9, wanted: 1)), .pushed(.refused), .pushed(.accepted(Self.place)),
      .circle([]), .circle([circle.entries[0], circle.entries[0]]),
      .zone(ZonePage(entries: [entry], bodies: bodies, head: Self.place)),
      .zone(ZonePage(entries: [], bodies: [:], head: Self.place, isCutShort: true)),
      .records(bodies, isLast: false), .records([:], isLast: true),
      .heads(
        HubHeads(circle: Self.place, zones: Self.heads, time: WallInstant(milliseconds: 12))
      ),
      .shares([Self.share(1)]), .olderKeys([older]), .checkpoint(nil, parts: 0),
      .checkpoint(Self.checkpoint(), parts: 3), .manifest(nil), .manifest(part),
      .heartbeats([HubHeartbeat(try Self.role(1), beat)], isLast: true),
      .requests([try Self.role(4): [1], try Self.role(2): []]), .letter(nil), .letter([1]),
      .letter([]), .notice(.news),
      .notice(
        .looked(HubHeads(circle: Self.place, zones: [], time: WallInstant(milliseconds: 12)))
      ),
      .notice(.failed(.denied("no such role"))),
    ]
  }
}
