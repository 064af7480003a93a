import CLocalAuthOpenSSL

/// How a digest is signed.
public enum SignatureScheme: Hashable, Sendable {
  /// RSA of what is padded already; shorter is taken as a smaller number.
  case rsaRaw
  /// RSA with the padding of PKCS #1, version 1.5; without a hash function the digest is not named.
  case rsaPKCS1v15(HashFunction?)
  /// RSA-PSS, with a salt as long as the digest.
  case rsaPSS(HashFunction)
  /// ECDSA; the signature is the DER of ANSI X9.62, `SEQUENCE { r, s }`.
  case ecdsa

  var type: ExternalKeyType {
    switch self {
    case .rsaRaw, .rsaPKCS1v15, .rsaPSS: .rsa
    case .ecdsa: .ellipticCurve
    }
  }

  var padding: la_padding {
    switch self {
    case .rsaRaw, .ecdsa: LA_PADDING_NONE
    case .rsaPKCS1v15: LA_PADDING_PKCS1
    case .rsaPSS: LA_PADDING_PSS
    }
  }

  var hash: HashFunction? {
    switch self {
    case .rsaPKCS1v15(let hash): hash
    case .rsaPSS(let hash): hash
    case .rsaRaw, .ecdsa: nil
    }
  }

  /// Whether a key of this size can sign so at all.
  func fits(_ shape: KeyShape) -> Bool {
    guard type == shape.type else { return false }
    switch self {
    case .rsaPSS(let hash): return shape.bits >= 8 * 2 * hash.size + 9
    // The name of a hash function has up to 19 bytes, the padding 11.
    case .rsaPKCS1v15(let hash?): return shape.blockSize >= hash.size + 19 + 11
    case .rsaRaw, .rsaPKCS1v15(nil), .ecdsa: return true
    }
  }

  /// What the library is given for `digest`.
  func input(_ digest: [UInt8], _ shape: KeyShape) throws(PKIError) -> [UInt8] {
    if let hash { guard digest.count == hash.size else { throw .size } }
    guard case .rsaRaw = self else { return digest }
    return try digest.padded(to: shape.blockSize)
  }
}

/// How RSA encrypts.
public enum EncryptionScheme: Hashable, Sendable {
  /// What is padded already; shorter is taken as a smaller number.
  case raw
  /// The padding of PKCS #1, version 1.5; who answers differently for a wrong one gives the plaintext
  /// away.
  case pkcs1
  /// OAEP, with one hash function for the label and the mask.
  case oaep(HashFunction)

  var padding: la_padding {
    switch self {
    case .raw: LA_PADDING_NONE
    case .pkcs1: LA_PADDING_PKCS1
    case .oaep: LA_PADDING_OAEP
    }
  }

  var hash: HashFunction? {
    if case .oaep(let hash) = self { return hash }
    return nil
  }

  /// How many bytes go into one block at most; nil where the key is too small for any.
  func capacity(_ shape: KeyShape) -> Int? {
    guard shape.type == .rsa else { return nil }
    let overhead =
      switch self {
      case .raw: 0
      case .pkcs1: 11
      case .oaep(let hash): 2 * hash.size + 2
      }
    return shape.blockSize >= overhead ? shape.blockSize - overhead : nil
  }
}

extension [UInt8] {
  /// The same number with zeros before it.
  func padded(to size: Int) throws(PKIError) -> [UInt8] {
    guard count <= size else { throw .size }
    return [UInt8](repeating: 0, count: size - count) + self
  }
}
