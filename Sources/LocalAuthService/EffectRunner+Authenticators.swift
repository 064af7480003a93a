import LocalAuthCore

/// Finding the authenticators of a device.
extension EffectRunner {
  /// The authenticator that judges the passcode of `device`.
  func passcode(of device: LiveDevice) -> any Authenticator {
    switch device.record.passcode {
    case .pam(let service, let directory):
      PAMPasscode(of: device, service: service, directory: directory, runner: self)
    case .device, .none: DevicePasscode(of: device, runner: self)
    }
  }

  /// The authenticator that judges `factor` on `device`, or nil if there is none.
  ///
  /// Also nil for application passwords, which each item judges.
  func authenticator(of factor: Factor, on device: LiveDevice) -> (any Authenticator)? {
    switch factor {
    case .passcode: passcode(of: device)
    case .biometry: device.sensor
    case .applicationPassword: nil
    case .companion, .possession: device.pluggedIn.first { $0.description.kind.factor == factor }
    }
  }

  /// The description of what proves `factor` on `device`, or nil if nothing does.
  func description(of factor: Factor, on device: LiveDevice) -> AuthenticatorDescription? {
    guard factor != .applicationPassword else {
      return .itemPassword(isSimulated: device.record.isSimulated)
    }
    return authenticator(of: factor, on: device)?.description
  }
}
