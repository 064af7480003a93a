/// A text that is compared by its bytes: two spellings of one letter are two texts, as they are to SQLite.
public struct ExactText: Hashable, Comparable, Sendable, ExpressibleByStringLiteral {
  /// The text as it was spelt.
  public let text: String

  /// The text that is spelt so.
  public init(_ text: String) { self.text = text }

  /// The text that is spelt so.
  public init(stringLiteral text: String) { self.init(text) }

  /// Whether it is no longer than `most` bytes, not empty, and of one line that a list can show.
  public func isName(most: Int) -> Bool {
    (1...most).contains(text.utf8.count) && Self.isOfOneLine(text)
  }

  /// Whether a text has no control characters, and nothing that separates lines or paragraphs.
  static func isOfOneLine(_ text: String) -> Bool {
    text.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator: false
      default: true
      }
    }
  }

  /// Compares the bytes.
  public static func == (left: Self, right: Self) -> Bool {
    left.text.utf8.elementsEqual(right.text.utf8)
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    for byte in text.utf8 { hasher.combine(byte) }
    hasher.combine(UInt8(0xFF))
  }

  /// Orders texts by their bytes.
  public static func < (left: Self, right: Self) -> Bool {
    left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
  }
}

extension FramedBytes {
  mutating func add(_ text: ExactText) { add(counted: Array(text.text.utf8)) }
}

extension FramedReader {
  /// A text that ``ExactText/isName(most:)`` takes.
  mutating func name(most: Int) -> ExactText? {
    guard let bytes = counted(most: most),
      let text = String(validating: bytes, as: UTF8.self).map({ ExactText($0) }),
      text.isName(most: most)
    else { return nil }
    return text
  }
}
