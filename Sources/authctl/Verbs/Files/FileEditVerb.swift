import LocalAuthCore
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthUnix

/// `authctl file edit`.
enum FileEditVerb {
  static let command = Command(
    "edit",
    abstract: "Change a protected file with an editor.",
    discussion: """
      The editor that VISUAL or EDITOR names gets a copy on a file system in memory, together with
      what it writes beside it, and the copy is removed when it ends. If it ends with another status
      than 0, the file is not changed, and what was saved stays in memory, where the message says. A
      device that was locked or restarted meanwhile takes the new text as unless-open, so that nothing
      of it is lost.

      What an editor keeps elsewhere stays there in plaintext, as what vim has deleted and yanked in
      the home directory: with -i NONE in VISUAL vim and nvim keep none of it. authctl(1) says more.

        EDITOR=nano authctl --device demo file edit notes.txt
      """,
    arguments: [FileVerbs.file.declaration],
    isAboutDevice: true
  ) { (context) throws(Failure) in
    // No signal ends it before it has cleaned up.
    try Interruption.ignored { (_) throws(Failure) in try edit(context) }
  }

  private static func edit(_ context: VerbContext) throws(Failure) -> Report {
    let path = context.arguments[FileVerbs.file]
    let files = try context.protectedFiles()
    let stamp = FileStamp(of: path)
    let status = try Failure.examining(path, files) { () throws(FileFailure) in
      guard let found = try files.status(of: path) else { throw .file(.notProtected) }
      // What cannot be stored is said before somebody has typed it.
      try ProtectedFiles.checkIsReplaceable(path)
      return found
    }
    let old = try Failure.examining(path, files) { () throws(FileFailure) in try files.read(path) }
    let name = components(ofPath: path).last ?? path
    var directory = try EditingDirectory.make(name, old, context)
    let editor = Editor(context)
    let ending = try editor.edit(in: directory)
    var (hasNewText, isStored) = (true, false)
    do throws(Failure) {
      let new = try directory.content(orElse: "\(path) is unchanged.")
      hasNewText = !new.isEqual(to: old)
      switch ending {
      case .done: break
      case .failed:
        throw Failure(.userCancel, "The editor ended with a failure: \(path) is unchanged.")
      case .notRun:
        throw Failure(
          .badConfiguration,
          "The editor '\(editor.command)' cannot be run: name another in VISUAL or EDITOR. \(path) is unchanged."
        )
      }
      guard hasNewText else { return report(path, "is unchanged", status.protection) }
      return try store(new, at: path, status.protection, files, ifStill: stamp, &isStored)
    } catch {
      guard hasNewText, directory.keep() else { throw error }
      let message = error.message.hasSuffix(".") ? error.message : error.message + "."
      throw Failure(
        error.outcome,
        isStored
          ? "\(message) Your text is also in \(directory.file)."
          : "\(message) Your text was not stored: it is in \(directory.file)."
      )
    }
  }

  private static func store(
    _ content: borrowing Secret,
    at path: String,
    _ protection: FileProtection,
    _ files: ProtectedFiles,
    ifStill stamp: FileStamp?,
    _ isStored: inout Bool
  ) throws(Failure) -> Report {
    do throws(FileFailure) {
      try files.replace(path, with: content, protection, ifStill: stamp)
      return report(path, "is changed", protection)
    } catch {
      // Of the other classes none can be made before the first unlock.
      guard error == .locked, protection != .completeUnlessOpen else {
        isStored = error.isInPlace
        throw Failure(replacing: path, error)
      }
    }
    do throws(FileFailure) {
      try files.replace(path, with: content, .completeUnlessOpen, ifStill: stamp)
    } catch {
      isStored = error.isInPlace
      throw Failure(replacing: path, error)
    }
    return report(path, "is changed; the device was locked meanwhile", .completeUnlessOpen)
  }

  private static func report(
    _ path: String,
    _ what: String,
    _ protection: FileProtection
  ) -> Report {
    Report("\(path) \(what): \(protection.word).") {
      $0.member("file", path)
      $0.member("class", protection.word)
    }
  }
}
