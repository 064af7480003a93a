import LocalAuthCore
import LocalAuthSecret
import LocalAuthSensor

/// One attempt on its way through ``Interpreter``: the pure ``Attempt`` and what it is about.
final class AttemptRun {
  /// What there is to judge.
  enum Evidence {
    case finger(Capture)
    case passcode(SecretBox, verifier: [UInt8])
    case conversation(service: String, directory: String?)
  }

  var machine: Attempt
  let device: Device
  let evidence: Evidence
  /// The lockout profile that the policy names besides the device's.
  let policyProfile: LockoutProfile?
  /// The PAM conversation, once it is under way.
  var conversation: (any PasscodeConversation)?
  /// Whether a conversation was given an answer, which makes its charge final.
  var wasSubmitted: Bool
  /// Hears what a PAM conversation says.
  var onConversation: (ConversationEvent) -> Void = { _ in }
  /// The audit line to write with the charge (nil) or with the verdict.
  var audit: (Verdict?) -> AuditRecord
  /// Hears the verdict, once everything about it is durable.
  var onReport: (Verdict) -> Void

  init(
    at factor: Factor,
    on device: Device,
    evidence: Evidence,
    and policyProfile: LockoutProfile? = nil,
    audit: @escaping (Verdict?) -> AuditRecord,
    onReport: @escaping (Verdict) -> Void
  ) {
    machine = Attempt(at: factor)
    self.device = device
    self.evidence = evidence
    self.policyProfile = policyProfile
    self.audit = audit
    self.onReport = onReport
    switch evidence {
    case .finger, .passcode: wasSubmitted = true
    case .conversation: wasSubmitted = false
    }
  }
}
