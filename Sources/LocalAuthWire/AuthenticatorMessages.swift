/// The messages of `io.localauth.Authenticator`, which programs serve and the daemon calls; the
/// interface description documents the fields.
public enum AuthenticatorMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Authenticator"
  /// The error of a program that cannot judge now.
  public static let unavailable = "\(interface).Unavailable"
  /// The error of a program that found the evidence right and the account unusable.
  public static let accountRefused = "\(interface).AccountRefused"
  /// The error for an answer that nobody asked for.
  public static let noSuchAttempt = "\(interface).NoSuchAttempt"

  /// The reply to `Describe`.
  public struct DescribeReply: WireReply, Sendable {
    /// The program's version.
    public var version: String = ""
    /// The kind of evidence that it judges.
    public var kind: String = ""
    /// What it asks of the person.
    public var asks: String = ""
    /// Whether it reports when it has something to judge.
    public var reportsPresence: Bool = false
    /// Whether its proof is simulated.
    public var simulated: Bool = false
    /// Whether nothing can be enrolled at it unnoticed.
    public var exclusive: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("version", &version)
      try mapper.required("kind", &kind)
      try mapper.required("asks", &asks)
      try mapper.required("reportsPresence", &reportsPresence)
      try mapper.required("simulated", &simulated)
      try mapper.optional("exclusive", &exclusive)
    }
  }

  /// A reply to `Watch`.
  public struct WatchReply: WireReply, Sendable {
    /// `available`, `busy`, `gone`, `suspended` or `lid-closed`.
    public var state: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("state", &state)
    }
  }

  /// The parameters of `Enrolled`.
  public struct EnrolledCall: WireObject, Sendable {
    /// The name of the account.
    public var user: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("user", &user)
    }
  }

  /// The reply to `Enrolled`.
  public struct EnrolledReply: WireReply, Sendable {
    /// What is enrolled.
    public var labels: [String] = []
    /// Changes whenever the enrolled set does.
    public var setToken: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("labels", &labels)
      try mapper.required("setToken", &setToken)
    }
  }

  /// The parameters of `Arm`.
  public struct ArmCall: WireObject, Sendable {
    /// The attempt's name, fresh for each.
    public var attempt: String = ""
    /// The name of the account.
    public var user: String = ""
    /// How long the attempt may take.
    public var milliseconds: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("attempt", &attempt)
      try mapper.required("user", &user)
      try mapper.required("milliseconds", &milliseconds)
    }
  }

  /// A question for a text.
  public struct Question: WireReply, Sendable {
    /// The question.
    public var text: String = ""
    /// Whether the answer is shown while it is typed.
    public var echoes: Bool = false
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("text", &text)
      try mapper.required("echoes", &echoes)
    }
  }

  /// Something to tell the person.
  public struct Notice: WireReply, Sendable {
    /// `info` or `error`.
    public var kind: String = ""
    /// The text.
    public var text: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("kind", &kind)
      try mapper.required("text", &text)
    }
  }

  /// A verdict.
  public struct Verdict: WireReply, Sendable {
    /// The attempt that it is about.
    public var attempt: String = ""
    /// Whether the evidence is the account's.
    public var match: Bool = false
    /// What of the enrolled set matched.
    public var label: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("attempt", &attempt)
      try mapper.required("match", &match)
      try mapper.optional("label", &label)
    }
  }

  /// A reply to `Arm`; exactly one field is present.
  public struct ArmReply: WireReply, Sendable {
    /// The program is ready to judge.
    public var armed: Bool?
    /// The program has something to judge.
    public var touched: Bool?
    /// The program asks for a text.
    public var question: Question?
    /// The program tells the person something.
    public var notice: Notice?
    /// What the program captured cannot be judged, for this reason.
    public var retry: String?
    /// The program's verdict.
    public var verdict: Verdict?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("armed", &armed)
      try mapper.optional("touched", &touched)
      try mapper.optional("question", &question)
      try mapper.optional("notice", &notice)
      try mapper.optional("retry", &retry)
      try mapper.optional("verdict", &verdict)
    }
  }

  /// The parameters of `Enroll`.
  public struct EnrollCall: WireObject, Sendable {
    /// The name of the account.
    public var user: String = ""
    /// What to enrol; the name of a finger.
    public var label: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("user", &user)
      try mapper.required("label", &label)
    }
  }

  /// A reply to `Enroll`.
  public struct EnrollReply: WireReply, Sendable {
    /// How many stages are passed.
    public var stage: Int64?
    /// How many stages there are.
    public var stages: Int64?
    /// The stage must be repeated, for this reason.
    public var retry: String?
    /// Everything is enrolled.
    public var completed: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("stage", &stage)
      try mapper.optional("stages", &stages)
      try mapper.optional("retry", &retry)
      try mapper.optional("completed", &completed)
    }
  }

  /// The parameters of `Remove`.
  public struct RemoveCall: WireObject, Sendable {
    /// The name of the account.
    public var user: String = ""
    /// What to remove; everything of the account if absent.
    public var label: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("user", &user)
      try mapper.optional("label", &label)
    }
  }

  /// The parameters of `Answer`.
  public struct AnswerCall: WireObject {
    /// The attempt whose question is answered.
    public var attempt: String = ""
    /// The answer.
    public var answer = WireSecret.none
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("attempt", &attempt)
      try mapper.required("answer", &answer)
    }
  }
}
