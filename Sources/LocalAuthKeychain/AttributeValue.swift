/// The value of an attribute, in its given type.
///
/// Attributes are not secrets; the secret is the item's data, which never has this type.
public enum AttributeValue: Hashable, Sendable {
  case text(String)
  case data([UInt8])
  case number(Int64)
  /// Milliseconds since 1970-01-01 UTC.
  case date(Int64)

  /// The bytes by which values are compared, searched and distinguished.
  ///
  /// A text has its UTF-8, so that "a" equals the data byte 0x61; a number has its decimal digits.
  public var canonicalBytes: [UInt8] {
    switch self {
    case .text(let text): Array(text.utf8)
    case .data(let bytes): bytes
    case .number(let number): Array(String(number).utf8)
    case .date(let milliseconds): milliseconds.bigEndianBytes
    }
  }

  /// Whether ``canonicalBytes`` equal `bytes`; no array is made to compare text or data.
  func isWritten(_ bytes: [UInt8]) -> Bool {
    switch self {
    case .text(let text): text.hasBytes(bytes.span)
    case .data(let own): own == bytes
    case .number, .date: canonicalBytes == bytes
    }
  }

  /// Whether a search for one finds the other; case matters, the type does not.
  public func equals(_ other: Self) -> Bool { canonicalBytes == other.canonicalBytes }
}
