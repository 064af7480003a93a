// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuthPKI

/// Signs a digest; deprecated by Apple for `SecKeyCreateSignature`.
///
/// - Parameters:
///   - key: a private key.
///   - padding: the padding for RSA; for a curve `sigRaw` means `r || s`, anything else X9.62 DER.
///   - dataToSign: the digest.
///   - dataToSignLen: its length in bytes.
///   - sig: receives the signature.
///   - sigLen: the size of `sig` in bytes; receives the length of the signature.
/// - Returns: `errSecSuccess`; `errSecParam` for wrong arguments or too little room; otherwise the
///   code of the error of `SecKeyCreateSignature`.
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
  // SAFETY: the caller guarantees both lengths; `write` does not exceed the room.
  let digest = unsafe NSData(bytes: dataToSign, length: dataToSignLen)
  return unsafe write(into: sig, sigLen) {
    unsafe SecKeyCreateSignature(key, algorithm, digest, $0)
  }
}

/// Verifies a signature over a digest; deprecated by Apple for `SecKeyVerifySignature`.
///
/// - Parameters:
///   - key: a public key.
///   - padding: as in `SecKeyRawSign`.
///   - signedData: the digest.
///   - signedDataLen: its length in bytes.
///   - sig: the signature.
///   - sigLen: its length in bytes.
/// - Returns: `errSecSuccess`; `errSSLCrypto` if the signature is not genuine; otherwise
///   `errSecParam`.
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
  // SAFETY: the caller guarantees both lengths.
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
///   - padding: none, `PKCS1`, or `OAEP` with SHA-1.
///   - plainText: the data.
///   - plainTextLen: its length in bytes.
///   - cipherText: receives the block.
///   - cipherTextLen: the size of `cipherText` in bytes; receives the length of the block.
/// - Returns: `errSecSuccess`; `errSecParam` for wrong arguments or too little room; otherwise the
///   code of the error of `SecKeyCreateEncryptedData`.
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
  // SAFETY: the caller guarantees both lengths; `write` does not exceed the room.
  let input = unsafe NSData(bytes: plainText, length: plainTextLen)
  return unsafe write(into: cipherText, cipherTextLen) {
    unsafe SecKeyCreateEncryptedData(key, algorithm, input, $0)
  }
}

/// Decrypts one block with RSA; deprecated by Apple for `SecKeyCreateDecryptedData`.
///
/// - Parameters:
///   - key: a private key.
///   - padding: the padding of the encryption; with none, leading zeros are removed from the
///     plaintext.
///   - cipherText: the block.
///   - cipherTextLen: its length in bytes.
///   - plainText: receives the plaintext.
///   - plainTextLen: the size of `plainText` in bytes; receives the length of the plaintext.
/// - Returns: `errSecSuccess`; `errSecParam` for wrong arguments or too little room; otherwise the
///   code of the error of `SecKeyCreateDecryptedData`.
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
  // SAFETY: the caller guarantees both lengths; `write` does not exceed the room.
  let input = unsafe NSData(bytes: cipherText, length: cipherTextLen)
  return unsafe write(into: plainText, plainTextLen) {
    let block = unsafe SecKeyCreateDecryptedData(key, algorithm, input, $0)
    guard algorithm == .rsaEncryptionRaw else { return block }
    return block.map { Data(($0 as Data).drop { $0 == 0 }) as NSData }
  }
}

/// Writes the result of `body` if there is room for it.
private func write(
  into place: UnsafeMutablePointer<UInt8>,
  _ size: UnsafeMutablePointer<Int>,
  _ body: (UnsafeMutablePointer<Unmanaged<CFError>?>) -> CFData?
) -> OSStatus {
  var error: Unmanaged<CFError>?
  guard let data = unsafe body(&error) else {
    guard let failure = unsafe error?.takeRetainedValue() else { return errSecParam }
    return failure.status
  }
  guard unsafe data.length <= size.pointee else { return errSecParam }
  // SAFETY: the caller guarantees `size` bytes at `place`, and the data is not longer.
  unsafe data.getBytes(place, length: data.length)
  unsafe size.pointee = data.length
  return errSecSuccess
}

extension SecKey {
  /// The algorithm of a padding for the key; nil if the key does not support it.
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
