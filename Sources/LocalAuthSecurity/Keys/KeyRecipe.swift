import LocalAuthPKI

/// The parts of a `SecKeyAlgorithm`.
enum KeyRecipe: Hashable {
  /// A signature over a digest, or over a message if there is a hash function to digest it first;
  /// `isPlain` means `r || s` for ECDSA.
  case sign(SignatureScheme, hashes: HashFunction?, isPlain: Bool)
  /// RSA encryption of one block.
  case encrypt(EncryptionScheme)
  /// AES-GCM with a session key that RSA encrypts.
  case wrap(EncryptionScheme)
  /// AES-GCM with a key agreed on by means of an ephemeral key; the nonce is derived too, or zero.
  case integrate(HashFunction, derivesNonce: Bool)
  /// A shared secret, or with a hash function a key derived from it.
  case exchange(HashFunction?)

  /// Nil for an unsupported algorithm.
  init?(_ algorithm: SecKeyAlgorithm) {
    let words = algorithm.rawValue.split(separator: ":").map(String.init)
    guard words.count >= 3, words[0] == "algid" else { return nil }
    let rest = Array(words.dropFirst(3))
    switch (words[1], words[2]) {
    case ("sign", "RSA"): self.init(rsaSignature: rest)
    case ("sign", "ECDSA"): self.init(curveSignature: rest)
    case ("encrypt", "RSA"): self.init(rsaEncryption: rest)
    case ("encrypt", "ECIES"): self.init(integrated: rest)
    case ("keyexchange", "ECDH"), ("keyexchange", "ECDHC"): self.init(exchange: rest)
    default: return nil
    }
  }

  private init?(rsaSignature words: [String]) {
    guard let kind = words.first else { return nil }
    let hash = words.dropFirst().first.flatMap(HashFunction.init)
    switch (kind, hash) {
    case ("raw", nil): self = .sign(.rsaRaw, hashes: nil, isPlain: false)
    case ("digest-PKCS1v15", _): self = .sign(.rsaPKCS1v15(hash), hashes: nil, isPlain: false)
    case ("message-PKCS1v15", let hash?):
      self = .sign(.rsaPKCS1v15(hash), hashes: hash, isPlain: false)
    case ("digest-PSS", let hash?): self = .sign(.rsaPSS(hash), hashes: nil, isPlain: false)
    case ("message-PSS", let hash?): self = .sign(.rsaPSS(hash), hashes: hash, isPlain: false)
    default: return nil
    }
  }

  private init?(curveSignature words: [String]) {
    guard let kind = words.first else { return nil }
    let hash = words.dropFirst().first.flatMap(HashFunction.init)
    switch (kind, hash) {
    // An ECDSA signature does not name the hash function, so any digest can be signed.
    case ("digest-X962", _): self = .sign(.ecdsa, hashes: nil, isPlain: false)
    case ("digest-RFC4754", _), ("RFC4754", _): self = .sign(.ecdsa, hashes: nil, isPlain: true)
    case ("message-X962", let hash?): self = .sign(.ecdsa, hashes: hash, isPlain: false)
    case ("message-RFC4754", let hash?): self = .sign(.ecdsa, hashes: hash, isPlain: true)
    default: return nil
    }
  }

  private init?(rsaEncryption words: [String]) {
    switch words.count {
    case 1 where words[0] == "raw": self = .encrypt(.raw)
    case 1 where words[0] == "PKCS1": self = .encrypt(.pkcs1)
    case 2, 3:
      guard words[0] == "OAEP", let hash = HashFunction(rawValue: words[1]) else { return nil }
      if words.count == 2 {
        self = .encrypt(.oaep(hash))
      } else {
        guard words[2] == "AESGCM" else { return nil }
        self = .wrap(.oaep(hash))
      }
    default: return nil
    }
  }

  private init?(integrated words: [String]) {
    // The cofactor of NIST's curves is 1, so both ways of agreement give the same result.
    guard words.count == 4, ["ECDH", "ECDHC"].contains(words[0]), words[1] == "KDFX963",
      let hash = HashFunction(rawValue: words[2])
    else { return nil }
    switch words[3] {
    case "AESGCM": self = .integrate(hash, derivesNonce: false)
    case "AESGCM-KDFIV": self = .integrate(hash, derivesNonce: true)
    default: return nil
    }
  }

  private init?(exchange words: [String]) {
    if words.isEmpty {
      self = .exchange(nil)
    } else {
      guard words.count == 2, words[0] == "KDFX963", let hash = HashFunction(rawValue: words[1])
      else { return nil }
      self = .exchange(hash)
    }
  }

  /// Whether the key pair with this public half supports the algorithm for the operation.
  func serves(_ operation: SecKeyOperationType, _ key: ExternalPublicKey) -> Bool {
    switch (self, operation) {
    case (.sign(let scheme, _, _), .sign), (.sign(let scheme, _, _), .verify):
      key.supports(scheme)
    case (.encrypt(let scheme), .encrypt), (.encrypt(let scheme), .decrypt),
      (.wrap(let scheme), .encrypt), (.wrap(let scheme), .decrypt):
      key.capacity(scheme) != nil
    case (.integrate, .encrypt), (.integrate, .decrypt), (.exchange, .keyExchange):
      key.type == .ellipticCurve
    case (.sign, _), (.encrypt, _), (.wrap, _), (.integrate, _), (.exchange, _): false
    }
  }
}
