public import Foundation
public import LocalAuthSecurity
public import LocalAuthentication

extension SecureEnclave.P256.KeyAgreement {
  /// A private key that agrees on secrets in the keychain, with the proof that its access control
  /// requires.
  ///
  /// Each agreement asks again, unless the context already holds the proof. A key whose
  /// ``dataRepresentation`` was never taken is deleted with its last copy.
  public struct PrivateKey: Sendable {
    private let key: EnclaveKey
    /// The public half, to send to the peer.
    ///
    /// Disfavored in overload resolution: if another module declares a member of the same name with
    /// another library's type, that member is used. The same holds for signatures and agreements.
    @_disfavoredOverload public let publicKey: PublicKey
    /// The public half as `04 || X || Y`, from which other libraries can create their own public
    /// keys.
    public var x963PublicKey: Data { key.point }

    /// Generates a key.
    ///
    /// - Parameters:
    ///   - compactRepresentable: ignored, because every key of the keychain has a compact
    ///     representation.
    ///   - accessControl: the proof required for its use, with `.privateKeyUsage`; nil for a key
    ///     usable without proof while the device is unlocked.
    ///   - authenticationContext: determines how a person is asked, and holds earlier proofs.
    /// - Throws: as `SecureEnclave.P256.Signing.PrivateKey`.
    public init(
      compactRepresentable: Bool = true,
      accessControl: SecAccessControl? = nil,
      authenticationContext: LAContext? = nil
    ) throws {
      self.init(try EnclaveKey(accessControl ?? .enclaveDefault, authenticationContext))
    }

    /// Opens the key of a ``dataRepresentation`` from the same device.
    ///
    /// - Parameters:
    ///   - dataRepresentation: the bytes.
    ///   - authenticationContext: determines how a person is asked, and holds earlier proofs.
    /// - Throws: as `SecureEnclave.P256.Signing.PrivateKey`.
    public init(dataRepresentation: Data, authenticationContext: LAContext? = nil) throws {
      self.init(try EnclaveKey(dataRepresentation, authenticationContext))
    }

    private init(_ key: EnclaveKey) {
      self.key = key
      publicKey = PublicKey(key: key.publicKey, x963Representation: key.point)
    }

    /// The bytes that open the key again on this device only; they are not secret.
    ///
    /// Once taken, the key stays until ``deleteFromKeychain()``.
    public var dataRepresentation: Data { key.dataRepresentation }

    /// Agrees on a secret with the owner of another key.
    ///
    /// - Throws: an `LAError` if the proof is not given, `errSecInteractionNotAllowed` while the
    ///   device is locked, `errSecItemNotFound` if the key is gone.
    public func sharedSecretFromKeyAgreement(
      with publicKeyShare: PublicKey
    ) throws -> SecureEnclave.SharedSecret {
      SecureEnclave.SharedSecret(storage: try key.sharedSecret(with: publicKeyShare.key))
    }

    /// Deletes the key from the keychain; unlike CryptoKit's keys, it does not end with its bytes.
    ///
    /// - Throws: `errSecItemNotFound` if it is gone.
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

    /// Creates a key from the bytes of ``x963Representation``.
    ///
    /// - Throws: `errSecParam` if they are not a point of the curve.
    public init(x963Representation: some ContiguousBytes) throws {
      (key, self.x963Representation) = try Self.point(x963Representation)
    }
  }
}
