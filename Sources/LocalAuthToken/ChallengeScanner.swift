/// Reads one challenge byte by byte, by the grammar of RFC 9110 section 11.
struct ChallengeScanner {
  private let bytes: [UInt8]
  private var at = 0
  /// Empty elements of a list that are passed over, at most: the grammar wants "a reasonable number".
  private static let emptyElementsMax = 4

  init(_ text: String) { bytes = Array(text.utf8) }

  /// The scheme and the blanks behind it.
  mutating func scheme() throws(ChallengeError) -> String {
    let scheme = try token()
    guard peek == UInt8(ascii: " ") else { throw .syntax(offset: at) }
    while peek == UInt8(ascii: " ") { at += 1 }
    guard peek != nil else { throw .syntax(offset: at) }
    return scheme
  }

  /// The next parameter; nil at the end.
  mutating func parameter() throws(ChallengeError) -> (name: String, value: String)? {
    try skipToElement()
    guard peek != nil else { return nil }
    let name = try token()
    let isParted = skipBlanks()
    guard peek == UInt8(ascii: "=") else {
      // A scheme of its own, with parameters or without.
      if isParted || peek == nil || peek == UInt8(ascii: ",") { throw .several }
      throw .syntax(offset: at)
    }
    at += 1
    skipBlanks()
    let value = peek == UInt8(ascii: "\"") ? try quoted() : try token()
    skipBlanks()
    guard peek == nil || peek == UInt8(ascii: ",") else { throw .syntax(offset: at) }
    return (name, value)
  }

  private mutating func skipToElement() throws(ChallengeError) {
    var commas = 0
    skipBlanks()
    while peek == UInt8(ascii: ",") {
      commas += 1
      guard commas <= Self.emptyElementsMax else { throw .syntax(offset: at) }
      at += 1
      skipBlanks()
    }
  }

  private var peek: UInt8? { at < bytes.count ? bytes[at] : nil }

  @discardableResult
  private mutating func skipBlanks() -> Bool {
    let start = at
    while peek == UInt8(ascii: " ") || peek == UInt8(ascii: "\t") { at += 1 }
    return at > start
  }

  private mutating func token() throws(ChallengeError) -> String {
    let start = at
    while let byte = peek, Self.isTokenByte(byte) { at += 1 }
    guard at > start else { throw .syntax(offset: at) }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  private mutating func quoted() throws(ChallengeError) -> String {
    var value: [UInt8] = []
    at += 1
    while let byte = peek {
      at += 1
      switch byte {
      case UInt8(ascii: "\""): return String(decoding: value, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let escaped = peek, Self.isText(escaped) else { throw .syntax(offset: at) }
        at += 1
        value.append(escaped)
      default:
        guard Self.isText(byte) else { throw .syntax(offset: at - 1) }
        value.append(byte)
      }
    }
    throw .syntax(offset: at)
  }

  private static func isText(_ byte: UInt8) -> Bool {
    byte == 0x09 || byte >= 0x20 && byte != 0x7F
  }

  /// `tchar` of RFC 9110 section 5.6.2.
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
