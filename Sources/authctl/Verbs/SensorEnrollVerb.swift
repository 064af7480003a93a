import LocalAuthClient
import LocalAuthCore
import LocalAuthSecret
import LocalAuthWire

/// `authctl sensor enroll`.
enum SensorEnrollVerb {
  static let stages = Option<StageMode>(
    "stages",
    "MODE",
    default: "auto",
    help: "whether the stages pass by themselves or each waits for 'sensor present'"
  )

  static let command = Command(
    "enroll",
    abstract: "Enroll a finger at the simulated sensor.",
    discussion: "Needs the device's passcode where one is set.",
    arguments: [SensorVerbs.finger.declaration],
    options: [stages.declaration] + PasscodeInput.options,
    exclusions: PasscodeInput.exclusions
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try run(context) }
  }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let device = try context.device()
    let input = PasscodeInput(context)
    var count: Int64 = 0
    if let given = try input.given() {
      count = try enroll(with: given, device, context)
    } else if let passed = try enrollUnasked(device, context) {
      count = passed
    } else {
      count = try enroll(with: try input.current(device), device, context)
    }
    let finger = context.arguments[SensorVerbs.finger].rawValue
    return Report("\(finger) is enrolled.") {
      $0.member("device", device.name ?? "default")
      $0.member("finger", finger)
      $0.member("stages", count)
    }
  }

  /// Nil when the passcode is needed.
  private static func enrollUnasked(
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) -> Int64? {
    let address = try context.address()
    do throws(ClientError) {
      return try stream(call(device, context, passcode: nil), context, try address.connect())
    } catch {
      guard PasscodeInput.isPasscodeRequired(error) else {
        throw Failure(error, typed: context.typed())
      }
      return nil
    }
  }

  private static func enroll(
    with passcode: borrowing Secret,
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) -> Int64 {
    let address = try context.address()
    do throws(ClientError) {
      return try passcode.lend { (secret) throws(ClientError) in
        try stream(call(device, context, passcode: secret), context, try address.connect())
      }
    } catch {
      throw Failure(error, typed: context.typed())
    }
  }

  private static func call(
    _ device: DeviceChoice,
    _ context: VerbContext,
    passcode: WireSecret?
  ) -> SensorMessages.EnrollCall {
    var call = SensorMessages.EnrollCall()
    call.device = device.name
    call.finger = context.arguments[SensorVerbs.finger].rawValue
    call.manual = context.arguments[stages] == .manual
    call.passcode = passcode
    return call
  }

  /// Says each stage on standard error, and returns how many there were.
  private static func stream(
    _ call: SensorMessages.EnrollCall,
    _ context: VerbContext,
    _ connection: consuming DaemonConnection
  ) throws(ClientError) -> Int64 {
    let output = context.output
    var stages: Int64 = 0
    try connection.begin(Methods.enrollFinger, call)
    while true {
      let (reply, continues) = try connection.next(Methods.enrollFinger)
      if let stage = reply.stage, let all = reply.stages {
        stages = all
        if !output.isQuiet { output.say("stage \(stage) of \(all)") }
      }
      if let feedback = reply.feedback, !output.isQuiet { output.say(feedback) }
      if reply.completed { return stages }
      guard continues else { throw .protocolError("an enrolment without an end") }
    }
  }
}
