import LocalAuthUnix
public import LocalAuthWire

/// The part of a keychain that a backup is made of, or that is restored from one.
public struct BackupPart: Sendable {
  /// The access groups; nil for all.
  public var groups: [String]?
  /// The names of the classes, as ``ProtectionClass/name``; nil for all.
  public var classes: [String]?

  /// All of a keychain.
  public init() {}
}

/// Backups of a device's keychain, which the daemon seals and opens, piece by piece.
extension DaemonConnection {
  /// How long to wait for the key of a backup's password: as much memory as a reader accepts takes its time.
  public static let backupPatience = Duration.seconds(600)

  /// Begins a backup of `device`, and returns the header as it is so far.
  ///
  /// - Parameters:
  ///   - device: The device.
  ///   - part: What is wanted in it.
  ///   - password: What opens the backup; nil for a backup that this device alone opens. Its bytes must stay in place
  ///     during the call.
  ///   - isPartial: Whether items that are locked are left out.
  ///   - hasFileKeys: Whether what opens the device's protected files goes with it.
  ///   - passcode: The device's passcode, for that. Its bytes must stay in place during the call.
  /// - Returns: the header.
  /// - Throws: ``ClientError``.
  public mutating func createBackup(
    of device: DeviceChoice,
    _ part: BackupPart = BackupPart(),
    password: WireSecret?,
    isPartial: Bool,
    hasFileKeys: Bool = false,
    passcode: WireSecret? = nil
  ) throws(ClientError) -> [UInt8] {
    var call = BackupMessages.CreateCall()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    call.password = password
    call.partial = isPartial
    call.fileKeys = hasFileKeys ? true : nil
    call.passcode = passcode
    (call.groups, call.classes) = (part.groups, part.classes)
    return try self.call(Methods.createBackup, call, within: Self.backupPatience).header.bytes
  }

  /// Returns the next piece of the backup, and its header with the last one.
  ///
  /// - Throws: ``ClientError``.
  public mutating func readBackup() throws(ClientError) -> (bytes: [UInt8], header: [UInt8]?) {
    let reply = try call(Methods.readBackup, Methods.Empty())
    return (reply.bytes.bytes, reply.header?.bytes)
  }

  /// Opens a backup by its header.
  ///
  /// - Parameters:
  ///   - header: The header.
  ///   - device: The device.
  ///   - part: What is wanted of it.
  ///   - password: The password, if it has one. Its bytes must stay in place during the call.
  ///   - purpose: `verify`, `merge` or `replace`.
  ///   - isDryRun: Whether the keychain is only looked at.
  /// - Throws: ``ClientError``.
  public mutating func openBackup(
    _ header: [UInt8],
    on device: DeviceChoice,
    _ part: BackupPart = BackupPart(),
    password: WireSecret?,
    for purpose: String,
    isDryRun: Bool
  ) throws(ClientError) {
    var call = BackupMessages.OpenCall()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    call.header = WireBytes(header)
    call.password = password
    call.purpose = purpose
    call.dryRun = isDryRun
    (call.groups, call.classes) = (part.groups, part.classes)
    _ = try self.call(Methods.openBackup, call, within: Self.backupPatience)
  }

  /// Brings the next chunk, and returns what becomes of its items.
  ///
  /// - Throws: ``ClientError``.
  public mutating func writeBackup(_ chunk: [UInt8]) throws(ClientError) -> [BackupMessages.Item] {
    var call = BackupMessages.WriteCall()
    call.chunk = WireBytes(chunk)
    return try self.call(Methods.writeBackup, call).items
  }

  /// Names the next items of the keychain that replacing it would delete for good, once all chunks of a preview were brought.
  ///
  /// - Returns: some of them, and whether there are no more.
  /// - Throws: ``ClientError``.
  public mutating func readDeletions() throws(ClientError) -> (
    items: [BackupMessages.Item], isLast: Bool
  ) {
    let reply = try call(Methods.readDeletions, Methods.Empty())
    return (reply.items, reply.last)
  }

  /// Brings the end of the backup, and waits until it is restored, as long as the daemon is there.
  ///
  /// A caller that gave up during the commit of a million items would call a restore failed that succeeds.
  ///
  /// - Throws: ``ClientError``.
  public mutating func finishBackup(
    _ ending: BackupMessages.FinishCall
  ) throws(ClientError) -> BackupMessages.FinishReply {
    try call(Methods.finishBackup, ending, within: nil)
  }
}
