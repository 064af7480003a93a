public import LocalAuthBackup
import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthSecret

/// A request to make a backup.
public struct BackupRequest {
  /// The device; the user's own machine if nil.
  public var device: String?
  /// Whether a simulated device counts.
  public var allowsSimulated = false
  /// What opens the backup; nil for one that this device alone opens.
  public var password: SecretBox?
  /// Whether items whose class is locked are left out instead of the backup being refused.
  public var isPartial = false
  /// Whether what opens protected files goes with it, which takes the passcode.
  public var hasFileKeys = false
  /// The device's passcode, for that.
  public var passcode: SecretBox?
  /// The caller's access groups.
  public var groups: AccessGroups
  /// What is wanted in it.
  public var scope = BackupScope()

  /// A backup of `device` for one device alone, by a caller with these groups.
  public init(of device: String?, groups: AccessGroups) {
    self.device = device
    self.groups = groups
  }
}

/// A piece of a backup that is being made.
public struct BackupPiece: Sendable {
  /// What follows in the file; it may be empty.
  public var bytes: [UInt8]
  /// The header, with the last piece.
  public var header: BackupHeader?
}

/// What a backup is read for.
public enum RestorePurpose: Hashable, Sendable {
  /// To verify it; the keychain is not looked at.
  case verify
  /// To tell what a restore would do.
  case preview(RestoreMode)
  /// To restore it.
  case restore(RestoreMode)

  /// What would be done with what the keychain has.
  public var mode: RestoreMode {
    switch self {
    case .verify: .merge
    case .preview(let mode), .restore(let mode): mode
    }
  }
}

/// A request to read a backup.
public struct RestoreRequest {
  /// The device; the user's own machine if nil.
  public var device: String?
  /// Whether a simulated device counts.
  public var allowsSimulated = false
  /// The backup's header.
  public var header: [UInt8]
  /// The password, for a backup that has one.
  public var password: SecretBox?
  /// What it is read for.
  public var purpose: RestorePurpose
  /// The caller's access groups.
  public var groups: AccessGroups
  /// What is wanted of it; a verification reads all.
  public var scope = BackupScope()

  /// A request to read the backup with `header` on `device`.
  public init(
    _ header: [UInt8],
    on device: String?,
    for purpose: RestorePurpose,
    groups: AccessGroups
  ) {
    self.header = header
    self.device = device
    self.purpose = purpose
    self.groups = groups
  }
}

/// What would become of one record.
public struct RestoredItem: Sendable {
  /// The item's label or account; empty if it did not open.
  public var name: String
  /// Its identifier; nil for a record that a newer version wrote.
  public var identifier: ItemIdentifier?
  /// What would become of it; nil only until that is known.
  public var fate: RestoreFate?
}

/// What a restore did, or would do.
public struct RestoreReport: Hashable, Sendable {
  /// How many records had each fate.
  public var fates: [RestoreFate: Int] = [:]
  /// How many items of the keychain are deleted and do not come back.
  public var deaths = 0

  /// Nothing yet.
  public init() {}

  mutating func add(_ fate: RestoreFate) { fates[fate, default: 0] += 1 }
}

extension BackupScope {
  /// Refuses groups that are not the caller's.
  func require(_ groups: AccessGroups) throws(EngineError) {
    for group in self.groups?.names ?? [] where !groups.allows(group, writing: false) {
      let classes = BackupHeader.classes.map(\.name).joined(separator: ", ")
      throw .notPermitted(
        "'\(group)' is no access group of the caller's, and no class: the classes are \(classes)."
      )
    }
  }
}

/// A backup that a connection makes or reads.
protocol BackupExchange: AnyObject {
  var device: LiveDevice { get }
  var caller: Caller { get }
}

extension Engine {
  static let noBackup = EngineError.refused(
    Outcome(.systemCancel, detail: "No backup is under way on this connection.")
  )

  /// Drops what is under way on a device that is locked, restarted, erased or removed.
  func endBackups(on device: LiveDevice) {
    for (connection, run) in backupRuns where run.device === device {
      backupRuns[connection] = nil
      endedBackups[connection] =
        device.machine.isRemoved
        ? .gone(device) : .refused(Outcome(.itemLocked, detail: Self.lockedMeanwhile))
    }
  }

  /// Why a connection has no backup under way.
  func noBackup(on connection: UInt64) -> EngineError {
    endedBackups.removeValue(forKey: connection) ?? Self.noBackup
  }

  /// Takes the turn of the caller's user to derive the key of a backup, which one connection has at a time.
  func beginExchange(_ caller: Caller, on connection: UInt64) throws(EngineError) {
    let isTaken = backupRuns.values.contains { $0.caller.uid == caller.uid }
    guard !isTaken, backupsBeginning[caller.uid] == nil else {
      throw .refused(Outcome(.busy, detail: "Another backup of this user is under way."))
    }
    backupsBeginning[caller.uid] = .some(connection)
    endedBackups[connection] = nil
  }

  /// Gives the turn back; whether the connection still waits.
  func endBeginning(_ caller: Caller, on connection: UInt64) -> Bool {
    backupsBeginning.removeValue(forKey: caller.uid) == .some(connection)
  }

  /// Goes on with the backup that a connection makes or reads; it is over if that fails.
  func proceed<Run: BackupExchange, Value>(
    _: Run.Type,
    on connection: UInt64,
    _ body: (Run) throws(EngineError) -> Value
  ) throws(EngineError) -> Value {
    guard let run = backupRuns[connection] as? Run else { throw noBackup(on: connection) }
    do throws(EngineError) { return try body(run) } catch {
      backupRuns[connection] = nil
      throw error
    }
  }

  /// Drops what a connection that closed was making or reading, and what it waits for.
  ///
  /// Its user keeps the turn until the key is derived, so that nobody can have many derived by connecting
  /// anew.
  func backupConnectionEnded(_ connection: UInt64) {
    backupRuns[connection] = nil
    endedBackups[connection] = nil
    for (user, waiting) in backupsBeginning where waiting == connection {
      backupsBeginning[user] = .some(nil)
    }
  }

  /// Refuses a device that keeps some class of a backup locked, as far as it is wanted.
  func requireUnlocked(
    _ device: LiveDevice,
    _ detail: String,
    for scope: BackupScope = BackupScope()
  ) throws(EngineError) {
    let now = device.now(clock.now()).boot
    let classes = BackupHeader.classes.filter { scope.covers($0) }
    guard classes.allSatisfy({ device.canUse($0, at: now) }) else {
      throw .refused(Outcome(.itemLocked, detail: detail))
    }
  }
}

extension EngineError {
  /// Why a backup cannot be made or read.
  init(_ error: BackupError) {
    let (code, detail): (OutcomeCode, String) =
      switch error {
      case .notABackup: (.keychainError, "It is no backup.")
      case .newer(let version):
        (.keychainError, "Version \(version) of the format is needed: a newer LocalAuth reads it.")
      case .tooExpensive:
        (.keychainError, "Its key would take more memory or time than is allowed here.")
      case .tooCheap: (.keychainError, "Its password could be guessed too cheaply.")
      case .passwordNeeded: (.authenticationFailed, "It needs its password.")
      case .wrongPassword:
        (.authenticationFailed, "The password is wrong, or the header was changed.")
      case .otherDevice:
        (.keychainError, "Only the device that it was made on opens it, or its header was changed.")
      case .damaged: (.keychainError, "It was changed or cut: it is not what was written.")
      case .outOfMemory: (.internalError, "There is not enough memory for its key.")
      }
    self = .refused(Outcome(code, detail: detail))
  }
}
