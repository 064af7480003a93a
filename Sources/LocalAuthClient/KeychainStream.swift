import LocalAuthCore
public import LocalAuthWire

/// A connection for keychain calls, one after the other, each with the prompts that it leads to.
///
/// What was proven in a context counts only for later calls on the same stream. After
/// ``begin(_:_:)`` take events until the result; then the next call may begin.
public typealias KeychainStream = PromptStream<KeychainEnding>

/// The end of a keychain call: its answer.
public struct KeychainEnding: PromptEnding {
  let device: DeviceChoice

  /// Returns the answer of a last reply, with its data copied into secret memory; nil for any
  /// other.
  public static func take(
    _ reply: KeychainMessages.AskReply,
    _ parameters: ReplyParameters
  ) throws(WireError) -> RemoteAnswer? {
    guard let answer = reply.answer else { return nil }
    return try RemoteAnswer(answer, parameters)
  }

  /// Checks the answer; one that rests on a simulated success that does not count is refused and
  /// emptied.
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
  /// Connects to the daemon without making a call.
  ///
  /// - Parameters:
  ///   - device: the device whose keychain is used.
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

  /// Begins a call; the previous one must have ended.
  ///
  /// - Parameters:
  ///   - method: the method to call.
  ///   - call: the request; the stream determines its device and whether a simulated success
  ///     counts. Secrets in it must stay in place during the call.
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

  /// Invalidates what was proven in a context; no call may be running.
  ///
  /// - Throws: ``ClientError``.
  public mutating func invalidate(context: Int64) throws(ClientError) {
    var call = KeychainMessages.InvalidateContextCall()
    call.context = context
    _ = try connection.call(Methods.invalidateContext, call)
  }

  /// Returns this program's identity for the daemon and its access groups; no call may be running.
  ///
  /// - Throws: ``ClientError``.
  public mutating func groups() throws(ClientError) -> KeychainMessages.GroupsReply {
    try connection.call(Methods.accessGroups, Methods.Empty())
  }
}
