import LocalAuthClient
import LocalAuthWire

/// `authctl doc watch`: a line for each document that is changed.
enum DocumentWatchVerb {
  static let command = Command(
    "watch",
    abstract: "Tell which documents change, as it happens.",
    discussion: """
      Each line has a document that this device or another one of its circle wrote, settled or removed. Ends with Ctrl-C.
      With --json the first line says that any document may be another one: from then on nothing is missed.

        authctl --device demo doc watch
      """,
    options: [DocumentVerbs.container.declaration]
  ) { (context) throws(Failure) in try watch(context) }

  private static func watch(_ context: VerbContext) throws(Failure) -> Never {
    let address = try DocumentVerbs.address(context)
    var hasBegun = false
    try context.follow(Methods.watchDocuments, address.call()) { reply throws(Failure) in
      let isFirst = !hasBegun
      hasBegun = true
      // The first reply says that it has begun; a program lists then. Later it says that something may have been missed.
      if isFirst, !context.output.wantsJSON {
        if !context.output.isQuiet { context.output.say("Watching the documents; Ctrl-C ends.") }
        return
      }
      try tell(reply, context)
    }
  }

  private static func tell(
    _ reply: DocumentMessages.WatchReply,
    _ context: VerbContext
  ) throws(Failure) {
    let (change, document) = (change(reply), reply.changed)
    try context.tell(sentence(reply)) {
      $0.member("change", change)
      $0.member("name", document?.name ?? reply.removed)
      $0.member("content", document?.version)
      $0.member("bytes", document?.size)
      $0.member("modified", document?.modified.map { Timestamp.text($0) })
      $0.member("conflicts", document?.conflicts)
      $0.member("complete", document?.complete)
    }
  }

  private static func change(_ reply: DocumentMessages.WatchReply) -> String {
    if reply.changed != nil { return "changed" }
    return reply.removed != nil ? "removed" : "all"
  }

  private static func sentence(_ reply: DocumentMessages.WatchReply) -> String {
    if let name = reply.removed { return "removed: \(name)" }
    guard let document = reply.changed else {
      return "any document may be another one: 'doc list' shows what there is"
    }
    let row = DocumentVerbs.row(document).filter { !$0.isEmpty }
    return "changed: \(row.joined(separator: ", "))"
  }
}
