/// The kind of values that an attribute takes, and how given values are converted.
public enum AttributeKind: Hashable, Sendable {
  /// Text, data or a number, kept in its given type.
  case blob
  /// Data; a text becomes its UTF-8, a number its 32 bits, the least significant byte first.
  case data
  /// A number; a Boolean becomes 0 or 1, a text that is a number becomes that number, and any other
  /// text is kept, which is how `http` gets into `ptcl` and "" into `port`.
  case number
  /// Text; data is decoded as UTF-8, a UUID becomes its text.
  case text
  /// A date and nothing else.
  case date
  /// The name of a protection class.
  case protection
  /// An access control.
  case accessControl

  /// Converts `value` to this kind; nil if that is impossible.
  public func coerce(_ value: QueryValue) -> AttributeValue? {
    switch self {
    case .blob: Self.blob(value)
    case .data: Self.data(value)
    case .number: Self.number(value)
    case .text: Self.text(value)
    case .date: Self.date(value)
    case .protection: Self.protection(value)
    case .accessControl: nil
    }
  }

  /// Whether ``coerce(_:)`` makes such a value.
  package func admits(_ value: AttributeValue) -> Bool {
    switch (self, value) {
    case (.blob, .text), (.blob, .data), (.blob, .number), (.data, .data), (.number, .number),
      (.number, .text), (.text, .text), (.date, .date):
      true
    case (.protection, .text(let name)): ProtectionClass(rawValue: name) != nil
    case (.blob, _), (.data, _), (.number, _), (.text, _), (.date, _), (.protection, _),
      (.accessControl, _):
      false
    }
  }

  private static func blob(_ value: QueryValue) -> AttributeValue? {
    switch value {
    case .text(let text): .text(text)
    case .data(let bytes): .data(bytes)
    case .number(let number): .number(number)
    case .boolean, .date, .identifier, .accessControl, .list, .secret, .opaque, .null: nil
    }
  }

  private static func data(_ value: QueryValue) -> AttributeValue? {
    switch value {
    case .text(let text): .data(Array(text.utf8))
    case .data(let bytes): .data(bytes)
    case .number(let number): .data(Int32(truncatingIfNeeded: number).bigEndianBytes.reversed())
    case .boolean, .date, .identifier, .accessControl, .list, .secret, .opaque, .null: nil
    }
  }

  private static func number(_ value: QueryValue) -> AttributeValue? {
    switch value {
    case .number(let number): .number(number)
    case .boolean(let flag): .number(flag ? 1 : 0)
    case .text(let text):
      if let number = Int64(text), String(number) == text { .number(number) } else { .text(text) }
    case .data, .date, .identifier, .accessControl, .list, .secret, .opaque, .null: nil
    }
  }

  private static func text(_ value: QueryValue) -> AttributeValue? {
    switch value {
    case .text(let text): .text(text)
    case .data(let bytes): String(validating: bytes, as: UTF8.self).map { .text($0) }
    case .identifier(let identifier): .text(identifier.text)
    case .number, .boolean, .date, .accessControl, .list, .secret, .opaque, .null: nil
    }
  }

  private static func date(_ value: QueryValue) -> AttributeValue? {
    switch value {
    case .date(let milliseconds): .date(milliseconds)
    case .text, .data, .number, .boolean, .identifier, .accessControl, .list, .secret, .opaque,
      .null:
      nil
    }
  }

  private static func protection(_ value: QueryValue) -> AttributeValue? {
    guard case .text(let name)? = text(value), ProtectionClass(rawValue: name) != nil else {
      return nil
    }
    return .text(name)
  }
}
