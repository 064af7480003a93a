public import LocalAuthCore

/// What the words of a device mean, for those who decide by them.
extension DeviceMessages.Device {
  /// Whether it has a sensor, connected or not.
  public var hasSensor: Bool { sensor != "none" }
  /// Whether it has a passcode, whoever keeps it.
  public var hasPasscode: Bool { passcode != "none" }
  /// Whether its passcode is the account's password, which PAM keeps.
  public var hasPasscodeOfPAM: Bool { passcode == "pam" }
  /// Whether its keybag was made.
  public var hasKeybag: Bool { keychain != "none" }
  /// What a finger would meet now: ``OutcomeCode/success`` where it can be used.
  public var biometryOutcome: OutcomeCode { Self.outcome(biometry) }
  /// What the passcode would meet now: ``OutcomeCode/success`` where it can be used.
  public var passcodeOutcome: OutcomeCode { Self.outcome(passcodeState) }

  private static func outcome(_ word: String) -> OutcomeCode {
    word == "usable" ? .success : OutcomeCode(rawValue: word) ?? .internalError
  }
}
