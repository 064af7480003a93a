import LocalAuth
import LocalAuthPKI
import LocalAuthSecret

/// The operations of a key, whether the process or the keychain holds it.
extension SecKey {
  func sign(_ data: [UInt8], _ recipe: KeyRecipe) throws(KeyFailure) -> [UInt8] {
    guard case .sign(let scheme, let hash, let isPlain) = recipe else { throw .unsupported }
    let digest = try KeyFailure.translating { () throws(PKIError) in
      try hash?.digest(of: data) ?? data
    }
    let signature = try signature(of: digest, scheme)
    guard isPlain else { return signature }
    return try KeyFailure.translating { () throws(PKIError) in
      try ECDSASignature.plain(signature, for: publicKey)
    }
  }

  private func signature(
    of digest: [UInt8],
    _ scheme: SignatureScheme
  ) throws(KeyFailure) -> [UInt8] {
    switch material {
    case .publicKey: throw .unsupported
    case .privateKey(let key):
      try KeyFailure.translating { () throws(PKIError) in try key.sign(digest, by: scheme) }
    case .keychainKey(let key):
      try KeyFailure.translating { () throws(KeychainFailure) in try key.sign(digest) }
    }
  }

  func verify(
    _ signature: [UInt8],
    of data: [UInt8],
    _ recipe: KeyRecipe
  ) throws(KeyFailure) -> Bool {
    guard case .sign(let scheme, let hash, let isPlain) = recipe else { throw .unsupported }
    do throws(PKIError) {
      let digest = try hash?.digest(of: data) ?? data
      let signature = isPlain ? try ECDSASignature.der(signature, for: publicKey) : signature
      return try publicKey.verify(signature, of: digest, by: scheme)
    } catch {
      // A signature of the wrong length cannot be this key's.
      guard isPlain, error == .malformed else { throw error.keyFailure }
      return false
    }
  }

  func encrypt(_ plaintext: [UInt8], _ recipe: KeyRecipe) throws(KeyFailure) -> [UInt8] {
    try KeyFailure.translating { () throws(PKIError) in
      switch recipe {
      case .encrypt(let scheme): try publicKey.encrypt(plaintext, by: scheme)
      case .wrap(let scheme): try KeyWrapping.seal(plaintext, for: publicKey, scheme)
      case .integrate(let hash, let derivesNonce):
        try ECIES(hash, derivesNonce: derivesNonce).seal(plaintext, for: publicKey)
      case .sign, .exchange: throw .unsuitable
      }
    }
  }

  func decrypt(_ ciphertext: [UInt8], _ recipe: KeyRecipe) throws(KeyFailure) -> Data {
    switch recipe {
    case .encrypt(let scheme): return Data(try block(ciphertext, scheme))
    case .wrap(let scheme):
      let (wrapped, sealed) = try KeyFailure.translating { () throws(PKIError) in
        try KeyWrapping.parts(of: ciphertext, for: publicKey)
      }
      let session = try block(wrapped, scheme)
      return Data(
        try KeyFailure.translating { () throws(PKIError) in
          try KeyWrapping.open(sealed, with: session, for: publicKey)
        }
      )
    case .integrate(let hash, let derivesNonce):
      let scheme = ECIES(hash, derivesNonce: derivesNonce)
      let (ephemeral, sealed) = try KeyFailure.translating { () throws(PKIError) in
        try ECIES.parts(of: ciphertext, for: publicKey)
      }
      let shared = try sharedSecret(with: ephemeral)
      return Data(
        try KeyFailure.translating { () throws(PKIError) in
          try scheme.open(sealed, shared, from: ephemeral)
        }
      )
    case .sign, .exchange: throw .unsupported
    }
  }

  /// Decrypts one block with RSA.
  private func block(_ ciphertext: [UInt8], _ scheme: EncryptionScheme) throws(KeyFailure) -> Secret
  {
    guard case .privateKey(let key) = material else { throw .unsupported }
    return try KeyFailure.translating { () throws(PKIError) in
      try key.decrypt(ciphertext, by: scheme)
    }
  }

  /// The secret shared with another key of its curve.
  func sharedSecret(with peer: ExternalPublicKey) throws(KeyFailure) -> Secret {
    guard peer.type == publicKey.type, peer.bits == publicKey.bits else {
      throw KeyFailure(errSecParam, "The keys are not of one curve.")
    }
    switch material {
    case .publicKey: throw .unsupported
    case .privateKey(let key):
      return try KeyFailure.translating { () throws(PKIError) in try key.sharedSecret(with: peer) }
    case .keychainKey(let key):
      return try KeyFailure.translating { () throws(KeychainFailure) in
        try key.sharedSecret(with: peer)
      }
    }
  }
}
