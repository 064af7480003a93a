extension JSONValue: ExpressibleByNilLiteral {
  /// The null value.
  public init(nilLiteral: ()) { self.init(.null) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
  /// A truth value.
  public init(booleanLiteral value: Bool) { self.init(.bool(value)) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
  /// A whole number.
  public init(integerLiteral value: Int64) { self.init(.integer(value)) }
}

extension JSONValue: ExpressibleByFloatLiteral {
  /// A number.
  public init(floatLiteral value: Double) { self.init(.number(value)) }
}

extension JSONValue: ExpressibleByStringLiteral {
  /// A string.
  public init(stringLiteral value: String) { self.init(.string(value)) }
}

extension JSONValue: ExpressibleByArrayLiteral {
  /// An array.
  public init(arrayLiteral elements: JSONValue...) { self.init(.array(elements)) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
  /// An object whose members keep the order of the literal.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self.init(.object(members.map { Member(key: $0.0, value: $0.1) }))
  }
}
