import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSensor

/// One attempt on its way through ``Interpreter``: the pure ``Attempt`` and what it is about.
final class AttemptRun {
  /// What there is to judge.
  enum Evidence {
    case finger(Capture)
    case passcode(SecretBox)
    case conversation(service: String, directory: String?)
  }

  var machine: Attempt
  /// What is tried.
  let guess: Guess
  let device: LiveDevice
  let evidence: Evidence
  /// The lockout profile that the policy names besides the device's.
  let policyProfile: LockoutProfile?
  /// The PAM conversation, once it is under way.
  var conversation: (any PasscodeConversation)?
  /// Which change of the counts its charge was; see ``LiveDevice/changes(of:)``.
  var change: UInt64 = 0
  /// Whether a conversation was given an answer, which makes its charge final.
  var wasSubmitted: Bool
  /// Hears what a PAM conversation says.
  var onConversation: (ConversationEvent) -> Void = { _ in }
  /// Whether the keys are wanted that the passcode opens; then a conversation's answers are kept.
  var wantsKeys = false
  /// The answers without echo that a conversation got, to be tried on the keybag after it.
  var candidates: [SecretBox] = []
  /// The class keys that the passcode opened.
  var opened: (any OpenedKeys)?
  /// Why it may not be charged after all: the storage may have taken its time to work again.
  var hindrance: () -> Outcome? = { nil }
  /// The audit line to write with the charge (nil) or with the verdict; none that is written already.
  var audit: (Verdict?) -> AuditRecord?
  /// The era of the device's grants in which it began.
  let grantEra: UInt64
  /// Hears the verdict, once everything about it is durable.
  var onReport: (Verdict) -> Void

  init(
    at guess: Guess,
    on device: LiveDevice,
    evidence: Evidence,
    and policyProfile: LockoutProfile? = nil,
    audit: @escaping (Verdict?) -> AuditRecord?,
    onReport: @escaping (Verdict) -> Void
  ) {
    machine = Attempt(at: guess.factor)
    self.guess = guess
    self.device = device
    self.evidence = evidence
    self.policyProfile = policyProfile
    self.audit = audit
    self.onReport = onReport
    grantEra = device.grantEra
    switch evidence {
    case .finger, .passcode: wasSubmitted = true
    case .conversation: wasSubmitted = false
    }
  }

  /// What its audit line is in a commit with the charge (nil) or the verdict.
  func auditChange(_ verdict: Verdict?) -> [StateChange] {
    audit(verdict).map { [.audit($0)] } ?? []
  }

  /// Keeps an answer that PAM gets, where the keys are wanted that it may open.
  func keep(_ answer: SecretBox, echoes: Bool) {
    guard wantsKeys, !echoes, let copy = answer.copied() else { return }
    candidates.append(copy)
  }
}
