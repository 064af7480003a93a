public import Foundation
import LocalAuthSecret

extension SecureEnclave {
  /// The secret that two keys agree on: the x-coordinate of their common point, from which keys are
  /// derived.
  ///
  /// Its 32 bytes are kept in locked memory that is wiped. swift-crypto accepts them directly: its
  /// `HKDF` derives keys from `SymmetricKey(data: secret)`.
  public struct SharedSecret: ContiguousBytes, Sendable {
    let storage: SharedSecretStorage

    /// Calls `body` with the bytes, which are valid only during the call.
    public func withUnsafeBytes<Result>(
      _ body: (UnsafeRawBufferPointer) throws -> Result
    ) rethrows -> Result {
      try unsafe storage.secret.withUnsafeBytes(body)
    }
  }
}

extension SecureEnclave.SharedSecret: Equatable {
  /// Compares in constant time, so that the time does not reveal where the secrets differ.
  public static func == (one: Self, other: Self) -> Bool {
    one.storage.secret.isEqual(to: other.storage.secret)
  }
}

extension SecureEnclave.SharedSecret: CustomStringConvertible {
  /// A description without any of the bytes.
  public var description: String { "<SharedSecret: 32 bytes>" }
}

/// The bytes, shared by all copies of a secret.
final class SharedSecretStorage: Sendable {
  let secret: Secret

  init(_ secret: consuming Secret) { self.secret = secret }
}
