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
    abstract: "Enroll a finger at the device's sensor.",
    discussion: """
      Needs the device's passcode where one is set. At a fingerprint reader, lay the finger on it and
      lift it again until every stage is passed.
      """,
    arguments: [SensorVerbs.finger.declaration],
    options: [stages.declaration] + PasscodeInput.options,
    exclusions: PasscodeInput.exclusions
  ) { (context) throws(Failure) in try run(context) }

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

  /// Enrols without a passcode; nil if the passcode is required.
  private static func enrollUnasked(
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) -> Int64? {
    let address = try context.address()
    do throws(ClientError) {
      let connection = try begin(call(device, context, passcode: nil), at: address)
      return try follow(connection, context)
    } catch {
      guard error.isPasscodeRequired else {
        throw Failure(error, typed: context.typed())
      }
      return nil
    }
  }

  /// Enrols with the passcode, which is released as soon as it is sent because the stages may take
  /// any time.
  private static func enroll(
    with passcode: consuming Secret,
    _ device: DeviceChoice,
    _ context: VerbContext
  ) throws(Failure) -> Int64 {
    let address = try context.address()
    do throws(ClientError) {
      let connection = try passcode.lend { (secret) throws(ClientError) in
        try begin(call(device, context, passcode: secret), at: address)
      }
      _ = consume passcode
      return try follow(connection, context)
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

  private static func begin(
    _ call: SensorMessages.EnrollCall,
    at address: DaemonAddress
  ) throws(ClientError) -> DaemonConnection {
    var connection = try address.connect()
    try connection.begin(Methods.enrollFinger, call)
    return connection
  }

  /// Prints each stage on standard error, and returns the number of stages.
  private static func follow(
    _ connection: consuming DaemonConnection,
    _ context: VerbContext
  ) throws(ClientError) -> Int64 {
    let output = context.output
    var stages: Int64 = 0
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
