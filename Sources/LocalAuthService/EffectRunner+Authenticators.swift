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

  /// Who judges `factor` on `device`; nil where nothing does.
  func authenticator(of factor: Factor, on device: LiveDevice) -> (any Authenticator)? {
    switch factor {
    case .passcode: passcode(of: device)
    case .biometry: device.sensor
    case .applicationPassword: ItemPassword(of: device) { _ in }
    case .companion, .possession: device.pluggedIn.first { $0.description.kind.factor == factor }
    }
  }
}
