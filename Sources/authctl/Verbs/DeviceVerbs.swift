import LocalAuthClient
import LocalAuthCore
import LocalAuthWire

/// `authctl device list|delete|lock|reboot|erase|clock`; create, unlock and watch have their own files.
enum DeviceVerbs {
  static let name = Argument<String>("NAME", source: .devices, help: "the device's name")
  static let step = Argument<ClockStep>("DURATION", help: "how far, such as 30s, 5m, 48h or 10d")

  static let command = Command(
    "device",
    abstract: "Make, list and change devices.",
    subcommands: [
      list, DeviceCreateVerb.command, delete, lock, DeviceUnlockVerb.command,
      DeviceWatchVerb.command, reboot, erase,
      Command("clock", abstract: "Drive a simulated device's clock.", subcommands: [advance]),
    ]
  )

  static let list = Command("list", abstract: "List your devices.") { (context) throws(Failure) in
    let reply = try context.call(Methods.listDevices, ServiceMessages.Empty())
    let lines = Columns.table(reply.devices.map { DeviceText.row($0) })
    return Report(CountText.of(reply.devices.count, "device") + ".", answer: lines) {
      $0.member("items", reply.devices) { device, writer in
        DeviceText.write(device, to: &writer)
      }
    }
  }

  static let delete = Command(
    "delete",
    abstract: "Delete a simulated device with all that hangs on it.",
    discussion: """
      Needs the device's passcode where one is set. Asks on the terminal whether to go on, unless
      --yes is given.
      """,
    arguments: [name.declaration],
    options: PasscodeInput.options + [Confirmation.yes.declaration],
    exclusions: PasscodeInput.exclusions
  ) { (context) throws(Failure) in
    let name = context.arguments[name]
    let device = try context.deviceChoice(named: name)
    try requireDevice(device, context)
    try context.confirm("Device \(name) and its keychain will be deleted. " + lostFiles)
    let _: ServiceMessages.Empty = try PasscodeInput(context).call(
      Methods.deleteDevice,
      device
    ) { passcode in
      var call = DeviceMessages.DeleteCall()
      call.device = name
      call.passcode = passcode
      return call
    }
    return Report("\(name) is deleted.") { $0.member("device", name) }
  }

  /// Fails for a device that is not there: nobody is asked about that.
  private static func requireDevice(
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) {
    guard context.asksToGoOn else { return }
    do throws(Failure) { _ = try context.call(Methods.status, call(device)) } catch {
      guard error.outcome != .badConfiguration else { throw error }
    }
  }

  static let lock = Command(
    "lock",
    abstract: "Lock a device; what is asked on it is cancelled."
  ) { (context) throws(Failure) in try call(Methods.lockDevice, context, "is locked") }

  static let reboot = Command(
    "reboot",
    abstract: "Restart a simulated device; no counter is cleared.",
    discussion: "The device is before its first unlock then, and grants have ended."
  ) { (context) throws(Failure) in try call(Methods.rebootDevice, context, "is rebooted") }

  private static let lostFiles =
    "Its protected files will not open any more: only a backup made with --with-file-keys brings them back."

  static let erase = Command(
    "erase",
    abstract: "Forget a device's fingers, passcode and counters, and all that it keeps.",
    discussion: """
      Works as a factory reset, and needs no passcode, because nothing that the passcode protected
      survives it. Protected files are lost with the device's keys: only a backup that was made with
      --with-file-keys brings those back. Name the device with --device. Asks on the terminal whether
      to go on, unless --yes is given.
      """,
    options: [Confirmation.yes.declaration]
  ) { (context) throws(Failure) in
    guard let name = context.arguments[GlobalOptions.device] else {
      throw Failure(.usage, "What is erased is gone: name the device with --device NAME.")
    }
    let device = try context.deviceChoice(named: name)
    try requireDevice(device, context)
    try context.confirm(
      "The fingers, the passcode and the keychain of \(name) will be lost, and its documents, values and rows. "
        + lostFiles
    )
    var call = DeviceMessages.EraseCall()
    call.device = name
    let _: ServiceMessages.Empty = try context.call(Methods.eraseDevice, call)
    return Report("\(name) is erased.") { $0.member("device", name) }
  }

  static let advance = Command(
    "advance",
    abstract: "Move a simulated device's clock forward.",
    discussion: """
      Whatever falls due by it happens: lockouts of fingers end, prompts time out. Refusals of wrong
      passcodes last as long as before: only time itself ends them.
      """,
    arguments: [step.declaration],
    options: PasscodeInput.options,
    exclusions: PasscodeInput.exclusions
  ) { (context) throws(Failure) in
    let device = try context.device()
    let step = context.arguments[step].duration
    let _: ServiceMessages.Empty = try PasscodeInput(context).call(
      Methods.advanceClock,
      device
    ) { passcode in
      var call = DeviceMessages.AdvanceClockCall()
      call.device = device.name
      call.milliseconds = step.wholeMilliseconds
      call.passcode = passcode
      return call
    }
    let name = device.name ?? "default"
    let status = try context.call(Methods.status, call(device)).device
    let refusal = DeviceText.lastingRefusal(status).map { " " + $0 } ?? ""
    return Report("The clock of \(name) is \(DurationText.words(step)) further.\(refusal)") {
      $0.member("device", name)
    }
  }

  static func call(_ device: DeviceChoice) -> DeviceMessages.DeviceCall {
    var call = DeviceMessages.DeviceCall()
    call.device = device.name
    return call
  }

  /// Calls a method whose only parameter is a device.
  private static func call(
    _ method: RemoteMethod<DeviceMessages.DeviceCall, ServiceMessages.Empty>,
    _ context: VerbContext,
    _ done: String
  ) throws(Failure) -> Report {
    let device = try context.device()
    _ = try context.call(method, call(device))
    let name = device.name ?? "default"
    return Report("\(name) \(done).") { $0.member("device", name) }
  }
}
