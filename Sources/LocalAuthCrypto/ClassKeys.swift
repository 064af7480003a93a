public import LocalAuthKeychain
import LocalAuthSecret

/// Class keys in memory: at most one pair for each protection class, in wiped memory.
///
/// A pair is the class key, which opens items without access control and all attributes, and the
/// guard key, which goes into the keys of items with access control besides the class key. So
/// nothing that handles the one can open what takes both. No key is ever copied: values can share a
/// pair, and it is wiped when the last of them removed it or went.
public struct ClassKeys: ~Copyable, Sendable {
  /// The size of each key in bytes.
  public static let keySize = 32
  /// The size of a pair as it is wrapped.
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

  /// No keys.
  public init() {}

  /// New keys for `classes`.
  public static func generate(for classes: ProtectionClassSet) -> ClassKeys {
    var keys = ClassKeys()
    for protection in classes.classes {
      keys.pairs[protection] = Pair(DeviceKey.randomBytes(), guardKey: DeviceKey.randomBytes())
    }
    return keys
  }

  /// The classes whose keys are here.
  public var classes: ProtectionClassSet {
    pairs.keys.reduce(into: []) { $0.formUnion($1.alone) }
  }

  /// The same keys of `classes`, as far as they are here.
  public func sharing(_ classes: ProtectionClassSet) -> ClassKeys {
    var keys = ClassKeys()
    keys.pairs = pairs.filter { classes.contains($0.key) }
    return keys
  }

  /// The keys of `protection`; nil when they are not here.
  func pair(of protection: ProtectionClass) -> Pair? { pairs[protection] }

  /// Wipes the keys of `classes`.
  public mutating func remove(_ classes: ProtectionClassSet) {
    for protection in classes.classes { pairs[protection] = nil }
  }

  /// Adds the keys of `others`, in place of those of the same classes.
  public mutating func add(_ others: borrowing ClassKeys) {
    pairs.merge(others.pairs) { $1 }
  }

  /// Both keys of `protection`, one behind the other; nil when they are not here.
  func joined(_ protection: ProtectionClass) -> Secret? {
    guard let pair = pairs[protection] else { return nil }
    var both = Secret(capacity: Self.pairSize)
    Self.append(pair.key, to: &both)
    Self.append(pair.guardKey, to: &both)
    return both
  }

  /// Takes over what ``joined(_:)`` made; false when it has another size.
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
