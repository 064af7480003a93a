import LocalAuthCore
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthTerminal
import LocalAuthUnix

/// `authctl file verify`.
enum FileVerifyVerb {
  static let command = Command(
    "verify",
    abstract: "Read all of protected files, and say what of them is damaged.",
    discussion: """
      Each part of the content and both headers are verified; nothing is changed. Whatever is damaged is named: the bytes
      and the chunks of the content, or the header. A file is read as long as one header is whole, and 'file reclass' writes
      both anew. The exit status is 24 if anything is damaged; a file that is locked is not read, and is no damaged one.

        authctl --device demo file verify notes.txt
        authctl --device demo file verify --recursive vault
      """,
    arguments: [FileVerbs.files.declaration],
    options: [FileVerbs.recursive.declaration],
    isAboutDevice: true
  ) { (context) throws(Failure) in
    let mounts = try MountTable.seen()
    var found = Found()
    var report = try FileVerbs.forEach(context, changes: false, counts: { found.counts }) {
      (files, file) throws(Failure) in
      if let mount = mounts.mount(showing: file.reached) {
        throw Failure(.usage, mount.sentence(about: file.path))
      }
      let isNamed = !context.arguments[FileVerbs.recursive]
      return try verify(file, files, isNamed: isNamed, &found)
    }
    // A damage weighs more than what was not looked at.
    if found.damaged > 0 {
      report.outcome = .keychainError
      report.exit = OutcomeCode.keychainError.exit
    }
    return report
  }

  /// How many files were found to be what.
  private struct Found {
    var damaged = 0
    var locked = 0
    var unprotected = 0

    var counts: [FileVerbs.Count] {
      [
        .init(member: "damaged", words: "damaged", number: damaged),
        .init(member: "locked", words: "locked and not read", number: locked),
        .init(member: "notProtected", words: "not protected", number: unprotected),
      ]
    }
  }

  private static func verify(
    _ file: FileWalk.Found,
    _ files: ProtectedFiles,
    isNamed: Bool,
    _ found: inout Found
  ) throws(Failure) -> Report {
    let path = file.path
    do throws(FileFailure) {
      let examination = try files.examine(file.reached)
      if !examination.isWhole { found.damaged += 1 }
      return report(path, examination)
    } catch {
      switch error {
      case .file(.damaged):
        found.damaged += 1
        return report(path, nil, [.header(slot: 0), .header(slot: 1)])
      case .locked:
        found.locked += 1
        return try locked(file, files)
      // Whoever names a directory means what is in it that is protected.
      case .file(.notProtected) where !isNamed:
        found.unprotected += 1
        return Report("\(path) is not protected.") {
          $0.member("file", path)
          $0.member("protected", false)
        }
      default: throw Failure(error, path)
      }
    }
  }

  private static func locked(
    _ file: FileWalk.Found,
    _ files: ProtectedFiles
  ) throws(Failure) -> Report {
    let path = file.path
    let status = try Failure.translating(path) { () throws(FileFailure) in
      try files.status(of: file.reached)
    }
    guard let status else { throw Failure(.changed, path) }
    var report = Report("", answer: ["\(shown(path)): \(status.protection.word), locked"]) {
      $0.member("file", path)
      $0.member("protected", true)
      $0.member("class", status.protection.word)
      $0.member("locked", true)
    }
    report.fail(.itemLocked, "\(path) is locked: it was not read.")
    return report
  }

  private static func report(_ path: String, _ examination: FileExamination) -> Report {
    report(path, examination, examination.parts)
  }

  /// The report of a file that was read; nil for one without a whole header.
  private static func report(
    _ path: String,
    _ examination: FileExamination?,
    _ parts: [DamagedPart]
  ) -> Report {
    let shown = shown(path)
    var lines = parts.map { "\(shown): damaged: \($0.text)" }
    if let examination, parts.isEmpty {
      let state = examination.isSealed ? "whole" : "whole, but not sealed"
      lines = ["\(shown): \(examination.protection.word), \(examination.length) bytes, \(state)"]
    }
    var report = Report("\(path) is whole.", answer: lines) {
      $0.member("file", path)
      $0.member("protected", true)
      $0.member("class", examination?.protection.word)
      $0.member("locked", false)
      $0.member("whole", parts.isEmpty)
      $0.member("size", examination.map { Int64($0.length) })
      $0.member("sealed", examination.map(\.isSealed))
      $0.member("damaged", parts) { part, writer in part.write(&writer) }
    }
    guard !parts.isEmpty else { return report }
    let isRead = examination?.hasWholeContent == true
    let rest = isRead ? "; its content is whole, and is read by the other header" : ""
    report.fail(.keychainError, "\(path) is damaged\(rest).")
    return report
  }

  private static func shown(_ path: String) -> String {
    TerminalText.sanitized(path, limit: 1000)
  }
}
