public import Foundation
public import LocalAuthSecurity
public import LocalAuthentication

extension SecureEnclave.P256.KeyAgreement {
  /// A private key that agrees on secrets in the keychain, on the proof that its access control asks for.
  ///
  /// Each agreement asks anew, unless the context has proven it before. A key whose
  /// ``dataRepresentation`` nobody took ends with its last copy.
  public struct PrivateKey: Sendable {
    private let key: EnclaveKey
    /// The public half, for the other side.
    ///
    /// Where a module has a member of the same name with another library's type, that one counts; the same
    /// for signatures and agreements.
    @_disfavoredOverload public let publicKey: PublicKey
    /// The public half as `04 || X || Y`, which any other library makes its own public key of.
    public var x963PublicKey: Data { key.point }

    /// Makes a key.
    ///
    /// - Parameters:
    ///   - compactRepresentable: ignored: each key of the keychain has a compact representation.
    ///   - accessControl: what must be proven before it is used, with `.privateKeyUsage`; nil for a key that
    ///     is used while the device is unlocked.
    ///   - authenticationContext: how somebody is asked, and what was proven before.
    /// - Throws: as `SecureEnclave.P256.Signing.PrivateKey`.
    public init(
      compactRepresentable: Bool = true,
      accessControl: SecAccessControl? = nil,
      authenticationContext: LAContext? = nil
    ) throws {
      self.init(try EnclaveKey(accessControl ?? .enclaveDefault, authenticationContext))
    }

    /// The key that ``dataRepresentation`` was taken of, on the same device.
    ///
    /// - Parameters:
    ///   - dataRepresentation: the bytes.
    ///   - authenticationContext: how somebody is asked, and what was proven before.
    /// - Throws: as `SecureEnclave.P256.Signing.PrivateKey`.
    public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
      self.init(try EnclaveKey(dataRepresentation, authenticationContext))
    }

    private init(_ key: EnclaveKey) {
      self.key = key
      publicKey = PublicKey(key: key.publicKey, x963Representation: key.point)
    }

    /// What opens the key again on this device, and nowhere else; nothing in it is secret.
    ///
    /// Once it was taken, the key stays until ``deleteFromKeychain()``.
    public var dataRepresentation: Data { key.dataRepresentation }

    /// Agrees on a secret with the owner of another key.
    ///
    /// - Throws: an `LAError` where the proof was not given, `errSecInteractionNotAllowed` while the device
    ///   is locked, `errSecItemNotFound` where the key is gone.
    public func sharedSecretFromKeyAgreement(
      with publicKeyShare: PublicKey
    ) throws -> SecureEnclave.SharedSecret {
      SecureEnclave.SharedSecret(storage: try key.sharedSecret(with: publicKeyShare.key))
    }

    /// Deletes the key from the keychain; CryptoKit's keys end with their bytes, which these do not.
    ///
    /// - Throws: `errSecItemNotFound` where it is gone.
    public func deleteFromKeychain() throws { try key.delete() }
  }

  /// The public half of a key that agrees on secrets.
  public struct PublicKey: SecureEnclave.P256.PublicKeyRepresentation {
    let key: SecKey
    /// `04 || X || Y` of ANSI X9.63, 65 bytes.
    public let x963Representation: Data

    init(key: SecKey, x963Representation: Data) {
      self.key = key
      self.x963Representation = x963Representation
    }

    /// The key in the bytes of ``x963Representation``.
    ///
    /// - Throws: `errSecParam` where they are no point of the curve.
    public init(x963Representation: some ContiguousBytes) throws {
      (key, self.x963Representation) = try Self.point(x963Representation)
    }
  }
}
