public import LocalAuthJSON

/// Why a file or a name in the catalog cannot be used, and where the error is.
///
/// Its ``description`` is always one line, whatever the file contains: `FILE:LINE:COLUMN: what is
/// wrong and what is allowed`.
public struct PolicyError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Problem: Hashable, Sendable {
    /// The file or folder could not be read, for this reason.
    case unreadable(String)
    /// The file has more bytes than ``PolicyFile/sizeLimit``.
    case tooLarge
    /// The text is not JSON, or an object has a duplicate key.
    case notJSON(JSONError.Kind)
    /// An unknown key.
    case unknownKey(String, allowed: [String])
    /// A required key is missing.
    case missingKey(String)
    /// Two keys, one of which is required, are both missing.
    case missingBoth(String, String)
    /// A value of the wrong type.
    case wrongType(key: String, allowed: String)
    /// A value that is out of range or not among the allowed ones.
    case notAllowed(key: String, found: String, allowed: String)
    /// A list that must not be empty.
    case empty(String)
    /// A list with too many elements.
    case tooMany(String, limit: Int)
    /// A requirement that is nested more deeply than ``PolicyFile/depthLimit``.
    case tooDeep
    /// Two settings that contradict each other.
    case contradiction(String)
    /// A requirement that can never be met.
    case unsatisfiable(String)
    /// Numbers that do not describe a possible sensor.
    case noSensor(String)
    /// A row of delays that begins before the previous one ends.
    case overlap(from: UInt32, allowed: String)
    /// A setting that can never take effect.
    case withoutEffect(String)
    /// A reference to a name that does not exist.
    case noSuchName(kind: PolicyKind, name: String, allowed: [String])
    /// A file in a place where none is read.
    case misplaced(allowed: String)
  }

  /// What is wrong.
  public let problem: Problem
  /// The path of the file; empty when a name that was looked up does not exist.
  public let file: String
  /// The position in the file; nil if the error concerns the whole file.
  public let position: JSONPosition?

  /// Creates the error `problem` in `file` at `position`.
  public init(_ problem: Problem, file: String = "", position: JSONPosition? = nil) {
    self.problem = problem
    self.file = file
    self.position = position
  }
}

extension PolicyError: CustomStringConvertible {
  /// `FILE:LINE:COLUMN: what is wrong and what is allowed`, in one line.
  public var description: String {
    var text = file.isEmpty ? "" : PolicyText.oneLine(file) + ":"
    if let position { text += "\(position):" }
    return text.isEmpty ? "\(problem)" : "\(text) \(problem)"
  }
}

extension PolicyError.Problem: CustomStringConvertible {
  /// What is wrong and what is allowed, in one line.
  public var description: String {
    switch self {
    case .unreadable(let reason): "cannot be read: \(PolicyText.oneLine(reason))"
    case .tooLarge: "the file is too large; at most \(PolicyFile.sizeLimit) bytes are read"
    case .notJSON(.tooDeep): "nested too deeply; at most \(PolicyFile.jsonDepthLimit) levels"
    case .notJSON(let kind): kind.description
    case .unknownKey(let key, let allowed):
      "unknown key \(PolicyText.quoted(key)); allowed: \(PolicyText.list(allowed))"
    case .missingKey(let key): "the key \(PolicyText.quoted(key)) is missing; it is required here"
    case .missingBoth(let one, let other):
      "neither \(PolicyText.quoted(one)) nor \(PolicyText.quoted(other)) is there; one is required here"
    case .wrongType(let key, let allowed): "\(PolicyText.quoted(key)) must be \(allowed)"
    case .notAllowed(let key, let found, let allowed):
      "\(PolicyText.quoted(key)) cannot be \(PolicyText.quoted(found)); allowed: \(allowed)"
    case .empty(let key): "\(PolicyText.quoted(key)) is empty; at least one element is required"
    case .tooMany(let key, let limit): "\(PolicyText.quoted(key)) is too long; at most \(limit)"
    case .tooDeep: "nested too deeply; at most \(PolicyFile.depthLimit) lists in one another"
    case .contradiction(let text): "contradiction: \(text)"
    case .unsatisfiable(let text): "can never be met: \(text)"
    case .noSensor(let text): "makes no sensor: \(text)"
    case .overlap(let from, let allowed): "a row from \(from) overlaps; allowed: \(allowed)"
    case .withoutEffect(let text): "without effect: \(text)"
    case .noSuchName(let kind, let name, let allowed):
      "there is no \(kind.words) \(PolicyText.quoted(name)); allowed: \(PolicyText.list(allowed))"
    case .misplaced(let allowed): "this file is not read; allowed: \(allowed)"
    }
  }
}
