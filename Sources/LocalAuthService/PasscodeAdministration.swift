import LocalAuthCore
public import LocalAuthSecret

extension Engine {
  /// The longest passcode, in bytes: PAM's limit.
  public static let passcodeLengthMax = 511

  /// Sets or changes a device's own passcode; if PAM judges the passcode, makes or rewraps the
  /// keybag.
  ///
  /// With PAM, `new` must be the password that PAM accepts now, and `passcode` the one the keybag
  /// was made with.
  public func setPasscode(
    _ new: SecretBox,
    on name: String?,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      try checkPasscode(new)
      switch device.record.passcode {
      case .none: setKeybag(act("passcode set", on: device, caller: caller), new, body)
      case .device:
        authorize(
          "passcode change",
          on: device,
          passcode: passcode,
          caller: caller,
          wantsKeys: true
        ) { [self] in whenProven($0, body) { changeKeybag($0, to: new, $1) } }
      case .pam: try setPassword(new, on: device, old: passcode, caller: caller, body)
      }
    }
  }

  /// Removes a device's own passcode, and the items that may only exist while one is set.
  public func removePasscode(
    on name: String?,
    passcode: SecretBox?,
    caller: Caller,
    then body: @escaping Completion
  ) {
    onDevice(name, of: caller, body) { [self] device throws(EngineError) in
      if case .pam = device.record.passcode {
        throw .notPermitted("PAM keeps this device's passcode; change it with passwd(1).")
      }
      guard device.record.passcode != .none else { throw .refused(Outcome(.passcodeNotSet)) }
      authorize(
        "passcode remove",
        on: device,
        passcode: passcode,
        caller: caller,
        wantsKeys: true
      ) { [self] in whenProven($0, body) { removeKeybagPasscode($0, $1) } }
    }
  }

  /// Sets the lockout profile or the passcode delay table.
  ///
  /// Counters are kept.
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
      authorize("lockout set", on: device, passcode: passcode, caller: caller) { [self] in
        whenProven($0, body) { act, end in
          runner.meet(device) { machine, _ in machine.setRules(profile, table) }
          complete(act, then: end)
          deviceChanged(device)
        }
      }
    }
  }

  /// Throws unless `passcode` has as many bytes as one may have; a question of PAM's may be answered with nothing.
  func checkPasscode(
    _ passcode: SecretBox,
    mayBeEmpty: Bool = false
  ) throws(EngineError) {
    guard passcode.count <= Self.passcodeLengthMax, mayBeEmpty || passcode.count > 0 else {
      let range = mayBeEmpty ? "at most" : "1 to"
      throw .invalidArgument("A passcode has \(range) \(Self.passcodeLengthMax) bytes.")
    }
  }
}
