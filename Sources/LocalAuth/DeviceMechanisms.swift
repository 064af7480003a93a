import LocalAuthClient
package import LocalAuthCore
import LocalAuthWire

/// What a device has and what can be used of it, as it stands.
package struct DeviceMechanisms: Sendable, Hashable {
  /// Whether it has a sensor, connected or not.
  package let hasSensor: Bool
  /// Whether a finger is enrolled.
  package let hasFingers: Bool
  /// Whether it has a passcode.
  package let hasPasscode: Bool
  /// What a finger would meet now: ``OutcomeCode/success`` where it can be used.
  package let biometry: OutcomeCode
  /// What the passcode would meet now: ``OutcomeCode/success`` where it can be used.
  package let passcode: OutcomeCode
  /// Stands for the fingers; nil where there are none.
  package let domainState: DomainState?

  init(_ device: DeviceMessages.Device) {
    hasSensor = device.sensor != "none"
    hasFingers = !device.fingers.isEmpty
    hasPasscode = device.passcode != "none"
    biometry = OutcomeCode(factorState: device.biometry)
    passcode = OutcomeCode(factorState: device.passcodeState)
    domainState = device.domainState.map { DomainState($0) }
  }
}

extension Device {
  /// The device as it stands; blocks for one exchange with the service.
  package func mechanisms() throws(AuthError) -> DeviceMechanisms {
    let (choice, source) = try resolved()
    return try AuthError.translating { () throws(ClientError) in
      var connection = try source.connect()
      var call = DeviceMessages.DeviceCall()
      call.device = choice.name
      return DeviceMechanisms(try connection.call(Methods.status, call).device)
    }
  }
}
