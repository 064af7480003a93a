public import LocalAuthCore

extension AuthenticationMessages.Result {
  /// The row of the outcome table; nil if the outcome is unknown.
  public var code: OutcomeCode? { OutcomeCode(rawValue: outcome) }

  /// Whether it is a success.
  public var isSuccess: Bool { code == .success }

  /// The result with another outcome and without anything that was proven.
  public func refused(as outcome: OutcomeCode) -> Self {
    var refused = self
    refused.outcome = outcome.rawValue
    refused.exit = Int64(outcome.exit)
    refused.laError = outcome.laError.map { Int64($0) }
    refused.message = outcome.sentence
    refused.method = nil
    refused.finger = nil
    refused.assertion = nil
    return refused
  }
}
