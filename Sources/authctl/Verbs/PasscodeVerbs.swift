import LocalAuthClient
import LocalAuthCore
import LocalAuthSecret
import LocalAuthWire

/// `authctl passcode set|change|remove`.
enum PasscodeVerbs {
  static let command = Command(
    "passcode",
    abstract: "Set, change or remove what opens a device's keychain.",
    subcommands: [set, change, remove]
  )

  static let set = Command(
    "set",
    abstract: "Set the passcode of a device that has none.",
    discussion: """
      It is typed twice on the terminal, or given once. Where PAM keeps the passcode, as on your own
      machine, it is your login password as it is now, and the device gets its keychain.
      """,
    options: PasscodeInput.ownOptions,
    exclusions: PasscodeInput.ownExclusions
  ) { (context) throws(Failure) in
    let (device, status) = try named(context)
    guard !status.hasPasscode || status.hasPasscodeOfPAM && !status.hasKeybag else {
      throw Failure(
        .notPermitted,
        "A passcode is set already. Change it: "
          + "\(context.typed(device: status.name)) passcode change"
      )
    }
    let input = PasscodeInput(context)
    guard !status.hasPasscodeOfPAM else {
      // It would be typed in vain.
      if let obstacle = status.passcodeObstacle { throw Failure(.badConfiguration, obstacle) }
      try send(new: try input.login(), current: nil, device, context)
      return done("The keychain of \(status.name) is made. Your login password opens it.", status)
    }
    try send(new: try input.new(for: status.name), current: nil, device, context)
    return done("The passcode of \(status.name) is set.", status)
  }

  static let change = Command(
    "change",
    abstract: "Change the passcode.",
    discussion: """
      Given ones are two lines: the passcode in force, then the new one. Where PAM keeps the passcode,
      passwd(1) changes it; then this lets the new password open the keychain: the old one first.
      """,
    options: PasscodeInput.ownOptions,
    exclusions: PasscodeInput.ownExclusions
  ) { (context) throws(Failure) in
    let (device, status) = try named(context)
    try checkIsSet(status, context)
    let input = PasscodeInput(context)
    let current = try input.current(device)
    let new = try input.new(for: status.name)
    try send(new: new, current: current, device, context)
    return done("The passcode of \(status.name) is changed.", status)
  }

  static let remove = Command(
    "remove",
    abstract: "Remove the passcode.",
    options: PasscodeInput.ownOptions,
    exclusions: PasscodeInput.ownExclusions
  ) { (context) throws(Failure) in
    let (device, status) = try own(context)
    try checkIsSet(status, context)
    let _: ServiceMessages.Empty = try PasscodeInput(context).call(
      Methods.removePasscode,
      device
    ) { passcode in
      var call = DeviceMessages.RemovePasscodeCall()
      call.device = device.name
      call.passcode = passcode
      return call
    }
    return done("The passcode of \(status.name) is removed.", status)
  }

  private static func named(
    _ context: VerbContext
  ) throws(Failure) -> (DeviceChoice, DeviceMessages.Device) {
    let device = try context.device()
    return (device, try context.call(Methods.status, DeviceVerbs.call(device)).device)
  }

  /// Returns the device after checking that it keeps its own passcode.
  private static func own(
    _ context: VerbContext
  ) throws(Failure) -> (DeviceChoice, DeviceMessages.Device) {
    let (device, status) = try named(context)
    guard !status.hasPasscodeOfPAM else {
      throw Failure(.notPermitted, "PAM keeps this device's passcode; change it with passwd(1).")
    }
    return (device, status)
  }

  private static func checkIsSet(
    _ status: DeviceMessages.Device,
    _ context: VerbContext
  ) throws(Failure) {
    guard !status.hasPasscode || !status.hasKeybag else { return }
    throw Failure(
      .passcodeNotSet,
      "No passcode is set. Set one: \(context.typed(device: status.name)) passcode set"
    )
  }

  private static func send(
    new: consuming Secret,
    current: consuming Secret?,
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) {
    let new = consume new
    guard let current else { return try send(new, nil, device, context) }
    try current.lend { (secret) throws(Failure) in try send(new, secret, device, context) }
  }

  private static func send(
    _ new: borrowing Secret,
    _ current: WireSecret?,
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) {
    try new.lend { (secret) throws(Failure) in
      var call = DeviceMessages.SetPasscodeCall()
      call.device = device.name
      call.new = secret
      call.passcode = current
      let _: ServiceMessages.Empty = try context.call(
        Methods.setPasscode,
        call,
        within: DaemonConnection.passcodePatience
      )
    }
  }

  private static func done(_ message: String, _ status: DeviceMessages.Device) -> Report {
    Report(message) { $0.member("device", status.name) }
  }
}
