import LocalAuthClient
import LocalAuthCore
import LocalAuthFiles
import LocalAuthKeychain
import LocalAuthUnix
import LocalAuthWire

/// `authctl file protect|unprotect|reclass`.
enum FileChangeVerbs {
  static let wanted = Option<FileProtection?>(
    "class",
    "CLASS",
    help: "when it can be read; by default as its directory says, or else complete"
  )
  static let protection = Option<FileProtection>("class", "CLASS", help: "when it can be read")

  static let protect = Command(
    "protect",
    abstract: "Encrypt files in their place.",
    discussion: """
      A file that was there is replaced once the new one is complete. What the disk keeps of the old
      content is not wiped. A file that 'file mount' shows is refused: it is protected where it lies.

        authctl --device demo file protect notes.txt
        authctl --device demo file protect --class none notes.txt passwords.csv
      """,
    arguments: [FileVerbs.files.declaration],
    options: [wanted.declaration, FileVerbs.recursive.declaration],
    isAboutDevice: true
  ) { (context) throws(Failure) in
    let mounts = try MountTable.seen()
    var report = try FileVerbs.forEach(context) { (files, file) throws(Failure) in
      if let mount = mounts.mount(showing: file.reached) {
        throw Failure(.usage, mount.sentence(about: file.path))
      }
      return try protect(file, files, context)
    }
    if report.outcome == .success, let remark = report.remark, let lack = lack(context) {
      report.remark = "\(remark) \(lack)"
    }
    return report
  }

  /// What a device without a passcode does not do for its files; nil for one that has one, and where it cannot be asked.
  ///
  /// The files are protected by then, so that nothing here is a failure.
  private static func lack(_ context: VerbContext) -> String? {
    guard let choice = try? context.device(),
      let device = try? context.call(Methods.status, DeviceVerbs.call(choice)).device,
      !device.hasPasscode
    else { return nil }
    return
      "\(device.name) has no passcode, so whoever gets this disk can read the file: 'authctl passcode set' sets one."
  }

  private static func protect(
    _ file: FileWalk.Found,
    _ files: ProtectedFiles,
    _ context: VerbContext
  ) throws(Failure) -> Report {
    let path = file.path
    let wanted = context.arguments[wanted]
    let protection = try Failure.translating(path) { () throws(FileFailure) in
      let byDefault = try DirectoryDefault.protection(for: file.reached)
      return wanted ?? byDefault
    }
    do throws(FileFailure) {
      try files.protect(file.reached, protection)
      return made(path, protection, "is protected")
    } catch {
      switch error {
      case .alreadyProtected: return try protected(file, files, context)
      case .locked where protection != .completeUnlessOpen:
        let other = FileProtection.completeUnlessOpen.word
        throw Failure(
          .itemLocked,
          "The device's state does not let \(path) be protected as \(protection.word): '--class \(other)' does now."
        )
      default: throw Failure(replacing: path, error)
      }
    }
  }

  /// The report of a file that is protected already: whoever names a directory means what is in it that is not yet.
  private static func protected(
    _ file: FileWalk.Found,
    _ files: ProtectedFiles,
    _ context: VerbContext
  ) throws(Failure) -> Report {
    let (path, wanted) = (file.path, context.arguments[wanted])
    let isRecursive = context.arguments[FileVerbs.recursive]
    let found: FileStatus?
    do throws(FileFailure) { found = try files.status(of: file.reached) } catch {
      throw Failure(isRecursive ? error : .alreadyProtected, path)
    }
    guard let found else { throw Failure(.changed, path) }
    guard wanted == nil || wanted == found.protection else {
      throw Failure(
        .usage,
        "\(path) is protected already, as \(found.protection.word): 'file reclass' changes that."
      )
    }
    guard isRecursive else { throw Failure(.alreadyProtected, path) }
    return made(path, found.protection, "is protected already")
  }

  static let unprotect = Command(
    "unprotect",
    abstract: "Decrypt files in their place.",
    discussion: """
      A file that was there is replaced once all of the content was verified.

        authctl --device demo file unprotect notes.txt
      """,
    arguments: [FileVerbs.files.declaration],
    options: [FileVerbs.sealedOnly.declaration, FileVerbs.recursive.declaration],
    isAboutDevice: true
  ) { (context) throws(Failure) in
    try FileVerbs.forEach(context) { (files, file) throws(Failure) in
      try unprotect(file, files, context)
    }
  }

  private static func unprotect(
    _ file: FileWalk.Found,
    _ files: ProtectedFiles,
    _ context: VerbContext
  ) throws(Failure) -> Report {
    let path = file.path
    let wasSealed: Bool
    do throws(FileFailure) {
      let isSealedOnly = context.arguments[FileVerbs.sealedOnly]
      wasSealed = try files.unprotect(file.reached, isSealedOnly: isSealedOnly)
    } catch {
      // Whoever names a directory means what is in it that is protected.
      guard error == .file(.notProtected), context.arguments[FileVerbs.recursive] else {
        throw Failure(replacing: path, error, examinedIn: files, reached: file.reached)
      }
      return Report("\(path) is not protected.") { $0.member("file", path) }
    }
    let report = Report("\(path) is not protected any more.") { $0.member("file", path) }
    return FileReadVerbs.report(report, path, wasSealed: wasSealed)
  }

  static let reclass = Command(
    "reclass",
    abstract: "Protect files otherwise.",
    discussion: """
      Each gets a new key, and is encrypted anew.

        authctl --device demo file reclass --class none notes.txt
      """,
    arguments: [FileVerbs.files.declaration],
    options: [protection.declaration, FileVerbs.recursive.declaration],
    isAboutDevice: true
  ) { (context) throws(Failure) in
    try FileVerbs.forEach(context) { (files, file) throws(Failure) in
      let path = file.path
      let protection = context.arguments[protection]
      let wasSealed: Bool
      do throws(FileFailure) {
        wasSealed = try files.reclass(file.reached, to: protection)
      } catch {
        throw Failure(replacing: path, error, examinedIn: files, reached: file.reached)
      }
      return FileReadVerbs.report(
        made(path, protection, "is protected otherwise"),
        path,
        wasSealed: wasSealed
      )
    }
  }

  private static func made(
    _ path: String,
    _ protection: FileProtection,
    _ what: String
  ) -> Report {
    Report("\(path) \(what): \(protection.word).") {
      $0.member("file", path)
      $0.member("class", protection.word)
    }
  }
}
