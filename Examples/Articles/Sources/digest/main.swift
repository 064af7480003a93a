import CommonCrypto
import Foundation

let message = Data("abc".utf8)
var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
message.withUnsafeBytes { _ = CC_SHA256($0.baseAddress, CC_LONG($0.count), &digest) }
print(digest.map { String(format: "%02x", $0) }.joined())

// A key from a password, as slowly as a guess shall be.
var key = [UInt8](repeating: 0, count: kCCKeySizeAES256)
let salt = Array("a salt of its own".utf8)
let status = CCKeyDerivationPBKDF(
  CCPBKDFAlgorithm(kCCPBKDF2),
  "hunter2",
  7,
  salt,
  salt.count,
  CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256),
  100_000,
  &key,
  key.count
)
print("Derived:", status == kCCSuccess, key.count, "bytes")
