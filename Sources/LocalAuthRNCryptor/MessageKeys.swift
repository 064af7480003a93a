import CommonCrypto
public import LocalAuthSecret

/// The two keys of a message, in memory that is wiped.
public struct MessageKeys: ~Copyable {
  let encryption: Secret
  let mac: Secret

  /// The keys that `password` makes with the salts of a header.
  ///
  /// It takes some 15 ms.
  public init(password: borrowing Secret, for header: MessageHeader) {
    precondition(header.credential == .password, "the header has salts")
    let used = header.version == MessageFormat.version2 ? password.usedInVersion2 : password.count
    encryption = password.key(withSalt: header.encryptionSalt, using: used)
    mac = password.key(withSalt: header.macSalt, using: used)
  }

  /// These keys, each of which has 32 bytes.
  public init(encryption: consuming Secret, mac: consuming Secret) {
    precondition(encryption.count == MessageFormat.keySize, "a key of AES-256 has 32 bytes")
    precondition(mac.count == MessageFormat.keySize, "an HMAC key has 32 bytes")
    self.encryption = encryption
    self.mac = mac
  }
}

extension Secret {
  /// Returns the key that this password, in UTF-8, and `salt` make.
  public func key(withSalt salt: [UInt8]) -> Secret { key(withSalt: salt, using: count) }

  /// Returns the key that the first `used` bytes of this password and `salt` make.
  fileprivate func key(withSalt salt: [UInt8], using used: Int) -> Secret {
    var key = Secret(capacity: MessageFormat.keySize)
    // SAFETY: all three buffers live for the call, which writes `key.count` bytes of the key.
    let status = unsafe withUnsafeBytes { password in
      unsafe key.withUnsafeMutableBytes { key, count in
        count = key.count
        return unsafe CCKeyDerivationPBKDF(
          CCPBKDFAlgorithm(kCCPBKDF2),
          password.baseAddress?.assumingMemoryBound(to: CChar.self),
          used,
          salt,
          salt.count,
          CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA1),
          MessageFormat.rounds,
          key.baseAddress?.assumingMemoryBound(to: UInt8.self),
          key.count
        )
      }
    }
    precondition(status == kCCSuccess, "a key can be derived from every password")
    return key
  }

  /// How many bytes of this password format 2 uses: as many as it has units of UTF-16.
  ///
  /// Its first program counted the letters of a string and took as many bytes.
  fileprivate var usedInVersion2: Int {
    // SAFETY: the bytes are only read within the call.
    let units = unsafe withUnsafeBytes { bytes in
      unsafe bytes.reduce(0) { units, byte in
        // A letter begins with a byte that is no continuation, and needs a pair from U+10000 on.
        byte & 0xC0 == 0x80 ? units : units + (byte >= 0xF0 ? 2 : 1)
      }
    }
    // What is no UTF-8 might count for more than it has.
    return min(units, count)
  }
}
