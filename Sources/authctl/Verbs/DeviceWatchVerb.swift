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
  ) { (context) throws(Failure) in try watch(context) }

  private static func watch(_ context: VerbContext) throws(Failure) -> Never {
    var call = DeviceMessages.DeviceCall()
    call.device = try context.device().name
    try context.follow(Methods.watchDevice, call) { reply throws(Failure) in
      try context.tell(sentence(reply)) {
        $0.member("state", reply.state)
        $0.member("lostInMilliseconds", reply.lostInMilliseconds)
      }
    }
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
