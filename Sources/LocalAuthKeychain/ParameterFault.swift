/// What is wrong with a dictionary; Apple's status is -50 in every case.
public enum ParameterFault: Hashable, Sendable {
  case missingClass
  case tooManyKeys
  case duplicateKey(String)
  case invalidKey(String)
  /// The value has a type that the key does not accept.
  case invalidType(String)
  /// The value is not one that the key accepts.
  case invalidValue(String)
  /// The key has no meaning in this call.
  case notAllowedHere(String)
  /// The keys exclude each other.
  case conflict(String, String)
  case malformedReference
  /// The flags of an access control contradict each other.
  case contradictoryAccessControl
  /// An application password is only judged by data that is sealed under it.
  case missingData
  /// The call affects more items than may be held in memory or named at once.
  case tooMuchAtOnce

  /// What is wrong, in one sentence.
  public var sentence: String {
    switch self {
    case .missingClass: "The query names no item class."
    case .tooManyKeys: "The query has more than \(QueryDictionary.limit) keys."
    case .duplicateKey(let key): "The key '\(Self.shown(key))' is there twice."
    case .invalidKey(let key): "There is no key '\(Self.shown(key))'."
    case .invalidType(let key): "The value of '\(Self.shown(key))' has the wrong type."
    case .invalidValue(let key): "The value of '\(Self.shown(key))' is not one that it can take."
    case .notAllowedHere(let key): "The key '\(Self.shown(key))' is not allowed in this call."
    case .conflict(let one, let other):
      "The keys '\(Self.shown(one))' and '\(Self.shown(other))' exclude each other."
    case .malformedReference: "The persistent reference is malformed."
    case .contradictoryAccessControl: "The flags of the access control do not go together."
    case .missingData: "An item with an application password has data."
    case .tooMuchAtOnce: "That is about too many items for one call; ask for fewer."
    }
  }

  /// A peer's text, cut to fit a line and without control characters.
  static func shown(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.prefix(40).filter { $0.value >= 32 }))
  }
}
