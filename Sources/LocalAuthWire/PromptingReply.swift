/// A reply with a prompt or with the end that prompts lead to; exactly one field is present.
public protocol PromptingReply: WireReply {
  /// The agent is registered, and prompts of other programs follow.
  var registered: Bool? { get }
  /// The number of requests that are ahead of this one.
  var queued: Int64? { get }
  /// A prompt to show.
  var prompt: AuthenticationMessages.Prompt? { get }
  /// A notice to show.
  var notice: AuthenticationMessages.Notice? { get }
  /// The end of an evaluation whose prompt was shown for another program.
  var dismissed: AgentMessages.Dismissal? { get }
}

extension PromptingReply {
  /// Nil, because only agents are registered.
  public var registered: Bool? { nil }
  /// Nil, because only requests are queued.
  public var queued: Int64? { nil }
  /// Nil, because only agents show the prompts of other programs.
  public var dismissed: AgentMessages.Dismissal? { nil }
}
