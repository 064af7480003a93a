public import LocalAuth
package import LocalAuthClient
import LocalAuthWire

/// The error of creating, changing or driving a device inside the process.
public enum DeviceError: Error, Hashable, Sendable {
  /// No prompt waits for a finger; the touch was recorded and discarded.
  case notArmed
  /// The device has no simulated sensor.
  case noSensor
  /// The passcode is needed and was not given.
  case passcodeRequired
  /// A device of that name exists.
  case exists(String)
  /// A value or a script is invalid; holds what is wrong with it.
  case invalid(String)
  /// An enrolment was not completed; holds the sensor's code.
  case enrollmentFailed(String)
  /// The request was refused; holds the reason.
  case refused(AuthError)
  /// The engine cannot start or is gone; holds what to do about it.
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
  /// The error for a failed call.
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
