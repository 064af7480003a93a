/// What `io.localauth.Authentication` says and hears; its description documents the fields.
public enum AuthenticationMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Authentication"

  /// How an evaluation ended.
  public struct Result: WireReply, Sendable {
    /// The row of the outcome table.
    public var outcome: String = ""
    /// The status that `authctl` exits with.
    public var exit: Int64 = 0
    /// The code that `LAError` has for it.
    public var laError: Int64?
    /// What happened, in one sentence.
    public var message: String = ""
    /// The policy.
    public var policy: String = ""
    /// The device.
    public var device: String = ""
    /// What proved it.
    public var method: String?
    /// The finger that matched.
    public var finger: String?
    /// Attempts that were judged.
    public var attempts: Int64 = 0
    /// Misses left before the lock.
    public var remainingAttempts: Int64?
    /// When another attempt may be made.
    public var retryAfterSeconds: Int64?
    /// Names the evaluation in the audit.
    public var evaluation: String = ""
    /// Whether the device is simulated.
    public var simulated: Bool = false
    /// Script events that were not used.
    public var scriptEventsLeft: Int64 = 0
    /// The evaluation whose success answered, where nobody was asked.
    public var grant: String?
    /// How long ago that was proven.
    public var ageSeconds: Int64?
    /// SHA-256 of the action; hexadecimal.
    public var actionDigest: String?
    /// The success, signed; a JWT in its compact form.
    public var assertion: String?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("outcome", &outcome)
      try mapper.required("exit", &exit)
      try mapper.optional("laError", &laError)
      try mapper.required("message", &message)
      try mapper.required("policy", &policy)
      try mapper.required("device", &device)
      try mapper.optional("method", &method)
      try mapper.optional("finger", &finger)
      try mapper.required("attempts", &attempts)
      try mapper.optional("remainingAttempts", &remainingAttempts)
      try mapper.optional("retryAfterSeconds", &retryAfterSeconds)
      try mapper.required("evaluation", &evaluation)
      try mapper.required("simulated", &simulated)
      try mapper.required("scriptEventsLeft", &scriptEventsLeft)
      try mapper.optional("grant", &grant)
      try mapper.optional("ageSeconds", &ageSeconds)
      try mapper.optional("actionDigest", &actionDigest)
      try mapper.optional("assertion", &assertion)
    }
  }

  /// An authenticator that a prompt waits for.
  public struct Authenticator: WireReply, Sendable, Hashable {
    /// Its name.
    public var name: String = ""
    /// The kind of evidence that it judges, such as `fingerprint`.
    public var kind: String = ""
    /// What that rests on: `biometry`, `possession` or `knowledge`.
    public var evidence: String = ""
    /// What it asks of the person: `nothing`, `text` or `touch`.
    public var asking: String = ""
    /// What to tell the person, where the kind does not say it.
    public var instruction: String?
    /// Whether its proof is simulated.
    public var simulated: Bool = false
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("name", &name)
      try mapper.required("kind", &kind)
      try mapper.required("evidence", &evidence)
      try mapper.required("asking", &asking)
      try mapper.optional("instruction", &instruction)
      try mapper.required("simulated", &simulated)
    }
  }

  /// What to show a person.
  public struct Prompt: WireReply, Sendable, Hashable {
    /// What an answer must carry.
    public var nonce: String = ""
    /// Names the evaluation.
    public var evaluation: String = ""
    /// The policy.
    public var policy: String = ""
    /// Why somebody asks.
    public var reason: String = ""
    /// What a keychain call is about to do, and with which items.
    public var items: Items?
    /// What exactly is approved, to be shown word for word.
    public var action: String?
    /// For whom a success is signed, if for anybody.
    public var audience: String?
    /// Who asks, for display.
    public var caller: String = ""
    /// The device.
    public var device: String = ""
    /// Whether the device is simulated.
    public var simulated: Bool = false
    /// Whether a finger is asked for.
    public var biometry: Bool = false
    /// Whether the passcode is asked for.
    public var passcode: Bool = false
    /// Whether the application password of an item is asked for, which is no passcode.
    public var applicationPassword: Bool?
    /// The authenticators that would answer it; absent from services that do not tell.
    public var authenticators: [Authenticator]?
    /// The question to answer; absent while no answer is taken.
    public var passcodePrompt: String?
    /// Whether the answer may be shown.
    public var passcodeEchoes: Bool = false
    /// Whether the passcode may be asked for instead.
    public var fallback: Bool = false
    /// The text of that button.
    public var fallbackTitle: String?
    /// The text of the button that cancels.
    public var cancelTitle: String?
    /// Misses left before the lock.
    public var attemptsLeft: Int64?
    /// Seconds left to answer.
    public var secondsLeft: Int64?
    /// How long a success will answer the same caller again, in seconds.
    public var remembersSeconds: Int64?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("nonce", &nonce)
      try mapper.required("evaluation", &evaluation)
      try mapper.required("policy", &policy)
      try mapper.required("reason", &reason)
      try mapper.optional("items", &items)
      try mapper.optional("action", &action)
      try mapper.optional("audience", &audience)
      try mapper.required("caller", &caller)
      try mapper.required("device", &device)
      try mapper.required("simulated", &simulated)
      try mapper.required("biometry", &biometry)
      try mapper.required("passcode", &passcode)
      try mapper.optional("applicationPassword", &applicationPassword)
      try mapper.optional("authenticators", &authenticators)
      try mapper.optional("passcodePrompt", &passcodePrompt)
      try mapper.required("passcodeEchoes", &passcodeEchoes)
      try mapper.required("fallback", &fallback)
      try mapper.optional("fallbackTitle", &fallbackTitle)
      try mapper.optional("cancelTitle", &cancelTitle)
      try mapper.optional("attemptsLeft", &attemptsLeft)
      try mapper.optional("secondsLeft", &secondsLeft)
      try mapper.optional("remembersSeconds", &remembersSeconds)
    }
  }

  /// Something to tell the person while the prompt stays.
  public struct Notice: WireReply, Sendable {
    /// `miss`, `retry`, `info` or `error`.
    public var kind: String = ""
    /// What missed.
    public var factor: String?
    /// The acquisition's word.
    public var code: String?
    /// What to show.
    public var text: String = ""
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("kind", &kind)
      try mapper.optional("factor", &factor)
      try mapper.optional("code", &code)
      try mapper.required("text", &text)
    }
  }

  /// What an assertion is wanted for.
  public struct AssertionWish: WireObject, Sendable {
    /// For whom it is meant.
    public var audience: String = ""
    /// The audience's own word for this request.
    public var nonce: String = ""
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("audience", &audience)
      try mapper.required("nonce", &nonce)
    }
  }

  /// The parameters of `Evaluate`.
  public struct EvaluateCall: WireObject, Sendable {
    /// The policy's name.
    public var policy: String = ""
    /// Why, as the person reads it.
    public var reason: String = ""
    /// What exactly is approved.
    public var action: String?
    /// For whom a success is to be signed.
    public var assertion: AssertionWish?
    /// The device.
    public var device: String?
    /// Whether somebody can be asked; true when absent.
    public var interactive: Bool?
    /// Whether a registered agent asks, because the caller has no user interface.
    public var agent: Bool?
    /// How long to wait; 30 s when absent.
    public var timeoutMilliseconds: Int64?
    /// Events in place of a person.
    public var script: WireSecret?
    /// Whether the script stood on a command line.
    public var scriptIsArgument: Bool?
    /// Whether a simulated success counts.
    public var allowSimulated: Bool?
    /// How old a device unlock by finger may be.
    public var reuseSeconds: Int64?
    /// How old an earlier success of the same caller and action may be, to answer instead; and that
    /// this one is to be remembered.
    public var maxAgeSeconds: Int64?
    /// How often this success may answer again.
    public var maxUses: Int64?
    /// Wrong passcodes after which it is asked for no more; as many as the policy allows when absent.
    public var passcodeTries: Int64?
    /// Text of the fallback button.
    public var fallbackTitle: String?
    /// Text of the cancel button.
    public var cancelTitle: String?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("policy", &policy)
      try mapper.required("reason", &reason)
      try mapper.optional("action", &action)
      try mapper.optional("assertion", &assertion)
      try mapper.optional("device", &device)
      try mapper.optional("interactive", &interactive)
      try mapper.optional("agent", &agent)
      try mapper.optional("timeoutMilliseconds", &timeoutMilliseconds)
      try mapper.optional("script", &script)
      try mapper.optional("scriptIsArgument", &scriptIsArgument)
      try mapper.optional("allowSimulated", &allowSimulated)
      try mapper.optional("reuseSeconds", &reuseSeconds)
      try mapper.optional("maxAgeSeconds", &maxAgeSeconds)
      try mapper.optional("maxUses", &maxUses)
      try mapper.optional("passcodeTries", &passcodeTries)
      try mapper.optional("fallbackTitle", &fallbackTitle)
      try mapper.optional("cancelTitle", &cancelTitle)
    }
  }

  /// A reply to `Evaluate` or `Unlock`; exactly one field is there.
  public struct EvaluateReply: PromptingReply, Sendable {
    /// So many are before this one.
    public var queued: Int64?
    /// A prompt to show.
    public var prompt: Prompt?
    /// Something to tell.
    public var notice: Notice?
    /// The last reply.
    public var result: Result?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("queued", &queued)
      try mapper.optional("prompt", &prompt)
      try mapper.optional("notice", &notice)
      try mapper.optional("result", &result)
    }
  }

  /// The last reply to `Evaluate` or `Unlock`, as the service writes it: it has no room for prompts,
  /// whose many fields would have to be set up and cleared each time.
  public struct LastReply: WireObject, Sendable {
    /// How it ended.
    public var result: Result = Result()
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("result", &result)
    }
  }

  /// The parameters of `Respond`.
  public struct RespondCall: WireObject, Sendable {
    /// The prompt's nonce.
    public var nonce: String = ""
    /// The answer to its question.
    public var passcode: WireSecret?
    /// `cancel` or `fallback`.
    public var action: String?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("nonce", &nonce)
      try mapper.optional("passcode", &passcode)
      try mapper.optional("action", &action)
    }
  }

  /// The parameters of `CanEvaluate`.
  public struct CanEvaluateCall: WireObject, Sendable {
    /// The policy's name.
    public var policy: String = ""
    /// The device.
    public var device: String?
    /// Whether a simulated success counts.
    public var allowSimulated: Bool?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("policy", &policy)
      try mapper.optional("device", &device)
      try mapper.optional("allowSimulated", &allowSimulated)
    }
  }

  /// A factor of a policy, as it stands.
  public struct FactorState: WireReply, Sendable {
    /// `biometry`, `passcode`, `applicationPassword` or `companion`.
    public var factor: String = ""
    /// `usable`, or the outcome that it meets.
    public var state: String = ""
    /// Why it cannot be used, in a sentence.
    public var message: String?
    /// Tries left before the lock.
    public var attemptsLeft: Int64?
    /// When it may be tried again.
    public var retryAfterSeconds: Int64?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("factor", &factor)
      try mapper.required("state", &state)
      try mapper.optional("message", &message)
      try mapper.optional("attemptsLeft", &attemptsLeft)
      try mapper.optional("retryAfterSeconds", &retryAfterSeconds)
    }
  }

  /// The reply to `CanEvaluate`.
  public struct CanEvaluateReply: WireReply, Sendable {
    /// How an evaluation would begin.
    public var result: Result = Result()
    /// `none` or `fingerprint`.
    public var biometryType: String = ""
    /// Changes with the enrolled set; hexadecimal.
    public var domainState: String?
    /// The policy's factors, as it would find them.
    public var factors: [FactorState] = []
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("result", &result)
      try mapper.required("biometryType", &biometryType)
      try mapper.optional("domainState", &domainState)
      try mapper.required("factors", &factors)
    }
  }
}
