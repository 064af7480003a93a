/// A reply that tells of prompts, or is the end that they lead to; exactly one field is there.
public protocol PromptingReply: WireReply {
  /// Prompts of others come from now on.
  var registered: Bool? { get }
  /// So many are before this one.
  var queued: Int64? { get }
  /// A prompt to show.
  var prompt: AuthenticationMessages.Prompt? { get }
  /// Something to tell.
  var notice: AuthenticationMessages.Notice? { get }
  /// What was shown for others is over.
  var dismissed: AgentMessages.Dismissal? { get }
}

extension PromptingReply {
  /// Nothing: only agents are registered.
  public var registered: Bool? { nil }
  /// Nothing: only a request has its turn.
  public var queued: Int64? { nil }
  /// Nothing: only agents show the prompts of others.
  public var dismissed: AgentMessages.Dismissal? { nil }
}
