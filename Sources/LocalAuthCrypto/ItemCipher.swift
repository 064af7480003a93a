public import LocalAuthKeychain
public import LocalAuthSecret

/// Seals and opens the items of one protection class while its keys are in memory.
///
/// Each item has its own key. The key of an item without access control is wrapped under the class
/// key. The key of an item with access control is wrapped under HKDF(class key, guard key, inputs;
/// context with the access control); only ``openGuarded(_:_:enrolledSet:password:in:)`` unwraps it,
/// spending a proof. Attributes are sealed under a key derived from the class key.
///
/// Only one thread at a time may use it.
public struct ItemCipher: ~Copyable, Sendable {
  private let items: Sealer
  private let attributes: Sealer
  private let pair: ClassKeys.Pair

  /// Makes the cipher of `protection`; nil if its keys are not among `keys` or memory is short.
  public init?(_ keys: borrowing ClassKeys, of protection: ProtectionClass) {
    guard let pair = keys.pair(of: protection),
      let itemsKey = keys.key(for: "items", of: protection), let items = Sealer(itemsKey),
      let attributesKey = keys.key(for: "attributes", of: protection),
      let attributes = Sealer(attributesKey)
    else { return nil }
    self.items = items
    self.attributes = attributes
    self.pair = pair
  }

  /// Generates an item key.
  public static func newItemKey() -> Secret { DeviceKey.randomBytes() }

  /// Seals an item's attributes.
  public func sealAttributes(_ bytes: [UInt8], in context: ItemContext) -> [UInt8] {
    attributes.seal(bytes: bytes, with: context.bytes)
  }

  /// Opens an item's attributes; nil if any part of the item was changed.
  public func openAttributes(_ sealed: RawSpan, in context: ItemContext) -> [UInt8]? {
    attributes.openBytes(sealed, with: context.bytes)
  }

  /// Wraps the key of an item without access control.
  public func wrap(_ itemKey: borrowing Secret, in context: ItemContext) -> [UInt8]? {
    guard !context.isGuarded else { return nil }
    return items.seal(itemKey, with: context.bytes)
  }

  /// Unwraps the key of an item without access control; nil if any part of the item was changed.
  public func unwrap(_ wrapped: RawSpan, in context: ItemContext) -> Secret? {
    guard !context.isGuarded else { return nil }
    return items.open(wrapped, with: context.bytes)
  }

  /// Wraps the key of an item with access control.
  ///
  /// - Parameters:
  ///   - itemKey: the item's key.
  ///   - accessControl: the item's access control, as in `context`; determines the key's inputs.
  ///   - enrolledSet: the enrolled set, for an item bound to it.
  ///   - password: the key of the application password, for an item that requires one.
  ///   - context: the context that the key is bound to.
  /// - Returns: the wrapped key; nil if a required input is missing.
  public func wrapGuarded(
    _ itemKey: borrowing Secret,
    _ accessControl: AccessControl,
    enrolledSet: EnrolledSet?,
    password: borrowing Secret?,
    in context: ItemContext
  ) -> [UInt8]? {
    guard context.isGuarded(by: accessControl),
      let key = guarded(accessControl, enrolledSet, password, context)
    else { return nil }
    return Sealer.sealOnce(itemKey, with: context.bytes, under: key)
  }

  /// Unwraps the key of an item with access control, spending `proof`.
  ///
  /// Returns nil if any part of the item was changed, if an input is missing or wrong, or if the
  /// proof is for another item, another access control or an operation that opens nothing.
  public func openGuarded(
    _ wrapped: RawSpan,
    _ proof: consuming Proof,
    enrolledSet: EnrolledSet?,
    password: borrowing Secret?,
    in context: ItemContext
  ) -> Secret? {
    guard proof.operation.opensTheItem, proof.item == context.identifier,
      context.isGuarded(by: proof.accessControl),
      let key = guarded(proof.accessControl, enrolledSet, password, context)
    else { return nil }
    return Sealer.openOnce(wrapped, with: context.bytes, under: key)
  }

  /// Seals an item's data under the item's key.
  public static func seal(
    _ data: borrowing Secret,
    under itemKey: borrowing Secret,
    in context: ItemContext
  ) -> [UInt8]? {
    Sealer.sealOnce(data, with: context.bytes, under: itemKey)
  }

  /// Opens an item's data; nil if any part of the item was changed.
  public static func open(
    _ sealed: RawSpan,
    under itemKey: borrowing Secret,
    in context: ItemContext
  ) -> Secret? {
    Sealer.openOnce(sealed, with: context.bytes, under: itemKey)
  }

  // MARK: Keys

  /// The key that wraps the key of an item with access control; nil if an input is missing or
  /// belongs to another enrolled set.
  ///
  /// An unused input is added as an empty secret, so that each input has a fixed position.
  func guarded(
    _ accessControl: AccessControl,
    _ enrolledSet: EnrolledSet?,
    _ password: borrowing Secret?,
    _ context: ItemContext
  ) -> Secret? {
    var material = KeyMaterial(parts: 4)
    guard material.add(pair.key), material.add(pair.guardKey),
      Self.add(enrolledSet, accessControl, to: &material),
      Self.add(password, accessControl, to: &material)
    else { return nil }
    return KeyDerivation.derive(from: material, info: context.bytes)
  }

  private static func add(
    _ set: EnrolledSet?,
    _ accessControl: AccessControl,
    to material: inout KeyMaterial
  ) -> Bool {
    guard accessControl.keyInputs.contains(.enrolledSet) else { return material.addNothing() }
    guard let set, accessControl.binding == .bound(generation: set.generation) else {
      return false
    }
    return material.add(set.secret)
  }

  private static func add(
    _ password: borrowing Secret?,
    _ accessControl: AccessControl,
    to material: inout KeyMaterial
  ) -> Bool {
    guard accessControl.keyInputs.contains(.applicationPassword) else {
      return material.addNothing()
    }
    switch password {
    case .some(let password):
      return password.count == KeyDerivation.keySize && material.add(password)
    case .none: return false
    }
  }
}

extension AccessOperation {
  /// Whether the operation needs the item's secret content.
  ///
  /// Adding, deleting and attesting do not, and may be allowed where reading is not, so their
  /// proofs must open nothing.
  fileprivate var opensTheItem: Bool {
    switch self {
    case .decrypt, .update, .sign, .computeKey, .decapsulate, .use: true
    case .encrypt, .delete, .attest: false
    }
  }
}
