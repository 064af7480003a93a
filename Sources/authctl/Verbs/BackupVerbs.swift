import Glibc
import LocalAuthBackup
import LocalAuthClient
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthUnix
import LocalAuthWire

/// `authctl backup create|list|verify|restore`.
enum BackupVerbs {
  static let file = Argument<String>("FILE", source: .files, help: "the backup")
  static let deviceOnly = Flag(
    "device-only",
    help: "let this device alone open it, without a password"
  )
  static let generate = Flag("generate", help: "make a password and print it")
  static let partial = Flag("partial", help: "leave out what is locked")
  static let withFileKeys = Flag(
    "with-file-keys",
    help: "add what opens the device's protected files, on another one too"
  )
  static let only = Option<[String]>(
    "only",
    "GROUP|CLASS",
    help: "only what is of this access group or class, as whenUnlocked; may be given again"
  )
  static let quick = Flag("quick", help: "check the header and the end only")

  static let command = Command(
    "backup",
    abstract: "Back up items, documents, values and rows of a device, and restore them.",
    discussion: """
      A backup is one encrypted file. Items that only one device opens come back on that device alone;
      items that ask for a finger or a passcode, those of tokens, and those that end with the passcode
      are never in one. Fingers, counters and grants are neither.
      """,
    subcommands: [create, list, verify, RestoreVerb.command]
  )

  static let create = Command(
    "create",
    abstract: "Write items, documents, values and rows of a device to a new backup.",
    discussion: """
      With --only it has what is of one of the groups and one of the classes that are named, as afterFirstUnlock, which
      documents, values and rows are. What is locked or does not open has no group that one can know, and is counted as
      left out.

      The password has 12 characters or more, and is asked for twice unless it is given or made. The file
      appears once it is complete and a password that was made is printed, for you alone to read. A locked device is
      refused without --partial.

      Protected files stay where they are, and open on another device once a backup with --with-file-keys was restored
      there. That takes the device's passcode: whoever has such a backup and its password can open all of them, at any
      time.

        authctl --device demo backup create demo.backup --generate
        authctl --device demo backup create demo.backup --device-only
      """,
    arguments: [file.declaration],
    options: [
      deviceOnly.declaration, generate.declaration, partial.declaration, withFileKeys.declaration,
      only.declaration,
    ] + BackupPassword.options + PasscodeInput.options,
    exclusions: [["device-only", "generate", "password-stdin", "password-fd"]]
      + PasscodeInput.exclusions,
    isAboutDevice: true
  ) { (context) throws(Failure) in try create(context) }

  static let list = Command(
    "list",
    abstract: "Say what a backup says of itself.",
    discussion: """
      Nothing is decrypted or verified, and no daemon is asked.

        authctl backup list demo.backup
      """,
    arguments: [file.declaration]
  ) { (context) throws(Failure) in
    let path = context.arguments[file]
    let header = try BackupFile(path).header
    return Report("\(path) is a backup.", answer: BackupReport.lines(header, path)) {
      BackupReport.write(header, path, to: &$0)
    }
  }

  static let verify = Command(
    "verify",
    abstract: "Check that a backup is whole and opens here.",
    discussion: """
      Every part is decrypted and checked; nothing is changed. With --quick only the header and the end are,
      which shows a wrong password and a file that was cut.

        authctl --device demo backup verify demo.backup
      """,
    arguments: [file.declaration],
    options: [quick.declaration] + BackupPassword.options,
    exclusions: BackupPassword.exclusions
  ) { (context) throws(Failure) in try verify(context) }

  /// What ``only`` names.
  static func part(_ arguments: ParsedArguments) -> BackupPart {
    var part = BackupPart()
    for word in arguments[only] {
      if ProtectionClass(name: word) == nil {
        part.groups = (part.groups ?? []) + [word]
      } else {
        part.classes = (part.classes ?? []) + [word]
      }
    }
    return part
  }

  // MARK: Creating

  private static func create(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = context.arguments
    let path = arguments[file]
    let isMade = arguments[generate]
    guard !isMade || !context.output.wantsJSON else {
      throw Failure(.usage, "'--generate' prints the bare password: leave it out with --json.")
    }
    if isMade { try Output.requirePrivate(orElse: "make it for you alone with umask 077") }
    try checkPasscodeOptions(arguments)
    let device = try context.device()
    let draft = try FileDraft(path, mode: 0o600, orElse: nothing)
    var connection = try context.connect()
    var made: HeldSecret?
    if arguments[deviceOnly] {
      try begin(device, nil, on: &connection, context)
    } else {
      let password = HeldSecret(try BackupPassword.new(context, isMade: isMade))
      try password.secret.lend { (secret) throws(Failure) in
        try begin(device, secret, on: &connection, context)
      }
      made = isMade ? password : nil
    }
    let header = try write(to: draft.descriptor, path, from: &connection, context)
    // A word that names nothing would put an empty backup in the place of one that is there.
    guard header.counts.total + header.counts.totalLeftOut > 0 || arguments[only].isEmpty else {
      let words = arguments[only].joined(separator: ", ")
      let classes = BackupHeader.classes.map(\.name).joined(separator: ", ")
      throw Failure(
        .itemNotFound,
        "Nothing is of --only \(words); the classes are \(classes). \(nothing)"
      )
    }
    try keep(draft, made)
    var remark = isMade ? " The password that was printed is kept nowhere else." : ""
    if !arguments[deviceOnly], !arguments[withFileKeys] {
      remark += " It opens no protected files on another device: that takes --with-file-keys."
    }
    return report(header, path, remark)
  }

  private static let nothing = "Nothing was written."

  /// Puts the backup in its place once somebody has the password that was made: it may replace one that opens.
  private static func keep(_ draft: FileDraft, _ made: HeldSecret?) throws(Failure) {
    guard let made else { return try draft.keep() }
    try draft.flush()
    guard Output.deliver(KeychainReport.shown(made).secret) else {
      throw Failure(.internalError, "\(Failure.unwritableOutput.message) \(nothing)")
    }
    try draft.keep(orElse: "\(nothing) The password that was printed is of no backup.")
  }

  private static func checkPasscodeOptions(_ arguments: ParsedArguments) throws(Failure) {
    let isGiven =
      arguments[PasscodeInput.passcodeStdin] || arguments[PasscodeInput.descriptor] != nil
    guard !isGiven || arguments[withFileKeys] else {
      throw Failure(.usage, "The passcode goes with --with-file-keys alone.")
    }
    try BackupPassword.checkIsAlone(arguments)
  }

  private static func begin(
    _ device: DeviceChoice,
    _ password: WireSecret?,
    on connection: inout DaemonConnection,
    _ context: VerbContext
  ) throws(Failure) {
    let isPartial = context.arguments[partial]
    let part = part(context.arguments)
    guard context.arguments[withFileKeys] else {
      _ = try context.calling { () throws(ClientError) in
        try connection.createBackup(of: device, part, password: password, isPartial: isPartial)
      }
      return
    }
    _ = try PasscodeInput(context).prove(device, on: &connection) {
      (connection, passcode) throws(ClientError) in
      try connection.createBackup(
        of: device,
        part,
        password: password,
        isPartial: isPartial,
        hasFileKeys: true,
        passcode: passcode
      )
    }
  }

  /// Writes what the daemon hands out, and returns the header, which comes last and is written first.
  private static func write(
    to descriptor: Int32,
    _ path: String,
    from connection: inout DaemonConnection,
    _ context: VerbContext
  ) throws(Failure) -> BackupHeader {
    var offset = BackupFormat.headerSize
    while true {
      let piece = try context.calling { () throws(ClientError) in try connection.readBackup() }
      try write(piece.bytes, to: descriptor, at: offset, path)
      offset += piece.bytes.count
      guard let bytes = piece.header else { continue }
      try write(bytes, to: descriptor, at: 0, path)
      do throws(BackupError) { return try BackupHeader(unverified: bytes) } catch {
        throw Failure(error, path)
      }
    }
  }

  private static func write(
    _ bytes: [UInt8],
    to descriptor: Int32,
    at offset: Int,
    _ path: String
  ) throws(Failure) {
    var done = 0
    while done < bytes.count {
      // SAFETY: the rest of the array is read.
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe pwrite(
          descriptor,
          bytes.baseAddress.map { unsafe $0 + done },
          bytes.count - done,
          offset + done
        )
      }
      guard count > 0 || errno == EINTR else {
        throw Failure(writing: path, SystemError("pwrite", code: errno), nothing)
      }
      done += max(count, 0)
    }
  }

  private static func report(_ header: BackupHeader, _ path: String, _ remark: String) -> Report {
    let count = CountText.of(header.counts.total, "item")
    let left = header.counts.totalLeftOut
    let rest = left == 0 ? "" : "; \(CountText.of(left, "item")) left out, see 'backup list'"
    return Report("\(path) has \(count)\(rest).\(remark)") {
      BackupReport.write(header, path, to: &$0)
    }
  }

  // MARK: Verifying

  private static func verify(_ context: VerbContext) throws(Failure) -> Report {
    let path = context.arguments[file]
    let isQuick = context.arguments[quick]
    let backup = try BackupFile(path)
    let password = try BackupPassword.current(context, backup.header, path)
    let reading = try BackupReading(context, password)
    let reply = try reading.bring(backup, for: .verify(isQuick: isQuick)).report
    guard reply.damaged == 0 else { throw Failure(BackupError.damaged, path) }
    let header = backup.header
    let text: String
    if isQuick {
      text = "\(path) opens here, and its end is there; the rest was not read."
    } else {
      text = "\(path) is whole: \(BackupReport.sentence(reply, "would open here"))"
    }
    let warning = BackupReport.newer(header).map { " " + $0 } ?? ""
    return Report(text + warning) {
      BackupReport.write(header, path, to: &$0)
      $0.member("wasRead", !isQuick)
      if !isQuick { BackupReport.write(reply, to: &$0) }
    }
  }
}
