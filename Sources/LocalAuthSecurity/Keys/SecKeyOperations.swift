// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthPKI
import LocalAuthSecret

/// Signs data, or the digest that it is, as the algorithm says.
///
/// A key that the keychain keeps may ask somebody for proof; the call blocks for as long as that takes.
///
/// - Parameters:
///   - key: a private key.
///   - algorithm: one that `SecKeyIsAlgorithmSupported` knows for the key and for signing.
///   - dataToSign: what.
///   - error: takes why there is no signature: `errSecParam`, or an `LAError` where what the key asks for was
///     not proven.
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

/// Verifies a signature over data, or over the digest that it is.
///
/// - Parameters:
///   - key: a public key.
///   - algorithm: one that `SecKeyIsAlgorithmSupported` knows for the key and for verifying.
///   - signedData: what was signed.
///   - signature: the signature.
///   - error: takes `errSecVerifyFailed` for a signature that is not genuine, `errSecParam` for what cannot be
///     verified.
/// - Returns: whether it is genuine.
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

/// Encrypts data for the owner of the private half.
///
/// - Parameters:
///   - key: a public key.
///   - algorithm: one that `SecKeyIsAlgorithmSupported` knows for the key and for encrypting.
///   - plaintext: what; RSA by itself takes less than a block.
///   - error: takes `errSecParam` where that cannot be done.
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

/// Decrypts what was encrypted for the key.
///
/// A key that the keychain keeps may ask somebody for proof; the call blocks for as long as that takes.
///
/// - Parameters:
///   - key: a private key.
///   - algorithm: that of the encryption.
///   - ciphertext: what.
///   - error: takes `errSecParam` for what was not encrypted for this key or was changed since, or an `LAError`
///     where what the key asks for was not proven.
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

/// Agrees with the owner of another key on a secret.
///
/// - Parameters:
///   - privateKey: the caller's.
///   - algorithm: the shared secret as it is, or a derivation from it.
///   - publicKey: the other one's, of the same curve.
///   - parameters: for a derivation `SecKeyKeyExchangeParameter.requestedSize` in bytes, and
///     `sharedInfo` where both sides have some.
///   - error: takes `errSecParam` where that cannot be done, or an `LAError` where what the key asks for was
///     not proven.
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

/// Whether a key has an algorithm for an operation: a private key for signing, decrypting and key exchange, a
/// public one for the others.
public func SecKeyIsAlgorithmSupported(
  _ key: SecKey,
  _ operation: SecKeyOperationType,
  _ algorithm: SecKeyAlgorithm
) -> Bool {
  (try? key.recipe(algorithm, for: operation)) != nil
}

extension SecKey {
  /// Whether the pair that this is a half of has an algorithm for an operation, by the half that it takes.
  package func pairSupports(
    _ operation: SecKeyOperationType,
    _ algorithm: SecKeyAlgorithm
  ) -> Bool {
    KeyRecipe(algorithm)?.serves(operation, publicKey) ?? false
  }

  /// What an algorithm means for this key.
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

/// What a derivation takes besides the keys.
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

  /// The key of the dictionary may be the parameter itself or its text.
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
