import LocalAuthClient
import LocalAuthCore
import LocalAuthDialog
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthWire

/// `authctl device unlock`: with the passcode, or with a finger.
enum DeviceUnlockVerb {
  static let finger = Flag("finger", help: "unlock with a finger, after a first unlock")

  static let command = Command(
    "unlock",
    abstract: "Unlock a device with its passcode or a finger.",
    discussion: """
      The passcode is asked for on the terminal unless it is given. With --finger or --script a finger
      unlocks, which works only after a first unlock with the passcode.
      """,
    options: [
      finger.declaration, EvaluateVerb.script.declaration, EvaluateVerb.timeout.declaration,
    ] + PasscodeInput.ownOptions,
    exclusions: PasscodeInput.ownExclusions
      + ["stdin", "passcode-stdin", "passcode-fd"].flatMap { [[$0, "finger"], [$0, "script"]] }
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = context.arguments
    let device = try context.device()
    try checkIsNamed(device, context)
    guard arguments[finger] || arguments[EvaluateVerb.script] != nil else {
      return try unlockWithPasscode(device, context)
    }
    return try unlockWithFinger(device, context)
  }

  /// Refuses to unlock a simulated device that only the environment chose, because exit status 0
  /// would suggest that someone proved something.
  private static func checkIsNamed(
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) {
    guard !device.allowsSimulated else { return }
    let status = try context.call(Methods.status, DeviceVerbs.call(device))
    guard !status.device.simulated else {
      throw Failure(
        .simulatedNotAllowed,
        "\(OutcomeCode.simulatedNotAllowed.sentence) Name the device with --device "
          + "\(ShellWord.quoted(status.device.name)), or set LOCALAUTH_ALLOW_SIMULATED=1."
      )
    }
  }

  private static func unlockWithPasscode(
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) -> Report {
    let input = PasscodeInput(context)
    if input.source == nil { try checkHasPasscode(device, context) }
    let passcode = try input.current(device)
    let _: AuthenticationMessages.EvaluateReply = try passcode.lend { (secret) throws(Failure) in
      var call = DeviceMessages.UnlockCall()
      call.device = device.name
      call.passcode = secret
      return try context.call(
        Methods.unlockDevice,
        call,
        within: DaemonConnection.passcodePatience
      )
    }
    let name = device.name ?? "default"
    return Report("\(name) is unlocked.") { $0.member("device", name) }
  }

  /// Fails before somebody is asked for a passcode that there is none of.
  private static func checkHasPasscode(
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) {
    let status = try context.call(Methods.status, DeviceVerbs.call(device)).device
    guard !status.hasPasscode else { return }
    throw Failure(
      .passcodeNotSet,
      "\(status.name) has no passcode, so it is never locked. Set one: "
        + "\(context.typed(device: status.name)) passcode set"
    )
  }

  private static func unlockWithFinger(
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) -> Report {
    let arguments = context.arguments
    var call = DeviceMessages.UnlockCall()
    call.timeoutMilliseconds = arguments[EvaluateVerb.timeout].milliseconds
    call.scriptIsArgument = arguments[EvaluateVerb.script].map { $0.isInline }
    let script: Secret? =
      if let option = arguments[EvaluateVerb.script] { try option.read() } else { nil }
    let terminal = try? Terminal()
    guard terminal != nil || script != nil else {
      throw Failure(
        .notInteractive,
        "There is no terminal to ask on. Run it in one, or give --script or --stdin."
      )
    }
    let stream = try begin(call, script, device, context)
    let run = DialogRun(
      Dialog(.caller(reason: "unlock the device")),
      about: stream,
      on: DialogScreen(
        on: terminal,
        style: context.promptStyle,
        opensAtOnce: arguments[EvaluateVerb.script] == nil
      ),
      timeout: arguments[EvaluateVerb.timeout].duration
    )
    return try DialogEnd.report(of: run, context, device)
  }

  private static func begin(
    _ call: DeviceMessages.UnlockCall,
    _ script: consuming Secret?,
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) -> EvaluationStream {
    let address = try context.address()
    guard let script else {
      return try context.calling { () throws(ClientError) in
        try EvaluationStream(unlocking: call, on: device, at: address)
      }
    }
    return try script.lend { (secret) throws(Failure) in
      var call = call
      call.script = secret
      return try context.calling { () throws(ClientError) in
        try EvaluationStream(unlocking: call, on: device, at: address)
      }
    }
  }
}
