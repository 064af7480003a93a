/// A challenge in a header: an authentication scheme with its parameters.
struct HeaderChallenge {
  let scheme: String
  /// Keyed by name in lowercase, because names are case-insensitive (RFC 9110 section 11.2).
  var parameters: [String: String] = [:]
  /// Whether a single token68 takes the place of parameters, as in `Negotiate`.
  var hasWord = false
  /// Whether a space follows the scheme; without it, nothing that follows can be its parameter.
  var isParted = false
}

/// Parses the challenges of a header byte by byte (RFC 9110 sections 11.3 and 11.6.1).
struct ChallengeScanner {
  private let bytes: [UInt8]
  private var at = 0
  /// The most empty list elements to skip: the grammar demands "a reasonable number".
  private static let emptyElementsMax = 4

  init(_ text: String) { bytes = Array(text.utf8) }

  /// Parses all challenges; there is at least one.
  ///
  /// Commas separate both the challenges and the parameters of each. A token followed by `=` is a
  /// parameter of the preceding challenge; any other begins a new challenge.
  mutating func challenges() throws(ChallengeError) -> [HeaderChallenge] {
    var challenges: [HeaderChallenge] = []
    try skipToElement()
    while peek != nil {
      let start = at
      let word = try token()
      let isParted = peek == UInt8(ascii: " ")
      skipBlanks()
      if peek == UInt8(ascii: "=") {
        guard let last = challenges.last, last.isParted, !last.hasWord else {
          throw .syntax(offset: start)
        }
        try parameter(word, of: &challenges[challenges.count - 1])
      } else {
        var challenge = HeaderChallenge(scheme: word, isParted: isParted)
        if let peek, peek != UInt8(ascii: ",") {
          guard isParted else { throw .syntax(offset: at) }
          try first(of: &challenge)
        }
        challenges.append(challenge)
      }
      try skipToElement()
    }
    guard !challenges.isEmpty else { throw .syntax(offset: at) }
    return challenges
  }

  /// Parses what follows the scheme: a parameter or a token68.
  private mutating func first(of challenge: inout HeaderChallenge) throws(ChallengeError) {
    let start = at
    if let name = try? token() {
      skipBlanks()
      let isName = peek == UInt8(ascii: "=")
      if isName, isValueNext() { return try parameter(name, of: &challenge) }
    }
    at = start
    while let byte = peek, Self.isWordByte(byte) { at += 1 }
    guard at > start else { throw .syntax(offset: at) }
    while peek == UInt8(ascii: "=") { at += 1 }
    try endElement()
    challenge.hasWord = true
  }

  /// Whether a value follows the next `=`, rather than another `=` or the end.
  private func isValueNext() -> Bool {
    var scanner = self
    scanner.at += 1
    scanner.skipBlanks()
    guard let byte = scanner.peek else { return false }
    return byte == UInt8(ascii: "\"") || Self.isTokenByte(byte)
  }

  /// Parses the value of a parameter, starting at its `=`.
  private mutating func parameter(
    _ name: String,
    of challenge: inout HeaderChallenge
  ) throws(ChallengeError) {
    at += 1
    skipBlanks()
    let value = peek == UInt8(ascii: "\"") ? try quoted() : try token()
    try endElement()
    let name = name.lowercased()
    guard challenge.parameters.updateValue(value, forKey: name) == nil else {
      throw .repeated(name)
    }
  }

  private mutating func endElement() throws(ChallengeError) {
    skipBlanks()
    guard peek == nil || peek == UInt8(ascii: ",") else { throw .syntax(offset: at) }
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

  private mutating func skipBlanks() {
    while peek == UInt8(ascii: " ") || peek == UInt8(ascii: "\t") { at += 1 }
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

  /// Whether `byte` may occur in a `token68` (RFC 9110 section 11.2).
  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~+/".utf8.contains(byte)
    }
  }

  /// Whether `byte` is a `tchar` (RFC 9110 section 5.6.2).
  private static func isTokenByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }
  }
}
