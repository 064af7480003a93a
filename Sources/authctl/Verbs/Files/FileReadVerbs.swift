import Glibc
import LocalAuthCore
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthTerminal
import LocalAuthUnix

/// `authctl file cat|export|status`.
enum FileReadVerbs {
  static let copy = Argument<String>(
    "COPY",
    source: .files,
    help: "the file to make, with mode 0600"
  )

  static let skipDamaged = Flag(
    "skip-damaged",
    help: "copy the rest of a file of which parts are damaged"
  )

  static let cat = Command(
    "cat",
    abstract: "Write the content of a protected file to standard output.",
    discussion: """
      Each part is verified before it is written.

        authctl --device demo file cat notes.txt
      """,
    arguments: [FileVerbs.file.declaration],
    options: [FileVerbs.sealedOnly.declaration],
    isAboutDevice: true
  ) { (context) throws(Failure) in try cat(context) }

  static let export = Command(
    "export",
    abstract: "Make a copy of a protected file that is not protected.",
    discussion: """
      The copy appears once all of the content was verified, in place of a plain one that was there. In a directory that
      'file mount' shows it is protected all the same. With --skip-damaged it has zeros where the content is damaged; each
      such part is named, and the exit status is 24.

        authctl --device demo file export notes.txt plain.txt
      """,
    arguments: [FileVerbs.file.declaration, copy.declaration],
    options: [FileVerbs.sealedOnly.declaration, skipDamaged.declaration],
    isAboutDevice: true
  ) { (context) throws(Failure) in try export(context) }

  static let status = Command(
    "status",
    abstract: "Say whether files are protected, and when they can be read.",
    discussion: """
      The content is not read: 'file verify' says whether it is whole.

        authctl --device demo file status notes.txt
      """,
    arguments: [FileVerbs.files.declaration],
    options: [FileVerbs.recursive.declaration],
    isAboutDevice: true
  ) { (context) throws(Failure) in
    let mounts = try MountTable.seen()
    return try FileVerbs.forEach(context, changes: false) { (files, file) throws(Failure) in
      if let mount = mounts.mount(showing: file.reached) { return shown(file, mount) }
      let found = try Failure.translating(file.path) { () throws(FileFailure) in
        try files.status(of: file.reached)
      }
      return status(file.path, found)
    }
  }

  private static func cat(_ context: VerbContext) throws(Failure) -> Report {
    let path = context.arguments[FileVerbs.file]
    guard !context.output.wantsJSON else {
      throw Failure(
        .usage,
        "'--json' is for reports: leave it out, the content goes to standard output."
      )
    }
    // A file that is not there is what is to be told, whatever standard output is.
    let files = try context.protectedFiles()
    let file = try open(path, files, context)
    try Output.requirePrivate(orElse: "make it for you alone with umask 077")
    _ = try FileDamage(copying: file, path, files, to: STDOUT_FILENO) { number in
      Failure(.internalError, errno: number, "Standard output cannot be written to")
    }
    let done = Report(.success, "\(path) was read.") { _ in }
    return report(done, path, wasSealed: try wasSealed(file, path))
  }

  private static func export(_ context: VerbContext) throws(Failure) -> Report {
    let (path, copy) = (context.arguments[FileVerbs.file], context.arguments[copy])
    guard !InjectVerb.isSameFile(path, copy) else {
      throw Failure(.usage, "\(copy) is the protected file itself: 'file unprotect' decrypts it.")
    }
    let consequence = "\(path) is unchanged."
    let draft = try FileDraft(copy, mode: 0o600, orElse: consequence)
    let mount = try MountTable.seen().mount(holding: draft.descriptor)
    let files = try context.protectedFiles()
    let file = try open(path, files, context)
    let skips = context.arguments[skipDamaged]
    let damage = try FileDamage(copying: file, path, files, to: draft.descriptor, skips: skips) {
      number in
      Failure(writing: copy, SystemError("write", code: number), consequence)
    }
    let wasSealed = try wasSealed(file, path)
    try draft.keep()
    let kept = mount.map { "protected in \($0.directory)" } ?? "not protected"
    let done = Report("\(copy) is a copy of \(path) that is \(kept).") {
      $0.member("file", copy)
      if skips { damage.write(&$0) }
    }
    return damage.tell(report(done, path, wasSealed: wasSealed), copy, context.output)
  }

  private static func wasSealed(_ file: ProtectedFile, _ path: String) throws(Failure) -> Bool {
    try Failure.translating(path) { () throws(FileFailure) in try file.wasSealed }
  }

  /// Opens the protected file at `path` to read it.
  static func open(
    _ path: String,
    _ files: ProtectedFiles,
    _ context: VerbContext
  ) throws(Failure) -> ProtectedFile {
    let isSealedOnly = context.arguments[FileVerbs.sealedOnly]
    do throws(FileFailure) { return try files.open(path, isSealedOnly: isSealedOnly) } catch {
      throw Failure(error, path, examinedIn: files)
    }
  }

  /// Adds to `report` that the file was not sealed.
  static func report(_ report: Report, _ path: String, wasSealed: Bool) -> Report {
    guard !wasSealed else { return report }
    var report = report
    report.remark = "\(path) was not sealed: a program ended while it wrote the file."
    return report
  }

  /// The report of a file that programs see as it is, while it is protected where it lies, or is not.
  private static func shown(_ file: FileWalk.Found, _ mount: MountTable.Mount) -> Report {
    let source = mount.source(of: file.reached)
    let isProtected = source.flatMap { try? ProtectedFiles.hasHeader($0) } == true
    let sentence = mount.sentence(about: file.path) + (isProtected ? "" : " That is not protected.")
    let line = TerminalText.sanitized(sentence, limit: 2000)
    return Report(line, answer: [line]) {
      $0.member("file", file.path)
      $0.member("protected", isProtected)
      $0.member("directory", mount.directory)
    }
  }

  private static func status(_ path: String, _ found: FileStatus?) -> Report {
    let shown = TerminalText.sanitized(path, limit: 1000)
    guard let found else {
      return Report("\(shown) is not protected.", answer: ["\(shown) is not protected."]) {
        $0.member("file", path)
        $0.member("protected", false)
      }
    }
    let content = found.content.map {
      "\($0.length) bytes, \($0.isSealed ? "sealed" : "not sealed")"
    }
    let line = "\(shown): \(found.protection.word), \(content ?? "locked")"
    return Report(line, answer: [line]) {
      $0.member("file", path)
      $0.member("protected", true)
      $0.member("class", found.protection.word)
      $0.member("locked", content == nil)
      $0.member("size", found.content.map { Int64($0.length) })
      if let content = found.content { $0.member("sealed", content.isSealed) }
    }
  }
}
