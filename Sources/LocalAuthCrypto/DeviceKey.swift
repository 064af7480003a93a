import CLocalAuthSodium
public import LocalAuthSecret

/// The key of one installation: 32 random bytes in wiped memory, from which all other keys are
/// derived.
///
/// Storing or sealing its file is the caller's job.
public final class DeviceKey: Sendable {
  /// The size of the key in bytes.
  public static let size = 32

  /// The purpose of a derived key; names and numbers must never change, or stored data is lost.
  enum Purpose: UInt64 {
    case records = 1
    case keybags = 3
    case primaryKeys = 4
    case searchTerms = 5
    case applicationPasswords = 6
    case backups = 7

    /// The eight characters that libsodium requires.
    var context: StaticString {
      switch self {
      case .records: "LArecord"
      case .keybags: "LAkeybag"
      case .primaryKeys: "LAitemky"
      case .searchTerms: "LAsearch"
      case .applicationPasswords: "LAapppwd"
      case .backups: "LAbackup"
      }
    }
  }

  private let secret: Secret

  /// Makes the key from `bytes`; nil unless there are exactly ``size``.
  ///
  /// An all-zero key is refused too: it comes from a file that was never written.
  public init?(_ bytes: consuming Secret) {
    Sodium.ready
    guard bytes.count == Self.size, !Self.isZero(bytes) else { return nil }
    secret = bytes
  }

  private init(trusted bytes: consuming Secret) { secret = bytes }

  /// Generates a new key.
  public static func generate() -> DeviceKey {
    DeviceKey(trusted: Self.randomBytes())
  }

  /// Lends the bytes to `body` for storing; `body` must not keep the pointer.
  @unsafe
  public func withUnsafeBytes<R, E>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    // SAFETY: the secret lives as long as this object.
    try unsafe secret.withUnsafeBytes(body)
  }

  /// Derives the key for one purpose; it reveals no other key.
  func derive(_ purpose: Purpose) -> Secret {
    var derived = Secret(capacity: Self.size)
    let context = purpose.context
    // SAFETY: libsodium reads 8 bytes of context and 32 of the key, and writes 32.
    let isDerived = unsafe secret.withUnsafeBytes { key in
      unsafe derived.withUnsafeMutableBytes { output, count in
        count = Self.size
        return unsafe la_sodium_derive(
          output.baseAddress,
          Self.size,
          purpose.rawValue,
          context.utf8Start,
          key.baseAddress
        )
      }
    }
    precondition(isDerived, "32 bytes can always be derived")
    return derived
  }

  /// Random bytes of the size of a key.
  public static func randomBytes() -> Secret {
    Sodium.ready
    var secret = Secret(capacity: size)
    // SAFETY: the secret has room for `size` bytes.
    unsafe secret.withUnsafeMutableBytes { bytes, count in
      unsafe la_sodium_random(bytes.baseAddress, size)
      count = size
    }
    return secret
  }

  private static func isZero(_ bytes: borrowing Secret) -> Bool {
    // SAFETY: the bytes are lent for the call.
    unsafe bytes.withUnsafeBytes { bytes in
      unsafe la_sodium_is_zero(bytes.baseAddress, bytes.count)
    }
  }
}
