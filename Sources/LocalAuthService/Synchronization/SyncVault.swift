public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret
public import LocalAuthSync

/// What a record's body says, once its keys were tried.
public enum OpenedBody: ~Copyable {
  /// Its head, and its secret.
  case record(RecordHead, Secret)
  /// The device is locked.
  case locked
  /// A newer version wrote it.
  case newer
  /// It was changed, is of another place, or sealed under another key.
  case damaged
}

/// The port to the keys of one epoch of a zone, which never cross it.
///
/// On a locked device it seals and opens records of class `afterFirstUnlock` only.
public protocol ZoneKeys: AnyObject {
  /// The epoch.
  var epoch: UInt32 { get }
  /// The name of a record.
  func name(kind: [UInt8], key: [UInt8]) -> RecordName
  /// The digest that stands for a content.
  func content(_ fields: [UInt8], _ secret: borrowing Secret) -> SyncDigest
  /// Seals a record's body for its place; nil while the device is locked, or if it is too large.
  func seal(_ head: RecordHead, _ secret: borrowing Secret, at place: RecordPlace) -> [UInt8]?
  /// Opens a record's body.
  func open(_ body: [UInt8], at place: RecordPlace) -> OpenedBody
  /// The keys of the epoch behind `epoch`, which is this one or a later one; nil on a locked device.
  func next(after epoch: UInt32) -> (any ZoneKeys)?
  /// Wraps the keys of an older epoch for who joins later; nil on a locked device.
  func wrap(_ older: any ZoneKeys, circle: SyncDigest, _ zone: ZoneName) -> [UInt8]?
  /// Opens the keys of an older epoch; nil if anything was changed.
  func unwrap(
    _ wrapped: [UInt8],
    epoch: UInt32,
    circle: SyncDigest,
    _ zone: ZoneName
  ) -> (any ZoneKeys)?
}

/// The port to what this device signs and receives with as a peer of a circle.
public protocol PeerSecrets: AnyObject, Sendable {
  /// The public halves.
  var keys: PeerKeys { get }
  /// What signs.
  var signer: any MessageSigning { get }
  /// Seals the keys of an epoch to a peer; nil for a key that is none, or on a locked device.
  func share(
    _ zoneKeys: any ZoneKeys,
    to receiver: PeerIdentifier,
    _ keys: PeerKeys,
    _ zone: ZoneName,
    in circle: CircleLog
  ) -> KeyShare?
  /// Opens a share that was verified; nil if it is for another key, or anything of it was changed.
  func open(_ share: KeyShare) -> (any ZoneKeys)?
}

/// The port to a code that a sponsor shows and a joining device is told.
public protocol JoinCode: RecordTagger {
  /// What a person reads.
  func printed() -> SecretBox
  /// The role at the hub.
  var role: HubRole { get }
  /// The password of that role.
  func password() -> SecretBox
  /// What the hub keeps of that password, with a fresh salt.
  func verifier() -> String
}

/// The port to a recovery key, which is printed once and kept nowhere.
public protocol RecoveryCode: JoinCode {
  /// What it signs with, and opens its shares with.
  var secrets: any PeerSecrets { get }
}

/// The port to everything secret that a device has for its synchronization.
///
/// It has nothing before the first unlock. Everything is called on the engine's thread.
public protocol SyncVault: AnyObject {
  /// Whether the device was unlocked since its start.
  var isOpen: Bool { get }
  /// Whether it is unlocked now.
  var isUnlocked: Bool { get }

  /// The stored form of a row; nil before the first unlock.
  func seal(_ key: [UInt8], _ value: [UInt8]) -> SealedRow?
  /// The name of the row of `key`, to remove it; nil before the first unlock.
  func name(of key: [UInt8]) -> [UInt8]?
  /// A stored row; nil if it was changed, or before the first unlock.
  func open(_ row: SealedRow) -> (key: [UInt8], value: [UInt8])?

  /// Makes the keys of a peer, and their sealed form.
  func makePeer(_ name: String) -> (secrets: any PeerSecrets, sealed: [UInt8])?
  /// The keys of a peer; nil if anything was changed, or before the first unlock.
  func openPeer(_ sealed: [UInt8], _ name: String) -> (any PeerSecrets)?

  /// Makes the keys of a zone's first epoch.
  func makeZoneKeys() -> any ZoneKeys
  /// The sealed form of the keys of an epoch; nil before the first unlock.
  func seal(_ keys: any ZoneKeys, of zone: ZoneName) -> SealedZoneKeys?
  /// The keys of an epoch, as far as the lock lets the device have them; nil if anything was changed.
  func open(_ keys: SealedZoneKeys, epoch: UInt32, of zone: ZoneName) -> (any ZoneKeys)?

  /// Seals the password of a role at the hub; nil before the first unlock.
  func seal(password: borrowing Secret) -> [UInt8]?
  /// Such a password; nil if anything was changed, or before the first unlock.
  func openPassword(_ sealed: [UInt8]) -> Secret?
  /// A new password.
  func makePassword() -> SecretBox
  /// What the hub keeps of a password, with a fresh salt.
  func verifier(of password: borrowing Secret) -> String

  /// A new code of an invitation; nil if memory is short.
  func makeJoinCode() -> (any JoinCode)?
  /// The code that a person typed; nil for anything else.
  func joinCode(typed text: borrowing Secret) -> (any JoinCode)?
  /// A new recovery key; nil if memory is short.
  func makeRecoveryCode() -> (any RecoveryCode)?
  /// The recovery key that a person typed; nil for anything else.
  func recoveryCode(typed text: borrowing Secret) -> (any RecoveryCode)?
}
