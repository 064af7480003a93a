import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthUnix
import LocalAuthWire

/// `authctl doc put|get|list|remove`, and all verbs of `doc`.
enum DocumentVerbs {
  static let name = Argument<String>(
    "NAME",
    source: .documents,
    help: "the document, such as notes/today.txt"
  )
  static let names = Argument<SeveralWords>("NAME", source: .documents, help: "the documents")
  static let prefix = Argument<String?>("PREFIX", help: "only documents whose names begin so")
  static let source = Argument<String?>(
    "FILE",
    source: .files,
    help: "the file with its content; standard input without, or for '-'"
  )
  static let copy = Argument<String?>(
    "FILE",
    source: .files,
    help: "the file to make, with mode 0600; standard output without, or for '-'"
  )
  static let container = Option<String?>(
    "container",
    "GROUP",
    help: "the documents of another of your access groups than the first"
  )

  static let version = Option<String?>(
    "content",
    "VERSION",
    help: "one of those that 'doc versions' lists, or how it begins"
  )

  static let over = Option<String?>(
    "over",
    "VERSION",
    help: "only over this one of those that 'doc versions' lists, or 'none' for a new document"
  )

  static let command = Command(
    "doc",
    abstract: "Keep documents that programs share, encrypted on the disk.",
    discussion: """
      Documents belong to an access group and a device, or all devices of its circle (see 'authctl sync'). A document
      has at most 4 GiB, and is written whole or not at all. It can be read and written from the first unlock of the
      device on, also while it is locked.
      """,
    subcommands: [
      put, get, list, remove, DocumentVersionVerbs.versions, DocumentVersionVerbs.settle,
      DocumentWatchVerb.command,
    ]
  )

  static let put = Command(
    "put",
    abstract: "Write a document, over one of this name.",
    discussion: """
        authctl --device demo doc put notes/today.txt today.txt
        date | authctl --device demo doc put notes/now.txt
      """,
    arguments: [name.declaration, source.declaration],
    options: [over.declaration, container.declaration]
  ) { (context) throws(Failure) in
    let name = context.arguments[name]
    let source = try DocumentSource(named(context.arguments[source]))
    let written = try write(name, from: source, context)
    let size = ByteText.of(written.size ?? 0)
    let done =
      written.changed == false
      ? "\(name) had these \(size) already." : "\(name) was written: \(size)."
    return Report(done) {
      $0.member("name", name)
      $0.member("content", written.version)
      $0.member("bytes", written.size)
      $0.member("changed", written.changed ?? true)
    }
  }

  static let get = Command(
    "get",
    abstract: "Read a document to a file or to standard output.",
    discussion: """
      A file appears once all of the document was read, in place of one that was there.

        authctl --device demo doc get notes/today.txt
        authctl --device demo doc get notes/today.txt today.txt
      """,
    arguments: [name.declaration, copy.declaration],
    options: [version.declaration, container.declaration]
  ) { (context) throws(Failure) in
    let name = context.arguments[name]
    guard let copy = named(context.arguments[copy]) else { return try print(name, context) }
    let read = try read(name, to: copy, context)
    return Report("\(copy) is a copy of \(name): \(ByteText.of(read.size)).") {
      $0.member("file", copy)
      write(read, of: name, to: &$0)
    }
  }

  static let list = Command(
    "list",
    abstract: "List documents, their sizes and when they were written.",
    discussion: """
        authctl --device demo doc list
        authctl --device demo doc list notes/
      """,
    arguments: [prefix.declaration],
    options: [container.declaration]
  ) { (context) throws(Failure) in
    let prefix = context.arguments[prefix] ?? ""
    let address = try address(context)
    var connection = try context.connect()
    let all = try context.calling(on: address.device) { () throws(ClientError) in
      try connection.documents(address)
    }
    let documents = all.filter { $0.name.utf8.starts(with: prefix.utf8) }
    let hasRemarks = documents.contains { $0.conflicts > 0 || !$0.complete }
    let lines = Columns.table(documents.map { hasRemarks ? row($0) : row($0).dropLast() })
    return Report(CountText.of(documents.count, "document") + ".", answer: lines) {
      $0.member("items", documents) { document, writer in
        writer.member("name", document.name)
        writer.member("content", document.version)
        writer.member("bytes", document.size)
        writer.member("modified", document.modified.map { Timestamp.text($0) })
        writer.member("conflicts", document.conflicts)
        writer.member("complete", document.complete)
      }
    }
  }

  static let remove = Command(
    "remove",
    abstract: "Remove documents.",
    discussion: """
        authctl --device demo doc remove notes/today.txt
      """,
    arguments: [names.declaration],
    options: [container.declaration]
  ) { (context) throws(Failure) in
    let names = context.arguments[names].words
    let address = try address(context)
    var connection = try context.connect()
    var removed: [String] = []
    var missing: Failure?
    for name in names {
      do throws(Failure) {
        try context.calling(on: address.device) { () throws(ClientError) in
          try connection.removeDocument(name, address)
        }
        removed.append(name)
      } catch {
        guard error.outcome == .itemNotFound else { throw error }
        missing = missing ?? error
      }
    }
    let what = removed.joined(separator: ", ")
    let done = "\(what) \(removed.count > 1 ? "were" : "was") removed."
    if var missing {
      if !removed.isEmpty { missing.message += " \(done)" }
      throw missing
    }
    return Report(done) { [removed] in $0.member("names", removed) }
  }

  static func address(_ context: VerbContext) throws(Failure) -> GroupAddress {
    GroupAddress(try context.device(), context.arguments[container])
  }

  static func row(_ document: DocumentMessages.Listed) -> [String] {
    guard let size = document.size, let modified = document.modified else {
      return [document.name, "damaged", "", ""]
    }
    let remark =
      document.conflicts > 0
      ? CountText.of(Int(document.conflicts), "conflict") : document.complete ? "" : "coming"
    return [document.name, ByteText.of(size), Timestamp.text(modified), remark]
  }

  private static func write(
    _ read: DocumentMessages.ReadReply,
    of name: String,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("name", name)
    writer.member("content", read.version)
    writer.member("bytes", read.size)
    writer.member("modified", Timestamp.text(read.modified))
  }

  // MARK: Contents

  private static func write(
    _ name: String,
    from source: borrowing DocumentSource,
    _ context: VerbContext
  ) throws(Failure) -> DocumentMessages.WriteReply {
    let address = try address(context)
    let isNew = context.arguments[over] == "none"
    let over = isNew ? "" : try DocumentVersionVerbs.version(named: over, context)
    var writer = DocumentWriter(name, over: over, address, over: try context.connect())
    while true {
      let part = try source.next(DocumentMessages.bytesMax)
      guard !part.isEmpty else { break }
      try context.calling(on: address.device) { () throws(ClientError) in try writer.add(part) }
    }
    do throws(ClientError) { return try writer.finish() } catch {
      throw context.advised(Failure(error, typed: context.typed()), on: address.device)
    }
  }

  /// The file at a path; nil for a standard stream, which a hyphen stands for as well.
  private static func named(_ path: String?) -> String? { path == "-" ? nil : path }

  private static func print(_ name: String, _ context: VerbContext) throws(Failure) -> Report {
    guard !context.output.wantsJSON else {
      throw Failure(
        .usage,
        "'--json' is for reports, and the content goes to standard output: give a FILE, or leave --json out."
      )
    }
    let read = try read(name, to: STDOUT_FILENO, called: "Standard output", context)
    return Report(.success, "\(name) was read.") { write(read, of: name, to: &$0) }
  }

  /// How often reading begins anew because the document was written meanwhile.
  private static let attemptsMax = 16

  /// Makes a file of a document.
  private static func read(
    _ name: String,
    to copy: String,
    _ context: VerbContext
  ) throws(Failure) -> DocumentMessages.ReadReply {
    var attempts = 1
    while true {
      let draft = try FileDraft(copy, mode: 0o600, orElse: "There is no copy.")
      do throws(Failure) {
        let read = try read(name, to: draft.descriptor, called: copy, context)
        try draft.keep()
        return read
      } catch {
        guard error.outcome == .busy, attempts < attemptsMax else { throw error }
        attempts += 1
      }
    }
  }

  /// Writes the content of a document to `descriptor`; all of it is of one version.
  private static func read(
    _ name: String,
    to descriptor: Int32,
    called file: String,
    _ context: VerbContext
  ) throws(Failure) -> DocumentMessages.ReadReply {
    let address = try address(context)
    let version = try DocumentVersionVerbs.version(named: version, context)
    var reader = DocumentReader(name, version: version, address, over: try context.connect())
    var read: DocumentMessages.ReadReply?
    while let part = try context.calling(
      on: address.device,
      { () throws(ClientError) in try reader.next() }
    ) {
      guard Output.write(part.bytes.bytes, to: descriptor) else {
        throw Failure(writing: file, SystemError("write", code: errno, subject: file), nil)
      }
      read = part
    }
    guard let read else { throw Failure(.internalError, "Nothing was read.") }
    return read
  }
}
