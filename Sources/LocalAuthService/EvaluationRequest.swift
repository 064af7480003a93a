public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret
public import LocalAuthToken

/// What a caller asks to be evaluated.
public struct EvaluationRequest {
  /// What a success is for.
  public enum Purpose: String, Hashable, Sendable {
    case evaluate
    case unlock
    /// For what the access control of an item asks.
    case keychain
  }

  /// What a success is for.
  public var purpose: Purpose
  /// The policy's name.
  public var policy: String
  /// Why, as the person will read it.
  public var reason: String
  /// What exactly is approved, shown and digested word for word; nothing earlier stands in for it.
  public var action: ActionText?
  /// For whom a success is signed, if for anybody; nothing earlier stands in for it.
  public var assertion: AssertionRequest?
  /// The device, or nil for the user's own machine.
  public var device: String?
  /// Whether somebody can be asked.
  public var isInteractive: Bool
  /// Whether a registered agent is asked, because the caller has no user interface.
  public var asksAgent = false
  /// Whether somebody is there once a script has run out.
  var hasPerson = true
  /// How long to wait for an answer, at most.
  public var timeout: Duration
  /// Events that drive the simulated sensor and answer, in place of a person.
  public var script: ScriptSource?
  /// Whether the caller takes a simulated success for what it is.
  public var allowsSimulated: Bool
  /// How old a device unlock by finger may be to stand in for a touch.
  public var reuse: Duration
  /// What was proven earlier may answer, and a success is remembered, where the policy allows it and
  /// this is wished.
  public var grant: GrantRequest?
  /// Wrong passcodes after which it is asked for no more; nil for as many as the policy allows.
  public var passcodeTries: UInt32?
  /// Factors that came with the request; only an application password does, which is judged by the
  /// item that it opens.
  var given: FactorSet = []
  /// What a keychain call is about to do, and with which items, as its prompt says it.
  var items: NamedItems?
  /// Why a keychain call asks that does not say it itself.
  public static let keychainReason = "use a keychain item"
  /// How the application password is asked for, by an evaluation that asks for nothing else.
  var password: PasswordAsking?
  /// Whether something that was proven earlier may stand in for a touch.
  var takesReuse: Bool { action == nil && assertion == nil }
  /// Text of the button that asks for the passcode instead.
  public var fallbackTitle: String?
  /// Text of the button that cancels.
  public var cancelTitle: String?

  /// A request for `policy`; everything else takes its default.
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

/// How an evaluation ended, as the caller learns it.
public struct EvaluationResult: Sendable {
  /// Which evaluation.
  public var id: EvaluationID
  /// How it ended.
  public var outcome: Outcome
  /// The policy.
  public var policy: String
  /// The device.
  public var device: String
  /// What proved it, or nil.
  public var method: String?
  /// The finger that matched.
  public var finger: Finger?
  /// Attempts that were judged.
  public var attempts: UInt32
  /// Misses left before the lock, or nil without a lock.
  public var attemptsLeft: UInt32?
  /// Whether the device is simulated, or an authenticator that proved something.
  public var isSimulated: Bool
  /// Script events that were not used.
  public var scriptEventsLeft: Int
  /// The evaluation whose success answered instead of a person, and how long ago that was proven.
  public var grant: (id: EvaluationID, age: Duration)?
  /// SHA-256 of the action that was asked about.
  public var actionDigest: [UInt8]?
  /// The success, signed for whom it was asked for.
  public var assertion: String?
}

/// A prompt as its user interface shows it.
public struct ShownPrompt: Sendable {
  /// What an answer must carry.
  public var nonce: EvaluationID
  /// Which evaluation.
  public var id: EvaluationID
  /// The factors that are live.
  public var live: FactorSet
  /// The authenticators of the live factors.
  public var authenticators: [AuthenticatorDescription]
  /// What the passcode provider asks for; nil while it takes no answer.
  public var passcodePrompt: String?
  /// Whether that answer may be shown while it is typed.
  public var passcodeEchoes: Bool
  /// Whether the person may ask for the passcode instead.
  public var offersFallback: Bool
  /// Text of that button, or nil for the default.
  public var fallbackTitle: String?
  /// What a keychain call is about to do, and with which items; nil for any other call.
  public var items: NamedItems?
  /// Whether the device is simulated.
  public var isSimulated: Bool
  /// Misses left before the lock, or nil without a lock.
  public var attemptsLeft: UInt32?
  /// Time left to answer.
  public var timeLeft: Duration?
  /// How long a success will answer the same caller again; nil for not at all.
  public var remembers: Duration?
}

/// What an evaluation tells its caller while it runs.
public enum SessionEvent: Sendable {
  case queued(ahead: Int)
  case prompt(ShownPrompt)
  case miss(Factor)
  case retry(Acquisition)
  case message(isError: Bool, text: String)
  /// The last event.
  case finished(EvaluationResult)
}

/// What a person answers.
public enum PromptResponse {
  case passcode(SecretBox)
  case cancel
  case fallback
}
