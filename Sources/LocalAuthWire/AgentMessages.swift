/// What `io.localauth.Agents` says and hears; its description documents the fields.
public enum AgentMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Agents"

  /// An evaluation that was shown is over.
  public struct Dismissal: WireReply, Sendable {
    /// Names the evaluation.
    public var evaluation: String = ""
    /// The row of the outcome table.
    public var outcome: String = ""
    /// What happened, in one sentence.
    public var message: String = ""
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("evaluation", &evaluation)
      try mapper.required("outcome", &outcome)
      try mapper.required("message", &message)
    }
  }

  /// A reply to `Register`; exactly one field is there.
  public struct RegisterReply: PromptingReply, Sendable {
    /// The first reply: prompts come from now on.
    public var registered: Bool?
    /// A prompt to show.
    public var prompt: AuthenticationMessages.Prompt?
    /// Something to tell.
    public var notice: AuthenticationMessages.Notice?
    /// What was shown is over.
    public var dismissed: Dismissal?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("registered", &registered)
      try mapper.optional("prompt", &prompt)
      try mapper.optional("notice", &notice)
      try mapper.optional("dismissed", &dismissed)
    }
  }
}
