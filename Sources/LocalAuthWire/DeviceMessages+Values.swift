public import LocalAuthCore

/// The meaning of a device's words, for code that makes decisions by them.
extension DeviceMessages.Device {
  /// Whether it has a sensor, connected or not.
  public var hasSensor: Bool { sensor != "none" }
  /// Whether it has a passcode, whether its own or PAM's.
  public var hasPasscode: Bool { passcode != "none" }
  /// Whether its passcode is the account's password, which PAM keeps.
  public var hasPasscodeOfPAM: Bool { passcode == "pam" }
  /// Whether it has a keybag.
  public var hasKeybag: Bool { keychain != "none" }
  /// The outcome of a touch now; ``OutcomeCode/success`` if biometry can be used.
  public var biometryOutcome: OutcomeCode { Self.outcome(biometry) }
  /// The outcome of a passcode now; ``OutcomeCode/success`` if passcodes can be used.
  public var passcodeOutcome: OutcomeCode { Self.outcome(passcodeState) }

  private static func outcome(_ word: String) -> OutcomeCode {
    word == "usable" ? .success : OutcomeCode(rawValue: word) ?? .internalError
  }
}
