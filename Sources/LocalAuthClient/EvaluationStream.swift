public import LocalAuthWire

/// An evaluation under way.
public typealias EvaluationStream = PromptStream<EvaluationEnding>

/// An evaluation ends with its result.
public struct EvaluationEnding: PromptEnding {
  private let device: DeviceChoice

  init(on device: DeviceChoice) { self.device = device }

  /// The result of a last reply.
  public static func take(
    _ reply: AuthenticationMessages.EvaluateReply,
    _: ReplyParameters
  ) -> AuthenticationMessages.Result? {
    reply.result
  }

  /// The result as ``DeviceChoice/checked(_:)`` has it.
  public func checked(
    _ result: AuthenticationMessages.Result
  ) throws(ClientError) -> AuthenticationMessages.Result {
    try device.checked(result)
  }
}

extension PromptStream where Ending == EvaluationEnding {
  /// Begins to evaluate a policy.
  ///
  /// - Parameters:
  ///   - call: the request; its device and whether a simulated success counts are `device`'s to say.
  ///   - device: which device.
  ///   - source: the daemon.
  /// - Throws: ``ClientError``.
  public init(
    evaluating call: AuthenticationMessages.EvaluateCall,
    on device: DeviceChoice,
    at source: any ConnectionSource
  ) throws(ClientError) {
    try self.init(evaluating: call, on: device, at: source, over: try source.connect())
  }

  /// The same over a connection to that daemon which is open already.
  ///
  /// - Throws: ``ClientError``.
  public init(
    evaluating call: AuthenticationMessages.EvaluateCall,
    on device: DeviceChoice,
    at source: any ConnectionSource,
    over connection: consuming DaemonConnection
  ) throws(ClientError) {
    var call = call
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    try connection.begin(Methods.evaluate, call)
    self.init(endingAs: EvaluationEnding(on: device), at: source, over: connection)
  }

  /// Begins to unlock a device with a finger.
  ///
  /// - Parameters:
  ///   - call: the request; its device is `device`'s to say.
  ///   - device: which device.
  ///   - source: the daemon.
  /// - Throws: ``ClientError``.
  public init(
    unlocking call: DeviceMessages.UnlockCall,
    on device: DeviceChoice,
    at source: any ConnectionSource
  ) throws(ClientError) {
    var call = call
    call.device = device.name
    var connection = try source.connect()
    try connection.begin(Methods.unlockDevice, call)
    self.init(endingAs: EvaluationEnding(on: device), at: source, over: connection)
  }
}
