import LocalAuthCore
public import LocalAuthWire

/// A connection over which keychain calls are made, one after the other, each with the prompts that
/// it leads to.
///
/// What was proven in a context counts for further calls on the same stream only. After
/// ``begin(_:_:)`` take events until the result; then the next call may begin.
public typealias KeychainStream = PromptStream<KeychainEnding>

/// A keychain call ends with its answer.
public struct KeychainEnding: PromptEnding {
  let device: DeviceChoice

  /// The answer of a last reply, its data copied into secret memory.
  public static func take(
    _ reply: KeychainMessages.AskReply,
    _ parameters: ReplyParameters
  ) throws(WireError) -> RemoteAnswer? {
    guard let answer = reply.answer else { return nil }
    return try RemoteAnswer(answer, parameters)
  }

  /// The answer as it may be believed: nothing is left of one that rests on a simulated success
  /// which does not count.
  public func checked(_ answer: RemoteAnswer) throws(ClientError) -> RemoteAnswer {
    guard let evaluation = answer.evaluation else { return answer }
    let checked = try device.checked(evaluation)
    guard answer.outcome != .success || evaluation.isSuccess else {
      throw .protocolError("a success that rests on an evaluation without one")
    }
    var believed = answer
    believed.evaluation = checked
    guard checked.outcome != evaluation.outcome else { return believed }
    return believed.refused(as: .simulatedNotAllowed)
  }
}

extension PromptStream where Ending == KeychainEnding {
  /// Connects to the daemon; nothing is asked of it yet.
  ///
  /// - Parameters:
  ///   - device: which device's keychain.
  ///   - source: the daemon.
  /// - Throws: ``ClientError``.
  public init(
    on device: DeviceChoice,
    at source: any ConnectionSource
  ) throws(ClientError) {
    self.init(
      endingAs: KeychainEnding(device: device),
      at: source,
      over: try source.connect()
    )
  }

  /// Begins a call; the one before it has ended.
  ///
  /// - Parameters:
  ///   - method: which.
  ///   - call: the request; its device and whether a simulated success counts are the stream's to
  ///     say, and secrets in it stay in place during the call.
  /// - Throws: ``ClientError``.
  public mutating func begin<Call: KeychainMessages.AskingCall>(
    _ method: RemoteMethod<Call, KeychainMessages.AskReply>,
    _ call: Call
  ) throws(ClientError) {
    var call = call
    call.asking.device = ending.device.name
    call.asking.allowSimulated = ending.device.allowsSimulated
    try connection.begin(method, call)
  }

  /// Ends what was proven in a context; no call is under way.
  ///
  /// - Throws: ``ClientError``.
  public mutating func invalidate(context: Int64) throws(ClientError) {
    var call = KeychainMessages.InvalidateContextCall()
    call.context = context
    _ = try connection.call(Methods.invalidateContext, call)
  }

  /// As what the daemon knows this program, and its access groups; no call is under way.
  ///
  /// - Throws: ``ClientError``.
  public mutating func groups() throws(ClientError) -> KeychainMessages.GroupsReply {
    try connection.call(Methods.accessGroups, Methods.Empty())
  }
}
