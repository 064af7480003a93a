import CLocalAuthOpenSSL
public import LocalAuthSecret

/// The parts of an integrated encryption scheme that need no asymmetric key: derivation by ANSI X9.63, and
/// AES-GCM with a nonce of 16 bytes and the tag behind the ciphertext.
public enum IntegratedEncryption {
  /// How long a nonce is, in bytes.
  public static let nonceSize = Int(LA_IES_IV_SIZE)
  /// How much longer a ciphertext is, in bytes.
  public static let tagSize = Int(LA_IES_TAG_SIZE)

  /// A key of `size` bytes from what two keys agreed on.
  ///
  /// - Throws: ``PKIError/size`` for none and for more than the function gives.
  public static func derive(
    _ size: Int,
    from shared: borrowing Secret,
    sharedInfo: [UInt8],
    _ hash: HashFunction
  ) throws(PKIError) -> Secret {
    // Nobody needs more, and memory for it would be locked.
    guard (1...8160).contains(size) else { throw .size }
    var key = Secret(capacity: size)
    // SAFETY: the result has room for `size` bytes; the others are lent with their sizes.
    let isDone = unsafe key.withUnsafeMutableBytes { output, count in
      count = size
      return unsafe shared.withUnsafeBytes { shared in
        unsafe sharedInfo.withUnsafeBytes { info in
          unsafe la_x963(
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

  /// Random bytes for a key that is used once.
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

  /// The key with a nonce of zeros behind it, for one that is used once.
  static func withZeroNonce(_ key: borrowing Secret) -> Secret {
    var whole = Secret(capacity: key.count + nonceSize)
    whole.append(contentsOf: key)
    for _ in 0..<nonceSize { _ = whole.append(0) }
    return whole
  }

  /// Encrypts; `key` has 16 or 32 bytes and behind them the nonce, and `data` must be the same for
  /// decryption and is not in the result.
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

  /// Decrypts what ``seal(_:key:authenticating:)`` gave.
  ///
  /// - Throws: ``PKIError/size`` for what is shorter than a tag, ``PKIError/undecryptable``.
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
    // SAFETY: the key has a nonce behind it; the others are lent with their sizes.
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
