import LocalAuthCore
import LocalAuthJSON
import LocalAuthWire
import Testing

@testable import authctl

@Suite struct ReportTests {
  private func result(
    _ outcome: OutcomeCode,
    left: Int64 = 0
  ) -> AuthenticationMessages.Result {
    var result = AuthenticationMessages.Result()
    result.outcome = outcome.rawValue
    result.exit = Int64(outcome.exit)
    result.message = outcome.sentence
    result.policy = "device-owner"
    result.device = "sim"
    result.method = outcome == .success ? "fingerprint" : nil
    result.finger = outcome == .success ? "right-index-finger" : nil
    result.attempts = 2
    result.evaluation = "0123"
    result.simulated = true
    result.scriptEventsLeft = left
    return result
  }

  private func json(_ report: Report) throws -> JSONValue {
    var bytes: [UInt8] = []
    try JSONWriter.write(into: &bytes) { report.write(&$0) }
    return try JSONValue.parsed(String(decoding: bytes, as: UTF8.self))
  }

  @Test func evaluationHasEveryMemberAlsoWhereItIsNull() throws {
    let object = try json(Report(result(.timeout), advice: nil))
    #expect(
      object.members.map(\.key) == [
        "version", "outcome", "exit", "laError", "message", "policy", "device", "method", "finger",
        "attempts", "remainingAttempts", "retryAfterSeconds", "evaluation", "simulated",
        "scriptEventsLeft", "grant", "ageSeconds", "actionDigest", "assertion",
      ]
    )
    #expect(object["outcome"]?.string == "timeout")
    #expect(object["exit"]?.integer == 6)
    #expect(object["laError"]?.integer == -4)
    #expect(object["method"]?.content == .null)
  }

  @Test func everyOutcomeKeepsItsStatus() throws {
    for outcome in OutcomeCode.allCases {
      let report = Report(result(outcome), advice: nil)
      #expect(report.exit == outcome.exit)
      #expect(try json(report)["exit"]?.integer == Int64(outcome.exit))
    }
  }

  @Test func leftOverEventsExitOtherwiseAndLeaveTheOutcome() throws {
    let report = Report(result(.success, left: 2), advice: nil)
    #expect(report.exit == 65)
    #expect(report.outcome == .success)
    let object = try json(report)
    #expect(object["outcome"]?.string == "success")
    #expect(object["exit"]?.integer == 65)
    #expect(object["scriptEventsLeft"]?.integer == 2)
    #expect(report.remark?.contains("2 script events were left over") ?? false)
  }

  @Test(arguments: [OutcomeCode.simulatedNotAllowed, .notPermitted, .internalError])
  func scriptThatWasNeverPlayedHidesNoRefusal(_ outcome: OutcomeCode) {
    #expect(Report(result(outcome, left: 3), advice: nil).exit == outcome.exit)
  }

  @Test func simulatedSuccessIsCalledSo() {
    #expect(
      Report(result(.success), advice: nil).remark
        == "success by fingerprint (right-index-finger) (simulated)"
    )
  }

  @Test func adviceIsPartOfTheMessage() {
    let report = Report(result(.biometryNotEnrolled), advice: "Do this.")
    #expect(report.message == "No finger is enrolled. Do this.")
    #expect(report.remark == report.message)
  }
}

@Suite struct AdviceTests {
  private func advice(
    _ outcome: OutcomeCode,
    simulated: Bool = true,
    retryAfter: Int64? = nil,
    hasPasscode: Bool = true,
    policy: String = ""
  ) -> String? {
    var result = AuthenticationMessages.Result()
    result.outcome = outcome.rawValue
    result.device = "sim"
    result.simulated = simulated
    result.retryAfterSeconds = retryAfter
    result.policy = policy
    return Advice.sentence(for: result, typed: "authctl --device sim") { hasPasscode }
  }

  @Test func devicesWithNothingUsableGetTheExactCommand() {
    #expect(
      advice(.biometryNotEnrolled)
        == "Enroll a finger: authctl --device sim sensor enroll right-index-finger"
    )
    #expect(advice(.passcodeNotSet) == "Set one: authctl --device sim passcode set")
    #expect(
      advice(.biometryNotAvailable, simulated: false)
        == "See which readers there are: authctl --device sim authenticator list"
    )
  }

  @Test func lockoutSaysWhatClearsIt() {
    #expect(advice(.biometryLockout)?.contains("--policy passcode") ?? false)
    #expect(advice(.biometryLockout, hasPasscode: false)?.contains("passcode set") ?? false)
    #expect(advice(.biometryLockout, retryAfter: 60) == "Try again in 1m.")
    #expect(advice(.passcodeThrottled, retryAfter: 300) == "Try again in 5m.")
    #expect(
      advice(.passcodeThrottled)
        == "It is locked for good. Only erasing helps, and destroys its keychain: "
        + "authctl --device sim device erase"
    )
  }

  @Test func fallbackOfAPolicyNamesThePolicyThatHasOne() {
    #expect(advice(.userFallback, policy: "biometrics")?.contains("device-owner") ?? false)
    #expect(advice(.userFallback, policy: "keychain") == nil)
  }

  @Test func everyCommandThatIsAdvisedIsUnderstood() throws {
    for outcome in OutcomeCode.allCases {
      for simulated in [true, false] {
        guard let text = advice(outcome, simulated: simulated),
          let start = text.range(of: ": authctl ")
        else { continue }
        let words = text[start.upperBound...].split(separator: "'").enumerated().flatMap {
          $0.offset % 2 == 1
            ? [String($0.element)] : $0.element.split(separator: " ").map(String.init)
        }
        guard case .run = try CommandTable.tree.parse(words) else {
          Issue.record("\(text)")
          continue
        }
      }
    }
  }
}

extension String {
  fileprivate func range(of text: String) -> Range<String.Index>? {
    guard !text.isEmpty else { return nil }
    return indices.first { self[$0...].hasPrefix(text) }.map {
      $0..<index($0, offsetBy: text.count)
    }
  }
}
