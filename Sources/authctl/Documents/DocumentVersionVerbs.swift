import LocalAuthClient
import LocalAuthCore
import LocalAuthWire

/// `authctl doc versions|settle`.
enum DocumentVersionVerbs {
  static let settled = Argument<[String]>(
    "VERSION",
    help: "how the versions that go begin; all in conflict without"
  )

  static let versions = Command(
    "versions",
    abstract: "List what devices wrote at the same time.",
    discussion: """
      The first is the document as programs see it, the others are in conflict with it. 'doc get --content' reads any of
      them, 'doc settle' removes them; the first digits of a version will do.

        authctl --device demo doc versions notes/today.txt
      """,
    arguments: [DocumentVerbs.name.declaration],
    options: [DocumentVerbs.container.declaration]
  ) { (context) throws(Failure) in
    let versions = try versions(context)
    let lines = Columns.table(
      versions.map {
        [
          $0.version, ByteText.of($0.size), Timestamp.text($0.modified),
          $0.current ? "current" : "in conflict",
        ] + ($0.peerName.map { [$0] } ?? [])
      }
    )
    return Report(CountText.of(versions.count, "version") + ".", answer: lines) {
      $0.member("items", versions) { version, writer in
        writer.member("content", version.version)
        writer.member("bytes", version.size)
        writer.member("modified", Timestamp.text(version.modified))
        writer.member("current", version.current)
        writer.member("peerName", version.peerName)
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
  ) { (context) throws(Failure) in
    let name = context.arguments[DocumentVerbs.name]
    let (known, given) = (try versions(context), context.arguments[settled])
    let gone =
      given.isEmpty
      ? known.filter { !$0.current }.map(\.version)
      : try given.map { (begin) throws(Failure) in try version(begin, of: known) }
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

  /// The version that an option names, by how it begins; as it was typed where the document has none such.
  static func version(
    named option: Option<String?>,
    _ context: VerbContext
  ) throws(Failure) -> String? {
    guard let typed = context.arguments[option], !typed.isEmpty else { return nil }
    do throws(Failure) { return try version(typed, of: try versions(context)) } catch {
      guard error.outcome == .itemNotFound else { throw error }
      return typed
    }
  }

  /// The one version that begins so; as it was typed where none does.
  private static func version(
    _ begin: String,
    of known: [DocumentMessages.Version]
  ) throws(Failure) -> String {
    let found = known.map(\.version).filter { $0.hasPrefix(begin.lowercased()) }
    guard found.count < 2 else {
      throw Failure(.usage, "\(found.count) versions begin with '\(begin)': give more of it.")
    }
    return found.first ?? begin
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
