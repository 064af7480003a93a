import CommonCrypto
import Foundation

/// Digests, codes, keys and ciphers, as apps call them through a few functions of their own.
enum Cryptography {
  struct Failure: Error, Equatable {
    let status: Int32
  }

  static func sha256(_ data: Data) -> Data {
    var digest = Data(count: Int(CC_SHA256_DIGEST_LENGTH))
    digest.withUnsafeMutableBytes { digest in
      data.withUnsafeBytes { data in
        _ = CC_SHA256(
          data.baseAddress,
          CC_LONG(data.count),
          digest.bindMemory(to: UInt8.self).baseAddress
        )
      }
    }
    return digest
  }

  /// The digest of what comes in pieces.
  static func sha256(ofPieces pieces: some Sequence<Data>) -> Data {
    var context = CC_SHA256_CTX()
    CC_SHA256_Init(&context)
    for piece in pieces {
      piece.withUnsafeBytes { _ = CC_SHA256_Update(&context, $0.baseAddress, CC_LONG($0.count)) }
    }
    var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    CC_SHA256_Final(&digest, &context)
    return Data(digest)
  }

  static func hmac(_ data: Data, key: Data) -> Data {
    var code = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
    key.withUnsafeBytes { key in
      data.withUnsafeBytes { data in
        CCHmac(
          CCHmacAlgorithm(kCCHmacAlgSHA256),
          key.baseAddress,
          key.count,
          data.baseAddress,
          data.count,
          &code
        )
      }
    }
    return Data(code)
  }

  /// A key of a password.
  static func key(
    of password: String,
    salt: Data,
    rounds: UInt32,
    count: Int = kCCKeySizeAES256
  ) throws -> Data {
    let password = Array(password.utf8CString.dropLast())
    var key = Data(count: count)
    let status = key.withUnsafeMutableBytes { key in
      salt.withUnsafeBytes { salt in
        CCKeyDerivationPBKDF(
          CCPBKDFAlgorithm(kCCPBKDF2),
          password,
          password.count,
          salt.bindMemory(to: UInt8.self).baseAddress,
          salt.count,
          CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256),
          rounds,
          key.bindMemory(to: UInt8.self).baseAddress,
          key.count
        )
      }
    }
    guard status == kCCSuccess else { throw Failure(status: status) }
    return key
  }

  static func random(_ count: Int) throws -> Data {
    var bytes = [UInt8](repeating: 0, count: count)
    let status = CCRandomGenerateBytes(&bytes, count)
    guard status == kCCSuccess else { throw Failure(status: status) }
    return Data(bytes)
  }

  /// The vector, and what is encrypted with it.
  static func encrypt(_ data: Data, key: Data) throws -> Data {
    let vector = try random(kCCBlockSizeAES128)
    return vector + (try crypt(data, CCOperation(kCCEncrypt), key: key, vector: vector))
  }

  static func decrypt(_ data: Data, key: Data) throws -> Data {
    guard data.count >= kCCBlockSizeAES128 else { throw Failure(status: Int32(kCCParamError)) }
    return try crypt(
      data.dropFirst(kCCBlockSizeAES128),
      CCOperation(kCCDecrypt),
      key: key,
      vector: data.prefix(kCCBlockSizeAES128)
    )
  }

  static func crypt(
    _ data: Data,
    _ operation: CCOperation,
    key: Data,
    vector: Data
  ) throws -> Data {
    var output = [UInt8](repeating: 0, count: data.count + kCCBlockSizeAES128)
    var count = 0
    let status = key.withUnsafeBytes { key in
      vector.withUnsafeBytes { vector in
        data.withUnsafeBytes { data in
          CCCrypt(
            operation,
            CCAlgorithm(kCCAlgorithmAES),
            CCOptions(kCCOptionPKCS7Padding),
            key.baseAddress,
            key.count,
            vector.baseAddress,
            data.baseAddress,
            data.count,
            &output,
            output.count,
            &count
          )
        }
      }
    }
    guard status == kCCSuccess else { throw Failure(status: status) }
    return Data(output.prefix(count))
  }
}
