import LocalAuthCore
import LocalAuthWire
import Testing

@testable import LocalAuthHost

@Suite struct PAMWorkerConversationTests {
  private func verdict(_ verdict: PAMVerdict) -> Verdict {
    PAMWorkerConversation.verdict(PAMJudgement(verdict: verdict, user: nil, message: "Refused"))
  }

  @Test func onlySuccessIsProof() {
    #expect(verdict(.success) == .proven(finger: nil, generation: nil))
    let others: [PAMVerdict] = [
      .wrongCredential, .userUnknown, .permissionDenied, .maxTries, .accountExpired,
      .credentialExpired, .passwordChangeRequired, .authInfoUnavailable,
      .aborted(afterAnswer: false), .aborted(afterAnswer: true), .userChanged, .other(code: 0),
      .other(code: 25),
    ]
    for other in others {
      if case .proven = verdict(other) { Issue.record("\(other) proves something") }
    }
  }

  @Test(arguments: [
    PAMVerdict.wrongCredential, .userUnknown, .permissionDenied, .maxTries, .userChanged,
    .other(code: 77), .aborted(afterAnswer: true),
  ])
  func whatJudgedTheCredentialIsAMiss(_ judged: PAMVerdict) {
    #expect(verdict(judged) == .miss)
  }

  @Test(arguments: [
    PAMVerdict.accountExpired, .credentialExpired, .passwordChangeRequired, .authInfoUnavailable,
    .aborted(afterAnswer: false),
  ])
  func whatJudgedNoWrongCredentialIsNoMiss(_ unjudged: PAMVerdict) {
    #expect(verdict(unjudged) != .miss)
  }
}
