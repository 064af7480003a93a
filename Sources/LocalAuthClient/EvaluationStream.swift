public import LocalAuthWire

/// A running evaluation.
public typealias EvaluationStream = PromptStream<EvaluationEnding>

/// The end of an evaluation: its result.
public struct EvaluationEnding: PromptEnding {
  private let device: DeviceChoice

  init(on device: DeviceChoice) { self.device = device }

  /// Returns the result of a last reply; nil for any other.
  public static func take(
    _ reply: AuthenticationMessages.EvaluateReply,
    _: ReplyParameters
  ) -> AuthenticationMessages.Result? {
    reply.result
  }

  /// Checks the result by ``DeviceChoice/checked(_:)``.
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
  ///   - call: the request; `device` determines its device and whether a simulated success counts.
  ///   - device: the device.
  ///   - source: the daemon.
  /// - Throws: ``ClientError``.
  public init(
    evaluating call: AuthenticationMessages.EvaluateCall,
    on device: DeviceChoice,
    at source: any ConnectionSource
  ) throws(ClientError) {
    try self.init(evaluating: call, on: device, at: source, over: try source.connect())
  }

  /// Begins to evaluate a policy, over an open connection to the daemon at `source`.
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
  ///   - call: the request; `device` determines its device.
  ///   - device: the device.
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
