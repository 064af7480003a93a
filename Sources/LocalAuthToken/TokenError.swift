/// Why a text is no token, no claims or no key.
public enum TokenError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The part of a token that is wrong.
  public enum Part: String, Hashable, Sendable {
    case header
    case claims
    case signature
    case keys
  }

  /// More bytes than any of ours has.
  case tooLong
  /// Not three parts of base64url with dots between them.
  case notCompact
  /// Not an object of JSON in its strict form: each key once, nothing after it.
  case malformed(Part)
  /// A member is not there.
  case missing(String)
  /// A member has another type, or a value that it cannot have.
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
