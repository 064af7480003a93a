import LocalAuthBackup
import LocalAuthCore
import LocalAuthSecret
import LocalAuthTerminal
import LocalAuthWire

/// `authctl backup restore`.
enum RestoreVerb {
  static let merge = Flag("merge", help: "keep what is there; a newer item wins (the default)")
  static let replace = Flag("replace", help: "delete first what is not synchronizable")
  static let dryRun = Flag(
    "dry-run",
    help: "say what would become of each item, and change nothing"
  )
  static let deletes = Option<Int?>(
    "deletes",
    "N",
    help: "with --replace: how many items are deleted for good, as --dry-run says"
  )

  static let command = Command(
    "restore",
    abstract: "Put the items of a backup into a keychain.",
    discussion: """
      All of the backup is verified before anything is changed, and all of it is restored or nothing. With
      --replace, items that are not in the backup are gone for good, those that ask for a finger too: it takes
      the device's passcode and their number, which is asked for on a terminal; --dry-run names them. With
      --only nothing else of the backup is restored, and nothing else deleted.

        authctl --device demo backup restore demo.backup --dry-run
        authctl --device demo backup restore demo.backup
      """,
    arguments: [BackupVerbs.file.declaration],
    options: [
      merge.declaration, replace.declaration, dryRun.declaration, deletes.declaration,
      BackupVerbs.only.declaration,
    ] + BackupPassword.options + PasscodeInput.options,
    exclusions: [["merge", "replace"]] + BackupPassword.exclusions + PasscodeInput.exclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in try restore(context) }

  private static func restore(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = context.arguments
    let path = arguments[BackupVerbs.file]
    let mode: RestoreMode = arguments[replace] ? .replace : .merge
    guard arguments[deletes] == nil || mode == .replace && !arguments[dryRun] else {
      throw Failure(.usage, "'--deletes' goes with --replace, and not with --dry-run.")
    }
    try BackupPassword.checkIsAlone(arguments)
    let backup = try BackupFile(path)
    let password = try BackupPassword.current(context, backup.header, path)
    let reading = try BackupReading(context, password, BackupVerbs.part(arguments))
    guard !arguments[dryRun] else {
      return preview(try reading.bring(backup, for: .preview(mode)), path, backup.header)
    }
    guard mode == .replace else {
      return done(try reading.bring(backup, for: .restore(.merge)).report, path, backup.header)
    }
    return done(try replace(backup, reading, context), path, backup.header)
  }

  private static func replace(
    _ backup: borrowing BackupFile,
    _ reading: borrowing BackupReading,
    _ context: VerbContext
  ) throws(Failure) -> BackupMessages.FinishReply {
    var deaths = context.arguments[deletes].map { Int64($0) }
    if deaths == nil {
      let counted = try reading.bring(backup, for: .preview(.replace)).report.deaths
      guard context.canAsk else {
        throw Failure(
          .notInteractive,
          "\(CountText.of(counted, "item")) would be deleted for good: give --deletes \(counted)."
        )
      }
      try context.confirm("\(CountText.of(counted, "item")) will be deleted for good.")
      deaths = counted
    }
    let device = try context.device()
    let status = try context.call(Methods.status, DeviceVerbs.call(device)).device
    let passcode: Secret?
    if status.hasPasscode {
      passcode = try PasscodeInput(context).current(device)
    } else {
      passcode = nil
    }
    return try reading.bring(backup, for: .restore(.replace), passcode: passcode, deaths: deaths)
      .report
  }

  private static func done(
    _ reply: BackupMessages.FinishReply,
    _ path: String,
    _ header: BackupHeader
  ) -> Report {
    let warning = BackupReport.newer(header).map { " " + $0 } ?? ""
    return Report(BackupReport.sentence(reply, "restored") + warning) {
      $0.member("file", path)
      $0.member("dryRun", false)
      BackupReport.write(reply, to: &$0)
    }
  }

  private static func preview(
    _ result: BackupReading.Result,
    _ path: String,
    _ header: BackupHeader
  ) -> Report {
    let sentence = BackupReport.sentence(result.report, "would be restored")
    let lines = result.items.map { item in
      let name = item.name.isEmpty ? item.identifier ?? "?" : item.name
      return "\(item.fate ?? "restored")\t\(TerminalText.sanitized(name, limit: 1000))"
    }
    let warning = BackupReport.newer(header).map { [$0] } ?? []
    return Report(sentence, answer: lines + [sentence] + warning) {
      $0.member("file", path)
      $0.member("dryRun", true)
      BackupReport.write(result.report, to: &$0)
      $0.member("items", result.items) { item, writer in
        writer.member("name", item.name)
        writer.member("identifier", item.identifier)
        writer.member("fate", item.fate)
      }
    }
  }
}
