import LocalAuthCore

/// The authenticators of devices.
extension EffectRunner {
  /// Who judges the passcode of `device`.
  func passcode(of device: LiveDevice) -> any Authenticator {
    switch device.record.passcode {
    case .pam(let service, let directory):
      PAMPasscode(of: device, service: service, directory: directory, runner: self)
    case .device, .none: DevicePasscode(of: device, runner: self)
    }
  }

  /// Who judges `factor` on `device`; nil where nothing does, and for passwords of items, which each item judges.
  func authenticator(of factor: Factor, on device: LiveDevice) -> (any Authenticator)? {
    switch factor {
    case .passcode: passcode(of: device)
    case .biometry: device.sensor
    case .applicationPassword: nil
    case .companion, .possession: device.pluggedIn.first { $0.description.kind.factor == factor }
    }
  }

  /// What proves `factor` on `device`; nil where nothing does.
  func description(of factor: Factor, on device: LiveDevice) -> AuthenticatorDescription? {
    guard factor != .applicationPassword else {
      return .itemPassword(isSimulated: device.record.isSimulated)
    }
    return authenticator(of: factor, on: device)?.description
  }
}
