import LocalAuth
package import LocalAuthClient
import LocalAuthCore
package import LocalAuthSecret
package import LocalAuthWire

/// Administers and drives one device of an engine; each call blocks for one exchange.
package struct DeviceLink: Sendable {
  /// The device's name.
  package let name: String
  /// The engine that serves it.
  package let source: any ConnectionSource

  /// The device called `name` of the engine behind `source`.
  package init(_ name: String, of source: any ConnectionSource) {
    self.name = name
    self.source = source
  }

  /// Calls a method over a new connection.
  package func call<Call: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Call, Reply>,
    _ parameters: Call
  ) throws(DeviceError) -> Reply {
    do throws(ClientError) {
      var connection = try source.connect()
      return try connection.call(
        method,
        parameters,
        within: DaemonConnection.passcodePatience
      )
    } catch {
      throw DeviceError(error)
    }
  }

  /// Calls a method whose only parameter is the device.
  package func call<Reply: WireObject>(
    _ method: RemoteMethod<DeviceMessages.DeviceCall, Reply>
  ) throws(DeviceError) -> Reply {
    var parameters = DeviceMessages.DeviceCall()
    parameters.device = name
    return try call(method, parameters)
  }

  /// Creates the device.
  package func create(
    _ setup: DeviceSetup,
    passcode: borrowing Secret?
  ) throws(DeviceError) {
    _ = try Self.lending(passcode) { (secret) throws(DeviceError) in
      var parameters = DeviceMessages.CreateCall()
      parameters.device = name
      parameters.sensor = setup.hasSensor ? "simulated" : "none"
      parameters.fingers = setup.fingers.map(\.rawValue)
      parameters.passcode = secret
      parameters.lockout = setup.lockout.description
      parameters.passcodeDelays = setup.passcodeDelays
      parameters.stoppedClock = setup.hasStoppedClock
      return try call(Methods.createDevice, parameters)
    }
  }

  /// Unlocks the device with a finger, which `script` controls.
  package func unlock(with script: borrowing Secret) throws(DeviceError) {
    let outcome = try Self.lending(script) { (script) throws(DeviceError) in
      var parameters = DeviceMessages.UnlockCall()
      parameters.script = script
      do throws(ClientError) {
        return try result(of: parameters)
      } catch {
        throw .init(error)
      }
    }
    if let error = AuthError(outcome) { throw .refused(error) }
  }

  private func result(
    of call: DeviceMessages.UnlockCall
  ) throws(ClientError) -> AuthenticationMessages.Result {
    guard let choice = try? DeviceChoice(named: name) else {
      throw .protocolError("a device without a name")
    }
    var stream = try EvaluationStream(unlocking: call, on: choice, at: source)
    while true {
      switch try stream.next() {
      case .result(let result): return result
      case .registered, .queued, .prompt, .notice, .dismissed: break
      }
    }
  }

  /// Erases and deletes the device, and all it protects, without its passcode.
  package func discard() throws(DeviceError) {
    var erasing = DeviceMessages.EraseCall()
    erasing.device = name
    _ = try call(Methods.eraseDevice, erasing)
    var deleting = DeviceMessages.DeleteCall()
    deleting.device = name
    _ = try call(Methods.deleteDevice, deleting)
  }

  /// Lends a secret as a field of a message.
  package static func lending<Result: ~Copyable>(
    _ secret: borrowing Secret,
    _ body: (WireSecret) throws(DeviceError) -> Result
  ) throws(DeviceError) -> Result {
    try secret.lend { (lent) throws(DeviceError) in try body(lent) }
  }

  /// Lends an optional secret as a field of a message.
  package static func lending<Result: ~Copyable>(
    _ secret: borrowing Secret?,
    _ body: (WireSecret?) throws(DeviceError) -> Result
  ) throws(DeviceError) -> Result {
    switch secret {
    case .none: return try body(nil)
    case .some(let secret):
      return try secret.lend { (lent) throws(DeviceError) in try body(lent) }
    }
  }
}
