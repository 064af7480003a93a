public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret

/// Class keys that were opened or made for an event of a ``Keybag``, until that says what to keep.
///
/// What is not installed is wiped when the last reference goes. It may be handed between threads.
public protocol OpenedKeys: AnyObject, Sendable {
  /// Puts the keys of `classes` into the vault that this came from; engine's thread only.
  func install(_ classes: ProtectionClassSet)

  /// Seals the keys that `record` has as a keybag, which `passcode` opens where the record has one.
  ///
  /// The secret of the vault's enrolled set goes into it too. `completion` hears the bytes to store,
  /// or nil when that failed; it runs once, on a thread of the vault's own.
  func seal(
    _ record: KeybagRecord,
    passcode: SecretBox?,
    completion: @escaping @Sendable ([UInt8]?) -> Void
  )
}

/// What a passcode did to a keybag.
public enum KeybagOpening: Sendable {
  case opened(any OpenedKeys)
  case wrong
  /// Nobody can say: it is damaged, or memory is short.
  case failed
}

/// What a use of a private key gave.
public enum KeyUseResult: Sendable {
  case signature([UInt8])
  case sharedSecret(SecretBox)
}

/// The port to the keys of one device: its class keys in memory, and what is sealed under them.
///
/// Everything is called on the engine's thread; what takes long completes on threads of the vault's
/// own. The keys themselves never pass through it.
public protocol KeyVault: AnyObject {
  // MARK: The keybag

  /// The classes whose keys are in memory.
  var held: ProtectionClassSet { get }

  /// Takes up what the device key alone opens of a stored keybag: keys, and the secret of the enrolled
  /// set; nil when the keybag is damaged or another device's.
  func load(_ keybag: [UInt8]) -> KeybagRecord?

  /// The keys in memory, with new ones for `created`; nothing is installed by this.
  func keys(creating created: ProtectionClassSet) -> any OpenedKeys

  /// Says whether one of `passcodes` opens `keybag`; blocks nobody.
  ///
  /// `completion` runs once, on a thread of the vault's own.
  func open(
    _ keybag: [UInt8],
    with passcodes: [SecretBox],
    for charge: DurableCharge,
    completion: @escaping @Sendable (KeybagOpening) -> Void
  )

  /// Sets the keys of `classes` aside, so that only ``bringBack(_:)`` makes them usable again.
  func setAside(_ classes: ProtectionClassSet)

  /// Makes keys that were set aside usable again.
  func bringBack(_ classes: ProtectionClassSet)

  /// Wipes what was set aside of `classes`.
  func wipeAside(_ classes: ProtectionClassSet)

  /// Wipes the keys of `classes`, those set aside too.
  func wipe(_ classes: ProtectionClassSet)

  /// Replaces the secret of the enrolled set by a new one for `generation`, or by none, and gives
  /// `keybag` with it; nil when the keybag is damaged. What the old secret guarded is gone.
  func renewEnrolledSet(_ generation: UInt64?, in keybag: [UInt8]) -> [UInt8]?

  // MARK: Items

  /// The hash that the item of this primary key is stored under.
  func hash(of key: PrimaryKey) -> ItemHash

  /// The hash that items of this term are found by; nil for an attribute that nothing is found by.
  func hash(of term: SearchTerm) -> TermHash?

  /// All of an item but its data; nil when anything of it was changed, or its class key is not held.
  func item(_ stored: borrowing StoredItem) -> Item?

  /// The data of an item whose access control asks for nothing, empty where it has none; nil as for
  /// ``item(_:)``, and for any other item.
  func data(of stored: borrowing StoredItem) -> Secret?

  /// The data of an item with access control, empty where it has none, for which `proof` is spent;
  /// nil as for ``item(_:)``, and when the proof is another item's or the application password is
  /// another one.
  func data(
    of stored: borrowing StoredItem,
    _ proof: consuming Proof,
    password: borrowing Secret?
  ) -> Secret?

  /// Seals an item with its data under the key of its class numbered `classKey`; nil when the keys
  /// that its access control needs are not held.
  func seal(
    _ item: Item,
    data: borrowing Secret?,
    classKey: UInt64,
    password: borrowing Secret?
  ) -> SealedItem?

  // MARK: Private keys

  /// Makes a private key, whose 32 bytes are the data of an item to be sealed; nil when that failed.
  func makeKey(_ curve: KeyCurve) -> (key: NewKey, data: SecretBox)?

  /// The private key that `data` is, as ``makeKey(_:)`` gives one or in the form of ANSI X9.63; nil for
  /// anything else.
  func readKey(_ curve: KeyCurve, _ data: SecretBox) -> (key: NewKey, data: SecretBox)?

  /// Opens a private key of Ed25519 whose access control asks for nothing, to sign for as long as the
  /// answer is held; nil for any other item, and as for ``item(_:)``.
  func signer(of stored: borrowing StoredItem) -> (any MessageSigning)?

  /// Uses a private key whose access control asks for nothing; nil as for ``data(of:)``.
  func use(
    _ stored: borrowing StoredItem,
    for use: KeyUse
  ) throws(KeychainError) -> KeyUseResult?

  /// Uses a private key with access control, for which `proof` is spent; nil as for
  /// ``data(of:_:password:)``.
  func use(
    _ stored: borrowing StoredItem,
    for use: KeyUse,
    _ proof: consuming Proof,
    password: borrowing Secret?
  ) throws(KeychainError) -> KeyUseResult?

  /// Makes the key of an application password for one item; nil when memory is short.
  ///
  /// `completion` runs once, on a thread of the vault's own.
  func stretch(
    _ password: SecretBox,
    of item: ItemIdentifier,
    for charge: DurableCharge,
    completion: @escaping @Sendable (SecretBox?) -> Void
  )
}

/// The port that gives each device its vault.
public protocol KeyVaultProvider {
  /// The vault of `device`, with no key in it.
  func vault(of device: DeviceIdentity) -> any KeyVault
}
