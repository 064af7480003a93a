public import Foundation
public import LocalAuthSecurity
public import LocalAuthentication

extension SecureEnclave.P256.Signing {
  /// A private key that signs in the keychain, with the proof that its access control requires.
  ///
  /// Each signature asks again, unless the context already holds the proof. A key whose
  /// ``dataRepresentation`` was never taken is deleted with its last copy.
  public struct PrivateKey: Sendable {
    private let key: EnclaveKey
    /// The public half.
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
    ///   - accessControl: the proof required for signing, with `.privateKeyUsage`; nil for a key
    ///     that signs without proof while the device is unlocked.
    ///   - authenticationContext: determines how a person is asked, and holds earlier proofs.
    /// - Throws: an `NSError` of `NSOSStatusErrorDomain` or `LAErrorDomain`: `errSecParam` for an
    ///   access control without `.privateKeyUsage`; `LAError.passcodeNotSet` and others if the
    ///   device cannot prove what it requires.
    public init(
      compactRepresentable: Bool = true,
      accessControl: SecAccessControl? = nil,
      authenticationContext: LAContext? = nil
    ) throws {
      self.init(try EnclaveKey(accessControl ?? .enclaveDefault, authenticationContext))
    }

    /// Opens the key of a ``dataRepresentation`` from the same device.
    ///
    /// Nobody is asked until the key signs.
    ///
    /// - Parameters:
    ///   - dataRepresentation: the bytes.
    ///   - authenticationContext: determines how a person is asked, and holds earlier proofs.
    /// - Throws: `errSecDecode` for damaged bytes; `errSecItemNotFound` on another device, and for
    ///   a key that was deleted or whose required fingers or passcode are gone;
    ///   `errSecInteractionNotAllowed` while the device is locked.
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

    /// Signs the SHA-256 of data.
    ///
    /// - Throws: an `LAError` if the proof is not given, `errSecInteractionNotAllowed` while the
    ///   device is locked, `errSecItemNotFound` if the key is gone.
    @_disfavoredOverload
    public func signature(for data: some DataProtocol) throws -> ECDSASignature {
      let bytes = try key.sign(Data(data), .ecdsaSignatureMessageRFC4754SHA256)
      return try ECDSASignature(rawRepresentation: bytes)
    }

    /// Signs a digest of any hash function; only the first 32 bytes of a longer one are used.
    ///
    /// - Throws: as ``signature(for:)``.
    public func signature(forDigest digest: some ContiguousBytes) throws -> ECDSASignature {
      let digest = unsafe digest.withUnsafeBytes { unsafe Data($0) }
      let bytes = try key.sign(digest, .ecdsaSignatureDigestRFC4754)
      return try ECDSASignature(rawRepresentation: bytes)
    }

    /// Deletes the key from the keychain; unlike CryptoKit's keys, it does not end with its bytes.
    ///
    /// - Throws: `errSecItemNotFound` if it is gone.
    public func deleteFromKeychain() throws { try key.delete() }
  }

  /// The public half of a key that signs.
  public struct PublicKey: SecureEnclave.P256.PublicKeyRepresentation {
    private let key: SecKey
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

    /// Whether `signature` is this key's signature over the SHA-256 of `data`.
    public func isValidSignature(
      _ signature: ECDSASignature,
      for data: some DataProtocol
    ) -> Bool {
      verifies(signature, Data(data), .ecdsaSignatureMessageRFC4754SHA256)
    }

    /// Whether `signature` is this key's signature over `digest`.
    public func isValidSignature(
      _ signature: ECDSASignature,
      forDigest digest: some ContiguousBytes
    ) -> Bool {
      verifies(
        signature,
        unsafe digest.withUnsafeBytes { unsafe Data($0) },
        .ecdsaSignatureDigestRFC4754
      )
    }

    private func verifies(
      _ signature: ECDSASignature,
      _ data: Data,
      _ algorithm: SecKeyAlgorithm
    ) -> Bool {
      let bytes = signature.rawRepresentation as CFData
      return SecKeyVerifySignature(key, algorithm, data as CFData, bytes, nil)
    }
  }
}
