// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthPKI
import LocalAuthSecret

/// Signs a message or a digest, depending on the algorithm.
///
/// A key that the keychain holds may prompt for proof; the call blocks until the prompt ends.
///
/// - Parameters:
///   - key: a private key.
///   - algorithm: one that `SecKeyIsAlgorithmSupported` accepts for the key and for signing.
///   - dataToSign: the message or the digest.
///   - error: receives why there is no signature: `errSecParam`, or an `LAError` if the proof that
///     the key requires was not given.
/// - Returns: the signature, or nil.
@discardableResult
public func SecKeyCreateSignature(
  _ key: SecKey,
  _ algorithm: SecKeyAlgorithm,
  _ dataToSign: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe KeyFailure.reporting(to: error) { () throws(KeyFailure) in
    let recipe = try key.recipe(algorithm, for: .sign)
    return Data(try key.sign([UInt8](dataToSign as Data), recipe)) as NSData
  }
}

/// Verifies a signature over a message or a digest, depending on the algorithm.
///
/// - Parameters:
///   - key: a public key.
///   - algorithm: one that `SecKeyIsAlgorithmSupported` accepts for the key and for verifying.
///   - signedData: the message or the digest.
///   - signature: the signature.
///   - error: receives `errSecVerifyFailed` if the signature is not genuine, `errSecParam` if it
///     cannot be verified.
/// - Returns: whether the signature is genuine.
@discardableResult
public func SecKeyVerifySignature(
  _ key: SecKey,
  _ algorithm: SecKeyAlgorithm,
  _ signedData: CFData,
  _ signature: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> Bool {
  let isGenuine: Void? = unsafe KeyFailure.reporting(to: error) { () throws(KeyFailure) in
    let recipe = try key.recipe(algorithm, for: .verify)
    let (data, signature) = ([UInt8](signedData as Data), [UInt8](signature as Data))
    guard try key.verify(signature, of: data, recipe) else { throw .wrongSignature }
  }
  return isGenuine != nil
}

/// Encrypts data for the owner of the private key.
///
/// - Parameters:
///   - key: a public key.
///   - algorithm: one that `SecKeyIsAlgorithmSupported` accepts for the key and for encrypting.
///   - plaintext: the data; RSA alone takes at most one block, less the padding.
///   - error: receives `errSecParam` if the data cannot be encrypted.
/// - Returns: the ciphertext, or nil.
@discardableResult
public func SecKeyCreateEncryptedData(
  _ key: SecKey,
  _ algorithm: SecKeyAlgorithm,
  _ plaintext: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe KeyFailure.reporting(to: error) { () throws(KeyFailure) in
    let recipe = try key.recipe(algorithm, for: .encrypt)
    return Data(try key.encrypt([UInt8](plaintext as Data), recipe)) as NSData
  }
}

/// Decrypts data that was encrypted for the key.
///
/// A key that the keychain holds may prompt for proof; the call blocks until the prompt ends.
///
/// - Parameters:
///   - key: a private key.
///   - algorithm: the algorithm of the encryption.
///   - ciphertext: the encrypted data.
///   - error: receives `errSecParam` if the data was not encrypted for this key or was changed
///     since, or an `LAError` if the proof that the key requires was not given.
/// - Returns: the plaintext, or nil.
@discardableResult
public func SecKeyCreateDecryptedData(
  _ key: SecKey,
  _ algorithm: SecKeyAlgorithm,
  _ ciphertext: CFData,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe KeyFailure.reporting(to: error) { () throws(KeyFailure) in
    let recipe = try key.recipe(algorithm, for: .decrypt)
    return try key.decrypt([UInt8](ciphertext as Data), recipe) as NSData
  }
}

/// Agrees on a secret with the owner of another key.
///
/// - Parameters:
///   - privateKey: the caller's key.
///   - algorithm: the key exchange, with or without a derivation from the shared secret.
///   - publicKey: the peer's key, on the same curve.
///   - parameters: for a derivation `SecKeyKeyExchangeParameter.requestedSize` in bytes, and
///     `sharedInfo` if both sides have some.
///   - error: receives `errSecParam` if the keys and parameters do not allow it, or an `LAError` if
///     the proof that the key requires was not given.
/// - Returns: the secret, or nil.
@discardableResult
public func SecKeyCopyKeyExchangeResult(
  _ privateKey: SecKey,
  _ algorithm: SecKeyAlgorithm,
  _ publicKey: SecKey,
  _ parameters: CFDictionary,
  _ error: UnsafeMutablePointer<Unmanaged<CFError>?>?
) -> CFData? {
  unsafe KeyFailure.reporting(to: error) { () throws(KeyFailure) -> NSData in
    guard case .exchange(let hash) = try privateKey.recipe(algorithm, for: .keyExchange) else {
      throw .unsupported
    }
    let shared = try privateKey.sharedSecret(with: publicKey.publicKey)
    guard let hash else { return Data(shared) as NSData }
    let derivation = try KeyExchangeParameters(parameters)
    let key = try KeyFailure.translating { () throws(PKIError) in
      try IntegratedEncryption.derive(
        derivation.size,
        from: shared,
        sharedInfo: derivation.sharedInfo,
        hash
      )
    }
    return Data(key) as NSData
  }
}

/// Whether a key supports an algorithm for an operation.
///
/// Signing, decrypting and key exchange take a private key, the other operations a public one.
public func SecKeyIsAlgorithmSupported(
  _ key: SecKey,
  _ operation: SecKeyOperationType,
  _ algorithm: SecKeyAlgorithm
) -> Bool {
  (try? key.recipe(algorithm, for: operation)) != nil
}

extension SecKey {
  /// Whether the key's pair supports an algorithm for an operation, whichever half that takes.
  package func pairSupports(
    _ operation: SecKeyOperationType,
    _ algorithm: SecKeyAlgorithm
  ) -> Bool {
    KeyRecipe(algorithm)?.serves(operation, publicKey) ?? false
  }

  /// The recipe of an algorithm that the key supports for the operation.
  fileprivate func recipe(
    _ algorithm: SecKeyAlgorithm,
    for operation: SecKeyOperationType
  ) throws(KeyFailure) -> KeyRecipe {
    let takesPrivate =
      switch operation {
      case .sign, .decrypt, .keyExchange: true
      case .verify, .encrypt: false
      }
    guard let recipe = KeyRecipe(algorithm), takesPrivate == isPrivate,
      recipe.serves(operation, publicKey)
    else { throw .unsupported }
    return recipe
  }
}

/// The parameters of a derivation.
private struct KeyExchangeParameters {
  let size: Int
  let sharedInfo: [UInt8]

  init(_ dictionary: CFDictionary) throws(KeyFailure) {
    let size = Self.value(.requestedSize, in: dictionary) as? Int
    let info = Self.value(.sharedInfo, in: dictionary)
    guard let size else { throw KeyFailure(errSecParam, "requestedSize is missing.") }
    guard let data = (info ?? Data()) as? Data else {
      throw KeyFailure(errSecParam, "sharedInfo is no data.")
    }
    self.size = size
    sharedInfo = [UInt8](data)
  }

  /// The value of a parameter; its key in the dictionary is the parameter itself or its text.
  private static func value(
    _ parameter: SecKeyKeyExchangeParameter,
    in dictionary: CFDictionary
  ) -> Any? {
    for (key, value) in dictionary {
      if key as? String == parameter.rawValue { return value }
      if key as? SecKeyKeyExchangeParameter == parameter { return value }
    }
    return nil
  }
}
