public import Foundation
public import LocalAuthSecurity
public import LocalAuthentication

extension SecureEnclave.P256.Signing {
  /// A private key that signs in the keychain, on the proof that its access control asks for.
  ///
  /// Each signature asks anew, unless the context has proven it before. A key whose
  /// ``dataRepresentation`` nobody took ends with its last copy.
  public struct PrivateKey: Sendable {
    private let key: EnclaveKey
    /// The public half.
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
    ///   - accessControl: what must be proven before it signs, with `.privateKeyUsage`; nil for a key that
    ///     signs while the device is unlocked.
    ///   - authenticationContext: how somebody is asked, and what was proven before.
    /// - Throws: an `NSError` of `NSOSStatusErrorDomain` or `LAErrorDomain`: `errSecParam` for an access
    ///   control without `.privateKeyUsage`, `LAError.passcodeNotSet` and others for what cannot be proven
    ///   on this device.
    public init(
      compactRepresentable: Bool = true,
      accessControl: SecAccessControl? = nil,
      authenticationContext: LAContext? = nil
    ) throws {
      self.init(try EnclaveKey(accessControl ?? .enclaveDefault, authenticationContext))
    }

    /// The key that ``dataRepresentation`` was taken of, on the same device.
    ///
    /// Nobody is asked before it signs.
    ///
    /// - Parameters:
    ///   - dataRepresentation: the bytes.
    ///   - authenticationContext: how somebody is asked, and what was proven before.
    /// - Throws: `errSecDecode` for damaged bytes; `errSecItemNotFound` on another device, and for a key that
    ///   was deleted or that went with the fingers or the passcode that it asked for;
    ///   `errSecInteractionNotAllowed` while the device is locked.
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

    /// Signs data, by way of its SHA-256.
    ///
    /// - Throws: an `LAError` where the proof was not given, `errSecInteractionNotAllowed` while the device
    ///   is locked, `errSecItemNotFound` where the key is gone.
    @_disfavoredOverload
    public func signature(for data: some DataProtocol) throws -> ECDSASignature {
      let bytes = try key.sign(Data(data), .ecdsaSignatureMessageRFC4754SHA256)
      return try ECDSASignature(rawRepresentation: bytes)
    }

    /// Signs a digest as it is, of whichever function it is; of a long one its first 32 bytes.
    ///
    /// - Throws: as ``signature(for:)``.
    public func signature(forDigest digest: some ContiguousBytes) throws -> ECDSASignature {
      let digest = unsafe digest.withUnsafeBytes { unsafe Data($0) }
      let bytes = try key.sign(digest, .ecdsaSignatureDigestRFC4754)
      return try ECDSASignature(rawRepresentation: bytes)
    }

    /// Deletes the key from the keychain; CryptoKit's keys end with their bytes, which these do not.
    ///
    /// - Throws: `errSecItemNotFound` where it is gone.
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

    /// The key in the bytes of ``x963Representation``.
    ///
    /// - Throws: `errSecParam` where they are no point of the curve.
    public init(x963Representation: some ContiguousBytes) throws {
      (key, self.x963Representation) = try Self.point(x963Representation)
    }

    /// Whether a signature is this key's over the SHA-256 of data.
    public func isValidSignature(
      _ signature: ECDSASignature,
      for data: some DataProtocol
    ) -> Bool {
      verifies(signature, Data(data), .ecdsaSignatureMessageRFC4754SHA256)
    }

    /// Whether a signature is this key's over a digest.
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
