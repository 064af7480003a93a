public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret

/// Class keys opened or made for an event of a ``Keybag``, until the event decides which to keep.
///
/// Keys that are not installed are wiped when the last reference is released. It may be passed
/// between threads.
public protocol OpenedKeys: AnyObject, Sendable {
  /// Puts the keys of `classes` into the vault that this came from; call it on the engine's thread
  /// only.
  func install(_ classes: ProtectionClassSet)

  /// Seals the keys that `record` lists as a keybag, which `passcode` opens if the record has one.
  ///
  /// The secret of the vault's enrolled set is included. `completion` receives the bytes to store,
  /// or nil on failure; it runs once, on one of the vault's threads.
  func seal(
    _ record: KeybagRecord,
    passcode: SecretBox?,
    completion: @escaping @Sendable ([UInt8]?) -> Void
  )
}

/// The result of trying passcodes on a keybag.
public enum KeybagOpening: Sendable {
  case opened(any OpenedKeys)
  case wrong
  /// No verdict: the keybag is damaged, or memory is short.
  case failed
  /// No verdict, and certainly no passcode was looked at: too much waits already.
  case turnedAway
}

/// The result of using a private key.
public enum KeyUseResult: Sendable {
  case signature([UInt8])
  case sharedSecret(SecretBox)
}

/// The port to the keys of one device: its class keys in memory, and what is sealed under them.
///
/// Everything is called on the engine's thread; slow operations complete on the vault's own
/// threads. The keys themselves never cross this port.
public protocol KeyVault: AnyObject {
  // MARK: The keybag

  /// The classes whose keys are in memory.
  var held: ProtectionClassSet { get }

  /// Loads what the device key alone opens of a stored keybag: keys and the secret of the enrolled
  /// set.
  ///
  /// Returns nil if the keybag is damaged or belongs to another device.
  func load(_ keybag: [UInt8]) -> KeybagRecord?

  /// The keys in memory, plus new ones for `created`; installs nothing.
  func keys(creating created: ProtectionClassSet) -> any OpenedKeys

  /// Finds out whether one of `passcodes` opens `keybag`, without blocking.
  ///
  /// `completion` runs once, on one of the vault's threads.
  func open(
    _ keybag: [UInt8],
    with passcodes: [SecretBox],
    for charge: DurableCharge,
    completion: @escaping @Sendable (KeybagOpening) -> Void
  )

  /// Sets the keys of `classes` aside; only ``bringBack(_:)`` makes them usable again.
  func setAside(_ classes: ProtectionClassSet)

  /// Makes keys that were set aside usable again.
  func bringBack(_ classes: ProtectionClassSet)

  /// Wipes the keys of `classes` that were set aside.
  func wipeAside(_ classes: ProtectionClassSet)

  /// Wipes the keys of `classes`, including those set aside.
  func wipe(_ classes: ProtectionClassSet)

  /// Replaces the secret of the enrolled set by a new one for `generation`, or by none, and returns
  /// `keybag` with it.
  ///
  /// Returns nil if the keybag is damaged. Whatever the old secret guarded can no longer be opened.
  func renewEnrolledSet(_ generation: UInt64?, in keybag: [UInt8]) -> [UInt8]?

  // MARK: Synchronization

  /// What the device has for its synchronization.
  var sync: any SyncVault { get }

  // MARK: Items

  /// The hash under which the item with this primary key is stored.
  func hash(of key: PrimaryKey) -> ItemHash

  /// The hash by which items with this term are found; nil for an attribute that is not searchable.
  func hash(of term: SearchTerm) -> TermHash?

  /// An item without its data; nil if any of it was tampered with or its class key is not held.
  func item(_ stored: borrowing StoredItem) -> Item?

  /// The data of an item without access control, empty if it has none.
  ///
  /// Returns nil as ``item(_:)`` does, and for any other item.
  func data(of stored: borrowing StoredItem) -> Secret?

  /// The data of an item with access control, empty if it has none; spends `proof`.
  ///
  /// Returns nil as ``item(_:)`` does, and if the proof is for another item or the application
  /// password is wrong.
  func data(
    of stored: borrowing StoredItem,
    _ proof: consuming Proof,
    password: borrowing Secret?
  ) -> Secret?

  /// Seals an item with its data under the key of its class numbered `classKey`; nil if the keys
  /// that its access control needs are not held.
  func seal(
    _ item: Item,
    data: borrowing Secret?,
    classKey: UInt64,
    password: borrowing Secret?
  ) -> SealedItem?

  // MARK: Private keys

  /// Makes a private key, whose 32 bytes are the data of the item to be sealed; nil on failure.
  func makeKey(_ curve: KeyCurve) -> (key: NewKey, data: SecretBox)?

  /// Parses `data` as a private key, in the format of ``makeKey(_:)`` or of ANSI X9.63; nil for
  /// anything else.
  func readKey(_ curve: KeyCurve, _ data: SecretBox) -> (key: NewKey, data: SecretBox)?

  /// Opens an Ed25519 private key without access control, to sign for as long as the result is
  /// retained.
  ///
  /// Returns nil as ``item(_:)`` does, and for any other item.
  func signer(of stored: borrowing StoredItem) -> (any MessageSigning)?

  /// Uses a private key without access control; nil as for ``data(of:)``.
  func use(
    _ stored: borrowing StoredItem,
    for use: KeyUse
  ) throws(KeychainError) -> KeyUseResult?

  /// Uses a private key with access control and spends `proof`; nil as for
  /// ``data(of:_:password:)``.
  func use(
    _ stored: borrowing StoredItem,
    for use: KeyUse,
    _ proof: consuming Proof,
    password: borrowing Secret?
  ) throws(KeychainError) -> KeyUseResult?

  // MARK: Protected files

  /// Makes the key of a new protected file; nil if the key of its class is not held.
  ///
  /// One of ``FileProtection/completeUnlessOpen`` needs no class key: only that the device has been
  /// unlocked since it was made.
  func makeFileKey(_ protection: FileProtection) -> (key: SecretBox, wrapped: WrappedFileKey)?

  /// Opens the key of a protected file; nil if it is another device's, anything of it was changed, or
  /// the key of its class is not held.
  func openFileKey(_ wrapped: WrappedFileKey) -> SecretBox?

  /// What opens the keys of this device's files of a protection, to be carried to another device, and what tells it from
  /// others; nil if the key of its class is not held.
  func fileProtectionKey(_ protection: FileProtection) -> (name: String, key: SecretBox)?

  /// What tells such a key from others; nil if it is none, or one of another protection.
  func name(of key: borrowing Secret, opening protection: FileProtection) -> String?

  /// Opens the key of a protected file with what was carried here; nil if it is of another device or protection.
  func openFileKey(_ wrapped: WrappedFileKey, with key: borrowing Secret) -> SecretBox?

  // MARK: Backups

  /// Begins a backup, which `password` opens, or this device alone if that is nil.
  ///
  /// `completion` runs once, on one of the vault's threads. No verdict on any passcode is made.
  func beginBackup(
    password: SecretBox?,
    at created: WallInstant,
    completion: @escaping @Sendable (BackupBeginning) -> Void
  )

  /// Opens a backup by its header.
  ///
  /// `completion` runs once, on one of the vault's threads. No verdict on any passcode is made.
  func openBackup(
    _ header: [UInt8],
    password: SecretBox?,
    completion: @escaping @Sendable (BackupAccess) -> Void
  )

  // MARK: Application passwords

  /// Derives the key of an application password for one item; nil if memory is short.
  ///
  /// `completion` runs once, on one of the vault's threads.
  func stretch(
    _ password: SecretBox,
    of item: ItemIdentifier,
    for charge: DurableCharge,
    completion: @escaping @Sendable (SecretBox?) -> Void
  )
}

/// The port that provides each device's vault.
public protocol KeyVaultProvider {
  /// The vault of `device`, holding no keys.
  func vault(of device: DeviceIdentity) -> any KeyVault
}
