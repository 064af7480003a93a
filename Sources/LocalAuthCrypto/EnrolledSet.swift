import LocalAuthSecret

/// The secret of a set of enrolled fingers: 32 random bytes in wiped memory.
///
/// It is mixed into the keys of items bound to the set. Changing the set destroys it, and with it
/// those items.
public final class EnrolledSet: Sendable {
  /// The size of the secret in bytes.
  public static let size = 32

  /// The generation of the device's enrolled set.
  public let generation: UInt64
  let secret: Secret

  /// Generates a new secret.
  public static func generate(for generation: UInt64) -> EnrolledSet {
    EnrolledSet(generation, trusted: DeviceKey.randomBytes())
  }

  /// Restores a stored secret; nil if its size is wrong.
  init?(_ generation: UInt64, _ secret: consuming Secret) {
    guard secret.count == Self.size else { return nil }
    self.generation = generation
    self.secret = secret
  }

  private init(_ generation: UInt64, trusted secret: consuming Secret) {
    self.generation = generation
    self.secret = secret
  }
}
