// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthPKI

/// Signs what is hashed already; deprecated by Apple for `SecKeyCreateSignature`.
///
/// - Parameters:
///   - key: a private key.
///   - padding: how RSA pads; for a curve `sigRaw` means `r || s`, anything else the DER of X9.62.
///   - dataToSign: the digest.
///   - dataToSignLen: its length in bytes.
///   - sig: takes the signature.
///   - sigLen: how much room there is, and then how much was taken.
/// - Returns: `errSecSuccess`, or `errSecParam`, also where there is too little room.
@discardableResult
public func SecKeyRawSign(
  _ key: SecKey,
  _ padding: SecPadding,
  _ dataToSign: UnsafePointer<UInt8>,
  _ dataToSignLen: Int,
  _ sig: UnsafeMutablePointer<UInt8>,
  _ sigLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  guard dataToSignLen >= 0, let algorithm = key.signature(padding) else { return errSecParam }
  // SAFETY: the caller vouches for both lengths; what is written is not longer than the room.
  let digest = unsafe NSData(bytes: dataToSign, length: dataToSignLen)
  return unsafe write(into: sig, sigLen) {
    unsafe SecKeyCreateSignature(key, algorithm, digest, $0)
  }
}

/// Whether a signature is the key's over a digest; deprecated by Apple for `SecKeyVerifySignature`.
///
/// - Parameters:
///   - key: a public key.
///   - padding: as in `SecKeyRawSign`.
///   - signedData: the digest.
///   - signedDataLen: its length in bytes.
///   - sig: the signature.
///   - sigLen: its length in bytes.
/// - Returns: `errSecSuccess`, `errSSLCrypto` for a signature that is not genuine, or `errSecParam`.
@discardableResult
public func SecKeyRawVerify(
  _ key: SecKey,
  _ padding: SecPadding,
  _ signedData: UnsafePointer<UInt8>,
  _ signedDataLen: Int,
  _ sig: UnsafePointer<UInt8>,
  _ sigLen: Int
) -> OSStatus {
  guard signedDataLen >= 0, sigLen >= 0, let algorithm = key.signature(padding) else {
    return errSecParam
  }
  // SAFETY: the caller vouches for both lengths.
  let digest = unsafe NSData(bytes: signedData, length: signedDataLen)
  let signature = unsafe NSData(bytes: sig, length: sigLen)
  var error: Unmanaged<CFError>?
  if unsafe SecKeyVerifySignature(key, algorithm, digest, signature, &error) {
    return errSecSuccess
  }
  let code = unsafe error?.takeRetainedValue().code
  return code == Int(errSecVerifyFailed) ? errSSLCrypto : errSecParam
}

/// Encrypts one block with RSA; deprecated by Apple for `SecKeyCreateEncryptedData`.
///
/// - Parameters:
///   - key: a public key.
///   - padding: none, `PKCS1` or `OAEP`, which is with SHA-1.
///   - plainText: what.
///   - plainTextLen: its length in bytes.
///   - cipherText: takes the block.
///   - cipherTextLen: how much room there is, and then how much was taken.
/// - Returns: `errSecSuccess`, or `errSecParam`, also where there is too little room.
@discardableResult
public func SecKeyEncrypt(
  _ key: SecKey,
  _ padding: SecPadding,
  _ plainText: UnsafePointer<UInt8>,
  _ plainTextLen: Int,
  _ cipherText: UnsafeMutablePointer<UInt8>,
  _ cipherTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  guard plainTextLen >= 0, let algorithm = SecKey.encryption(padding) else { return errSecParam }
  // SAFETY: the caller vouches for both lengths; what is written is not longer than the room.
  let input = unsafe NSData(bytes: plainText, length: plainTextLen)
  return unsafe write(into: cipherText, cipherTextLen) {
    unsafe SecKeyCreateEncryptedData(key, algorithm, input, $0)
  }
}

/// Decrypts one block with RSA; deprecated by Apple for `SecKeyCreateDecryptedData`.
///
/// - Parameters:
///   - key: a private key.
///   - padding: that of the encryption; without one the zeros before the plaintext are left out.
///   - cipherText: the block.
///   - cipherTextLen: its length in bytes.
///   - plainText: takes the plaintext.
///   - plainTextLen: how much room there is, and then how much was taken.
/// - Returns: `errSecSuccess`, or `errSecParam`, also where there is too little room.
@discardableResult
public func SecKeyDecrypt(
  _ key: SecKey,
  _ padding: SecPadding,
  _ cipherText: UnsafePointer<UInt8>,
  _ cipherTextLen: Int,
  _ plainText: UnsafeMutablePointer<UInt8>,
  _ plainTextLen: UnsafeMutablePointer<Int>
) -> OSStatus {
  guard cipherTextLen >= 0, let algorithm = SecKey.encryption(padding) else { return errSecParam }
  // SAFETY: the caller vouches for both lengths; what is written is not longer than the room.
  let input = unsafe NSData(bytes: cipherText, length: cipherTextLen)
  return unsafe write(into: plainText, plainTextLen) {
    let block = unsafe SecKeyCreateDecryptedData(key, algorithm, input, $0)
    guard algorithm == .rsaEncryptionRaw else { return block }
    return block.map { Data(($0 as Data).drop { $0 == 0 }) as NSData }
  }
}

/// Writes what `body` answers, if there is room for it.
private func write(
  into place: UnsafeMutablePointer<UInt8>,
  _ size: UnsafeMutablePointer<Int>,
  _ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> CFData?
) -> OSStatus {
  var error: Unmanaged<CFError>?
  guard let data = unsafe body(&error) else {
    guard let failure = unsafe error?.takeRetainedValue() else { return errSecParam }
    return OSStatus(truncatingIfNeeded: failure.code)
  }
  guard unsafe data.length <= size.pointee else { return errSecParam }
  // SAFETY: there is room for that many bytes.
  unsafe data.getBytes(place, length: data.length)
  unsafe size.pointee = data.length
  return errSecSuccess
}

extension SecKey {
  /// The algorithm that a padding means for the key; nil for one that it does not have.
  fileprivate func signature(_ padding: SecPadding) -> SecKeyAlgorithm? {
    guard publicKey.type == .rsa else {
      return padding == .sigRaw ? .ecdsaSignatureDigestRFC4754 : .ecdsaSignatureDigestX962
    }
    return switch padding {
    case []: .rsaSignatureRaw
    case .PKCS1: .rsaSignatureDigestPKCS1v15Raw
    case .PKCS1SHA1: .rsaSignatureDigestPKCS1v15SHA1
    case .PKCS1SHA224: .rsaSignatureDigestPKCS1v15SHA224
    case .PKCS1SHA256: .rsaSignatureDigestPKCS1v15SHA256
    case .PKCS1SHA384: .rsaSignatureDigestPKCS1v15SHA384
    case .PKCS1SHA512: .rsaSignatureDigestPKCS1v15SHA512
    default: nil
    }
  }

  fileprivate static func encryption(_ padding: SecPadding) -> SecKeyAlgorithm? {
    switch padding {
    case []: .rsaEncryptionRaw
    case .PKCS1: .rsaEncryptionPKCS1
    case .OAEP: .rsaEncryptionOAEPSHA1
    default: nil
    }
  }
}
