import LocalAuthSecret

extension OneTimeCode {
  /// The length of the longest address in bytes.
  private static let longest = 4096

  /// Reads an `otpauth://totp/` address, or a key in base32 for codes of six digits by SHA-1 every
  /// 30 seconds.
  init(_ text: borrowing Secret) throws(OneTimeCodeError) {
    guard text.count <= Self.longest else { throw .tooLong }
    let scheme = "otpauth://"
    guard Self.begins(text, with: scheme, at: 0) else {
      guard text.count > 0, let key = Base32.decode(text), key.count > 0 else { throw .notAKey }
      (algorithm, digits, period) = (.sha1, 6, 30)
      self.key = key
      return
    }
    guard !Self.begins(text, with: "hotp/", at: scheme.utf8.count) else { throw .counted }
    guard Self.begins(text, with: "totp/", at: scheme.utf8.count) else { throw .otherKind }
    var fields = OneTimeCodeFields()
    try fields.read(text, behind: scheme.utf8.count)
    guard let written = fields.secret.take() else { throw .noKey }
    guard let key = Base32.decode(written) else { throw .notAKey }
    guard key.count > 0 else { throw .noKey }
    algorithm = fields.algorithm ?? .sha1
    digits = fields.digits ?? 6
    period = fields.period ?? 30
    self.key = key
  }

  /// Whether `text` has `word` at an offset, in small or capital letters.
  private static func begins(_ text: borrowing Secret, with word: String, at offset: Int) -> Bool {
    // SAFETY: the bytes are only read within the call.
    unsafe text.withUnsafeBytes { bytes in
      guard bytes.count >= offset + word.utf8.count else { return false }
      return word.utf8.enumerated().allSatisfy { index, letter in
        let byte = unsafe bytes[offset + index]
        return byte == letter
          || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) && byte | 0x20 == letter
      }
    }
  }
}

/// The fields of an address: what stands behind its question mark.
private struct OneTimeCodeFields: ~Copyable {
  var secret: Secret?
  var algorithm: CodeAlgorithm?
  var digits: Int?
  var period: Int64?

  mutating func read(_ text: borrowing Secret, behind offset: Int) throws(OneTimeCodeError) {
    // SAFETY: the bytes are only read within the call, and what is secret is copied to a secret.
    try unsafe text.withUnsafeBytes { (bytes) throws(OneTimeCodeError) in
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
      guard let mark = unsafe rest.firstIndex(of: UInt8(ascii: "?")) else { throw .noKey }
      let fields = unsafe rest[(mark + 1)...].split(separator: UInt8(ascii: "&"))
      for index in unsafe fields.indices {
        let parts = unsafe fields[index].split(
          separator: UInt8(ascii: "="),
          maxSplits: 1,
          omittingEmptySubsequences: false
        )
        guard unsafe parts.count == 2 else { continue }
        // Names of fields are no secret.
        let name = unsafe String(decoding: parts[0], as: UTF8.self).lowercased()
        try unsafe read(UnsafeRawBufferPointer(rebasing: parts[1]), of: name)
      }
    }
  }

  @unsafe
  private mutating func read(
    _ value: UnsafeRawBufferPointer,
    of name: String
  ) throws(OneTimeCodeError) {
    switch name {
    case "secret":
      guard secret == nil else { throw .repeated }
      secret = try unsafe Self.unescaped(value)
    case "algorithm":
      guard algorithm == nil else { throw .repeated }
      let word = unsafe String(decoding: value, as: UTF8.self).uppercased()
      guard let known = CodeAlgorithm(rawValue: word.replacing("-", with: "")) else {
        throw .algorithm
      }
      algorithm = known
    case "digits":
      guard digits == nil else { throw .repeated }
      let word = unsafe String(decoding: value, as: UTF8.self)
      guard let number = Int(argument: word), (6...8).contains(number) else { throw .digits }
      digits = number
    case "period":
      guard period == nil else { throw .repeated }
      let word = unsafe String(decoding: value, as: UTF8.self)
      guard let number = Int(argument: word), (1...3600).contains(number) else { throw .period }
      period = Int64(number)
    default: break
    }
  }

  /// Replaces escapes such as `%3D`; what else there may be, base32 refuses.
  @unsafe
  private static func unescaped(_ value: UnsafeRawBufferPointer) throws(OneTimeCodeError) -> Secret
  {
    var secret = Secret(capacity: value.count)
    var index = 0
    while index < value.count {
      var byte = unsafe value[index]
      index += 1
      if byte == UInt8(ascii: "%") {
        guard index + 1 < value.count, let high = unsafe value[index].hexadecimalDigit,
          let low = unsafe value[index + 1].hexadecimalDigit
        else { throw .notAKey }
        byte = high << 4 | low
        index += 2
      }
      _ = secret.append(byte)
    }
    return secret
  }
}
