// The only file of a target named CryptoKit, over the products Crypto of swift-crypto and AppleSource of
// LocalAuth: source that imports CryptoKit then compiles unchanged, and SecureEnclave has swift-crypto's types.

import Foundation
@_exported import SecureEnclave

#if canImport(Crypto)
@_exported import Crypto
#endif

extension SecureEnclave.P256.Signing.PrivateKey {
  /// The public half.
  public var publicKey: Crypto.P256.Signing.PublicKey {
    guard let key = try? Crypto.P256.Signing.PublicKey(x963Representation: x963PublicKey) else {
      preconditionFailure("a key of the keychain is a point of its curve")
    }
    return key
  }

  /// Signs data, by way of its SHA-256.
  public func signature(for data: some DataProtocol) throws -> Crypto.P256.Signing.ECDSASignature {
    let signature: SecureEnclave.P256.Signing.ECDSASignature = try signature(for: data)
    return try Crypto.P256.Signing.ECDSASignature(rawRepresentation: signature.rawRepresentation)
  }

  /// Signs a digest.
  public func signature(for digest: some Crypto.Digest) throws -> Crypto.P256.Signing.ECDSASignature
  {
    let signature = try signature(forDigest: digest)
    return try Crypto.P256.Signing.ECDSASignature(rawRepresentation: signature.rawRepresentation)
  }
}

extension SecureEnclave.P256.KeyAgreement.PrivateKey {
  /// The public half, for the other side.
  public var publicKey: Crypto.P256.KeyAgreement.PublicKey {
    guard let key = try? Crypto.P256.KeyAgreement.PublicKey(x963Representation: x963PublicKey)
    else {
      preconditionFailure("a key of the keychain is a point of its curve")
    }
    return key
  }

  /// Agrees on a secret with the owner of another key.
  public func sharedSecretFromKeyAgreement(
    with publicKeyShare: Crypto.P256.KeyAgreement.PublicKey
  ) throws -> SecureEnclave.SharedSecret {
    let share = try SecureEnclave.P256.KeyAgreement.PublicKey(
      x963Representation: publicKeyShare.x963Representation
    )
    return try sharedSecretFromKeyAgreement(with: share)
  }
}

extension SecureEnclave.SharedSecret {
  /// A key that HKDF (RFC 5869) derives from the secret.
  public func hkdfDerivedSymmetricKey<Hash: Crypto.HashFunction>(
    using hashFunction: Hash.Type,
    salt: some DataProtocol,
    sharedInfo: some DataProtocol,
    outputByteCount: Int
  ) -> Crypto.SymmetricKey {
    Crypto.HKDF<Hash>.deriveKey(
      inputKeyMaterial: Crypto.SymmetricKey(data: self),
      salt: salt,
      info: sharedInfo,
      outputByteCount: outputByteCount
    )
  }

  /// A key that the derivation of ANSI X9.63 makes of the secret.
  public func x963DerivedSymmetricKey<Hash: Crypto.HashFunction>(
    using hashFunction: Hash.Type,
    sharedInfo: some DataProtocol,
    outputByteCount: Int
  ) -> Crypto.SymmetricKey {
    var bytes = Data()
    var counter: UInt32 = 1
    while bytes.count < outputByteCount {
      var hash = Hash()
      withUnsafeBytes { hash.update(bufferPointer: $0) }
      Swift.withUnsafeBytes(of: counter.bigEndian) { hash.update(bufferPointer: $0) }
      hash.update(data: sharedInfo)
      bytes.append(contentsOf: hash.finalize())
      counter += 1
    }
    return Crypto.SymmetricKey(data: bytes.prefix(outputByteCount))
  }
}
