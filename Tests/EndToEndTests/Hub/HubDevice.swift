import LocalAuthCore
import LocalAuthCrypto
import LocalAuthHub
import LocalAuthSecret
import LocalAuthSync
import Testing

/// A hub on a server of its own, with one circle of one device.
final class HubDevice: Sendable {
  static let circle = SyncDigest([UInt8](repeating: 1, count: 32)) ?? .none

  let server: PostgreSQLServer
  let role = HubDevice.role(1)
  let password = HubPassword.generate()

  init(_ server: PostgreSQLServer? = nil) throws {
    self.server = try server ?? PostgreSQLServer()
    let administrator = try self.server.administrator()
    _ = try HubSchema.upgrade(administrator)
    try HubSchema.found(administrator, role: role, verifier: password.verifier())
  }

  /// A role whose last digit is this one.
  static func role(_ number: UInt8) -> HubRole {
    let role = HubRole(bytes: [UInt8](repeating: 0, count: 15) + [number])
    guard let role else { preconditionFailure("16 bytes are a role") }
    return role
  }

  /// A client of the first device's.
  func client() throws -> HubClient { try client(role, password.text) }

  /// A client of another one's.
  func client(_ role: HubRole, _ password: borrowing Secret) throws -> HubClient {
    HubClient(try server.connect(role, password))
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

  /// An entry that removes a device from a circle at these heads, behind another one, and that nobody verifies.
  static func removal(
    of cuts: [ZoneHead],
    behind previous: ChainPlace = .beginning
  ) -> CircleEntry {
    CircleEntry(
      circle: circle,
      previous: previous,
      author: PeerIdentifier(high: 1, low: 2),
      act: .remove(PeerIdentifier(high: 3, low: 4), cuts: cuts),
      signature: [UInt8](repeating: 9, count: ChainPlace.signatureSize)
    )
  }

  /// A recovery key that opens nothing.
  static func recoveryKeys(_ byte: UInt8 = 7) throws -> PeerKeys {
    let key = [UInt8](repeating: byte, count: PeerKeys.keySize)
    return try #require(PeerKeys(.recovery, signing: key, agreement: key, name: ""))
  }

  /// An entry with a recovery key, behind another one, and that nobody verifies.
  static func recovery(
    _ byte: UInt8 = 7,
    behind previous: ChainPlace = .beginning
  ) throws -> CircleEntry {
    CircleEntry(
      circle: circle,
      previous: previous,
      author: PeerIdentifier(high: 1, low: 2),
      act: .recovery(try recoveryKeys(byte)),
      signature: [UInt8](repeating: 9, count: ChainPlace.signatureSize)
    )
  }

  /// The code with which the hub refuses something; nil if it does not.
  static func refusal(_ body: () throws -> Void) -> String? {
    do { try body() } catch HubError.refused(let code, _) { return code } catch {
      return "\(error)"
    }
    return nil
  }

  /// A share that nobody opens.
  static func share(
    to receiver: UInt64,
    epoch: UInt32 = 2,
    at head: UInt64 = 1,
    sealed: [UInt8] = [1]
  ) -> KeyShare {
    KeyShare(
      circle: circle,
      zone: .items,
      epoch: epoch,
      receiver: PeerIdentifier(high: receiver, low: 0),
      sender: PeerIdentifier(high: 1, low: 2),
      circleHead: ChainPlace(number: head, digest: circle),
      ephemeral: [UInt8](repeating: 4, count: PeerKeys.keySize),
      sealed: sealed,
      signature: [UInt8](repeating: 9, count: ChainPlace.signatureSize)
    )
  }

  /// A heartbeat that nobody verifies.
  static func heartbeat(_ milliseconds: Int64) -> Heartbeat? {
    Heartbeat(
      circle: circle,
      author: PeerIdentifier(high: 1, low: 2),
      time: WallInstant(milliseconds: milliseconds),
      circleHead: ChainPlace(number: 1, digest: circle),
      heads: [],
      acknowledged: [],
      signature: [UInt8](repeating: 9, count: ChainPlace.signatureSize)
    )
  }
}
