import LocalAuthClient
import LocalAuthCore
import LocalAuthWire

extension VerbContext {
  /// Returns what would help after `result`, as typed for this daemon and device.
  func advice(
    for result: AuthenticationMessages.Result,
    _ device: DeviceChoice
  ) -> String? {
    // Most evaluations succeed; compose nothing for them.
    guard !result.isSuccess else { return nil }
    if result.code == .notInteractive, arguments[EvaluateVerb.nonInteractive] {
      return "Leave out --non-interactive to be asked, or answer with --script or --passcode-fd."
    }
    return Advice.sentence(for: result, typed: typed(device: device.name)) {
      let status = try? call(Methods.status, DeviceVerbs.call(device))
      return status?.device.hasPasscode ?? true
    }
  }
}

/// Advice after an outcome: the exact command, if there is one.
enum Advice {
  static let duplicateItem =
    "To change it, say --update with add or generate, or give another account or service."

  /// Composes the advice for a result.
  ///
  /// - Parameters:
  ///   - result: The result to advise on.
  ///   - typed: How to type the program so that it means the same daemon and device.
  ///   - hasPasscode: Whether the device has a passcode; called only if it matters.
  /// - Returns: One sentence; nil if nothing would help.
  static func sentence(
    for result: AuthenticationMessages.Result,
    typed: String,
    hasPasscode: () -> Bool
  ) -> String? {
    guard let outcome = result.code else { return nil }
    switch outcome {
    case .notInteractive:
      let job = result.simulated ? ", or let another process drive the sensor: --headless" : ""
      return "Run it in a terminal, or 'authctl agent' in one, or answer with --script or "
        + "--passcode-fd\(job)."
    case .busy: return "Try again when the prompts before it are answered."
    case .biometryLockout, .passcodeThrottled, .authenticatorLockout:
      if let seconds = result.retryAfterSeconds {
        return "Try again in \(DurationText.words(.seconds(seconds)))."
      }
      guard outcome != .passcodeThrottled else {
        return "It is locked for good. Only erasing helps, and destroys its keychain: "
          + "\(typed) device erase"
      }
      guard hasPasscode() else { return "A passcode clears it; set one: \(typed) passcode set" }
      return "The passcode clears it: \(typed) evaluate --policy passcode --reason 'clear the lock'"
    case .biometryNotEnrolled:
      return "Enroll a finger: \(typed) sensor enroll right-index-finger"
    case .biometryNotAvailable:
      return result.simulated
        ? "See what its sensor lacks: \(typed) status"
        : "See which readers there are: \(typed) authenticator list"
    case .biometryDisconnected:
      return result.simulated
        ? "Plug it in again: \(typed) sensor present plug"
        : "See which readers there are: \(typed) authenticator list"
    case .authenticatorNotAvailable:
      return "See which there are, and what is missing: \(typed) authenticator list"
    case .passcodeNotSet: return "Set one: \(typed) passcode set"
    case .itemNotFound: return "See what is there: \(typed) keychain list"
    case .duplicateItem: return duplicateItem
    case .itemLocked: return "Unlock the device: \(typed) device unlock"
    case .simulatedNotAllowed:
      return "Name the device with --device \(ShellWord.quoted(result.device)), "
        + "or set LOCALAUTH_ALLOW_SIMULATED=1."
    case .userFallback:
      // What an item asks for, no policy changes.
      guard !result.policy.isEmpty, result.policy != "keychain" else { return nil }
      return "\(result.policy) leaves what follows to the program; device-owner asks for the "
        + "passcode."
    case .success, .authenticationFailed, .usage, .userCancel, .timeout, .systemCancel,
      .appCancel, .invalidContext, .sensorError, .scriptEventsLeftOver,
      .unreachable, .internalError, .notPermitted, .badConfiguration, .accessGroupNotAllowed,
      .keychainError:
      return nil
    }
  }
}
