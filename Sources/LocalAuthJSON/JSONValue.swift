/// A JSON value as a tree, for texts whose errors must name line and column.
///
/// Values are equal if their contents are; where they were found does not matter.
public struct JSONValue: Sendable {
  /// What a value is.
  public enum Content: Hashable, Sendable {
    /// `null`
    case null
    /// `true` or `false`
    case bool(Bool)
    /// A number without fraction and exponent that fits 64 bits.
    case integer(Int64)
    /// Every other number.
    case number(Double)
    /// A string.
    case string(String)
    /// The elements of an array.
    case array([JSONValue])
    /// The members of an object in the order of the text.
    case object([Member])
  }

  /// A key of an object with its value.
  public struct Member: Sendable {
    /// The key.
    public let key: String
    /// Where the key stands; nil if the member was not read from a text.
    public let position: JSONPosition?
    /// The value.
    public let value: JSONValue

    /// Makes a member; the writer does not check that keys are unique.
    public init(key: String, position: JSONPosition? = nil, value: JSONValue) {
      self.key = key
      self.position = position
      self.value = value
    }
  }

  /// What the value is.
  public let content: Content
  /// Where the value begins; nil if it was not read from a text.
  public let position: JSONPosition?

  /// Makes a value.
  public init(_ content: Content, position: JSONPosition? = nil) {
    self.content = content
    self.position = position
  }

  /// The value of `key`; nil if this is no object or has no such key.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The kind of the value.
  public var kind: JSONKind {
    switch content {
    case .null: .null
    case .bool: .boolean
    case .integer, .number: .number
    case .string: .string
    case .array: .array
    case .object: .object
    }
  }
}

extension JSONValue: Hashable {
  /// Whether the contents are equal.
  public static func == (left: JSONValue, right: JSONValue) -> Bool {
    left.content == right.content
  }

  /// Hashes the content.
  public func hash(into hasher: inout Hasher) { hasher.combine(content) }
}

extension JSONValue.Member: Hashable {
  /// Whether keys and values are equal.
  public static func == (left: Self, right: Self) -> Bool {
    left.key == right.key && left.value == right.value
  }

  /// Hashes key and value.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(key)
    hasher.combine(value)
  }
}
