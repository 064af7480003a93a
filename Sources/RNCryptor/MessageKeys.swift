internal import CommonCrypto
internal import Foundation
internal import LocalAuthSecret

/// The two keys of a message, in memory that is wiped.
struct MessageKeys: ~Copyable {
  private let encryption: Secret
  private let mac: Secret

  /// The keys that `password` makes with two salts.
  init(password: borrowing Secret, _ encryptionSalt: Data, _ macSalt: Data) {
    encryption = password.key(withSalt: encryptionSalt)
    mac = password.key(withSalt: macSalt)
  }

  /// Copies of these keys, each of which has 32 bytes.
  init(encryption: Data, mac: Data) {
    precondition(encryption.count == RNCryptor.FormatV3.keySize, "a key of AES-256 has 32 bytes")
    precondition(mac.count == RNCryptor.FormatV3.keySize, "an HMAC key has 32 bytes")
    self.encryption = Secret(encryption)
    self.mac = Secret(mac)
  }

  /// Whether `tag` is the HMAC of `bytes`, in a time that depends only on the lengths.
  func verify(_ tag: Data, of bytes: Data) -> Bool {
    var made = Secret(capacity: RNCryptor.FormatV3.macSize)
    unsafe mac.withUnsafeBytes { key in
      unsafe bytes.withUnsafeBytes { bytes in
        unsafe made.withUnsafeMutableBytes { made, count in
          count = made.count
          unsafe CCHmac(
            CCHmacAlgorithm(kCCHmacAlgSHA256),
            key.baseAddress,
            key.count,
            bytes.baseAddress,
            bytes.count,
            made.baseAddress
          )
        }
      }
    }
    return made.isEqual(to: Secret(tag))
  }

  /// Decrypts what was verified; nil if it has no whole number of blocks.
  func decrypt(_ ciphertext: Data, _ vector: Data) -> Data? {
    var plaintext = Data(count: ciphertext.count)
    var count = 0
    let status = unsafe encryption.withUnsafeBytes { key in
      unsafe vector.withUnsafeBytes { vector in
        unsafe ciphertext.withUnsafeBytes { from in
          unsafe plaintext.withUnsafeMutableBytes { to in
            unsafe CCCrypt(
              CCOperation(kCCDecrypt),
              CCAlgorithm(kCCAlgorithmAES),
              CCOptions(kCCOptionPKCS7Padding),
              key.baseAddress,
              key.count,
              vector.baseAddress,
              from.baseAddress,
              from.count,
              to.baseAddress,
              to.count,
              &count
            )
          }
        }
      }
    }
    guard status == kCCSuccess else { return nil }
    plaintext.count = count
    return plaintext
  }

  /// Begins to encrypt a message that has this header.
  func sealing(_ vector: Data, after header: Data) -> Sealing {
    unsafe encryption.withUnsafeBytes { encryption in
      unsafe mac.withUnsafeBytes { mac in
        unsafe Sealing(encryption, mac, vector, after: header)
      }
    }
  }
}
