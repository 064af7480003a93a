import LocalAuthSecret

/// Why a text is not what a one-time code is computed from; none of them repeats the text.
enum OneTimeCodeError: Error, CaseIterable {
  case notAKey, counted, otherKind, noKey, repeated, algorithm, digits, period, tooLong, library

  /// What is wrong and what helps, in one sentence.
  var sentence: String {
    switch self {
    case .notAKey: "This is neither an otpauth:// address nor a key in base32."
    case .counted: "This is a code by counter (hotp). Only codes by time (totp) are computed."
    case .otherKind: "This is no address of a code by time: otpauth://totp/..."
    case .noKey: "The otpauth:// address has no secret, or an empty one."
    case .repeated: "The otpauth:// address says something twice."
    case .algorithm: "The otpauth:// address names an algorithm other than SHA1, SHA256 and SHA512."
    case .digits: "The otpauth:// address wants other than 6, 7 or 8 digits."
    case .period: "The otpauth:// address has a period other than of 1 to 3600 seconds."
    case .tooLong: "The otpauth:// address or key is longer than any."
    case .library: "The code could not be computed."
    }
  }
}

/// What one-time codes are computed from (RFC 6238).
struct OneTimeCode: ~Copyable {
  let algorithm: CodeAlgorithm
  let digits: Int
  /// For how many seconds a code is valid.
  let period: Int64
  let key: Secret

  /// Returns the code at a time in seconds since 1970, as digits.
  func code(at seconds: Int64) throws(OneTimeCodeError) -> Secret {
    let step = UInt64(bitPattern: seconds / period)
    let message = (0..<8).map { UInt8(truncatingIfNeeded: step >> UInt64(56 - 8 * $0)) }
    guard let hash = algorithm.authenticationCode(of: message, key: key) else { throw .library }
    return Self.text(of: Self.truncated(hash), digits: digits)
  }

  /// For how many seconds the code at this time is still valid.
  func secondsLeft(at seconds: Int64) -> Int64 { period - seconds % period }

  /// Dynamic truncation (RFC 4226, section 5.3).
  private static func truncated(_ hash: borrowing Secret) -> UInt32 {
    // SAFETY: the bytes are only read within the call; an offset is 15 at most, and a hash of SHA-1
    // has 20 bytes.
    unsafe hash.withUnsafeBytes { bytes in
      let offset = Int(unsafe bytes[bytes.count - 1] & 0xF)
      var number: UInt32 = 0
      for index in offset..<offset + 4 { number = number << 8 | UInt32(unsafe bytes[index]) }
      return number & 0x7FFF_FFFF
    }
  }

  private static func text(of number: UInt32, digits: Int) -> Secret {
    var divisor: UInt32 = 1
    for _ in 1..<digits { divisor *= 10 }
    var text = Secret(capacity: digits)
    for _ in 0..<digits {
      _ = text.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
      divisor /= 10
    }
    return text
  }
}
