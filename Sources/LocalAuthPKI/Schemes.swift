import CLocalAuthOpenSSL

/// A way to sign a digest.
public enum SignatureScheme: Hashable, Sendable {
  /// RSA on input that is already padded; shorter input is a smaller number.
  case rsaRaw
  /// RSA with PKCS #1 v1.5 padding; without a hash function, the input is not wrapped in a
  /// DigestInfo.
  case rsaPKCS1v15(HashFunction?)
  /// RSA-PSS, with a salt as long as the digest.
  case rsaPSS(HashFunction)
  /// ECDSA, with the signature as ANSI X9.62 DER, `SEQUENCE { r, s }`.
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

  /// Whether a key of this kind and size supports the scheme at all.
  func fits(_ shape: KeyShape) -> Bool {
    guard type == shape.type else { return false }
    switch self {
    case .rsaPSS(let hash): return shape.bits >= 8 * 2 * hash.size + 9
    // A DigestInfo adds up to 19 bytes, the padding 11.
    case .rsaPKCS1v15(let hash?): return shape.blockSize >= hash.size + 19 + 11
    case .rsaRaw, .rsaPKCS1v15(nil), .ecdsa: return true
    }
  }

  /// The library's input for `digest`.
  func input(_ digest: [UInt8], _ shape: KeyShape) throws(PKIError) -> [UInt8] {
    if let hash { guard digest.count == hash.size else { throw .size } }
    guard case .rsaRaw = self else { return digest }
    return try digest.padded(to: shape.blockSize)
  }
}

/// A way to encrypt with RSA.
public enum EncryptionScheme: Hashable, Sendable {
  /// Input that is already padded; shorter input is a smaller number.
  case raw
  /// PKCS #1 v1.5 padding; a caller that reveals whether the padding was wrong reveals the
  /// plaintext.
  case pkcs1
  /// OAEP, with the same hash function for label and mask.
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

  /// The most bytes that fit into one block; nil if the key is too small for any.
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
  /// Pads the number with leading zeros.
  func padded(to size: Int) throws(PKIError) -> [UInt8] {
    guard count <= size else { throw .size }
    return [UInt8](repeating: 0, count: size - count) + self
  }
}
