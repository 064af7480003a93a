/// An algorithm of an operation, by Apple's name; which ones are supported depends on the key.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: CFString

  /// The algorithm with this text, which is not checked.
  public init(rawValue: CFString) { self.rawValue = rawValue }
}

// Signatures with RSA.
extension SecKeyAlgorithm {
  /// Signs already padded data with RSA.
  public static let rsaSignatureRaw = Self(rawValue: "algid:sign:RSA:raw")
  /// Signs data with RSA, padded by PKCS #1 v1.5 without naming a hash function.
  public static let rsaSignatureDigestPKCS1v15Raw = Self(rawValue: "algid:sign:RSA:digest-PKCS1v15")
  /// Signs a SHA-1 digest with RSA and PKCS #1 v1.5 padding.
  public static let rsaSignatureDigestPKCS1v15SHA1 = Self(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA1"
  )
  /// Signs a SHA-224 digest with RSA and PKCS #1 v1.5 padding.
  public static let rsaSignatureDigestPKCS1v15SHA224 = Self(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA224"
  )
  /// Signs a SHA-256 digest with RSA and PKCS #1 v1.5 padding.
  public static let rsaSignatureDigestPKCS1v15SHA256 = Self(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA256"
  )
  /// Signs a SHA-384 digest with RSA and PKCS #1 v1.5 padding.
  public static let rsaSignatureDigestPKCS1v15SHA384 = Self(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA384"
  )
  /// Signs a SHA-512 digest with RSA and PKCS #1 v1.5 padding.
  public static let rsaSignatureDigestPKCS1v15SHA512 = Self(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA512"
  )
  /// Hashes a message with SHA-1 and signs it with RSA and PKCS #1 v1.5 padding.
  public static let rsaSignatureMessagePKCS1v15SHA1 = Self(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA1"
  )
  /// Hashes a message with SHA-224 and signs it with RSA and PKCS #1 v1.5 padding.
  public static let rsaSignatureMessagePKCS1v15SHA224 = Self(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA224"
  )
  /// Hashes a message with SHA-256 and signs it with RSA and PKCS #1 v1.5 padding.
  public static let rsaSignatureMessagePKCS1v15SHA256 = Self(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA256"
  )
  /// Hashes a message with SHA-384 and signs it with RSA and PKCS #1 v1.5 padding.
  public static let rsaSignatureMessagePKCS1v15SHA384 = Self(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA384"
  )
  /// Hashes a message with SHA-512 and signs it with RSA and PKCS #1 v1.5 padding.
  public static let rsaSignatureMessagePKCS1v15SHA512 = Self(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA512"
  )
  /// Signs a SHA-1 digest with RSA and PSS padding.
  public static let rsaSignatureDigestPSSSHA1 = Self(
    rawValue: "algid:sign:RSA:digest-PSS:SHA1:SHA1:20"
  )
  /// Signs a SHA-224 digest with RSA and PSS padding.
  public static let rsaSignatureDigestPSSSHA224 = Self(
    rawValue: "algid:sign:RSA:digest-PSS:SHA224:SHA224:24"
  )
  /// Signs a SHA-256 digest with RSA and PSS padding.
  public static let rsaSignatureDigestPSSSHA256 = Self(
    rawValue: "algid:sign:RSA:digest-PSS:SHA256:SHA256:32"
  )
  /// Signs a SHA-384 digest with RSA and PSS padding.
  public static let rsaSignatureDigestPSSSHA384 = Self(
    rawValue: "algid:sign:RSA:digest-PSS:SHA384:SHA384:48"
  )
  /// Signs a SHA-512 digest with RSA and PSS padding.
  public static let rsaSignatureDigestPSSSHA512 = Self(
    rawValue: "algid:sign:RSA:digest-PSS:SHA512:SHA512:64"
  )
  /// Hashes a message with SHA-1 and signs it with RSA and PSS padding.
  public static let rsaSignatureMessagePSSSHA1 = Self(
    rawValue: "algid:sign:RSA:message-PSS:SHA1:SHA1:20"
  )
  /// Hashes a message with SHA-224 and signs it with RSA and PSS padding.
  public static let rsaSignatureMessagePSSSHA224 = Self(
    rawValue: "algid:sign:RSA:message-PSS:SHA224:SHA224:24"
  )
  /// Hashes a message with SHA-256 and signs it with RSA and PSS padding.
  public static let rsaSignatureMessagePSSSHA256 = Self(
    rawValue: "algid:sign:RSA:message-PSS:SHA256:SHA256:32"
  )
  /// Hashes a message with SHA-384 and signs it with RSA and PSS padding.
  public static let rsaSignatureMessagePSSSHA384 = Self(
    rawValue: "algid:sign:RSA:message-PSS:SHA384:SHA384:48"
  )
  /// Hashes a message with SHA-512 and signs it with RSA and PSS padding.
  public static let rsaSignatureMessagePSSSHA512 = Self(
    rawValue: "algid:sign:RSA:message-PSS:SHA512:SHA512:64"
  )
}

// Signatures over elliptic curves.
extension SecKeyAlgorithm {
  /// Signs a digest of any hash function with ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962 = Self(rawValue: "algid:sign:ECDSA:digest-X962")
  /// Signs a SHA-1 digest with ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962SHA1 = Self(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA1"
  )
  /// Signs a SHA-224 digest with ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962SHA224 = Self(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA224"
  )
  /// Signs a SHA-256 digest with ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962SHA256 = Self(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA256"
  )
  /// Signs a SHA-384 digest with ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962SHA384 = Self(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA384"
  )
  /// Signs a SHA-512 digest with ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962SHA512 = Self(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA512"
  )
  /// Hashes a message with SHA-1 and signs it with ECDSA; the signature is DER.
  public static let ecdsaSignatureMessageX962SHA1 = Self(
    rawValue: "algid:sign:ECDSA:message-X962:SHA1"
  )
  /// Hashes a message with SHA-224 and signs it with ECDSA; the signature is DER.
  public static let ecdsaSignatureMessageX962SHA224 = Self(
    rawValue: "algid:sign:ECDSA:message-X962:SHA224"
  )
  /// Hashes a message with SHA-256 and signs it with ECDSA; the signature is DER.
  public static let ecdsaSignatureMessageX962SHA256 = Self(
    rawValue: "algid:sign:ECDSA:message-X962:SHA256"
  )
  /// Hashes a message with SHA-384 and signs it with ECDSA; the signature is DER.
  public static let ecdsaSignatureMessageX962SHA384 = Self(
    rawValue: "algid:sign:ECDSA:message-X962:SHA384"
  )
  /// Hashes a message with SHA-512 and signs it with ECDSA; the signature is DER.
  public static let ecdsaSignatureMessageX962SHA512 = Self(
    rawValue: "algid:sign:ECDSA:message-X962:SHA512"
  )
  /// Signs a digest of any hash function with ECDSA; the signature is `r || s`.
  public static let ecdsaSignatureDigestRFC4754 = Self(rawValue: "algid:sign:ECDSA:digest-RFC4754")
  /// Signs a SHA-1 digest with ECDSA; the signature is `r || s`.
  public static let ecdsaSignatureDigestRFC4754SHA1 = Self(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA1"
  )
  /// Signs a SHA-224 digest with ECDSA; the signature is `r || s`.
  public static let ecdsaSignatureDigestRFC4754SHA224 = Self(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA224"
  )
  /// Signs a SHA-256 digest with ECDSA; the signature is `r || s`.
  public static let ecdsaSignatureDigestRFC4754SHA256 = Self(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA256"
  )
  /// Signs a SHA-384 digest with ECDSA; the signature is `r || s`.
  public static let ecdsaSignatureDigestRFC4754SHA384 = Self(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA384"
  )
  /// Signs a SHA-512 digest with ECDSA; the signature is `r || s`.
  public static let ecdsaSignatureDigestRFC4754SHA512 = Self(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA512"
  )
  /// Hashes a message with SHA-1 and signs it with ECDSA; the signature is `r || s`.
  public static let ecdsaSignatureMessageRFC4754SHA1 = Self(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA1"
  )
  /// Hashes a message with SHA-224 and signs it with ECDSA; the signature is `r || s`.
  public static let ecdsaSignatureMessageRFC4754SHA224 = Self(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA224"
  )
  /// Hashes a message with SHA-256 and signs it with ECDSA; the signature is `r || s`.
  public static let ecdsaSignatureMessageRFC4754SHA256 = Self(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA256"
  )
  /// Hashes a message with SHA-384 and signs it with ECDSA; the signature is `r || s`.
  public static let ecdsaSignatureMessageRFC4754SHA384 = Self(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA384"
  )
  /// Hashes a message with SHA-512 and signs it with ECDSA; the signature is `r || s`.
  public static let ecdsaSignatureMessageRFC4754SHA512 = Self(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA512"
  )
  /// Deprecated by Apple: use `ecdsaSignatureDigestRFC4754`.
  public static let ecdsaSignatureRFC4754 = Self(rawValue: "algid:sign:ECDSA:RFC4754")
}

// Encryption with RSA.
extension SecKeyAlgorithm {
  /// Encrypts already padded data with RSA.
  public static let rsaEncryptionRaw = Self(rawValue: "algid:encrypt:RSA:raw")
  /// Encrypts with RSA and PKCS #1 v1.5 padding.
  public static let rsaEncryptionPKCS1 = Self(rawValue: "algid:encrypt:RSA:PKCS1")
  /// Encrypts with RSA, OAEP padding and SHA-1.
  public static let rsaEncryptionOAEPSHA1 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA1")
  /// Encrypts with RSA, OAEP padding and SHA-224.
  public static let rsaEncryptionOAEPSHA224 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA224")
  /// Encrypts with RSA, OAEP padding and SHA-256.
  public static let rsaEncryptionOAEPSHA256 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA256")
  /// Encrypts with RSA, OAEP padding and SHA-384.
  public static let rsaEncryptionOAEPSHA384 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA384")
  /// Encrypts with RSA, OAEP padding and SHA-512.
  public static let rsaEncryptionOAEPSHA512 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA512")
  /// Encrypts with AES-GCM; RSA encrypts the key with OAEP padding and SHA-1.
  public static let rsaEncryptionOAEPSHA1AESGCM = Self(
    rawValue: "algid:encrypt:RSA:OAEP:SHA1:AESGCM"
  )
  /// Encrypts with AES-GCM; RSA encrypts the key with OAEP padding and SHA-224.
  public static let rsaEncryptionOAEPSHA224AESGCM = Self(
    rawValue: "algid:encrypt:RSA:OAEP:SHA224:AESGCM"
  )
  /// Encrypts with AES-GCM; RSA encrypts the key with OAEP padding and SHA-256.
  public static let rsaEncryptionOAEPSHA256AESGCM = Self(
    rawValue: "algid:encrypt:RSA:OAEP:SHA256:AESGCM"
  )
  /// Encrypts with AES-GCM; RSA encrypts the key with OAEP padding and SHA-384.
  public static let rsaEncryptionOAEPSHA384AESGCM = Self(
    rawValue: "algid:encrypt:RSA:OAEP:SHA384:AESGCM"
  )
  /// Encrypts with AES-GCM; RSA encrypts the key with OAEP padding and SHA-512.
  public static let rsaEncryptionOAEPSHA512AESGCM = Self(
    rawValue: "algid:encrypt:RSA:OAEP:SHA512:AESGCM"
  )
}

// Encryption over elliptic curves.
extension SecKeyAlgorithm {
  /// Encrypts with AES-GCM; the key comes from ECDH and X9.63 with SHA-1.
  public static let eciesEncryptionStandardX963SHA1AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM"
  )
  /// Encrypts with AES-GCM; the key comes from ECDH and X9.63 with SHA-224.
  public static let eciesEncryptionStandardX963SHA224AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM"
  )
  /// Encrypts with AES-GCM; the key comes from ECDH and X9.63 with SHA-256.
  public static let eciesEncryptionStandardX963SHA256AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM"
  )
  /// Encrypts with AES-GCM; the key comes from ECDH and X9.63 with SHA-384.
  public static let eciesEncryptionStandardX963SHA384AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM"
  )
  /// Encrypts with AES-GCM; the key comes from ECDH and X9.63 with SHA-512.
  public static let eciesEncryptionStandardX963SHA512AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM"
  )
  /// Encrypts with AES-GCM; the key comes from cofactor ECDH and X9.63 with SHA-1.
  public static let eciesEncryptionCofactorX963SHA1AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM"
  )
  /// Encrypts with AES-GCM; the key comes from cofactor ECDH and X9.63 with SHA-224.
  public static let eciesEncryptionCofactorX963SHA224AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM"
  )
  /// Encrypts with AES-GCM; the key comes from cofactor ECDH and X9.63 with SHA-256.
  public static let eciesEncryptionCofactorX963SHA256AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM"
  )
  /// Encrypts with AES-GCM; the key comes from cofactor ECDH and X9.63 with SHA-384.
  public static let eciesEncryptionCofactorX963SHA384AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM"
  )
  /// Encrypts with AES-GCM; the key comes from cofactor ECDH and X9.63 with SHA-512.
  public static let eciesEncryptionCofactorX963SHA512AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM"
  )
  /// Encrypts with AES-GCM; key and nonce come from ECDH and X9.63 with SHA-224.
  public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV"
  )
  /// Encrypts with AES-GCM; key and nonce come from ECDH and X9.63 with SHA-256.
  public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV"
  )
  /// Encrypts with AES-GCM; key and nonce come from ECDH and X9.63 with SHA-384.
  public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV"
  )
  /// Encrypts with AES-GCM; key and nonce come from ECDH and X9.63 with SHA-512.
  public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV"
  )
  /// Encrypts with AES-GCM; key and nonce come from cofactor ECDH and X9.63 with SHA-224.
  public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV"
  )
  /// Encrypts with AES-GCM; key and nonce come from cofactor ECDH and X9.63 with SHA-256.
  public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"
  )
  /// Encrypts with AES-GCM; key and nonce come from cofactor ECDH and X9.63 with SHA-384.
  public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV"
  )
  /// Encrypts with AES-GCM; key and nonce come from cofactor ECDH and X9.63 with SHA-512.
  public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV"
  )
}

// Agreement on keys.
extension SecKeyAlgorithm {
  /// Agrees on a secret with ECDH.
  public static let ecdhKeyExchangeStandard = Self(rawValue: "algid:keyexchange:ECDH")
  /// Derives a key with X9.63 and SHA-1 from a secret agreed on with ECDH.
  public static let ecdhKeyExchangeStandardX963SHA1 = Self(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA1"
  )
  /// Derives a key with X9.63 and SHA-224 from a secret agreed on with ECDH.
  public static let ecdhKeyExchangeStandardX963SHA224 = Self(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA224"
  )
  /// Derives a key with X9.63 and SHA-256 from a secret agreed on with ECDH.
  public static let ecdhKeyExchangeStandardX963SHA256 = Self(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA256"
  )
  /// Derives a key with X9.63 and SHA-384 from a secret agreed on with ECDH.
  public static let ecdhKeyExchangeStandardX963SHA384 = Self(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA384"
  )
  /// Derives a key with X9.63 and SHA-512 from a secret agreed on with ECDH.
  public static let ecdhKeyExchangeStandardX963SHA512 = Self(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA512"
  )
  /// Agrees on a secret with cofactor ECDH.
  public static let ecdhKeyExchangeCofactor = Self(rawValue: "algid:keyexchange:ECDHC")
  /// Derives a key with X9.63 and SHA-1 from a secret agreed on with cofactor ECDH.
  public static let ecdhKeyExchangeCofactorX963SHA1 = Self(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA1"
  )
  /// Derives a key with X9.63 and SHA-224 from a secret agreed on with cofactor ECDH.
  public static let ecdhKeyExchangeCofactorX963SHA224 = Self(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA224"
  )
  /// Derives a key with X9.63 and SHA-256 from a secret agreed on with cofactor ECDH.
  public static let ecdhKeyExchangeCofactorX963SHA256 = Self(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA256"
  )
  /// Derives a key with X9.63 and SHA-384 from a secret agreed on with cofactor ECDH.
  public static let ecdhKeyExchangeCofactorX963SHA384 = Self(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA384"
  )
  /// Derives a key with X9.63 and SHA-512 from a secret agreed on with cofactor ECDH.
  public static let ecdhKeyExchangeCofactorX963SHA512 = Self(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA512"
  )
}
