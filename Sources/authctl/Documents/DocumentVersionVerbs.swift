import LocalAuthClient
import LocalAuthCore
import LocalAuthWire

/// `authctl doc versions|settle`.
enum DocumentVersionVerbs {
  static let settled = Argument<[String]>(
    "VERSION",
    help: "the versions that go, all in conflict without"
  )

  static let versions = Command(
    "versions",
    abstract: "List what devices wrote at the same time.",
    discussion: """
      The first is the document as programs see it, the others are in conflict with it. 'doc get --content' reads any of
      them, 'doc settle' removes them.

        authctl --device demo doc versions notes/today.txt
      """,
    arguments: [DocumentVerbs.name.declaration],
    options: [DocumentVerbs.container.declaration]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in
      let versions = try versions(context)
      let lines = Columns.table(
        versions.map {
          [
            $0.version, ByteText.of($0.size), Timestamp.text($0.modified),
            $0.current ? "current" : "in conflict",
          ]
        }
      )
      return Report(CountText.of(versions.count, "version") + ".", answer: lines) {
        $0.member("items", versions) { version, writer in
          writer.member("content", version.version)
          writer.member("bytes", version.size)
          writer.member("modified", Timestamp.text(version.modified))
          writer.member("current", version.current)
        }
      }
    }
  }

  static let settle = Command(
    "settle",
    abstract: "Remove versions that are in conflict, on all devices.",
    discussion: """
      To keep one instead of the current version, write it first:

        authctl --device demo doc get notes/today.txt other.txt --content VERSION
        authctl --device demo doc put notes/today.txt other.txt
        authctl --device demo doc settle notes/today.txt
      """,
    arguments: [DocumentVerbs.name.declaration, settled.declaration],
    options: [DocumentVerbs.container.declaration]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in
      let name = context.arguments[DocumentVerbs.name]
      var gone = context.arguments[settled]
      if gone.isEmpty { gone = try versions(context).filter { !$0.current }.map(\.version) }
      let report = { (sentence: String) in
        Report(sentence) {
          $0.member("name", name)
          $0.member("versions", gone)
        }
      }
      guard !gone.isEmpty else { return report("\(name) has no conflict.") }
      let address = try DocumentVerbs.address(context)
      var connection = try context.connect()
      try context.calling(on: address.device) { () throws(ClientError) in
        try connection.settleDocument(gone, of: name, address)
      }
      return report("\(CountText.of(gone.count, "version")) of \(name) went.")
    }
  }

  private static func versions(
    _ context: VerbContext
  ) throws(Failure) -> [DocumentMessages.Version] {
    let name = context.arguments[DocumentVerbs.name]
    let address = try DocumentVerbs.address(context)
    var connection = try context.connect()
    return try context.calling(on: address.device) { () throws(ClientError) in
      try connection.documentVersions(name, address)
    }
  }
}
