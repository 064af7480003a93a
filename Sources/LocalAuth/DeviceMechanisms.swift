import LocalAuthClient
package import LocalAuthCore
import LocalAuthWire

/// The mechanisms of a device and whether each is usable, at one moment.
package struct DeviceMechanisms: Sendable, Hashable {
  /// Whether the device has a sensor, connected or not.
  package let hasSensor: Bool
  /// Whether a finger is enrolled.
  package let hasFingers: Bool
  /// Whether a passcode is set.
  package let hasPasscode: Bool
  /// ``OutcomeCode/success`` if a finger can be used now, else the reason why not.
  package let biometry: OutcomeCode
  /// ``OutcomeCode/success`` if the passcode can be used now, else the reason why not.
  package let passcode: OutcomeCode
  /// A token for the set of enrolled fingers; nil if there are none.
  package let domainState: DomainState?

  init(_ device: DeviceMessages.Device) {
    hasSensor = device.hasSensor
    hasFingers = !device.fingers.isEmpty
    hasPasscode = device.hasPasscode
    biometry = device.biometryOutcome
    passcode = device.passcodeOutcome
    domainState = device.domainState.map { DomainState($0) }
  }
}

extension Device {
  /// Reads the device's current mechanisms; blocks for one exchange with the service.
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
