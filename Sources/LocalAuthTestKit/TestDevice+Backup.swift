import LocalAuth
import LocalAuthBackup
import LocalAuthClient
public import LocalAuthEmbedded
import LocalAuthSecret
import LocalAuthWire
import Synchronization

/// What an app finds on another device, to which the person brings a backup.
extension TestDevice {
  /// The engine serves one backup of a user at a time, and tests run in parallel.
  private static let turn = Mutex<Void>(())

  /// Makes a backup of the device's keychain, as `authctl backup create` does.
  ///
  /// - Parameter password: the password that opens it, of 12 characters or more.
  /// - Returns: the backup.
  /// - Throws: `DeviceError`, also while the device is locked.
  public func backUp(password: String) throws(DeviceError) -> TestBackup {
    try Self.turn.withLock { _ throws(DeviceError) in try makeBackup(password) }
  }

  private func makeBackup(_ password: String) throws(DeviceError) -> TestBackup {
    var connection = try connected()
    var header = try DeviceLink.lending(Secret(testing: password)) {
      (secret: WireSecret) throws(DeviceError) in
      try translating { () throws(ClientError) in
        try connection.createBackup(of: try choice(), password: secret, isPartial: false)
      }
    }
    var content: [UInt8] = []
    while true {
      let piece = try translating { () throws(ClientError) in try connection.readBackup() }
      content += piece.bytes
      guard let complete = piece.header else { continue }
      header = complete
      break
    }
    return try TestBackup(header + content)
  }

  /// Adds what is in a backup to the device's keychain and deletes nothing, as `authctl backup restore --merge`
  /// does.
  ///
  /// - Parameters:
  ///   - backup: the backup, of this or another device.
  ///   - password: its password.
  /// - Returns: what became of its items.
  /// - Throws: `DeviceError`; nothing was changed then.
  @discardableResult
  public func restore(
    _ backup: TestBackup,
    password: String
  ) throws(DeviceError) -> TestRestore {
    try Self.turn.withLock { _ throws(DeviceError) in try bring(backup, password) }
  }

  private func bring(
    _ backup: TestBackup,
    _ password: String
  ) throws(DeviceError) -> TestRestore {
    var connection = try connected()
    try DeviceLink.lending(Secret(testing: password)) { (secret: WireSecret) throws(DeviceError) in
      try translating { () throws(ClientError) in
        try connection.openBackup(
          backup.header,
          on: try choice(),
          password: secret,
          for: "merge",
          isDryRun: false
        )
      }
    }
    for chunk in backup.chunks {
      _ = try translating { () throws(ClientError) in try connection.writeBackup(chunk) }
    }
    var ending = BackupMessages.FinishCall()
    ending.trailer = WireBytes(backup.trailer)
    let reply = try translating { () throws(ClientError) in try connection.finishBackup(ending) }
    return TestRestore(reply)
  }

  private func connected() throws(DeviceError) -> DaemonConnection {
    try translating { () throws(ClientError) in try link.source.connect() }
  }

  private func choice() throws(ClientError) -> DeviceChoice {
    do throws(DeviceChoiceError) { return try DeviceChoice(named: name) } catch {
      throw .protocolError("a device without a name")
    }
  }

  private func translating<Value: ~Copyable>(
    _ body: () throws(ClientError) -> Value
  ) throws(DeviceError) -> Value {
    do throws(ClientError) { return try body() } catch { throw DeviceError(error) }
  }
}

/// A backup of a test device.
public struct TestBackup: Sendable {
  /// The file, as `authctl` reads it.
  public let bytes: [UInt8]
  /// The number of items in it.
  public let items: Int
  /// The number of items that are not in it, by the reason: `accessControl`, `passcodeSet` and others, with the
  /// words of `authctl backup list`.
  public let leftOut: [String: Int]

  init(_ bytes: [UInt8]) throws(DeviceError) {
    let header: BackupHeader
    do throws(BackupError) {
      header = try BackupHeader(unverified: Array(bytes.prefix(BackupFormat.headerSize)))
    } catch { throw .invalid("not a backup: \(error)") }
    self.bytes = bytes
    items = Int(clamping: header.counts.total)
    leftOut = Dictionary(
      uniqueKeysWithValues: header.counts.leftOut.map { ($0.word, Int(clamping: $1)) }
    )
  }

  var header: [UInt8] { Array(bytes.prefix(BackupFormat.headerSize)) }

  var trailer: [UInt8] { Array(bytes.suffix(BackupFormat.trailerSize)) }

  var chunks: [[UInt8]] {
    let content = bytes.dropFirst(BackupFormat.headerSize).dropLast(BackupFormat.trailerSize)
    return stride(from: content.startIndex, to: content.endIndex, by: BackupFormat.chunkSize).map {
      Array(content[$0..<min($0 + BackupFormat.chunkSize, content.endIndex)])
    }
  }
}

/// What became of the items of a backup.
public struct TestRestore: Hashable, Sendable {
  /// The number of items that are in the keychain now.
  public let restored: Int
  /// The number of items that were not newer than those of the keychain.
  public let older: Int
  /// The number of items that only another device opens.
  public let otherDevice: Int

  init(_ reply: BackupMessages.FinishReply) {
    restored = Int(clamping: reply.restored)
    older = Int(clamping: reply.older)
    otherDevice = Int(clamping: reply.otherDevice)
  }
}
