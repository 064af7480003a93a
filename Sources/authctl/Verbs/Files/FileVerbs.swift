import LocalAuthCore
import LocalAuthFiles
import LocalAuthKeychain

/// `authctl file`, and what its verbs share.
enum FileVerbs {
  static let file = Argument<String>("FILE", source: .files, help: "the file")
  static let files = Argument<SeveralWords>("FILE", source: .files, help: "the files")
  static let recursive = Flag(
    "recursive",
    letter: "r",
    help: "also the files in directories, and in those below"
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
      it is unlocked and for 10 seconds after that, unless-open likewise, but it can be made while the
      device is locked, after-first-unlock once it was unlocked since it started, none always. It can
      be copied and moved like any file; another device cannot read it.
      """,
    subcommands: [
      FileChangeVerbs.protect, FileChangeVerbs.unprotect, FileChangeVerbs.reclass,
      FileReadVerbs.cat, FileReadVerbs.export, FileRunVerb.command, FileEditVerb.command,
      FileReadVerbs.status, FileVerifyVerb.command, FileDefaultVerb.command, FileMountVerbs.mount,
      FileMountVerbs.unmount,
    ]
  )

  /// Does something with each file, one after the other; a file that fails does not keep the others from
  /// it.
  ///
  /// `changes` says whether it alters them; `body` returns the report of one file, and `counts` says what else is counted
  /// of all of them, by its name in a report and in words.
  static func forEach(
    _ context: VerbContext,
    changes: Bool = true,
    counts: () -> [Count] = { [] },
    _ body: (ProtectedFiles, FileWalk.Found) throws(Failure) -> Report
  ) throws(Failure) -> Report {
    let walk = FileWalk(
      context.arguments[files].words,
      isRecursive: context.arguments[recursive],
      changes: changes
    )
    let protected = try context.protectedFiles()
    func report(of file: FileWalk.Found) throws(Failure) -> Report {
      if let refusal = file.refusal { throw refusal }
      guard file.isNamed else {
        throw Failure(.usage, "The name of \(file.path) is no UTF-8: give it another one.")
      }
      guard !file.isDirectory else {
        throw Failure(.usage, "\(file.path) is a directory: --recursive is for the files in it.")
      }
      return try body(protected, file)
    }
    guard walk.found.count != 1 || walk.skipped > 0 else { return try report(of: walk.found[0]) }
    var progress = ProgressLine(in: "files", context)
    var failures = 0
    var first: (outcome: OutcomeCode, exit: Int32)?
    for (index, file) in walk.found.enumerated() {
      do throws(Failure) {
        let report = try report(of: file)
        progress.clear()
        guard context.output.tell(report) else { throw .unwritableOutput }
        if report.outcome != .success { first = first ?? (report.outcome, report.exit) }
      } catch {
        progress.clear()
        guard error != .unwritableOutput else { throw error }
        _ = context.output.report(error)
        first = first ?? (error.outcome, error.exit)
        if file.refusal == nil { failures += 1 }
      }
      let done = Double(index + 1)
      progress.show(done / Double(walk.found.count), units: done, of: file.path)
    }
    progress.clear()
    return summary(walk, failures, counts(), first)
  }

  /// How many files there are of some kind.
  struct Count {
    let member: String
    let words: String
    let number: Int
  }

  private static func summary(
    _ walk: FileWalk,
    _ failures: Int,
    _ counts: [Count],
    _ first: (outcome: OutcomeCode, exit: Int32)?
  ) -> Report {
    let refused = walk.found.count { $0.refusal != nil }
    let files = walk.found.count - refused
    var message = CountText.of(files, "file")
    for count in counts where count.number > 0 { message += ", \(count.number) \(count.words)" }
    if failures > 0 { message += ", \(failures) failed" }
    if refused > 0 {
      message += ", \(CountText.of(refused, "directory", "directories")) not entered"
    }
    if walk.skipped > 0 {
      message +=
        ", \(walk.skipped) left alone that \(walk.skipped == 1 ? "is no file" : "are no files")"
    }
    var report = Report(first?.outcome ?? .success, message + ".") {
      $0.member("files", Int64(files))
      $0.member("failed", Int64(failures))
      $0.member("notEntered", Int64(refused))
      $0.member("skipped", Int64(walk.skipped))
      for count in counts { $0.member(count.member, Int64(count.number)) }
    }
    if let first { report.exit = first.exit }
    report.remark = report.message
    return report
  }
}

extension Output {
  /// Prints the report of one of several things; false if it could not be written.
  func tell(_ report: Report) -> Bool {
    guard !wantsJSON else { return writeLine(report) }
    if let remark = report.remark, !isQuiet { say(remark) }
    return report.answer.isEmpty || write(report.answer.joined(separator: "\n") + "\n")
  }
}

extension FileProtection: ExpressibleByArgument {
  static var allValueStrings: [String] { allCases.map(\.word) }

  init?(argument: String) { self.init(word: argument) }
}
