/// What a key is used for, by Apple's names; which ones work here is a matter of the key.
public struct SecKeyAlgorithm: RawRepresentable, Hashable, Sendable {
  /// Apple's text.
  public let rawValue: CFString

  /// The algorithm with this text, whether or not there is one.
  public init(rawValue: CFString) { self.rawValue = rawValue }
}

// Signatures with RSA.
extension SecKeyAlgorithm {
  /// Signs with RSA what is padded already.
  public static let rsaSignatureRaw = Self(rawValue: "algid:sign:RSA:raw")
  /// Signs with RSA what is padded by PKCS #1, and is no named digest.
  public static let rsaSignatureDigestPKCS1v15Raw = Self(rawValue: "algid:sign:RSA:digest-PKCS1v15")
  /// Signs a digest by SHA-1 with RSA, padded by PKCS #1 v1.5.
  public static let rsaSignatureDigestPKCS1v15SHA1 = Self(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA1"
  )
  /// Signs a digest by SHA-224 with RSA, padded by PKCS #1 v1.5.
  public static let rsaSignatureDigestPKCS1v15SHA224 = Self(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA224"
  )
  /// Signs a digest by SHA-256 with RSA, padded by PKCS #1 v1.5.
  public static let rsaSignatureDigestPKCS1v15SHA256 = Self(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA256"
  )
  /// Signs a digest by SHA-384 with RSA, padded by PKCS #1 v1.5.
  public static let rsaSignatureDigestPKCS1v15SHA384 = Self(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA384"
  )
  /// Signs a digest by SHA-512 with RSA, padded by PKCS #1 v1.5.
  public static let rsaSignatureDigestPKCS1v15SHA512 = Self(
    rawValue: "algid:sign:RSA:digest-PKCS1v15:SHA512"
  )
  /// Signs a message, hashed by SHA-1, with RSA, padded by PKCS #1 v1.5.
  public static let rsaSignatureMessagePKCS1v15SHA1 = Self(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA1"
  )
  /// Signs a message, hashed by SHA-224, with RSA, padded by PKCS #1 v1.5.
  public static let rsaSignatureMessagePKCS1v15SHA224 = Self(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA224"
  )
  /// Signs a message, hashed by SHA-256, with RSA, padded by PKCS #1 v1.5.
  public static let rsaSignatureMessagePKCS1v15SHA256 = Self(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA256"
  )
  /// Signs a message, hashed by SHA-384, with RSA, padded by PKCS #1 v1.5.
  public static let rsaSignatureMessagePKCS1v15SHA384 = Self(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA384"
  )
  /// Signs a message, hashed by SHA-512, with RSA, padded by PKCS #1 v1.5.
  public static let rsaSignatureMessagePKCS1v15SHA512 = Self(
    rawValue: "algid:sign:RSA:message-PKCS1v15:SHA512"
  )
  /// Signs a digest by SHA-1 with RSA, padded by PSS.
  public static let rsaSignatureDigestPSSSHA1 = Self(
    rawValue: "algid:sign:RSA:digest-PSS:SHA1:SHA1:20"
  )
  /// Signs a digest by SHA-224 with RSA, padded by PSS.
  public static let rsaSignatureDigestPSSSHA224 = Self(
    rawValue: "algid:sign:RSA:digest-PSS:SHA224:SHA224:24"
  )
  /// Signs a digest by SHA-256 with RSA, padded by PSS.
  public static let rsaSignatureDigestPSSSHA256 = Self(
    rawValue: "algid:sign:RSA:digest-PSS:SHA256:SHA256:32"
  )
  /// Signs a digest by SHA-384 with RSA, padded by PSS.
  public static let rsaSignatureDigestPSSSHA384 = Self(
    rawValue: "algid:sign:RSA:digest-PSS:SHA384:SHA384:48"
  )
  /// Signs a digest by SHA-512 with RSA, padded by PSS.
  public static let rsaSignatureDigestPSSSHA512 = Self(
    rawValue: "algid:sign:RSA:digest-PSS:SHA512:SHA512:64"
  )
  /// Signs a message, hashed by SHA-1, with RSA, padded by PSS.
  public static let rsaSignatureMessagePSSSHA1 = Self(
    rawValue: "algid:sign:RSA:message-PSS:SHA1:SHA1:20"
  )
  /// Signs a message, hashed by SHA-224, with RSA, padded by PSS.
  public static let rsaSignatureMessagePSSSHA224 = Self(
    rawValue: "algid:sign:RSA:message-PSS:SHA224:SHA224:24"
  )
  /// Signs a message, hashed by SHA-256, with RSA, padded by PSS.
  public static let rsaSignatureMessagePSSSHA256 = Self(
    rawValue: "algid:sign:RSA:message-PSS:SHA256:SHA256:32"
  )
  /// Signs a message, hashed by SHA-384, with RSA, padded by PSS.
  public static let rsaSignatureMessagePSSSHA384 = Self(
    rawValue: "algid:sign:RSA:message-PSS:SHA384:SHA384:48"
  )
  /// Signs a message, hashed by SHA-512, with RSA, padded by PSS.
  public static let rsaSignatureMessagePSSSHA512 = Self(
    rawValue: "algid:sign:RSA:message-PSS:SHA512:SHA512:64"
  )
}

// Signatures over elliptic curves.
extension SecKeyAlgorithm {
  /// Signs a digest of any hash by ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962 = Self(rawValue: "algid:sign:ECDSA:digest-X962")
  /// Signs a digest by SHA-1 by ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962SHA1 = Self(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA1"
  )
  /// Signs a digest by SHA-224 by ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962SHA224 = Self(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA224"
  )
  /// Signs a digest by SHA-256 by ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962SHA256 = Self(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA256"
  )
  /// Signs a digest by SHA-384 by ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962SHA384 = Self(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA384"
  )
  /// Signs a digest by SHA-512 by ECDSA; the signature is DER.
  public static let ecdsaSignatureDigestX962SHA512 = Self(
    rawValue: "algid:sign:ECDSA:digest-X962:SHA512"
  )
  /// Signs a message, hashed by SHA-1, by ECDSA; the signature is DER.
  public static let ecdsaSignatureMessageX962SHA1 = Self(
    rawValue: "algid:sign:ECDSA:message-X962:SHA1"
  )
  /// Signs a message, hashed by SHA-224, by ECDSA; the signature is DER.
  public static let ecdsaSignatureMessageX962SHA224 = Self(
    rawValue: "algid:sign:ECDSA:message-X962:SHA224"
  )
  /// Signs a message, hashed by SHA-256, by ECDSA; the signature is DER.
  public static let ecdsaSignatureMessageX962SHA256 = Self(
    rawValue: "algid:sign:ECDSA:message-X962:SHA256"
  )
  /// Signs a message, hashed by SHA-384, by ECDSA; the signature is DER.
  public static let ecdsaSignatureMessageX962SHA384 = Self(
    rawValue: "algid:sign:ECDSA:message-X962:SHA384"
  )
  /// Signs a message, hashed by SHA-512, by ECDSA; the signature is DER.
  public static let ecdsaSignatureMessageX962SHA512 = Self(
    rawValue: "algid:sign:ECDSA:message-X962:SHA512"
  )
  /// Signs a digest of any hash by ECDSA; the signature is two numbers.
  public static let ecdsaSignatureDigestRFC4754 = Self(rawValue: "algid:sign:ECDSA:digest-RFC4754")
  /// Signs a digest by SHA-1 by ECDSA; the signature is two numbers.
  public static let ecdsaSignatureDigestRFC4754SHA1 = Self(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA1"
  )
  /// Signs a digest by SHA-224 by ECDSA; the signature is two numbers.
  public static let ecdsaSignatureDigestRFC4754SHA224 = Self(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA224"
  )
  /// Signs a digest by SHA-256 by ECDSA; the signature is two numbers.
  public static let ecdsaSignatureDigestRFC4754SHA256 = Self(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA256"
  )
  /// Signs a digest by SHA-384 by ECDSA; the signature is two numbers.
  public static let ecdsaSignatureDigestRFC4754SHA384 = Self(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA384"
  )
  /// Signs a digest by SHA-512 by ECDSA; the signature is two numbers.
  public static let ecdsaSignatureDigestRFC4754SHA512 = Self(
    rawValue: "algid:sign:ECDSA:digest-RFC4754:SHA512"
  )
  /// Signs a message, hashed by SHA-1, by ECDSA; the signature is two numbers.
  public static let ecdsaSignatureMessageRFC4754SHA1 = Self(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA1"
  )
  /// Signs a message, hashed by SHA-224, by ECDSA; the signature is two numbers.
  public static let ecdsaSignatureMessageRFC4754SHA224 = Self(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA224"
  )
  /// Signs a message, hashed by SHA-256, by ECDSA; the signature is two numbers.
  public static let ecdsaSignatureMessageRFC4754SHA256 = Self(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA256"
  )
  /// Signs a message, hashed by SHA-384, by ECDSA; the signature is two numbers.
  public static let ecdsaSignatureMessageRFC4754SHA384 = Self(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA384"
  )
  /// Signs a message, hashed by SHA-512, by ECDSA; the signature is two numbers.
  public static let ecdsaSignatureMessageRFC4754SHA512 = Self(
    rawValue: "algid:sign:ECDSA:message-RFC4754:SHA512"
  )
  /// Deprecated by Apple: use `ecdsaSignatureDigestRFC4754`.
  public static let ecdsaSignatureRFC4754 = Self(rawValue: "algid:sign:ECDSA:RFC4754")
}

// Encryption with RSA.
extension SecKeyAlgorithm {
  /// Encrypts with RSA what is padded already.
  public static let rsaEncryptionRaw = Self(rawValue: "algid:encrypt:RSA:raw")
  /// Encrypts with RSA, padded by PKCS #1 v1.5.
  public static let rsaEncryptionPKCS1 = Self(rawValue: "algid:encrypt:RSA:PKCS1")
  /// Encrypts with RSA, padded by OAEP with SHA-1.
  public static let rsaEncryptionOAEPSHA1 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA1")
  /// Encrypts with RSA, padded by OAEP with SHA-224.
  public static let rsaEncryptionOAEPSHA224 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA224")
  /// Encrypts with RSA, padded by OAEP with SHA-256.
  public static let rsaEncryptionOAEPSHA256 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA256")
  /// Encrypts with RSA, padded by OAEP with SHA-384.
  public static let rsaEncryptionOAEPSHA384 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA384")
  /// Encrypts with RSA, padded by OAEP with SHA-512.
  public static let rsaEncryptionOAEPSHA512 = Self(rawValue: "algid:encrypt:RSA:OAEP:SHA512")
  /// Encrypts by AES-GCM under a key that RSA encrypts, padded by OAEP with SHA-1.
  public static let rsaEncryptionOAEPSHA1AESGCM = Self(
    rawValue: "algid:encrypt:RSA:OAEP:SHA1:AESGCM"
  )
  /// Encrypts by AES-GCM under a key that RSA encrypts, padded by OAEP with SHA-224.
  public static let rsaEncryptionOAEPSHA224AESGCM = Self(
    rawValue: "algid:encrypt:RSA:OAEP:SHA224:AESGCM"
  )
  /// Encrypts by AES-GCM under a key that RSA encrypts, padded by OAEP with SHA-256.
  public static let rsaEncryptionOAEPSHA256AESGCM = Self(
    rawValue: "algid:encrypt:RSA:OAEP:SHA256:AESGCM"
  )
  /// Encrypts by AES-GCM under a key that RSA encrypts, padded by OAEP with SHA-384.
  public static let rsaEncryptionOAEPSHA384AESGCM = Self(
    rawValue: "algid:encrypt:RSA:OAEP:SHA384:AESGCM"
  )
  /// Encrypts by AES-GCM under a key that RSA encrypts, padded by OAEP with SHA-512.
  public static let rsaEncryptionOAEPSHA512AESGCM = Self(
    rawValue: "algid:encrypt:RSA:OAEP:SHA512:AESGCM"
  )
}

// Encryption over elliptic curves.
extension SecKeyAlgorithm {
  /// Encrypts by AES-GCM; ECDH, X9.63 and SHA-1 give the key.
  public static let eciesEncryptionStandardX963SHA1AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA1:AESGCM"
  )
  /// Encrypts by AES-GCM; ECDH, X9.63 and SHA-224 give the key.
  public static let eciesEncryptionStandardX963SHA224AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM"
  )
  /// Encrypts by AES-GCM; ECDH, X9.63 and SHA-256 give the key.
  public static let eciesEncryptionStandardX963SHA256AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM"
  )
  /// Encrypts by AES-GCM; ECDH, X9.63 and SHA-384 give the key.
  public static let eciesEncryptionStandardX963SHA384AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM"
  )
  /// Encrypts by AES-GCM; ECDH, X9.63 and SHA-512 give the key.
  public static let eciesEncryptionStandardX963SHA512AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM"
  )
  /// Encrypts by AES-GCM; cofactor ECDH, X9.63 and SHA-1 give the key.
  public static let eciesEncryptionCofactorX963SHA1AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA1:AESGCM"
  )
  /// Encrypts by AES-GCM; cofactor ECDH, X9.63 and SHA-224 give the key.
  public static let eciesEncryptionCofactorX963SHA224AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM"
  )
  /// Encrypts by AES-GCM; cofactor ECDH, X9.63 and SHA-256 give the key.
  public static let eciesEncryptionCofactorX963SHA256AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM"
  )
  /// Encrypts by AES-GCM; cofactor ECDH, X9.63 and SHA-384 give the key.
  public static let eciesEncryptionCofactorX963SHA384AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM"
  )
  /// Encrypts by AES-GCM; cofactor ECDH, X9.63 and SHA-512 give the key.
  public static let eciesEncryptionCofactorX963SHA512AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM"
  )
  /// Encrypts by AES-GCM; ECDH, X9.63 and SHA-224 give the key and vector.
  public static let eciesEncryptionStandardVariableIVX963SHA224AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA224:AESGCM-KDFIV"
  )
  /// Encrypts by AES-GCM; ECDH, X9.63 and SHA-256 give the key and vector.
  public static let eciesEncryptionStandardVariableIVX963SHA256AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA256:AESGCM-KDFIV"
  )
  /// Encrypts by AES-GCM; ECDH, X9.63 and SHA-384 give the key and vector.
  public static let eciesEncryptionStandardVariableIVX963SHA384AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA384:AESGCM-KDFIV"
  )
  /// Encrypts by AES-GCM; ECDH, X9.63 and SHA-512 give the key and vector.
  public static let eciesEncryptionStandardVariableIVX963SHA512AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDH:KDFX963:SHA512:AESGCM-KDFIV"
  )
  /// Encrypts by AES-GCM; cofactor ECDH, X9.63 and SHA-224 give the key and vector.
  public static let eciesEncryptionCofactorVariableIVX963SHA224AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA224:AESGCM-KDFIV"
  )
  /// Encrypts by AES-GCM; cofactor ECDH, X9.63 and SHA-256 give the key and vector.
  public static let eciesEncryptionCofactorVariableIVX963SHA256AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA256:AESGCM-KDFIV"
  )
  /// Encrypts by AES-GCM; cofactor ECDH, X9.63 and SHA-384 give the key and vector.
  public static let eciesEncryptionCofactorVariableIVX963SHA384AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA384:AESGCM-KDFIV"
  )
  /// Encrypts by AES-GCM; cofactor ECDH, X9.63 and SHA-512 give the key and vector.
  public static let eciesEncryptionCofactorVariableIVX963SHA512AESGCM = Self(
    rawValue: "algid:encrypt:ECIES:ECDHC:KDFX963:SHA512:AESGCM-KDFIV"
  )
}

// Agreement on keys.
extension SecKeyAlgorithm {
  /// Agrees on a secret by ECDH.
  public static let ecdhKeyExchangeStandard = Self(rawValue: "algid:keyexchange:ECDH")
  /// Agrees on a key by ECDH, derived by X9.63 with SHA-1.
  public static let ecdhKeyExchangeStandardX963SHA1 = Self(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA1"
  )
  /// Agrees on a key by ECDH, derived by X9.63 with SHA-224.
  public static let ecdhKeyExchangeStandardX963SHA224 = Self(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA224"
  )
  /// Agrees on a key by ECDH, derived by X9.63 with SHA-256.
  public static let ecdhKeyExchangeStandardX963SHA256 = Self(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA256"
  )
  /// Agrees on a key by ECDH, derived by X9.63 with SHA-384.
  public static let ecdhKeyExchangeStandardX963SHA384 = Self(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA384"
  )
  /// Agrees on a key by ECDH, derived by X9.63 with SHA-512.
  public static let ecdhKeyExchangeStandardX963SHA512 = Self(
    rawValue: "algid:keyexchange:ECDH:KDFX963:SHA512"
  )
  /// Agrees on a secret by cofactor ECDH.
  public static let ecdhKeyExchangeCofactor = Self(rawValue: "algid:keyexchange:ECDHC")
  /// Agrees on a key by cofactor ECDH, derived by X9.63 with SHA-1.
  public static let ecdhKeyExchangeCofactorX963SHA1 = Self(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA1"
  )
  /// Agrees on a key by cofactor ECDH, derived by X9.63 with SHA-224.
  public static let ecdhKeyExchangeCofactorX963SHA224 = Self(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA224"
  )
  /// Agrees on a key by cofactor ECDH, derived by X9.63 with SHA-256.
  public static let ecdhKeyExchangeCofactorX963SHA256 = Self(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA256"
  )
  /// Agrees on a key by cofactor ECDH, derived by X9.63 with SHA-384.
  public static let ecdhKeyExchangeCofactorX963SHA384 = Self(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA384"
  )
  /// Agrees on a key by cofactor ECDH, derived by X9.63 with SHA-512.
  public static let ecdhKeyExchangeCofactorX963SHA512 = Self(
    rawValue: "algid:keyexchange:ECDHC:KDFX963:SHA512"
  )
}
