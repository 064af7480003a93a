import LocalAuthCore

/// A reference to a secret: `localauth://SERVICE/ACCOUNT`, or `localauth://SERVICE` where one item
/// has the service.
struct SecretReference: Sendable {
  /// How every reference begins.
  static let scheme = "localauth://"
  /// What a reference looks like, for people.
  static let form = "localauth://SERVICE/ACCOUNT"

  /// The service of a generic password.
  let service: String
  /// Its account; nil for any.
  let account: String?

  /// Reads a whole reference.
  init(_ bytes: some Sequence<UInt8>) throws(ReferenceFault) {
    var parts = [try Self.withoutScheme(bytes)]
    if let slash = parts[0].firstIndex(of: UInt8(ascii: "/")) {
      let rest = parts[0][(slash + 1)...]
      guard !rest.contains(UInt8(ascii: "/")) else { throw .tooManyParts }
      parts = [parts[0][..<slash], rest]
    }
    service = try Self.decoded(parts[0])
    account = parts.count > 1 ? try Self.decoded(parts[1]) : nil
  }

  private static func withoutScheme(
    _ bytes: some Sequence<UInt8>
  ) throws(ReferenceFault) -> ArraySlice<UInt8> {
    let all = Array(bytes)
    guard all.starts(with: scheme.utf8) else { throw .noReference }
    return all[scheme.utf8.count...]
  }

  /// Returns the text that a percent-encoded part stands for.
  private static func decoded(_ part: ArraySlice<UInt8>) throws(ReferenceFault) -> String {
    guard !part.isEmpty else { throw .emptyPart }
    var bytes: [UInt8] = []
    var rest = part
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        guard mayStand(byte) else { throw .mustBeEncoded }
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst(), let low = rest.popFirst(),
        let decoded = [UInt8](hexadecimal: String(decoding: [high, low], as: UTF8.self))?.first,
        decoded != 0
      else { throw .badEncoding }
      bytes.append(decoded)
    }
    guard let text = String(validating: bytes, as: UTF8.self) else { throw .badEncoding }
    return text
  }

  /// Whether a byte may stand for itself: one of a URI's path segment, or of another script.
  private static func mayStand(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: "-._~!$&'()*+,;=:@".utf8.contains(byte)
    }
  }

  /// The reference as it is written, with everything encoded that must be.
  var text: String {
    let parts = [service] + (account.map { [$0] } ?? [])
    return Self.scheme + parts.map { Self.encoded($0) }.joined(separator: "/")
  }

  /// The bytes that tell it from every other reference: the keychain compares names by theirs, and two
  /// spellings of one character are two names.
  var bytes: [UInt8] { Array(text.utf8) }

  private static func encoded(_ part: String) -> String {
    var text = ""
    for scalar in part.unicodeScalars {
      let isPlain = scalar.isASCII ? mayStand(UInt8(scalar.value)) : scalar.standsForItself
      if isPlain {
        text.unicodeScalars.append(scalar)
      } else {
        for byte in String(scalar).utf8 { text += "%" + String(hexadecimal: [byte]).uppercased() }
      }
    }
    return text
  }
}

/// What is wrong with a reference.
enum ReferenceFault: Error, Equatable {
  case noReference
  case emptyPart
  case tooManyParts
  case mustBeEncoded
  case badEncoding

  /// What is wrong and what to write, without the reference: it may be something else, in the wrong
  /// place.
  var sentence: String {
    switch self {
    case .noReference: "it does not begin with \(SecretReference.scheme)"
    case .emptyPart: "its service or its account is empty; write \(SecretReference.form)"
    case .tooManyParts: "it has more than a service and an account; write a slash in a name as %2F"
    case .mustBeEncoded:
      "it has a character that must be percent-encoded, such as a blank, which is %20"
    case .badEncoding: "its percent-encoding is not that of a text"
    }
  }
}
