extension Methods {
  private static let backups = BackupMessages.interface

  // MARK: io.localauth.Backups

  /// Begins a backup of a device's keychain.
  public static let createBackup: Method<BackupMessages.CreateCall, BackupMessages.HeaderReply> =
    .init(backups, "Create", by: .owner, .once, judging: [.passcode])

  /// Returns the next piece of the backup.
  public static let readBackup: Method<Empty, BackupMessages.ReadReply> =
    .init(backups, "Read", by: .owner, .once, judging: [])

  /// Opens a backup, to verify or to restore it.
  public static let openBackup: Method<BackupMessages.OpenCall, BackupMessages.HeaderReply> =
    .init(backups, "Open", by: .owner, .once, judging: [])

  /// Takes the next chunk of the backup.
  public static let writeBackup: Method<BackupMessages.WriteCall, BackupMessages.WriteReply> =
    .init(backups, "Write", by: .owner, .once, judging: [])

  /// Names the next items of the keychain that replacing them would delete for good.
  public static let readDeletions: Method<Empty, BackupMessages.DeletionsReply> =
    .init(backups, "Deletions", by: .owner, .once, judging: [])

  /// Verifies the end of the backup, and restores it.
  public static let finishBackup: Method<BackupMessages.FinishCall, BackupMessages.FinishReply> =
    .init(backups, "Finish", by: .owner, .once, judging: [.passcode])

  static let ofBackups: [any AnyMethod] = [
    createBackup, readBackup, openBackup, writeBackup, readDeletions,
    finishBackup,
  ]
}
