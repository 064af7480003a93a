import LocalAuthClient
import LocalAuthCore
import LocalAuthUnix
import LocalAuthWire

/// `authctl status`.
enum StatusVerb {
  static let command = Command(
    "status",
    abstract: "Show a device and the daemon.",
    discussion: """
      Shows the sensor, the fingers, the passcode, the lock state, how many tries are left and when
      the next one may be made, and how the daemon fares.
      """
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try run(context) }
  }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let device = try context.device()
    var call = DeviceMessages.DeviceCall()
    call.device = device.name
    let reply = try context.call(Methods.status, call)
    let paths = try context.address().paths
    let lines =
      DeviceText.lines(reply.device) + [""]
      + DeviceText.lines(reply.daemon, at: paths)
    return Report("\(reply.device.name) is described.", answer: lines) {
      $0.member("device", reply.device.name)
      $0.member("state") { DeviceText.write(reply.device, to: &$0) }
      $0.member("daemon") {
        DeviceText.write(reply.daemon, at: paths, to: &$0)
      }
    }
  }
}
