import LocalAuthClient
import LocalAuthCore
import LocalAuthWire

extension EvaluationEnding: DialogEnding {
  static func exhausted(
    _ result: AuthenticationMessages.Result,
    as outcome: OutcomeCode
  ) -> AuthenticationMessages.Result {
    guard result.outcome == OutcomeCode.userCancel.rawValue else { return result }
    var said = result
    said.outcome = outcome.rawValue
    said.exit = Int64(outcome.exit)
    said.laError = outcome.laError.map { Int64($0) }
    said.message = outcome.sentence
    return said
  }
}

extension KeychainEnding: DialogEnding {
  static func exhausted(_ answer: RemoteAnswer, as outcome: OutcomeCode) -> RemoteAnswer {
    answer.outcome == .userCancel ? answer.refused(as: outcome) : answer
  }
}
