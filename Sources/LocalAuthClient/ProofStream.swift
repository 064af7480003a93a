public import LocalAuthSecret
public import LocalAuthWire

/// A running call that takes the owner's proof, with the prompts that it leads to.
public typealias ProofStream<Reply: ProofReply> = PromptStream<ProofEnding<Reply>>

/// A reply to a call that takes the owner's proof.
public protocol ProofReply: PromptingReply, Sendable {
  /// A code that a person is to read, in a last reply.
  var code: WireSecret? { get }
}

extension SyncMessages.ProvenReply: ProofReply {
  /// Nil, because nothing comes of it that is to be read.
  public var code: WireSecret? { nil }
}

extension SyncMessages.RecoveryKeyReply: ProofReply {}

extension SyncMessages.JoinReply: ProofReply {
  /// Nil, because its words are no secret.
  public var code: WireSecret? { nil }
}

/// The end of a call that takes the owner's proof: it was done, or the daemon answered with an error.
public struct ProofEnding<Reply: ProofReply>: PromptEnding {
  /// What comes of it.
  public struct Done: Sendable {
    /// A code that a person is to read; nil for none.
    public var code: SecretBox?
    /// The last reply, whose code is ``code``.
    public var reply: Reply
  }

  /// Returns what came of a last reply; nil for any other.
  public static func take(
    _ reply: Reply,
    _ parameters: ReplyParameters
  ) throws(WireError) -> Done? {
    guard reply.queued == nil, reply.prompt == nil, reply.notice == nil else { return nil }
    let code = try reply.code.map { (code) throws(WireError) in try parameters.data(code) }
    return Done(code: code, reply: reply)
  }

  /// Returns the value: the daemon says whether a simulated device counts.
  public func checked(_ value: Done) -> Done { value }
}

extension PromptStream {
  /// Begins a call that takes the owner's proof, for which the daemon may ask a person.
  ///
  /// - Parameters:
  ///   - method: The method to call.
  ///   - call: Its parameters; secrets in it must stay in place during the call.
  ///   - device: The device; it determines whether a simulated one counts.
  ///   - source: The daemon.
  /// - Throws: ``ClientError``.
  public init<Call: SyncMessages.ProvenCall, Reply: ProofReply>(
    proving method: RemoteMethod<Call, Reply>,
    _ call: Call,
    on device: DeviceChoice,
    at source: any ConnectionSource
  ) throws(ClientError) where Ending == ProofEnding<Reply> {
    var call = call
    call.proof.device = device.name
    call.proof.allowSimulated = device.allowsSimulated
    var connection = try source.connect()
    try connection.begin(method, call)
    self.init(endingAs: ProofEnding(), at: source, over: connection)
  }
}
