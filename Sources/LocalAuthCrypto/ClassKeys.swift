public import LocalAuthKeychain
import LocalAuthSecret

/// Class keys in wiped memory: at most one pair for each protection class.
///
/// A pair holds the class key, which opens all attributes and the items without access control, and
/// the guard key, which is mixed with the class key into the keys of items with access control.
/// Code that handles the class key alone therefore cannot open those items. Keys are never copied:
/// values share a pair, which is wiped when the last of them removes it or is destroyed.
public struct ClassKeys: ~Copyable, Sendable {
  /// The size of each key in bytes.
  public static let keySize = 32
  /// The size of a pair when wrapped, in bytes.
  static let pairSize = 2 * keySize

  final class Pair: Sendable {
    let key: Secret
    let guardKey: Secret

    init(_ key: consuming Secret, guardKey: consuming Secret) {
      self.key = key
      self.guardKey = guardKey
    }
  }

  private var pairs: [ProtectionClass: Pair] = [:]

  /// Makes an empty set of keys.
  public init() {}

  /// Generates keys for `classes`.
  public static func generate(for classes: ProtectionClassSet) -> ClassKeys {
    var keys = ClassKeys()
    for protection in classes.classes {
      keys.pairs[protection] = Pair(DeviceKey.randomBytes(), guardKey: DeviceKey.randomBytes())
    }
    return keys
  }

  /// The classes whose keys are present.
  public var classes: ProtectionClassSet {
    pairs.keys.reduce(into: []) { $0.formUnion($1.alone) }
  }

  /// Shares the keys of those of `classes` that are present.
  public func sharing(_ classes: ProtectionClassSet) -> ClassKeys {
    var keys = ClassKeys()
    keys.pairs = pairs.filter { classes.contains($0.key) }
    return keys
  }

  /// The keys of `protection`; nil if they are not present.
  func pair(of protection: ProtectionClass) -> Pair? { pairs[protection] }

  /// The key for `use` that comes from the class key of `protection` alone, never from the guard key; nil
  /// if that is not present.
  func key(for use: String, of protection: ProtectionClass) -> Secret? {
    guard let pair = pairs[protection] else { return nil }
    var material = KeyMaterial(parts: 1)
    let hasRoom = material.add(pair.key)
    precondition(hasRoom, "a key is no longer than a part may be")
    return KeyDerivation.derive(from: material, info: Array(use.utf8))
  }

  /// Removes the keys of `classes`, wiping those that no other value shares.
  public mutating func remove(_ classes: ProtectionClassSet) {
    for protection in classes.classes { pairs[protection] = nil }
  }

  /// Adds the keys of `others`, replacing those of the same classes.
  public mutating func add(_ others: borrowing ClassKeys) {
    pairs.merge(others.pairs) { $1 }
  }

  /// Both keys of `protection`, concatenated; nil if they are not present.
  func joined(_ protection: ProtectionClass) -> Secret? {
    guard let pair = pairs[protection] else { return nil }
    var both = Secret(capacity: Self.pairSize)
    Self.append(pair.key, to: &both)
    Self.append(pair.guardKey, to: &both)
    return both
  }

  /// Adds a pair as made by ``joined(_:)``; returns false if its size is wrong.
  mutating func put(joined both: borrowing Secret, for protection: ProtectionClass) -> Bool {
    guard both.count == Self.pairSize else { return false }
    // SAFETY: the halves lie within the bytes, which are lent for the call.
    pairs[protection] = unsafe both.withUnsafeBytes { bytes in
      unsafe Pair(
        Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[..<Self.keySize])),
        guardKey: Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[Self.keySize...]))
      )
    }
    return true
  }

  private static func append(_ part: borrowing Secret, to whole: inout Secret) {
    // SAFETY: the loop stays within the bytes, which are lent for the call.
    unsafe part.withUnsafeBytes { part in
      for index in 0..<part.count { _ = unsafe whole.append(part[index]) }
    }
  }
}
