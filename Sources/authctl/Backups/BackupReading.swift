import LocalAuthBackup
import LocalAuthClient
import LocalAuthCore
import LocalAuthSecret
import LocalAuthWire

/// Brings the chunks of a backup to the daemon, which verifies and opens them.
struct BackupReading: ~Copyable {
  /// What is brought for, and how much of it.
  enum Purpose: Equatable {
    case verify(isQuick: Bool)
    case preview(RestoreMode)
    case restore(RestoreMode)

    var word: String {
      switch self {
      case .verify: "verify"
      case .preview(let mode), .restore(let mode): mode.rawValue
      }
    }
  }

  /// What the daemon says of a backup that was read to its end.
  struct Result {
    var items: [BackupMessages.Item] = []
    var report = BackupMessages.FinishReply()
  }

  private let context: VerbContext
  private let device: DeviceChoice
  private let password: Secret?
  /// What is wanted of it, by who restores.
  private let part: BackupPart

  init(
    _ context: VerbContext,
    _ password: consuming Secret?,
    _ part: BackupPart = BackupPart()
  ) throws(Failure) {
    self.context = context
    self.part = part
    self.password = password
    device = try context.device()
  }

  /// Brings all of `file`.
  ///
  /// - Parameters:
  ///   - file: The backup.
  ///   - purpose: What for.
  ///   - passcode: The device's passcode, for replacing.
  ///   - deaths: How many items die, for replacing.
  /// - Returns: what the daemon says.
  /// - Throws: `Failure`; nothing was changed then.
  func bring(
    _ file: borrowing BackupFile,
    for purpose: Purpose,
    passcode: borrowing Secret? = nil,
    deaths: Int64? = nil
  ) throws(Failure) -> Result {
    do throws(Failure) { return try read(file, for: purpose, passcode, deaths) } catch {
      var failure = error
      // The service does not know what the file is called.
      if failure.message.hasPrefix("It ") {
        failure.message = file.path + failure.message.dropFirst(2)
      }
      throw failure
    }
  }

  private func read(
    _ file: borrowing BackupFile,
    for purpose: Purpose,
    _ passcode: borrowing Secret?,
    _ deaths: Int64?
  ) throws(Failure) -> Result {
    var connection = try context.connect()
    try open(file.header, for: purpose, on: &connection)
    var result = Result()
    var ending = BackupMessages.FinishCall()
    if purpose == .verify(isQuick: true) {
      ending.skippedChunks = Int64(file.chunks)
    } else {
      for index in 0..<file.chunks {
        let chunk = try file.chunk(index)
        let items = try context.calling { () throws(ClientError) in
          try connection.writeBackup(chunk)
        }
        if case .preview = purpose { result.items += items }
      }
    }
    if purpose == .preview(.replace) {
      try readDeletions(&result, from: &connection)
    }
    ending.trailer = WireBytes(try file.trailer())
    ending.deaths = deaths
    result.report = try finish(&ending, passcode, on: &connection)
    return result
  }

  private func readDeletions(
    _ result: inout Result,
    from connection: inout DaemonConnection
  ) throws(Failure) {
    while true {
      let page = try context.calling { () throws(ClientError) in try connection.readDeletions() }
      result.items += page.items
      guard !page.isLast else { return }
    }
  }

  private func open(
    _ header: BackupHeader,
    for purpose: Purpose,
    on connection: inout DaemonConnection
  ) throws(Failure) {
    var isDryRun = false
    if case .preview = purpose { isDryRun = true }
    func open(
      _ secret: WireSecret?,
      _ connection: inout DaemonConnection
    ) throws(ClientError) {
      try connection.openBackup(
        header.bytes,
        on: device,
        part,
        password: secret,
        for: purpose.word,
        isDryRun: isDryRun
      )
    }
    try context.calling { () throws(ClientError) in
      switch password {
      case .none: try open(nil, &connection)
      case .some(let password):
        try password.lend { (secret) throws(ClientError) in try open(secret, &connection) }
      }
    }
  }

  private func finish(
    _ ending: inout BackupMessages.FinishCall,
    _ passcode: borrowing Secret?,
    on connection: inout DaemonConnection
  ) throws(Failure) -> BackupMessages.FinishReply {
    try context.calling { () throws(ClientError) in
      switch passcode {
      case .none: return try connection.finishBackup(ending)
      case .some(let passcode):
        return try passcode.lend { (secret) throws(ClientError) in
          ending.passcode = secret
          return try connection.finishBackup(ending)
        }
      }
    }
  }
}
