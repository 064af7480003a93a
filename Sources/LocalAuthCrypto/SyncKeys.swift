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
  private let top: Secret
  private let zoneKey: Secret
  private let names: Secret
  private let contents: Secret
  private let unlocked: LongNonceSealer?
  private let afterFirstUnlock: LongNonceSealer

  /// Makes the keys of an epoch; nil for keys of another size.
  ///
  /// - Parameters:
  ///   - epoch: The epoch.
  ///   - top: Its top key.
  ///   - zoneKey: The zone's own key.
  ///   - isUnlocked: Whether the key of class `whenUnlocked` may be had; a locked device has none.
  public init?(
    epoch: UInt32,
    top: consuming Secret,
    zoneKey: consuming Secret,
    isUnlocked: Bool
  ) {
    guard top.count == Self.keySize, zoneKey.count == Self.keySize,
      let names = Self.derive(zoneKey, "names"), let contents = Self.derive(zoneKey, "contents"),
      let first = Self.derive(top, "after first unlock"),
      let second = Self.derive(top, "when unlocked"),
      let afterFirstUnlock = LongNonceSealer(first)
    else { return nil }
    self.epoch = epoch
    unlocked = isUnlocked ? LongNonceSealer(second) : nil
    self.afterFirstUnlock = afterFirstUnlock
    self.names = names
    self.contents = contents
    self.top = top
    self.zoneKey = zoneKey
  }

  /// Random keys for the first epoch of a zone.
  public static func generate() -> SyncKeys {
    guard
      let keys = SyncKeys(
        epoch: 1,
        top: DeviceKey.randomBytes(),
        zoneKey: DeviceKey.randomBytes(),
        isUnlocked: true
      )
    else { preconditionFailure("random keys have the right size") }
    return keys
  }

  /// The keys of the next epoch: a new top key, and the same zone key.
  public func next() -> SyncKeys? {
    guard epoch < .max else { return nil }
    return SyncKeys(
      epoch: epoch + 1,
      top: DeviceKey.randomBytes(),
      zoneKey: Self.copy(zoneKey),
      isUnlocked: true
    )
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

  /// Both keys, as a share has them.
  func joined() -> Secret {
    var joined = Secret(capacity: 2 * Self.keySize)
    joined.append(contentsOf: top)
    joined.append(contentsOf: zoneKey)
    return joined
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
    guard let key = Self.derive(top, "older epochs") else { return nil }
    return LongNonceSealer(key)
  }
}
