public import LocalAuth
package import LocalAuthClient
import LocalAuthWire

/// Why a device inside the process could not be made, changed or driven.
public enum DeviceError: Error, Hashable, Sendable {
  /// No prompt waits for a finger; the touch was recorded and dropped.
  case notArmed
  /// The device has no simulated sensor.
  case noSensor
  /// The passcode is needed and was not given.
  case passcodeRequired
  /// A device of that name exists.
  case exists(String)
  /// A value or a script cannot be used; what is wrong with it.
  case invalid(String)
  /// An enrolment did not come to its end; what the sensor said.
  case enrollmentFailed(String)
  /// It was refused; why.
  case refused(AuthError)
  /// The engine cannot be started, or is not there any more; what to do.
  case engine(String)
}

extension DeviceError: CustomStringConvertible {
  /// One line that says what is wrong.
  public var description: String {
    switch self {
    case .notArmed: "no prompt waits for a finger: begin an evaluation first, or queue a script"
    case .noSensor: "the device has no simulated sensor"
    case .passcodeRequired: "the passcode is needed and was not given"
    case .exists(let name): "there is a device '\(name)' already"
    case .invalid(let message), .engine(let message): message
    case .enrollmentFailed(let code): "the enrolment failed (\(code)); nothing was stored"
    case .refused(let error): error.message
    }
  }
}

extension DeviceError {
  /// What an answer of the service means here.
  package init(_ error: ClientError) {
    guard case .remote(let name, let parameters) = error else {
      self = .engine("\(error)")
      return
    }
    switch name.split(separator: ".").last.map({ String($0) }) ?? "" {
    case "NotArmed": self = .notArmed
    case "NoSimulatedSensor": self = .noSensor
    case "PasscodeRequired": self = .passcodeRequired
    case "DeviceExists": self = .exists(parameters.device ?? "")
    case "InvalidArgument", "ScriptInvalid": self = .invalid(parameters.message ?? "")
    case "InvalidParameter":
      self = .invalid("the value of '\(parameters.parameter ?? "")' cannot be used")
    case "EnrollmentFailed": self = .enrollmentFailed(parameters.code ?? "")
    default: self = .refused(AuthError(error))
    }
  }
}
