public import LocalAuthJSON

/// Why bytes are not a message of the protocol.
public enum WireError: Error, Hashable, Sendable {
  /// The frame is not JSON.
  case malformed(JSONError)
  /// The frame is JSON, but neither a call nor a reply.
  case notAMessage(String)
  /// A parameter is missing, unknown, or of the wrong type or range.
  case invalidParameter(String)
  /// The caller may not ask for this; the string says why.
  case notPermitted(String)
}

extension WireError: CustomStringConvertible {
  /// A short description of the error.
  public var description: String {
    switch self {
    case .malformed(let error): "The message is not JSON: \(error)."
    case .notAMessage(let what): "The message is no call and no reply: \(what)."
    case .invalidParameter(let name): "The parameter '\(name)' is missing, unknown or unusable."
    case .notPermitted(let why): why
    }
  }
}
