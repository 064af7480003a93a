import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync

/// What a device has for its synchronization before its first unlock: nothing.
final class ClosedSyncVault: SyncVault {
  var isOpen: Bool { false }
  var isUnlocked: Bool { false }
  func seal(_ key: [UInt8], _ value: [UInt8]) -> SealedRow? { nil }
  func name(of key: [UInt8]) -> [UInt8]? { nil }
  func open(_ row: SealedRow) -> (key: [UInt8], value: [UInt8])? { nil }
  func makePeer(_ name: String) -> (secrets: any PeerSecrets, sealed: [UInt8])? { nil }
  func openPeer(_ sealed: [UInt8], _ name: String) -> (any PeerSecrets)? { nil }
  func makeZoneKeys() -> any ZoneKeys { fatalError("a closed vault is not asked for keys") }
  func seal(_ keys: any ZoneKeys, of zone: ZoneName) -> SealedZoneKeys? { nil }
  func open(_ keys: SealedZoneKeys, epoch: UInt32, of zone: ZoneName) -> (any ZoneKeys)? { nil }
  func seal(password: borrowing Secret) -> [UInt8]? { nil }
  func openPassword(_ sealed: [UInt8]) -> Secret? { nil }
  func makePassword() -> SecretBox { SecretBox(Secret(capacity: 0)) }
  func verifier(of password: borrowing Secret) -> String { "" }
  func makeJoinCode() -> (any JoinCode)? { nil }
  func joinCode(typed text: borrowing Secret) -> (any JoinCode)? { nil }
  func makeRecoveryCode() -> (any RecoveryCode)? { nil }
  func recoveryCode(typed text: borrowing Secret) -> (any RecoveryCode)? { nil }
}
