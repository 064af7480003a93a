public import LocalAuthWire

/// The prompts of programs that have no user interface, for the agent that shows them.
///
/// Releasing the stream ends the registration.
public typealias AgentStream = PromptStream<AgentEnding>

/// The end of a registration, which it never reaches by itself.
public struct AgentEnding: PromptEnding {
  /// Returns nil, because no reply is the last.
  public static func take(_: AgentMessages.RegisterReply, _: ReplyParameters) -> Never? { nil }

  /// Never called, because there is no value to check.
  public func checked(_ value: Never) -> Never {}
}

extension PromptStream where Ending == AgentEnding {
  /// Registers this process as an agent with the daemon at `source`, starting the daemon if
  /// necessary.
  ///
  /// The first event confirms the registration.
  ///
  /// - Throws: ``ClientError``; ``next(until:)`` throws `LimitReached` if the session already has
  ///   an agent.
  public init(at source: any ConnectionSource) throws(ClientError) {
    var connection = try source.connect()
    try connection.begin(Methods.registerAgent, Methods.Empty())
    self.init(endingAs: AgentEnding(), at: source, over: connection)
  }
}
