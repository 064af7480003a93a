public import LocalAuthWire

/// The prompts of programs that have no user interface, for the agent that shows them.
///
/// Letting the stream go ends the registration.
public typealias AgentStream = PromptStream<AgentEnding>

/// A registration has no end of its own.
public struct AgentEnding: PromptEnding {
  /// Nothing, because no reply is the last.
  public static func take(_: AgentMessages.RegisterReply, _: ReplyParameters) -> Never? { nil }

  /// There is nothing to check.
  public func checked(_ value: Never) -> Never {}
}

extension PromptStream where Ending == AgentEnding {
  /// Registers this process as an agent with the daemon at `source`, which is started where it does not
  /// run; the first event says whether it was taken.
  ///
  /// - Throws: ``ClientError``; ``next(until:)`` throws `LimitReached` where the session has an agent.
  public init(at source: any ConnectionSource) throws(ClientError) {
    var connection = try source.connect()
    try connection.begin(Methods.registerAgent, Methods.Empty())
    self.init(endingAs: AgentEnding(), at: source, over: connection)
  }
}
