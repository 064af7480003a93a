import Glibc
import LocalAuthCore
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthSecret

/// `authctl file protect|unprotect|cat|status`.
enum FileVerbs {
  static let file = Argument<String>("FILE", source: .files, help: "the file")
  static let protection = Option<FileProtection>(
    "class",
    "CLASS",
    default: "complete",
    help: "when it can be read"
  )
  static let sealedOnly = Flag(
    "sealed-only",
    help: "refuse a file whose program ended while it wrote"
  )

  static let command = Command(
    "file",
    abstract: "Protect files with the keys of a device.",
    discussion: """
      A protected file is encrypted, and is read while the state of the device lets it: complete while
      it is unlocked and for 10 seconds after that, unless-open likewise but it can be made while
      the device is locked, after-first-unlock once it was unlocked since it
      started, none always. It can be copied and moved like any file; another device cannot read it.
      """,
    subcommands: [protect, unprotect, cat, status]
  )

  static let protect = Command(
    "protect",
    abstract: "Encrypt a file in its place.",
    discussion: """
      The file that was there is replaced once the new one is complete. What the disk keeps of the old
      content is not wiped.

        authctl --device demo file protect notes.txt
      """,
    arguments: [file.declaration],
    options: [protection.declaration]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try protect(context) }
  }

  static let unprotect = Command(
    "unprotect",
    abstract: "Decrypt a file in its place.",
    discussion: """
      The file that was there is replaced once all of the content was verified.

        authctl --device demo file unprotect notes.txt
      """,
    arguments: [file.declaration],
    options: [sealedOnly.declaration]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try unprotect(context) }
  }

  static let cat = Command(
    "cat",
    abstract: "Write the content of a protected file to standard output.",
    discussion: """
      Each part is verified before it is written.

        authctl --device demo file cat notes.txt
      """,
    arguments: [file.declaration],
    options: [sealedOnly.declaration]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try cat(context) }
  }

  static let status = Command(
    "status",
    abstract: "Say whether a file is protected, and when it can be read.",
    discussion: """
        authctl --device demo file status notes.txt
      """,
    arguments: [file.declaration]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try status(context) }
  }

  private static func protect(_ context: VerbContext) throws(Failure) -> Report {
    let source = try FileSource(context.arguments[file], isReplaced: true)
    guard try header(of: source) == nil else {
      throw Failure(.usage, "\(source.path) is protected already.")
    }
    var keys = try FileKeyRing(context)
    let made = try keys.make(context.arguments[protection])
    guard let key = made.key.take() else { throw Failure(.internalError, "There is no key.") }
    let draft = try draft(for: source)
    do throws(ProtectedFileError) {
      let file = try ProtectedFile(
        creatingOn: fcntl(draft.descriptor, F_DUPFD_CLOEXEC, 0),
        made.wrapped.protection,
        key: key,
        wrappedKey: made.wrapped.bytes,
        identifier: made.wrapped.identifier
      )
      var offset = 0
      var chunk = Secret(capacity: ChunkPipeline.chunkSize)
      while try read(source, at: offset, into: &chunk) {
        // SAFETY: the bytes are lent for the call.
        try unsafe chunk.withUnsafeBytes { (bytes) throws(ProtectedFileError) in
          try unsafe file.write(bytes, at: offset)
        }
        offset += chunk.count
      }
      try file.close()
    } catch { throw Failure(error, source.path) }
    try source.checkIsUnchanged()
    try draft.keep()
    return Report("\(source.path) is protected: \(made.wrapped.protection.word).") {
      $0.member("file", context.arguments[file])
      $0.member("class", made.wrapped.protection.word)
    }
  }

  /// Reads the next chunk; false at the end.
  private static func read(
    _ source: borrowing FileSource,
    at offset: Int,
    into chunk: inout Secret
  ) throws(ProtectedFileError) -> Bool {
    chunk.removeAll()
    // SAFETY: the read fills at most the room.
    let count = unsafe chunk.withUnsafeMutableBytes { room, used in
      let count = unsafe pread(source.descriptor, room.baseAddress, room.count, offset)
      used = max(count, 0)
      return count
    }
    guard count >= 0 else { throw .system(call: "read", code: errno) }
    return count > 0
  }

  private static func unprotect(_ context: VerbContext) throws(Failure) -> Report {
    let path = context.arguments[file]
    let source = try FileSource(path, isReplaced: true)
    let draft = try draft(for: source)
    var keys = try FileKeyRing(context)
    let protected = try keys.read(source, isSealedOnly: context.arguments[sealedOnly])
    try copy(protected, to: draft.descriptor, path)
    try source.checkIsUnchanged()
    try draft.keep()
    return report(
      protected,
      Report("\(path) is not protected any more.") { $0.member("file", path) },
      path
    )
  }

  private static func cat(_ context: VerbContext) throws(Failure) -> Report {
    let path = context.arguments[file]
    guard !context.output.wantsJSON else {
      throw Failure(
        .usage,
        "'--json' is for reports: leave it out, the content goes to standard output."
      )
    }
    try Output.requirePrivate(orElse: "make it for you alone with umask 077")
    var keys = try FileKeyRing(context)
    let source = try FileSource(path, isReplaced: false)
    let protected = try keys.read(source, isSealedOnly: context.arguments[sealedOnly])
    try copy(protected, to: STDOUT_FILENO, path)
    return report(protected, Report(.success, "\(path) was read.") { _ in }, path)
  }

  private static func copy(
    _ protected: ProtectedFile,
    to output: Int32,
    _ path: String
  ) throws(Failure) {
    var offset = 0
    var chunk = Secret(capacity: ChunkPipeline.chunkSize)
    while offset < protected.length {
      do throws(ProtectedFileError) {
        try unsafe chunk.withUnsafeMutableBytes { (room, used) throws(ProtectedFileError) in
          used = try unsafe protected.read(room, at: offset)
        }
      } catch { throw Failure(error, path) }
      guard Output.write(chunk, to: output) else {
        throw Failure(.internalError, errno: errno, "The content cannot be written")
      }
      offset += chunk.count
    }
  }

  /// Adds to `report` that the file was not sealed.
  private static func report(_ file: ProtectedFile, _ report: Report, _ path: String) -> Report {
    guard !file.wasSealed else { return report }
    var report = report
    report.remark = "\(path) was not sealed: a program ended while it wrote the file."
    return report
  }

  private static func status(_ context: VerbContext) throws(Failure) -> Report {
    let path = context.arguments[file]
    let source = try FileSource(path, isReplaced: false)
    guard let header = try header(of: source) else {
      return Report("\(path) is not protected.", answer: ["\(path) is not protected."]) {
        $0.member("file", path)
        $0.member("protected", false)
      }
    }
    var keys = try FileKeyRing(context)
    let opened = try keys.read(source, isSealedOnly: false)
    let sealed = opened.wasSealed ? "sealed" : "not sealed"
    let line = "\(path): \(header.protection.word), \(opened.length) bytes, \(sealed)"
    return Report(line, answer: [line]) { [length = opened.length, wasSealed = opened.wasSealed] in
      $0.member("file", path)
      $0.member("protected", true)
      $0.member("class", header.protection.word)
      $0.member("size", Int64(length))
      $0.member("sealed", wasSealed)
    }
  }

  /// The newest header of a protected file, which nothing has verified; nil if it is none.
  private static func header(of source: borrowing FileSource) throws(Failure) -> FileHeader? {
    do throws(ProtectedFileError) {
      return try FileHeader.unverified(of: source.descriptor)
    } catch {
      guard error == .notProtected else { throw Failure(error, source.path) }
      return nil
    }
  }

  private static func draft(for source: borrowing FileSource) throws(Failure) -> FileDraft {
    try FileDraft(source.path, mode: source.mode, orElse: "Nothing was changed.")
  }
}

extension FileProtection: ExpressibleByArgument {
  /// The word on the command line.
  var word: String {
    switch self {
    case .complete: "complete"
    case .completeUnlessOpen: "unless-open"
    case .afterFirstUnlock: "after-first-unlock"
    case .always: "none"
    }
  }

  static var allValueStrings: [String] { allCases.map(\.word) }

  init?(argument: String) {
    guard let found = Self.allCases.first(where: { $0.word == argument }) else { return nil }
    self = found
  }
}
