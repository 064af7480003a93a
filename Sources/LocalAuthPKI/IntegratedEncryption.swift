import CLocalAuthOpenSSL
public import LocalAuthSecret

/// The symmetric parts of an integrated encryption scheme: key derivation by ANSI X9.63, and
/// AES-GCM with a nonce of 16 bytes and the tag after the ciphertext.
public enum IntegratedEncryption {
  /// The size of a nonce in bytes.
  public static let nonceSize = Int(LA_IES_IV_SIZE)
  /// The number of bytes by which a ciphertext exceeds its plaintext.
  public static let tagSize = Int(LA_IES_TAG_SIZE)

  /// Derives a key of `size` bytes from a shared secret.
  ///
  /// - Throws: ``PKIError/size`` unless `size` is 1 to 8160; ``PKIError/failed``.
  public static func derive(
    _ size: Int,
    from shared: borrowing Secret,
    sharedInfo: [UInt8],
    _ hash: HashFunction
  ) throws(PKIError) -> Secret {
    // No caller needs more, and the memory would be locked.
    guard (1...8160).contains(size) else { throw .size }
    var key = Secret(capacity: size)
    // SAFETY: the result has room for `size` bytes; the others are lent with their sizes.
    let isDone = unsafe key.withUnsafeMutableBytes { output, count in
      count = size
      return unsafe shared.withUnsafeBytes { shared in
        unsafe sharedInfo.withUnsafeBytes { info in
          unsafe la_shared_kdf(
            "X963KDF",
            hash.rawValue,
            output.baseAddress,
            size,
            shared.baseAddress,
            shared.count,
            info.baseAddress,
            info.count
          )
        }
      }
    }
    guard isDone else { throw .failed }
    return key
  }

  /// Generates a random key for one use.
  public static func randomKey(_ size: Int) throws(PKIError) -> Secret {
    var key = Secret(capacity: size)
    // SAFETY: the secret has room for `size` bytes.
    let isDone = unsafe key.withUnsafeMutableBytes { bytes, count in
      count = size
      return unsafe RAND_bytes(bytes.bindMemory(to: UInt8.self).baseAddress, Int32(size)) == 1
    }
    guard isDone else { throw .failed }
    return key
  }

  /// Appends a zero nonce to a key that is used once.
  static func withZeroNonce(_ key: borrowing Secret) -> Secret {
    var whole = Secret(capacity: key.count + nonceSize)
    whole.append(contentsOf: key)
    for _ in 0..<nonceSize { _ = whole.append(0) }
    return whole
  }

  /// Encrypts `plaintext` and authenticates `data`.
  ///
  /// `key` consists of 16 or 32 bytes followed by the nonce. `data` is not part of the result;
  /// decryption needs the same.
  /// - Throws: ``PKIError/failed``.
  public static func seal(
    _ plaintext: [UInt8],
    key: borrowing Secret,
    authenticating data: [UInt8]
  ) throws(PKIError) -> [UInt8] {
    var output = [UInt8](repeating: 0, count: plaintext.count + tagSize)
    // SAFETY: the output has room for the ciphertext and its tag.
    let isDone = unsafe output.withUnsafeMutableBytes { output in
      unsafe plaintext.withUnsafeBytes { input in
        unsafe crypt(true, input, key, data, into: output.baseAddress)
      }
    }
    guard isDone else { throw .failed }
    return output
  }

  /// Decrypts the result of ``seal(_:key:authenticating:)``.
  ///
  /// - Throws: ``PKIError/size`` if `ciphertext` is shorter than a tag, ``PKIError/undecryptable``.
  public static func open(
    _ ciphertext: [UInt8],
    key: borrowing Secret,
    authenticating data: [UInt8]
  ) throws(PKIError) -> [UInt8] {
    guard ciphertext.count >= tagSize else { throw .size }
    var output = [UInt8](repeating: 0, count: ciphertext.count - tagSize)
    // SAFETY: the output has room for the plaintext.
    let isDone = unsafe output.withUnsafeMutableBytes { output in
      unsafe ciphertext.withUnsafeBytes { input in
        unsafe crypt(false, input, key, data, into: output.baseAddress)
      }
    }
    guard isDone else { throw .undecryptable }
    return output
  }

  private static func crypt(
    _ seals: Bool,
    _ input: UnsafeRawBufferPointer,
    _ key: borrowing Secret,
    _ data: [UInt8],
    into output: UnsafeMutableRawPointer?
  ) -> Bool {
    let keySize = key.count - nonceSize
    guard keySize == 16 || keySize == 32 else { return false }
    // SAFETY: the nonce follows the key; the other buffers are lent with their sizes.
    return unsafe key.withUnsafeBytes { key in
      unsafe data.withUnsafeBytes { data in
        unsafe la_ies_crypt(
          seals,
          key.baseAddress,
          keySize,
          key.baseAddress.map { unsafe $0 + keySize },
          data.baseAddress,
          data.count,
          input.baseAddress,
          input.count,
          output
        )
      }
    }
  }
}
