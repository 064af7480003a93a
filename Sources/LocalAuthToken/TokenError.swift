/// Why a text is not a valid token, claims object or key set.
public enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of a token that is malformed.
  public enum Part: String, Hashable, Sendable {
    case header
    case claims
    case keys
  }

  /// It exceeds the limit on bytes or keys.
  case tooLong
  /// It is not three parts of base64url separated by dots.
  case notCompact
  /// It is not a strict JSON object: unique keys, and nothing after it.
  case malformed(Part)
  /// A required member is missing.
  case missing(String)
  /// A member has the wrong type or an invalid value.
  case invalid(String)

  /// One line that says what is wrong.
  public var description: String {
    switch self {
    case .tooLong: "it is too long"
    case .notCompact: "it is no signed token in its compact form"
    case .malformed(let part): "its \(part.rawValue) cannot be read"
    case .missing(let name): "it has no '\(name)'"
    case .invalid(let name): "its '\(name)' has a value that it cannot have"
    }
  }
}
