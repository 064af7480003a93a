public import LocalAuthSecret
public import LocalAuthSync

/// The keys of one epoch of a zone, from the epoch's top key.
///
/// Its two class keys seal records. The zone's own key makes names and digests, and is the same in all epochs: so a
/// removed device and the hub together can test guesses of names, and nothing else. Any thread may use it.
public final class SyncKeys: Sendable {
  /// The bytes of either key.
  public static let keySize = 32

  /// The epoch.
  public let epoch: UInt32
  /// The top key and the zone's own key, joined; a locked device has neither.
  private let root: Secret?
  private let names: Secret
  private let contents: Secret
  private let afterFirstUnlockKey: Secret
  private let unlocked: LongNonceSealer?
  private let afterFirstUnlock: LongNonceSealer

  /// Makes the keys of an epoch on an unlocked device; nil for keys of another size.
  ///
  /// - Parameters:
  ///   - epoch: The epoch.
  ///   - top: Its top key.
  ///   - zoneKey: The zone's own key.
  public convenience init?(epoch: UInt32, top: consuming Secret, zoneKey: consuming Secret) {
    guard top.count == Self.keySize, zoneKey.count == Self.keySize else { return nil }
    var root = Secret(capacity: 2 * Self.keySize)
    root.append(contentsOf: top)
    root.append(contentsOf: zoneKey)
    self.init(epoch: epoch, root: root)
  }

  /// Makes the keys of an epoch from what ``root`` returned; nil for anything of another size.
  public convenience init?(epoch: UInt32, root: consuming Secret) {
    guard let top = Self.part(0, of: root, parts: 2),
      let zoneKey = Self.part(1, of: root, parts: 2),
      let names = Self.derive(zoneKey, "names"), let contents = Self.derive(zoneKey, "contents"),
      let first = Self.derive(top, "after first unlock"),
      let second = Self.derive(top, "when unlocked")
    else { return nil }
    self.init(epoch, root, names, contents, first, LongNonceSealer(second))
  }

  /// Makes the keys that a locked device has, from what ``lockedPart`` returned; nil for anything of another size.
  public convenience init?(epoch: UInt32, lockedPart: borrowing Secret) {
    guard let names = Self.part(0, of: lockedPart, parts: 3),
      let contents = Self.part(1, of: lockedPart, parts: 3),
      let first = Self.part(2, of: lockedPart, parts: 3)
    else { return nil }
    self.init(epoch, nil, names, contents, first, nil)
  }

  private init?(
    _ epoch: UInt32,
    _ root: consuming Secret?,
    _ names: consuming Secret,
    _ contents: consuming Secret,
    _ afterFirstUnlockKey: consuming Secret,
    _ unlocked: LongNonceSealer?
  ) {
    guard let sealer = LongNonceSealer(Self.copy(afterFirstUnlockKey)) else { return nil }
    self.epoch = epoch
    self.root = root
    self.names = names
    self.contents = contents
    self.afterFirstUnlockKey = afterFirstUnlockKey
    self.unlocked = unlocked
    afterFirstUnlock = sealer
  }

  /// Whether it has what a locked device has not.
  public var isUnlocked: Bool { unlocked != nil }

  /// The top key and the zone's own key, from which all others come; nil on a locked device.
  public var rootKeys: Secret? {
    guard isUnlocked else { return nil }
    return copyOfRoot()
  }

  /// What a locked device keeps: the keys of names and digests, and that of class `afterFirstUnlock`.
  public var lockedPart: Secret {
    var part = Secret(capacity: 3 * Self.keySize)
    part.append(contentsOf: names)
    part.append(contentsOf: contents)
    part.append(contentsOf: afterFirstUnlockKey)
    return part
  }

  /// Random keys for the first epoch of a zone.
  public static func generate() -> SyncKeys {
    guard
      let keys = SyncKeys(
        epoch: 1,
        top: DeviceKey.randomBytes(),
        zoneKey: DeviceKey.randomBytes()
      )
    else { preconditionFailure("random keys have the right size") }
    return keys
  }

  /// The keys of the epoch behind `known`, or behind this one: a new top key, and the same zone key; nil on a locked device.
  public func next(after known: UInt32? = nil) -> SyncKeys? {
    let last = known ?? epoch
    guard last >= epoch, last < .max, let root = rootKeys,
      let zoneKey = Self.part(1, of: root, parts: 2)
    else {
      return nil
    }
    return SyncKeys(epoch: last + 1, top: DeviceKey.randomBytes(), zoneKey: zoneKey)
  }

  private func copyOfRoot() -> Secret? {
    switch root {
    case .some(let root): Self.copy(root)
    case .none: nil
    }
  }

  private static func part(
    _ index: Int,
    of joined: borrowing Secret,
    parts: Int
  ) -> Secret? {
    guard joined.count == parts * keySize else { return nil }
    // SAFETY: the part is copied while the bytes are lent.
    return unsafe joined.withUnsafeBytes {
      unsafe Secret(copying: $0.dropFirst(index * keySize).prefix(keySize))
    }
  }

  private static func copy(_ secret: borrowing Secret) -> Secret {
    // SAFETY: the bytes are copied while they are lent.
    unsafe secret.withUnsafeBytes { unsafe Secret(copying: $0) }
  }

  static func derive(_ key: borrowing Secret, _ use: String) -> Secret? {
    var material = KeyMaterial(parts: 1)
    guard material.add(key) else { return nil }
    return KeyDerivation.derive(from: material, info: Array("LocalAuth sync \(use)".utf8))
  }

  // MARK: Names and digests

  /// The name of a record.
  ///
  /// - Parameters:
  ///   - kind: What sort of record it is.
  ///   - key: What distinguishes it from others of its sort.
  /// - Returns: the name.
  public func name(kind: [UInt8], key: [UInt8]) -> RecordName {
    RecordName(
      Self.digest(MessageCode.tag(over: RecordName.message(kind: kind, key: key), key: names))
    )
  }

  /// The digest that stands for a content: of its fields, and of its secret.
  ///
  /// It is keyed, so whoever reads the state of a device cannot test guesses of a secret by it.
  public func content(_ fields: [UInt8], _ secret: borrowing Secret) -> SyncDigest {
    let inner = MessageCode.tag(over: secret, key: contents)
    return Self.digest(MessageCode.tag(over: inner + fields, key: contents))
  }

  private static func digest(_ bytes: [UInt8]) -> SyncDigest {
    guard let digest = SyncDigest(bytes) else { preconditionFailure("a code has 32 bytes") }
    return digest
  }

  /// The sealer of a class; nil while the device is locked.
  func sealer(_ keyClass: ZoneKeyClass) -> LongNonceSealer? {
    switch keyClass {
    case .whenUnlocked: unlocked
    case .afterFirstUnlock: afterFirstUnlock
    }
  }

  /// What wraps the top keys of older epochs.
  func wrapper() -> LongNonceSealer? {
    guard let root = rootKeys, let top = Self.part(0, of: root, parts: 2),
      let key = Self.derive(top, "older epochs")
    else { return nil }
    return LongNonceSealer(key)
  }
}
