import LocalAuthCore

/// Finding the authenticators of a device.
extension EffectRunner {
  /// The authenticator that judges the passcode of `device` for who asks from `origin`.
  func passcode(of device: LiveDevice, from origin: Origin) -> any Authenticator {
    switch device.record.passcode {
    case .pam(let service, let directory):
      PAMPasscode(of: device, from: origin, service: service, directory: directory, runner: self)
    case .device, .none: DevicePasscode(of: device, runner: self)
    }
  }

  /// The authenticator that judges `factor` on `device` for `policy`, as `origin` asks for it, or nil
  /// if there is none.
  ///
  /// Of several plugged-in ones it is the one that the device's machine chose. Also nil for
  /// application passwords, which each item judges.
  func authenticator(
    of factor: Factor,
    for policy: Policy,
    on device: LiveDevice,
    from origin: Origin
  ) -> (any Authenticator)? {
    switch factor {
    case .passcode: return passcode(of: device, from: origin)
    case .biometry: return device.sensor ?? device.reader
    case .applicationPassword: return nil
    case .companion, .possession:
      let chosen = device.machine.authenticator(of: factor, for: policy)
      return device.pluggedIn.first { $0.description.name == chosen?.name }
    }
  }
}
