import LocalAuthClient
import LocalAuthWire

/// `authctl kv watch`: a line for each change of a store.
enum KeyValueWatchVerb {
  static let command = Command(
    "watch",
    abstract: "Tell of each change of a store, as it happens.",
    discussion: """
      Each line has the reason and the keys whose values are others now, or that were removed. Ends with Ctrl-C.

        authctl --device demo kv watch
      """,
    options: [KeyValueVerbs.store.declaration]
  ) { (context) throws(Failure) in try watch(context) }

  private static func watch(_ context: VerbContext) throws(Failure) -> Never {
    let address = try KeyValueVerbs.address(context)
    var known: Int64?
    try context.follow(Methods.watchKeyValues, address.call()) { reply throws(Failure) in
      if reply.reason != nil {
        try tell(sentence(reply), reply, context)
      } else if let known, known != reply.revision {
        try tell("changed while the daemon was away: 'kv list' shows what there is", reply, context)
      } else if known == nil, !context.output.wantsJSON, !context.output.isQuiet {
        context.output.say("Watching the store; Ctrl-C ends.")
      }
      known = reply.revision
    }
  }

  private static func tell(
    _ sentence: String,
    _ reply: KeyValueMessages.WatchReply,
    _ context: VerbContext
  ) throws(Failure) {
    try context.tell(sentence) {
      $0.member("reason", reply.reason)
      $0.member("keys", reply.keys)
      $0.member("removed", reply.removed ?? [])
      $0.member("revision", reply.revision)
    }
  }

  private static func sentence(_ reply: KeyValueMessages.WatchReply) -> String {
    let keys = reply.keys.isEmpty ? "everything" : reply.keys.joined(separator: ", ")
    switch reply.reason {
    case 1: return "downloaded: \(keys)"
    case 2: return "over the quota: \(keys)"
    case 3: return "another account: \(keys)"
    default: return change(reply) ?? "changed: \(keys)"
    }
  }

  /// What was changed, and what was removed; nil if nothing was.
  private static func change(_ reply: KeyValueMessages.WatchReply) -> String? {
    guard let removed = reply.removed, !removed.isEmpty else { return nil }
    let changed = reply.keys.filter { !removed.contains($0) }
    let parts = [("changed", changed), ("removed", removed)].filter { !$0.1.isEmpty }
    return parts.map { "\($0): \($1.joined(separator: ", "))" }.joined(separator: "; ")
  }
}
