public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret
public import LocalAuthToken

/// A request to evaluate a policy.
public struct EvaluationRequest {
  /// What a success is for.
  public enum Purpose: String, Hashable, Sendable {
    case evaluate
    case unlock
    /// To satisfy the access control of an item.
    case keychain
  }

  /// What a success is for.
  public var purpose: Purpose
  /// The policy's name.
  public var policy: String
  /// The reason shown to the person.
  public var reason: String
  /// The exact text being approved, shown and digested verbatim; an earlier unlock cannot stand in
  /// for it.
  public var action: ActionText?
  /// The audience a success is signed for, if any; an earlier unlock cannot stand in for it.
  public var assertion: AssertionRequest?
  /// The device, or nil for the user's own machine.
  public var device: String?
  /// Whether anyone can be prompted.
  public var isInteractive: Bool
  /// Whether a registered agent shows the prompt, because the caller has no user interface.
  public var asksAgent = false
  /// Whether a person can answer once the script has run out.
  var hasPerson = true
  /// The longest time to wait for an answer.
  public var timeout: Duration
  /// A script that drives the simulated sensor and answers in place of a person.
  public var script: ScriptSource?
  /// Whether the caller accepts the success of a simulated device.
  public var allowsSimulated: Bool
  /// The greatest age of a device unlock by finger that may stand in for a touch.
  public var reuse: Duration
  /// A wish to use an earlier success and have this one remembered, if the policy allows it.
  public var grant: GrantRequest?
  /// The number of wrong passcodes after which the passcode is no longer asked for; nil for the
  /// policy's limit.
  public var passcodeTries: UInt32?
  /// The factors that came with the request.
  ///
  /// This can only be an application password, which the item it opens judges.
  var given: FactorSet = []
  /// Whether the password among ``given`` is typed after this evaluation, in one of its own.
  var typesPasswordLater = false
  /// The operation and the items of a keychain call, as its prompt names them.
  var items: NamedItems?
  /// The reason shown for a keychain call that gives none.
  public static let keychainReason = "use a keychain item"
  /// How to ask for the application password, if the evaluation asks for that alone.
  var password: PasswordAsking?
  /// Whether an earlier unlock may stand in for a touch.
  var takesReuse: Bool { action == nil && assertion == nil }
  /// The title of the button that asks for the passcode instead.
  public var fallbackTitle: String?
  /// The title of the button that cancels.
  public var cancelTitle: String?

  /// A request for `policy`, with defaults for everything else.
  public init(purpose: Purpose = .evaluate, policy: String, reason: String, device: String? = nil) {
    self.purpose = purpose
    self.policy = policy
    self.reason = reason
    self.device = device
    isInteractive = true
    timeout = .seconds(30)
    script = nil
    allowsSimulated = false
    reuse = .zero
    fallbackTitle = nil
    cancelTitle = nil
  }
}

/// The result of an evaluation, as its caller receives it.
public struct EvaluationResult: Sendable {
  /// The evaluation's identifier.
  public var id: EvaluationID
  /// How it ended.
  public var outcome: Outcome
  /// The policy.
  public var policy: String
  /// The device.
  public var device: String
  /// The method of the proof, or nil.
  public var method: String?
  /// The finger that matched.
  public var finger: Finger?
  /// The number of judged attempts.
  public var attempts: UInt32
  /// Misses left before the lock, or nil without a lock.
  public var attemptsLeft: UInt32?
  /// Whether the device, or an authenticator that proved a factor, is simulated.
  public var isSimulated: Bool
  /// The number of unused script events.
  public var scriptEventsLeft: Int
  /// The evaluation whose remembered success answered instead of a person, and the age of its
  /// proof.
  public var grant: (id: EvaluationID, age: Duration)?
  /// SHA-256 of the action that was to be approved.
  public var actionDigest: [UInt8]?
  /// The signed success, if the request asked for one.
  public var assertion: String?
}

/// A prompt, as a user interface shows it.
public struct ShownPrompt: Sendable {
  /// The nonce that an answer must carry.
  public var nonce: EvaluationID
  /// The evaluation's identifier.
  public var id: EvaluationID
  /// The factors that are live.
  public var live: FactorSet
  /// The authenticators of the live factors.
  public var authenticators: [AuthenticatorDescription]
  /// The question of the passcode provider; nil while it accepts no answer.
  public var passcodePrompt: String?
  /// Whether to show the answer while it is typed.
  public var passcodeEchoes: Bool
  /// Whether the person may ask for the passcode instead.
  public var offersFallback: Bool
  /// The title of that button, or nil for the default.
  public var fallbackTitle: String?
  /// Whether the evaluation ends if the person chooses it, because nothing but a finger could
  /// succeed.
  public var fallbackEnds: Bool
  /// The operation and the items of a keychain call; nil for any other call.
  public var items: NamedItems?
  /// Whether the device is simulated.
  public var isSimulated: Bool
  /// Misses left before the lock, or nil without a lock.
  public var attemptsLeft: UInt32?
  /// Wrong passcodes left before only erasing helps; nil if passcodes never lock for good, or none
  /// is asked for.
  public var passcodesLeft: UInt32?
  /// Time left to answer.
  public var timeLeft: Duration?
  /// How long a success will be remembered for the same caller; nil if it will not.
  public var remembers: Duration?
}

/// An event that an evaluation sends to its caller.
public enum SessionEvent: Sendable {
  case queued(ahead: Int)
  case prompt(ShownPrompt)
  /// An attempt with this factor failed; `locks` says whether the factor is locked now.
  case miss(Factor, locks: Bool)
  case retry(Acquisition)
  case message(isError: Bool, text: String)
  /// The last event.
  case finished(EvaluationResult)
}

/// A person's answer to a prompt.
public enum PromptResponse {
  case passcode(SecretBox)
  case cancel
  case fallback
}
