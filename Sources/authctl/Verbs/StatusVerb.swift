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
      the next one may be made, the programs that judge keys, codes and fingers for the device, and
      how the daemon fares.
      """
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let device = try context.device()
    var call = DeviceMessages.DeviceCall()
    call.device = device.name
    let reply = try context.call(Methods.status, call)
    let paths = try context.address().paths
    // A daemon of an earlier version has none, and a status is wanted of that one too.
    let list = try? context.call(Methods.listAuthenticators, ServiceMessages.Empty())
    let authenticators = (list?.authenticators ?? []).filter {
      $0.simulated == reply.device.simulated
    }
    // A device that is in no circle has none.
    let circle = try? context.call(Methods.syncStatus, SyncVerbs.deviceCall(device))
    let lines =
      DeviceText.lines(reply.device, judgedBy: authenticators)
      + [circle.flatMap { SyncText.doubt($0) }].compactMap(\.self) + [""]
      + DeviceText.lines(reply.daemon, at: paths)
    return Report("\(reply.device.name) is described.", answer: lines) {
      $0.member("device", reply.device.name)
      $0.member("state") { DeviceText.write(reply.device, to: &$0) }
      $0.member("authenticators", authenticators) { line, writer in
        let hindrance = ClauseAuthenticators.hindrance(of: line, on: reply.device)
        writer.member("name", line.name)
        writer.member("kind", line.kind)
        writer.member("ready", hindrance == nil)
        writer.member("message", hindrance)
      }
      $0.member("daemon") {
        DeviceText.write(reply.daemon, at: paths, to: &$0)
      }
    }
  }
}
