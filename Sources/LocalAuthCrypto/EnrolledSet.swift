import LocalAuthSecret

/// The secret of a set of enrolled fingers: 32 random bytes in wiped memory.
///
/// It goes into the keys of items that end with the set. A change of the set destroys it, and so them.
public final class EnrolledSet: Sendable {
  /// The size of the secret in bytes.
  public static let size = 32

  /// Which set of the device it is for.
  public let generation: UInt64
  let secret: Secret

  /// A new secret.
  public static func generate(for generation: UInt64) -> EnrolledSet {
    EnrolledSet(generation, trusted: DeviceKey.randomBytes())
  }

  /// The secret that was stored; nil for any size but its own.
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
