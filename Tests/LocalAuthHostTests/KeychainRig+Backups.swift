import LocalAuthBackup
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthStore
import Testing

@testable import LocalAuthService

/// A rig whose engine makes and reads backups.
protocol BackupCalls: AnyObject {
  var engine: Engine { get }
  var caller: Caller { get }
  func turn(until isDone: () -> Bool) throws
  /// The caller's access groups.
  var groups: AccessGroups { get }
}

extension KeychainRig: BackupCalls {}
extension SyncDevice: BackupCalls {
  var groups: AccessGroups { AccessGroups(["local", "more"]) }
}
extension StateRig: BackupCalls {
  var groups: AccessGroups { AccessGroups(["local", "more"]) }
}

/// What a backup was read for, and what came of it.
struct BroughtBackup {
  var report = RestoreReport()
  var items: [RestoredItem] = []

  /// The items of the keychain that a replacement deletes.
  var deletions: [RestoredItem] { items.filter { $0.fate == .deleted } }
}

/// The password of a test's backups.
let backupPassword = "correct horse battery"

/// Whole backups, as a caller makes and brings them.
extension BackupCalls {
  /// Makes a backup; nil for the password makes one for this device alone.
  ///
  /// With `openingFiles` it has what opens protected files, by that passcode or without one. `between` is called before each piece is read, with how many were.
  func backup(
    password: String? = backupPassword,
    of scope: BackupScope = BackupScope(),
    isPartial: Bool = false,
    openingFiles passcode: String?? = nil,
    connection: UInt64 = 77,
    between: (Int) throws -> Void = { _ in }
  ) throws -> [UInt8] {
    var request = BackupRequest(of: "sim", groups: groups)
    request.allowsSimulated = true
    request.password = password.map { .of($0) }
    request.isPartial = isPartial
    request.scope = scope
    request.hasFileKeys = passcode != nil
    request.passcode = passcode.flatMap(\.self).map { .of($0) }
    var ended: Result<BackupHeader, EngineError>?
    engine.beginBackup(request, on: connection, caller: caller) { ended = $0 }
    try turn { ended != nil }
    var header = try ended?.get()
    var body: [UInt8] = []
    for number in 0... {
      try between(number)
      let piece = try engine.readBackup(on: connection)
      body += piece.bytes
      guard piece.header == nil else {
        header = piece.header
        break
      }
    }
    return (header?.bytes ?? []) + body
  }

  /// Brings a backup and ends it.
  func bring(
    _ backup: [UInt8],
    for purpose: RestorePurpose,
    of scope: BackupScope = BackupScope(),
    password: String? = backupPassword,
    passcode: String? = nil,
    deaths: Int? = nil,
    connection: UInt64 = 78,
    beforeEnd: () throws -> Void = {}
  ) throws -> BroughtBackup {
    let header = Array(backup.prefix(BackupFormat.headerSize))
    var request = RestoreRequest(header, on: "sim", for: purpose, groups: groups)
    request.allowsSimulated = true
    request.password = password.map { .of($0) }
    request.scope = scope
    var begun: Result<BackupHeader, EngineError>?
    engine.beginRestore(request, on: connection, caller: caller) { begun = $0 }
    try turn { begun != nil }
    _ = try begun?.get()
    var restored = BroughtBackup()
    let end = max(BackupFormat.headerSize, backup.count - BackupFormat.trailerSize)
    for start in stride(from: BackupFormat.headerSize, to: end, by: BackupFormat.chunkSize) {
      let chunk = Array(backup[start..<min(start + BackupFormat.chunkSize, end)])
      restored.items += try engine.writeRestore(chunk, on: connection)
    }
    while purpose == .preview(.replace) {
      let page = try engine.readDeletions(on: connection)
      restored.items += page.items
      guard !page.isLast else { break }
    }
    try beforeEnd()
    var ending = RestoreEnding(trailer: Array(backup[min(end, backup.count)...]))
    ending.passcode = passcode.map { .of($0) }
    ending.deaths = deaths
    var ended: Result<RestoreReport, EngineError>?
    engine.endRestore(ending, on: connection) { ended = $0 }
    try turn { ended != nil }
    restored.report = try ended?.get() ?? RestoreReport()
    return restored
  }

  func merge(_ backup: [UInt8], password: String? = backupPassword) throws -> RestoreReport {
    try bring(backup, for: .restore(.merge), password: password).report
  }
}

extension KeychainRig {
  /// A backup with these items of the service's own, as somebody makes it up who knows the password.
  func crafted(
    _ items: [(service: String, account: String, data: [UInt8])],
    under protection: ProtectionClass = .afterFirstUnlock
  ) throws -> [UInt8] {
    let device = try #require(engine.devices.values.first)
    var made: Result<any BackupSealing, BackupError>?
    engine.runner.beginBackup(of: device, password: .of(backupPassword)) { made = $0 }
    turn { made != nil }
    let writer = try #require(made).get()
    var counts = BackupCounts()
    for (number, item) in items.enumerated() {
      let made = writer.add(
        Item(
          identifier: ItemIdentifier(high: 7, low: UInt64(number)),
          itemClass: .genericPassword,
          group: AccessGroups.internalGroup,
          accessControl: AccessControl(protection),
          created: WallInstant(milliseconds: 1),
          modified: WallInstant(milliseconds: 1),
          attributes: [.service: .text(item.service), .account: .text(item.account)],
          hasData: true
        ),
        data: Secret(copying: item.data),
        under: protection
      )
      #expect(made)
      counts.add(.included(under: protection), protection)
    }
    var body: [UInt8] = []
    while let chunk = writer.takeChunk() { body += chunk }
    let (rest, header) = writer.finish(counts)
    return header.bytes + body + rest.joined()
  }

  /// The outcome that a call throws; nil if it throws none.
  func refusal(_ body: () throws -> Void) -> OutcomeCode? {
    do {
      try body()
      return nil
    } catch {
      guard case .refused(let outcome)? = error as? EngineError else { return .internalError }
      return outcome.code
    }
  }

  /// Every row of the keychain, so that a test can tell whether anything was changed.
  func rows() throws -> [SealedItem] {
    var rows: [SealedItem] = []
    for itemClass in ItemClass.stored {
      let lookup = ItemLookup(
        device: DeviceIdentity(owner: 1000, name: "sim"),
        itemClass: itemClass
      )
      _ = try store.eachItem(lookup, after: nil, limit: 10_000) { stored in
        rows.append(stored.copied())
        return true
      }
    }
    return rows
  }

  func delete(_ account: String, more: QueryDictionary = [:]) -> KeychainError? {
    var query: QueryDictionary = ["class": .text("genp"), "acct": .text(account)]
    for entry in more.entries { query[entry.key] = entry.value }
    return call(.delete(query)).error
  }

  /// The identifier of a password.
  func identifier(of account: String) -> ItemIdentifier? {
    call(.copy(Self.query(account, ["r_Attributes": .boolean(true)]), after: nil)).items.first?.item
      .identifier
  }
}
