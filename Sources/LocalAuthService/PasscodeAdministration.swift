import LocalAuthCore
public import LocalAuthSecret

extension Engine {
  /// The longest passcode, in bytes; what PAM takes.
  public static let passcodeLengthMax = 511

  /// Sets a device's own passcode, or changes it.
  public func setPasscode(
    _ new: SecretBox,
    on name: String?,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      try checkOwnPasscode(device)
      try checkPasscode(new)
      let verb = device.record.passcode == .none ? "passcode set" : "passcode change"
      authorize(verb, on: device, passcode: passcode, caller: caller) { [self] result in
        switch result {
        case .failure(let error): body(.failure(error))
        case .success(let act): replacePasscode(new, act, body)
        }
      }
    }
  }

  /// Removes a device's own passcode.
  public func removePasscode(
    on name: String?,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      try checkOwnPasscode(device)
      guard device.record.passcode != .none else { throw .refused(Outcome(.passcodeNotSet)) }
      authorize("passcode remove", on: device, passcode: passcode, caller: caller) {
        [self] result in
        switch result {
        case .failure(let error): body(.failure(error))
        case .success(let act):
          device.record.passcode = .none
          device.lockState = LockState(hasPasscode: false)
          complete(act, then: body)
          armedSession(on: device)?.deviceChanged()
        }
      }
    }
  }

  /// Chooses another lockout profile or passcode delay table.
  ///
  /// Counters stay.
  public func setLockout(
    _ lockout: String?,
    delays: String?,
    on name: String?,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      let profile = try profile(lockout ?? device.record.lockoutProfile)
      let table = try passcodeDelays(delays ?? device.record.passcodeDelays)
      authorize("lockout set", on: device, passcode: passcode, caller: caller) { [self] result in
        switch result {
        case .failure(let error): body(.failure(error))
        case .success(let act):
          device.profile = profile
          device.delays = table
          device.record.lockoutProfile = profile.name
          device.record.passcodeDelays = table.name
          complete(act, then: body)
          armedSession(on: device)?.deviceChanged()
        }
      }
    }
  }

  private func replacePasscode(_ new: SecretBox, _ act: Act, _ body: @escaping Completion) {
    interpreter.makeVerifier(for: new, of: act.device.identity) { [self] made in
      guard let made else { return body(.failure(.internalError("No verifier was made."))) }
      let device = act.device
      device.record.passcode = .device(verifier: made)
      device.passcodeProven(at: device.now(clock.now()))
      _ = device.lockState.unlock(with: .passcode)
      complete(act, then: body)
      armedSession(on: device)?.deviceChanged()
    }
  }

  private func checkOwnPasscode(_ device: Device) throws(EngineError) {
    if case .pam = device.record.passcode {
      throw .notPermitted("PAM keeps this device's passcode; change it with passwd(1).")
    }
  }

  func checkPasscode(_ passcode: SecretBox) throws(EngineError) {
    guard (1...Self.passcodeLengthMax).contains(passcode.count) else {
      throw .invalidArgument("A passcode has 1 to \(Self.passcodeLengthMax) bytes.")
    }
  }
}
