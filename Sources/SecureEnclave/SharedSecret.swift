public import Foundation
import LocalAuthSecret

extension SecureEnclave {
  /// What two keys agree on: the x-coordinate of their common point, from which keys are derived.
  ///
  /// Its 32 bytes lie in wiped, locked memory. swift-crypto takes them as they are:
  /// `SymmetricKey(data: secret)` is what its `HKDF` derives from.
  public struct SharedSecret: ContiguousBytes, Sendable {
    let storage: SharedSecretStorage

    /// Lends the bytes for one call.
    public func withUnsafeBytes<Result>(
      _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
      try unsafe storage.secret.withUnsafeBytes(body)
    }
  }
}

extension SecureEnclave.SharedSecret: Equatable {
  /// Whether both are the same, in a time that does not tell where they differ.
  public static func == (one: Self, other: Self) -> Bool {
    one.storage.secret.isEqual(to: other.storage.secret)
  }
}

extension SecureEnclave.SharedSecret: CustomStringConvertible {
  /// What it is; never any of its bytes.
  public var description: String { "<SharedSecret: 32 bytes>" }
}

/// The bytes, for every copy of a secret.
final class SharedSecretStorage: Sendable {
  let secret: Secret

  init(_ secret: consuming Secret) { self.secret = secret }
}
