import LocalAuthClient
import LocalAuthCore
import LocalAuthSecret
import LocalAuthWire

/// `authctl device create`.
enum DeviceCreateVerb {
  static let sensor = Option<SensorKind>(
    "sensor",
    "KIND",
    default: "simulated",
    help: "its sensor"
  )
  static let fingers = Option<[Finger]>("finger", "FINGER", help: "a finger to enroll")
  static let provider = Option<PasscodeProviderArgument?>(
    "passcode-provider",
    "WHO",
    help: "who keeps its passcode"
  )
  static let service = Option<String?>(
    "pam-service",
    "SERVICE",
    help: "the PAM service that judges the passcode; localauth when left out"
  )
  static let directory = Option<String?>(
    "pam-confdir",
    "DIR",
    source: .directories,
    help: "where that service is described, instead of the system's directories"
  )
  static let lockout = Option<String?>(
    "lockout",
    "PROFILE",
    source: .lockoutProfiles,
    help: "its lockout profile"
  )
  static let delays = Option<String?>(
    "passcode-delays",
    "TABLE",
    source: .passcodeDelays,
    help: "its passcode delay table"
  )

  static let command = Command(
    "create",
    abstract: "Make a simulated device that is ready to use.",
    discussion: """
      Its passcode is its own when one is given, or asked for with --passcode-provider device; PAM's
      with --passcode-provider pam; else there is none.

        authctl device create sim --finger right-index --passcode-stdin < passcode
      """,
    arguments: [DeviceVerbs.name.declaration],
    options: [
      sensor.declaration, fingers.declaration, provider.declaration, service.declaration,
      directory.declaration, lockout.declaration, delays.declaration,
    ] + PasscodeInput.options,
    exclusions: PasscodeInput.exclusions
  ) { (context) throws(Failure) in try run(context) }

  /// Returns the request, without the passcode.
  static func request(
    _ arguments: ParsedArguments,
    from directory: String?
  ) -> DeviceMessages.CreateCall {
    var call = DeviceMessages.CreateCall()
    call.device = arguments[DeviceVerbs.name]
    call.sensor = arguments[sensor].rawValue
    let fingers = arguments[fingers]
    call.fingers = fingers.isEmpty ? nil : fingers.map { $0.rawValue }
    if arguments[provider] == .pam {
      call.pamService = arguments[service] ?? "localauth"
      call.pamDirectory = directory
    }
    call.lockout = arguments[lockout]
    call.passcodeDelays = arguments[delays]
    return call
  }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = context.arguments
    let input = PasscodeInput(context)
    let isPAM = arguments[provider] == .pam
    if isPAM, input.source != nil {
      throw Failure(.usage, "PAM keeps the passcode; leave out --passcode-stdin and --passcode-fd.")
    }
    if !isPAM, arguments[service] != nil || arguments[directory] != nil {
      throw Failure(.usage, "--pam-service and --pam-confdir need --passcode-provider pam.")
    }
    let call = request(arguments, from: try context.absolute(arguments[directory]))
    let reply: DeviceMessages.DeviceReply
    if input.source != nil || arguments[provider] == .device {
      let passcode = try input.new(for: call.device)
      reply = try create(call, with: passcode, context)
    } else {
      reply = try context.call(Methods.createDevice, call)
    }
    let device = reply.device
    return Report("\(device.name) is ready. \(advice(device, context))") {
      $0.member("device", device.name)
      $0.member("state") { DeviceText.write(device, to: &$0) }
    }
  }

  private static func create(
    _ call: DeviceMessages.CreateCall,
    with passcode: borrowing Secret,
    _ context: VerbContext
  ) throws(Failure) -> DeviceMessages.DeviceReply {
    try passcode.lend { (secret) throws(Failure) in
      var call = call
      call.passcode = secret
      return try context.call(
        Methods.createDevice,
        call,
        within: DaemonConnection.passcodePatience
      )
    }
  }

  /// Suggests the next command.
  private static func advice(_ device: DeviceMessages.Device, _ context: VerbContext) -> String {
    let typed = context.typed(device: device.name)
    guard let finger = device.fingers.first else {
      return device.hasSensor
        ? "Enroll a finger: \(typed) sensor enroll right-index-finger" : "See: \(typed) status"
    }
    return "Try: \(typed) evaluate --policy biometrics --reason test --script match:\(finger)"
  }
}
