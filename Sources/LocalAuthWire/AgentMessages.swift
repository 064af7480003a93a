/// The messages of `io.localauth.Agents`; the interface description documents the fields.
public enum AgentMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Agents"

  /// The end of an evaluation whose prompt was shown.
  public struct Dismissal: WireReply, Sendable {
    /// The identifier of the evaluation.
    public var evaluation: String = ""
    /// The row of the outcome table.
    public var outcome: String = ""
    /// What happened, in one sentence.
    public var message: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("evaluation", &evaluation)
      try mapper.required("outcome", &outcome)
      try mapper.required("message", &message)
    }
  }

  /// A reply to `Register`; exactly one field is present.
  public struct RegisterReply: PromptingReply, Sendable {
    /// The first reply: the agent is registered, and prompts follow.
    public var registered: Bool?
    /// A prompt to show.
    public var prompt: AuthenticationMessages.Prompt?
    /// A notice to show.
    public var notice: AuthenticationMessages.Notice?
    /// The end of an evaluation whose prompt was shown.
    public var dismissed: Dismissal?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("registered", &registered)
      try mapper.optional("prompt", &prompt)
      try mapper.optional("notice", &notice)
      try mapper.optional("dismissed", &dismissed)
    }
  }
}
