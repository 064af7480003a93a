import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// A device's own passcode, which opens its keybag; judged on request.
final class DevicePasscode: Authenticator {
  let description: AuthenticatorDescription
  private let runner: EffectRunner
  private let keybag: () -> [UInt8]?
  private let vault: any KeyVault

  init(of device: LiveDevice, runner: EffectRunner) {
    description = AuthenticatorDescription(
      name: "passcode",
      kind: .passcode,
      judging: .onRequest,
      asking: .text,
      method: "passcode",
      // RFC 8176 calls it a PIN, whatever its characters, because it unlocks the device's keys.
      reference: "pin",
      isSimulated: device.record.isSimulated
    )
    self.runner = runner
    vault = device.vault
    keybag = { [weak device] in device?.sealedKeybag }
  }

  var isReady: Bool { true }

  private static let noKeybag = "The passcode's keybag is damaged."
  private static let tooMuch = "Too many passcodes of this user wait to be judged; try again."

  func judge(
    _ sample: Submission,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> (any Judgment)? {
    guard case .text(let passcode) = sample, let keybag = keybag() else {
      onEvent(.ended(.unjudged(Outcome(.internalError, detail: Self.noKeybag))))
      return nil
    }
    runner.open(keybag, with: [passcode], by: vault, for: charge) { opening in
      switch opening {
      case .opened(let keys):
        onEvent(.opened(keys))
        onEvent(.ended(.proven(finger: nil, generation: nil)))
      case .wrong: onEvent(.ended(.miss))
      case .failed: onEvent(.ended(.unjudged(Outcome(.internalError))))
      case .turnedAway: onEvent(.turnedAway(Outcome(.busy, detail: Self.tooMuch)))
      }
    }
    return nil
  }
}

/// A user's passcode, which PAM asks for and judges by itself.
final class PAMPasscode: Authenticator {
  let description: AuthenticatorDescription
  private let pam: any PasscodeConversing
  private let uid: UInt32
  private let origin: Origin
  private let service: String
  private let directory: String?
  private let limit: Duration

  init(
    of device: LiveDevice,
    from origin: Origin,
    service: String,
    directory: String?,
    runner: EffectRunner
  ) {
    description = AuthenticatorDescription(
      name: "pam",
      kind: .passcode,
      judging: .byItself,
      asking: .text,
      method: "pam",
      reference: "pwd",
      isSimulated: device.record.isSimulated,
      // It judges the answers to its questions: before the first answer there is nothing to judge.
      reportsPresence: true
    )
    pam = runner.pam
    uid = device.identity.owner
    self.origin = origin
    self.service = service
    self.directory = directory
    limit = runner.conversationLimit
  }

  var isReady: Bool { true }

  func judge(
    _: Submission,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> (any Judgment)? {
    pam.converse(
      uid: uid,
      from: origin,
      service: service,
      directory: directory,
      limit: limit,
      for: charge,
      onEvent: onEvent
    )
  }
}

/// The application password of an item, judged by opening the item.
///
/// The code that opens the item is told that the guess is charged, and reports the verdict.
final class ItemPassword: Authenticator {
  let description: AuthenticatorDescription
  private let onCharged: (DurableCharge) -> Void

  init(of device: LiveDevice, onCharged: @escaping (DurableCharge) -> Void) {
    description = .itemPassword(isSimulated: device.record.isSimulated)
    self.onCharged = onCharged
  }

  var isReady: Bool { true }

  func judge(
    _: Submission,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> (any Judgment)? {
    onCharged(charge)
    return nil
  }
}

extension AuthenticatorDescription {
  /// The description shared by all application passwords.
  static func itemPassword(isSimulated: Bool) -> Self {
    Self(
      name: "application-password",
      kind: .applicationPassword,
      judging: .onRequest,
      asking: .text,
      method: "applicationPassword",
      isSimulated: isSimulated
    )
  }
}
