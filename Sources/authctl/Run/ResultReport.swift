import LocalAuthCore
import LocalAuthJSON
import LocalAuthWire

extension Report {
  /// Creates the report of an evaluation.
  ///
  /// - Parameters:
  ///   - result: The verified result.
  ///   - advice: What would help, in one sentence; nil for nothing.
  ///   - members: Writes members in addition to those of every evaluation.
  init(
    _ result: AuthenticationMessages.Result,
    advice: String?,
    members: @escaping Members = { _ in }
  ) {
    let outcome = result.code ?? .internalError
    let parts = [result.message, advice].compactMap { $0 }
    let message = parts.joined(separator: " ")
    self.init(outcome, message) {
      Self.write(result, to: &$0)
      members(&$0)
    }
    remark = outcome == .success ? Self.praise(result) : message
    if outcome == .success, let assertion = result.assertion { answer = [assertion] }
    guard result.scriptEventsLeft > 0, Self.reachesScript(outcome) else { return }
    exit = OutcomeCode.scriptEventsLeftOver.exit
    let left = result.scriptEventsLeft
    let events = CountText.of(left, "script event was", "script events were")
    remark = "\(remark ?? message) (\(events) left over)"
  }

  /// Whether an evaluation with this outcome could have used its script.
  ///
  /// If so, left-over events mean that the script is wrong; otherwise they mean nothing.
  static func reachesScript(_ outcome: OutcomeCode) -> Bool {
    switch outcome {
    case .unreachable, .internalError, .simulatedNotAllowed, .notPermitted, .badConfiguration: false
    case .success, .authenticationFailed, .usage, .userCancel, .userFallback, .notInteractive,
      .timeout, .systemCancel, .appCancel, .busy, .invalidContext, .biometryLockout,
      .passcodeThrottled, .authenticatorLockout, .authenticatorNotAvailable, .biometryNotEnrolled,
      .biometryNotAvailable, .biometryDisconnected,
      .sensorError, .passcodeNotSet, .itemNotFound, .duplicateItem, .itemLocked,
      .accessGroupNotAllowed, .keychainError, .scriptEventsLeftOver:
      true
    }
  }

  /// Describes the success: by which method, and whether it was simulated.
  static func praise(_ result: AuthenticationMessages.Result) -> String {
    var text = "success"
    if let age = result.ageSeconds {
      text += ", approved \(DurationText.words(.seconds(age))) ago"
    } else if let method = result.method {
      text += " by \(method)"
    }
    if let finger = result.finger { text += " (\(finger))" }
    return result.simulated ? text + " (simulated)" : text
  }

  /// Writes the members of an evaluation.
  static func write<Sink: ~Copyable>(
    _ result: AuthenticationMessages.Result,
    to writer: inout JSONWriter<Sink>
  ) {
    writer.member("policy", result.policy)
    writer.member("device", result.device)
    writer.member("method", result.method)
    writer.member("finger", result.finger)
    writer.member("attempts", result.attempts)
    writer.member("remainingAttempts", result.remainingAttempts)
    writer.member("retryAfterSeconds", result.retryAfterSeconds)
    writer.member("evaluation", result.evaluation.isEmpty ? nil : result.evaluation)
    writer.member("simulated", result.simulated)
    writer.member("scriptEventsLeft", result.scriptEventsLeft)
    writer.member("grant", result.grant)
    writer.member("ageSeconds", result.ageSeconds)
    writer.member("actionDigest", result.actionDigest)
    writer.member("assertion", result.assertion)
  }
}
