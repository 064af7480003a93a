/// The messages of `io.localauth.Authentication`; the interface description documents the fields.
public enum AuthenticationMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Authentication"

  /// How an evaluation ended.
  public struct Result: WireReply, Sendable {
    /// The row of the outcome table.
    public var outcome: String = ""
    /// The status that `authctl` exits with.
    public var exit: Int64 = 0
    /// The matching code of `LAError`.
    public var laError: Int64?
    /// What happened, in one sentence.
    public var message: String = ""
    /// The policy.
    public var policy: String = ""
    /// The device.
    public var device: String = ""
    /// The method that proved it.
    public var method: String?
    /// The finger that matched.
    public var finger: String?
    /// The number of judged attempts.
    public var attempts: Int64 = 0
    /// Misses left before the lockout.
    public var remainingAttempts: Int64?
    /// Seconds until another attempt is allowed.
    public var retryAfterSeconds: Int64?
    /// The identifier of the evaluation in the audit.
    public var evaluation: String = ""
    /// Whether the device is simulated.
    public var simulated: Bool = false
    /// The number of script events that were not used.
    public var scriptEventsLeft: Int64 = 0
    /// The evaluation whose earlier success answered instead of a person.
    public var grant: String?
    /// The age of that success, in seconds.
    public var ageSeconds: Int64?
    /// The SHA-256 digest of the action, in hexadecimal.
    public var actionDigest: String?
    /// The signed success: a JWT in compact form.
    public var assertion: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
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
    /// What the evidence rests on: `biometry`, `possession` or `knowledge`.
    public var evidence: String = ""
    /// What it asks of the person: `nothing`, `text` or `touch`.
    public var asking: String = ""
    /// The instruction for the person, if the kind does not imply it.
    public var instruction: String?
    /// Whether its proof is simulated.
    public var simulated: Bool = false
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("name", &name)
      try mapper.required("kind", &kind)
      try mapper.required("evidence", &evidence)
      try mapper.required("asking", &asking)
      try mapper.optional("instruction", &instruction)
      try mapper.required("simulated", &simulated)
    }
  }

  /// A prompt to show to a person.
  public struct Prompt: WireReply, Sendable, Hashable {
    /// The nonce that an answer must carry.
    public var nonce: String = ""
    /// The identifier of the evaluation.
    public var evaluation: String = ""
    /// The policy.
    public var policy: String = ""
    /// The reason for the request.
    public var reason: String = ""
    /// The operations and items of a keychain call.
    public var items: Items?
    /// The exact action to approve, to be shown word for word.
    public var action: String?
    /// The audience that a success is signed for, if any.
    public var audience: String?
    /// The caller, for display.
    public var caller: String = ""
    /// The device.
    public var device: String = ""
    /// Whether the device is simulated.
    public var simulated: Bool = false
    /// Whether a finger is accepted.
    public var biometry: Bool = false
    /// Whether the passcode is accepted.
    public var passcode: Bool = false
    /// Whether the application password of an item is accepted, which is not the passcode.
    public var applicationPassword: Bool?
    /// The authenticators that can answer the prompt; absent from services that do not report them.
    public var authenticators: [Authenticator]?
    /// The question to answer; absent while no answer is accepted.
    public var passcodePrompt: String?
    /// Whether the answer may be visible.
    public var passcodeEchoes: Bool = false
    /// Whether the passcode is offered as the fallback.
    public var fallback: Bool = false
    /// The title of the fallback button.
    public var fallbackTitle: String?
    /// True if the fallback ends the evaluation with `UserFallback`, because nothing but a finger
    /// could succeed.
    public var fallbackEnds: Bool?
    /// The title of the cancel button.
    public var cancelTitle: String?
    /// Misses left before the lockout.
    public var attemptsLeft: Int64?
    /// Wrong passcodes left before only erasing the device helps; absent if passcodes never lock for
    /// good.
    public var passcodeAttemptsLeft: Int64?
    /// Seconds left to answer.
    public var secondsLeft: Int64?
    /// How long a success answers the same caller again, in seconds.
    public var remembersSeconds: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
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
      try mapper.optional("fallbackEnds", &fallbackEnds)
      try mapper.optional("cancelTitle", &cancelTitle)
      try mapper.optional("attemptsLeft", &attemptsLeft)
      try mapper.optional("passcodeAttemptsLeft", &passcodeAttemptsLeft)
      try mapper.optional("secondsLeft", &secondsLeft)
      try mapper.optional("remembersSeconds", &remembersSeconds)
    }
  }

  /// A notice for the person while the prompt stays.
  public struct Notice: WireReply, Sendable {
    /// `miss`, `retry`, `info` or `error`.
    public var kind: String = ""
    /// The factor that missed.
    public var factor: String?
    /// The word for the acquisition that has to be retried.
    public var code: String?
    /// The text to show.
    public var text: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("kind", &kind)
      try mapper.optional("factor", &factor)
      try mapper.optional("code", &code)
      try mapper.required("text", &text)
    }
  }

  /// A request for an assertion.
  public struct AssertionWish: WireObject, Sendable {
    /// The audience of the assertion.
    public var audience: String = ""
    /// The audience's nonce for this request.
    public var nonce: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("audience", &audience)
      try mapper.required("nonce", &nonce)
    }
  }

  /// The parameters of `Evaluate`.
  public struct EvaluateCall: WireObject, Sendable {
    /// The policy's name.
    public var policy: String = ""
    /// The reason shown to the person.
    public var reason: String = ""
    /// The exact action to approve.
    public var action: String?
    /// The assertion to sign on success.
    public var assertion: AssertionWish?
    /// The device.
    public var device: String?
    /// Whether a person can be asked; true when absent.
    public var interactive: Bool?
    /// Whether a registered agent shows the prompts, because the caller has no user interface.
    public var agent: Bool?
    /// How long to wait; 30 s when absent.
    public var timeoutMilliseconds: Int64?
    /// The script that stands in for a person.
    public var script: WireSecret?
    /// Whether the script came from a command line.
    public var scriptIsArgument: Bool?
    /// Whether a simulated success counts.
    public var allowSimulated: Bool?
    /// How old, in seconds, an unlock of the device by finger may be to stand in for a touch.
    public var reuseSeconds: Int64?
    /// How old, in seconds, an earlier success of the same caller and action may be to answer
    /// instead; if present, this success is remembered too.
    public var maxAgeSeconds: Int64?
    /// How many times this success may answer again.
    public var maxUses: Int64?
    /// The number of wrong passcodes after which the passcode is no longer asked for; the policy's
    /// limit when absent.
    public var passcodeTries: Int64?
    /// The title of the fallback button.
    public var fallbackTitle: String?
    /// The title of the cancel button.
    public var cancelTitle: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
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

  /// A reply to `Evaluate` or `Unlock`; exactly one field is present.
  public struct EvaluateReply: PromptingReply, Sendable {
    /// The number of requests that are ahead of this one.
    public var queued: Int64?
    /// A prompt to show.
    public var prompt: Prompt?
    /// A notice to show.
    public var notice: Notice?
    /// The last reply.
    public var result: Result?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("queued", &queued)
      try mapper.optional("prompt", &prompt)
      try mapper.optional("notice", &notice)
      try mapper.optional("result", &result)
    }
  }

  /// The last reply to `Evaluate` or `Unlock`, as the service writes it.
  ///
  /// It has no prompt, whose many fields would have to be initialized and destroyed each time.
  public struct LastReply: WireObject, Sendable {
    /// The result of the evaluation.
    public var result: Result = Result()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("result", &result)
    }
  }

  /// The parameters of `Respond`.
  public struct RespondCall: WireObject, Sendable {
    /// The prompt's nonce.
    public var nonce: String = ""
    /// The answer to the prompt's question.
    public var passcode: WireSecret?
    /// `cancel` or `fallback`.
    public var action: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
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
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("policy", &policy)
      try mapper.optional("device", &device)
      try mapper.optional("allowSimulated", &allowSimulated)
    }
  }

  /// The current state of a factor of a policy.
  public struct FactorState: WireReply, Sendable {
    /// `biometry`, `passcode`, `applicationPassword` or `companion`.
    public var factor: String = ""
    /// `usable`, or the outcome of an evaluation that needs the factor.
    public var state: String = ""
    /// Why the factor cannot be used, in one sentence.
    public var message: String?
    /// Attempts left before the lockout.
    public var attemptsLeft: Int64?
    /// Seconds until the factor may be tried again.
    public var retryAfterSeconds: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
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
    /// A success if an evaluation could succeed now, otherwise the result it would have.
    public var result: Result = Result()
    /// `none` or `fingerprint`.
    public var biometryType: String = ""
    /// A value that changes with the enrolled set, in hexadecimal.
    public var domainState: String?
    /// The current states of the policy's factors.
    public var factors: [FactorState] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("result", &result)
      try mapper.required("biometryType", &biometryType)
      try mapper.optional("domainState", &domainState)
      try mapper.required("factors", &factors)
    }
  }
}
