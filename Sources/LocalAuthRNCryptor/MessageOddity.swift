/// What looks wrong with a message, besides a password that may be.
///
/// It comes from the message alone, with no key, so that it tells nobody how near a guess was.
public enum MessageOddity: Equatable, Sendable, CustomStringConvertible {
  /// There is nothing.
  case empty
  /// It is base64, which has to be decoded first.
  case base64
  /// It is hexadecimal, which has to be decoded first.
  case hexadecimal
  /// It has this format, which is not read.
  case version(UInt8)
  /// It says neither that a password opens it nor that keys do.
  case options(UInt8)
  /// It has this many bytes, of at least so many.
  case length(Int, ofAtLeast: Int)
  /// Its ciphertext has this many bytes more than whole blocks.
  case partOfABlock(Int)

  /// How many of a message's first bytes tell base64 and hexadecimal from a message.
  public static let startSize = 4096

  /// Looks at a message of `size` bytes; nil if only the password or single bytes may be wrong.
  ///
  /// - Parameters:
  ///   - start: The first bytes of it, ``startSize`` if it has as many.
  ///   - size: The bytes of the whole message.
  ///   - versions: The formats that are read.
  public init?(
    in start: [UInt8],
    ofMessageOf size: Int,
    versions: [UInt8] = [MessageFormat.version]
  ) {
    guard let oddity = Self.oddity(start, size, versions) else { return nil }
    self = oddity
  }

  private static func oddity(_ start: [UInt8], _ size: Int, _ versions: [UInt8]) -> Self? {
    guard let version = start.first else { return .empty }
    if let text = encoding(of: start) { return text }
    if start.starts(with: "RNC".utf8) { return .version(4) }
    guard versions.contains(version) else { return .version(version) }
    guard let options = start.dropFirst().first else {
      return .length(1, ofAtLeast: MessageCredential.keys.messageSizeMin)
    }
    guard let credential = MessageCredential(rawValue: options) else { return .options(options) }
    let least = credential.messageSizeMin
    guard size >= least else { return .length(size, ofAtLeast: least) }
    let rest = (size - least) % MessageFormat.blockSize
    return rest == 0 ? nil : .partOfABlock(rest)
  }

  /// The text that a message is instead of bytes.
  private static func encoding(of start: [UInt8]) -> Self? {
    guard start.count >= 4 else { return nil }
    let text = start.prefix(startSize).filter { !" \r\n".utf8.contains($0) }
    if text.starts(with: "0".utf8), text.allSatisfy(isHexadecimal) { return .hexadecimal }
    // The first byte of a message is its version, so a word is not taken for one.
    return text.starts(with: "A".utf8) && text.allSatisfy(isBase64) ? .base64 : nil
  }

  private static func isHexadecimal(_ byte: UInt8) -> Bool {
    "0123456789abcdefABCDEF".utf8.contains(byte)
  }

  private static func isBase64(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "+/-_=".utf8.contains(byte)
    }
  }

  /// A sentence for the person who wonders.
  public var description: String {
    switch self {
    case .empty: "The message is empty."
    case .base64: "The message looks like base64: decode it first."
    case .hexadecimal: "The message looks like hexadecimal: decode it first."
    case .version(let version) where version < MessageFormat.version2:
      "The message has format \(version), whose header nothing protects; it is not read."
    case .version(2): "The message has format 2, which is read only where that is asked for."
    case .version(4): "The message has format 4, which was a draft and is not read."
    case .version(let version): "The message begins with \(version), which is no known format."
    case .options(let options):
      "The second byte is \(options): neither a password nor keys open such a message."
    case .length(let count, let least):
      "The message has \(count) bytes; the shortest has \(least)."
    case .partOfABlock(let count):
      "The length is \(count) bytes more than whole blocks: something was cut off or added."
    }
  }
}
