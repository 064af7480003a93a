import LocalAuthClient
import LocalAuthWire

/// `authctl device watch`: a line for each change of a device's lock.
enum DeviceWatchVerb {
  static let command = Command(
    "watch",
    abstract: "Tell when the data of a device can be read, as it changes.",
    discussion: """
      The first line is how it is now. Ends with Ctrl-C.

        authctl --device demo device watch
      """
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try watch(context) }
  }

  private static func watch(_ context: VerbContext) throws(Failure) -> Never {
    var call = DeviceMessages.DeviceCall()
    call.device = try context.device().name
    var connection = try context.connect()
    while true {
      try follow(&connection, call, context)
      connection = try context.connectToNextDaemon()
    }
  }

  /// Tells each change until the daemon ends.
  private static func follow(
    _ connection: inout DaemonConnection,
    _ call: DeviceMessages.DeviceCall,
    _ context: VerbContext
  ) throws(Failure) {
    do throws(ClientError) { try connection.begin(Methods.watchDevice, call) } catch {
      return try context.check(error)
    }
    while true {
      let reply: DeviceMessages.WatchReply
      do throws(ClientError) {
        reply = try connection.next(Methods.watchDevice).reply
      } catch {
        return try context.check(error)
      }
      try tell(reply, context)
    }
  }

  private static func tell(
    _ reply: DeviceMessages.WatchReply,
    _ context: VerbContext
  ) throws(Failure) {
    let isWritten =
      context.output.wantsJSON
      ? context.output.writeLine(
        Report(sentence(reply)) {
          $0.member("state", reply.state)
          $0.member("lostInMilliseconds", reply.lostInMilliseconds)
        }
      ) : context.output.write(sentence(reply) + "\n")
    guard isWritten else { throw .unwritableOutput }
  }

  private static func sentence(_ reply: DeviceMessages.WatchReply) -> String {
    switch reply.state {
    case "beforeFirstUnlock": "before the first unlock: only what is always open can be read"
    case "unlocked": "unlocked: everything can be read"
    case "locking":
      "locked: in \(((reply.lostInMilliseconds ?? 0) + 999) / 1000) seconds what is complete cannot be read"
    case "locked": "locked: only what is open from the first unlock on can be read"
    case "noPasscode": "no passcode: everything can be read"
    default: reply.state
    }
  }
}

extension VerbContext {
  /// Throws unless the daemon has ended.
  fileprivate func check(_ error: ClientError) throws(Failure) {
    guard case .unreachable = error else { throw Failure(error, typed: typed()) }
  }
}
