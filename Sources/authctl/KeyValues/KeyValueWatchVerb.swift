import LocalAuthClient
import LocalAuthWire

/// `authctl kv watch`: a line for each change of a store.
enum KeyValueWatchVerb {
  static let command = Command(
    "watch",
    abstract: "Tell of each change of a store, as it happens.",
    discussion: """
      Each line has the reason and the keys whose values are others now. Ends with Ctrl-C.

        authctl --device demo kv watch
      """,
    options: [KeyValueVerbs.store.declaration]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try watch(context) }
  }

  private static func watch(_ context: VerbContext) throws(Failure) -> Never {
    let address = try KeyValueVerbs.address(context)
    var connection = try context.connect()
    var known: Int64?
    while true {
      try follow(&connection, address, &known, context)
      connection = try context.connectToNextDaemon()
    }
  }

  /// Tells each change until the daemon ends.
  private static func follow(
    _ connection: inout DaemonConnection,
    _ address: KeyValueAddress,
    _ known: inout Int64?,
    _ context: VerbContext
  ) throws(Failure) {
    do throws(ClientError) { try connection.begin(Methods.watchKeyValues, address.watch) } catch {
      return try check(error, context)
    }
    while true {
      let reply: KeyValueMessages.WatchReply
      do throws(ClientError) {
        reply = try connection.next(Methods.watchKeyValues).reply
      } catch {
        return try check(error, context)
      }
      if reply.reason != nil {
        try tell(sentence(reply), reply, context)
      } else if let known, known != reply.revision {
        try tell("changed while the daemon was away: 'kv list' shows what there is", reply, context)
      }
      known = reply.revision
    }
  }

  private static func tell(
    _ sentence: String,
    _ reply: KeyValueMessages.WatchReply,
    _ context: VerbContext
  ) throws(Failure) {
    let isWritten =
      context.output.wantsJSON
      ? context.output.writeLine(
        Report(sentence) {
          $0.member("reason", reply.reason)
          $0.member("keys", reply.keys)
          $0.member("revision", reply.revision)
        }
      ) : context.output.write(sentence + "\n")
    guard isWritten else { throw .unwritableOutput }
  }

  private static func sentence(_ reply: KeyValueMessages.WatchReply) -> String {
    let keys = reply.keys.isEmpty ? "everything" : reply.keys.joined(separator: ", ")
    switch reply.reason {
    case 0: return "changed: \(keys)"
    case 1: return "downloaded: \(keys)"
    case 2: return "over the quota: \(keys)"
    case 3: return "another account: \(keys)"
    default: return "changed: \(keys)"
    }
  }

  /// Throws unless the daemon has ended.
  private static func check(_ error: ClientError, _ context: VerbContext) throws(Failure) {
    guard case .unreachable = error else { throw Failure(error, typed: context.typed()) }
  }
}
