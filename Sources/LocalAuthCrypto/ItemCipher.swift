public import LocalAuthKeychain
public import LocalAuthSecret

/// What besides class key and guard key goes into the key of an item with access control.
public struct GuardInputs: ~Copyable, Sendable {
  fileprivate var enrolledSet: Secret?
  fileprivate var applicationPassword: Secret?

  /// The secret of the enrolled set, for an item that ends with it, and the key that was made of an
  /// application password, for an item that asks for one.
  public init(enrolledSet: consuming Secret? = nil, applicationPassword: consuming Secret? = nil) {
    self.enrolledSet = enrolledSet
    self.applicationPassword = applicationPassword
  }
}

/// Seals and opens the items of one protection class while its keys are in memory.
///
/// Each item has a key of its own. Of an item without access control it is wrapped under the class
/// key. Of one with access control it is wrapped under HKDF(class key, guard key, inputs; access
/// control, context), and only ``openGuarded(_:_:in:)`` gets it back: who calls that has
/// to have the proof. Attributes are sealed under a key that follows from the class key.
///
/// One thread at a time may use it.
public struct ItemCipher: ~Copyable, Sendable {
  private let items: Sealer
  private let attributes: Sealer
  private let classKey: Secret
  private let guardKey: Secret

  /// The cipher of `protection`; nil when its keys are not among `keys`, or without memory.
  public init?(_ keys: borrowing ClassKeys, of protection: ProtectionClass) {
    guard let pair = keys.joined(protection) else { return nil }
    self.init(pair)
  }

  private init?(_ pair: borrowing Secret) {
    let size = ClassKeys.keySize
    // SAFETY: a pair has two keys, which are copied while it is lent.
    let (classKey, guardKey) = unsafe pair.withUnsafeBytes { bytes in
      unsafe (
        SecretBox(Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[..<size]))),
        SecretBox(Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[size...])))
      )
    }
    guard let classKey = classKey.take(), let guardKey = guardKey.take(),
      let items = Sealer(Self.derive(classKey, "items")),
      let attributes = Sealer(Self.derive(classKey, "attributes"))
    else { return nil }
    self.items = items
    self.attributes = attributes
    self.classKey = classKey
    self.guardKey = guardKey
  }

  /// A new item key.
  public static func newItemKey() -> Secret { DeviceKey.randomBytes() }

  /// Seals an item's attributes.
  public func sealAttributes(_ bytes: [UInt8], in context: ItemContext) -> [UInt8] {
    var plain = Secret(capacity: bytes.count)
    for byte in bytes { _ = plain.append(byte) }
    return attributes.seal(plain, with: context.data(.attributes))
  }

  /// An item's attributes; nil when anything of the item was changed.
  public func openAttributes(
    _ sealed: UnsafeRawBufferPointer,
    in context: ItemContext
  ) -> [UInt8]? {
    // SAFETY: the message is the caller's, for the length of the call.
    guard let plain = unsafe attributes.open(sealed, with: context.data(.attributes)) else {
      return nil
    }
    // SAFETY: the bytes are copied while they are lent; attributes are no secrets to their caller.
    return unsafe plain.withUnsafeBytes { unsafe Array($0) }
  }

  /// Wraps the key of an item without access control.
  public func wrap(_ itemKey: borrowing Secret, in context: ItemContext) -> [UInt8] {
    precondition(context.accessControl.isEmpty, "an item with access control is guarded")
    return items.seal(itemKey, with: context.data(.key))
  }

  /// The key of an item without access control; nil when anything of the item was changed.
  public func unwrap(_ wrapped: [UInt8], in context: ItemContext) -> Secret? {
    guard context.accessControl.isEmpty else { return nil }
    return items.open(wrapped, with: context.data(.key))
  }

  /// Wraps the key of an item with access control.
  public func wrapGuarded(
    _ itemKey: borrowing Secret,
    _ inputs: borrowing GuardInputs,
    in context: ItemContext
  ) -> [UInt8]? {
    guard !context.accessControl.isEmpty else { return nil }
    return Sealer(guarded(inputs, context))?.seal(itemKey, with: context.data(.key))
  }

  /// The key of an item with access control; nil when anything of the item was changed, or an input
  /// is another one.
  public func openGuarded(
    _ wrapped: [UInt8],
    _ inputs: borrowing GuardInputs,
    in context: ItemContext
  ) -> Secret? {
    guard !context.accessControl.isEmpty, let sealer = Sealer(guarded(inputs, context)) else {
      return nil
    }
    return sealer.open(wrapped, with: context.data(.key))
  }

  /// Seals an item's secret under the item's key.
  public static func seal(
    _ secret: borrowing Secret,
    under itemKey: borrowing Secret,
    in context: ItemContext
  ) -> [UInt8]? {
    Sealer(itemKey)?.seal(secret, with: context.data(.secret))
  }

  /// An item's secret; nil when anything of the item was changed.
  public static func open(
    _ sealed: UnsafeRawBufferPointer,
    under itemKey: borrowing Secret,
    in context: ItemContext
  ) -> Secret? {
    guard let sealer = Sealer(itemKey) else { return nil }
    // SAFETY: the message is the caller's, for the length of the call.
    return unsafe sealer.open(sealed, with: context.data(.secret))
  }

  // MARK: Keys

  private static func derive(_ key: borrowing Secret, _ use: String) -> Secret {
    var material = KeyMaterial(parts: 1)
    let hasRoom = material.add(key)
    precondition(hasRoom, "a key is no longer than a part may be")
    return KeyDerivation.derive(from: material, info: Array(use.utf8))
  }

  /// The key that wraps the key of an item with access control.
  ///
  /// An input that is not asked for goes in as nothing, so that each has its place.
  private func guarded(_ inputs: borrowing GuardInputs, _ context: ItemContext) -> Secret {
    var material = KeyMaterial(parts: 4)
    var hasRoom = material.add(classKey) && material.add(guardKey)
    hasRoom = Self.add(inputs.enrolledSet, to: &material) && hasRoom
    hasRoom = Self.add(inputs.applicationPassword, to: &material) && hasRoom
    precondition(hasRoom, "an input is no longer than a part may be")
    return KeyDerivation.derive(from: material, info: context.data(.key))
  }

  private static func add(_ input: borrowing Secret?, to material: inout KeyMaterial) -> Bool {
    switch input {
    case .some(let secret): material.add(secret)
    case .none: material.add(Secret(capacity: 0))
    }
  }
}
