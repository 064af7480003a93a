import CommonCrypto

/// A message of 1 KiB, the same in digests.c.
private let message = (0..<1024).map { UInt8(truncatingIfNeeded: $0 &* 7) }

/// Prints nanoseconds for one call and a checksum.
func measureNow(_ count: Int, _ body: () -> UInt64) {
  _ = body()
  var checksum: UInt64 = 0
  let clock = ContinuousClock()
  let start = clock.now
  for _ in 0..<count { checksum = checksum &* 31 &+ body() }
  report(clock.now - start, count, checksum)
}

func sha256() -> UInt64 {
  var digest = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
  CC_SHA256(message, CC_LONG(message.count), &digest)
  return word(digest)
}

func hmac() -> UInt64 {
  var code = [UInt8](repeating: 0, count: Int(CC_SHA256_DIGEST_LENGTH))
  CCHmac(CCHmacAlgorithm(kCCHmacAlgSHA256), message, 32, message, message.count, &code)
  return word(code)
}

func crypt() -> UInt64 {
  withUnsafeTemporaryAllocation(byteCount: 1024 + kCCBlockSizeAES128, alignment: 8) { sealed in
    var count = 0
    let status = CCCrypt(
      CCOperation(kCCEncrypt),
      CCAlgorithm(kCCAlgorithmAES),
      CCOptions(kCCOptionPKCS7Padding),
      message,
      kCCKeySizeAES128,
      message,
      message,
      message.count,
      sealed.baseAddress,
      sealed.count,
      &count
    )
    guard status == kCCSuccess else { fail("the message cannot be encrypted") }
    return sealed[(count - 8)..<count].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
