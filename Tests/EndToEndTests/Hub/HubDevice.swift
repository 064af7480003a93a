import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSync

/// A hub on a server of its own, with one circle of one device.
final class HubDevice: Sendable {
  static let role = "localauth_" + String(repeating: "0", count: 31) + "1"
  static let circle = SyncDigest([UInt8](repeating: 1, count: 32)) ?? .none

  let server: PostgreSQLServer

  init() throws {
    server = try PostgreSQLServer()
    let administrator = try server.administrator()
    _ = try HubSchema.upgrade(administrator)
    try HubSchema.found(administrator, role: Self.role, verifier: "pw")
  }

  /// A client of the first device's.
  func client() throws -> HubClient {
    HubClient(try server.connect(Self.role, "pw"), MessageHash())
  }

  /// An entry of a zone that nobody verifies.
  static func entry(
    _ changes: [ZoneChange],
    after previous: ChainPlace = .beginning,
    batch: UInt64
  ) -> ZoneEntry {
    ZoneEntry(
      circle: circle,
      zone: .items,
      previous: previous,
      author: PeerIdentifier(high: 1, low: 2),
      batch: BatchIdentifier(high: 0, low: batch),
      changes: changes,
      epoch: 1,
      circleHead: ChainPlace(number: 1, digest: circle),
      heads: [],
      signature: [UInt8](repeating: 9, count: ChainPlace.signatureSize)
    )
  }

  static func name(_ byte: UInt8) -> RecordName {
    RecordName(SyncDigest([UInt8](repeating: byte, count: 32)) ?? .none)
  }

  /// A change of a record to a body.
  static func change(_ name: UInt8, to body: [UInt8]?) -> ZoneChange {
    let digest = body.map { MessageHash().digest(of: $0) }
    return ZoneChange(self.name(name), digest, body == nil ? .afterFirstUnlock : .whenUnlocked)
  }

  /// An entry that removes a device from a circle at these heads, and that nobody verifies.
  static func removal(of cuts: [ZoneHead]) -> CircleEntry {
    CircleEntry(
      circle: circle,
      previous: .beginning,
      author: PeerIdentifier(high: 1, low: 2),
      act: .remove(PeerIdentifier(high: 3, low: 4), cuts: cuts),
      signature: [UInt8](repeating: 9, count: ChainPlace.signatureSize)
    )
  }

  /// What PostgreSQL keeps of a role's password.
  static func verifier(
    of role: String,
    _ administrator: borrowing HubConnection
  ) throws -> String {
    try administrator.text("select rolpassword from pg_authid where rolname = '\(role)'")
  }
}
