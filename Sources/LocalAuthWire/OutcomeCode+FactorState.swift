public import LocalAuthCore

extension OutcomeCode {
  /// Creates the outcome of a factor from its state on the wire: ``success`` if it can be used.
  public init(factorState word: String) {
    self = word == "usable" ? .success : OutcomeCode(rawValue: word) ?? .internalError
  }
}
