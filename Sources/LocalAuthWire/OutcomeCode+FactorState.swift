public import LocalAuthCore

extension OutcomeCode {
  /// What a factor would meet now, by the word that the socket has for its state: ``success`` where it
  /// can be used.
  public init(factorState word: String) {
    self = word == "usable" ? .success : OutcomeCode(rawValue: word) ?? .internalError
  }
}
