/// The six kinds of value that JSON knows.
public enum JSONKind: String, Sendable {
  /// `{…}`
  case object
  /// `[…]`
  case array
  /// `"…"`
  case string
  /// An integer or a decimal number.
  case number
  /// `true` or `false`
  case boolean
  /// `null`
  case null
}

extension JSONKind: CustomStringConvertible {
  /// The kind with its article, as error messages use it.
  public var description: String {
    switch self {
    case .object: "an object"
    case .array: "an array"
    case .string: "a string"
    case .number: "a number"
    case .boolean: "true or false"
    case .null: "null"
    }
  }
}
