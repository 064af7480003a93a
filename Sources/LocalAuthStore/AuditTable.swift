import LocalAuthCore

/// Writes audit lines; lines are numbered for each owner by themselves, without gaps.
struct AuditTable: ~Copyable {
  /// How many lines go at once, so that no commit waits long.
  private static let batch: Int64 = 1000
  /// How often an owner's lines are counted.
  private static let pruneEvery: Int64 = 256

  private let linesKept: Int64
  private let update: Statement
  private let insert: Statement
  private let bounds: Statement
  private let prune: Statement
  private let dateOf: Statement
  /// The number of the next line of the owners that were written for.
  private var nextLines: [UInt32: Int64] = [:]
  /// Owners whose oldest lines may have to go.
  private var overdue: Set<UInt32> = []
  /// Whether one of them has been for ``pruneEvery`` lines.
  private(set) var isLongOverdue = false

  /// Prepares the statements on `database`.
  init(_ database: borrowing Database, linesKept: Int64) throws(StorageError) {
    let update = try database.prepare(
      """
      UPDATE audit SET action = ?2, device = ?3, caller_uid = ?4, caller_pid = ?5, policy = ?6,
        reason = ?7, simulated = ?8, began = ?9, ended = ?10, outcome = ?11, method = ?12,
        finger = ?13, attempts = ?14, detail = ?15
      WHERE id = ?1
      """
    )
    let insert = try database.prepare(
      """
      INSERT INTO audit (id, action, device, caller_uid, caller_pid, policy, reason, simulated,
        began, ended, outcome, method, finger, attempts, detail, owner, line)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17)
      """
    )
    let bounds = try database.prepare(
      """
      SELECT (SELECT min(line) FROM audit WHERE owner = ?1),
        (SELECT max(line) FROM audit WHERE owner = ?1)
      """
    )
    let prune = try database.prepare("DELETE FROM audit WHERE owner = ?1 AND line < ?2")
    let dateOf = try database.prepare("SELECT began FROM audit WHERE owner = ?1 AND line = ?2")
    // All of these or none: a value with a half of its statements could not be destroyed.
    self.linesKept = linesKept
    self.update = update
    self.insert = insert
    self.bounds = bounds
    self.prune = prune
    self.dateOf = dateOf
  }

  /// Adds the line, or replaces that of the same id.
  mutating func put(_ record: AuditRecord) throws(StorageError) {
    let values = AuditCoding.values(of: record)
    guard try update.run(values) == 0 else { return }
    let owner = record.device.owner
    let line = if let known = nextLines[owner] { known } else { try lines(of: owner).last + 1 }
    try insert.run(values + [.integer(Int64(owner)), .integer(line)])
    nextLines[owner] = line + 1
    if line % Self.pruneEvery == 0, !overdue.insert(owner).inserted { isLongOverdue = true }
  }

  /// Forgets what is known of numbers, because a transaction was undone.
  mutating func transactionWasUndone() { nextLines.removeAll() }

  /// Whether ``pruneBatch()`` has something to do.
  var isOverdue: Bool { !overdue.isEmpty }

  /// Deletes some of the oldest lines of one owner; to be called in a transaction.
  ///
  /// The place of the last of them is taken by a line that says how many are gone.
  mutating func pruneBatch() throws(StorageError) {
    isLongOverdue = false
    guard let owner = overdue.first else { return }
    let (first, last) = try lines(of: owner)
    let lastCut = min(last - linesKept, first + Self.batch)
    // A line that says what is gone is no line to be cut.
    guard first < lastCut else {
      overdue.remove(owner)
      return
    }
    let note = try note(of: owner, upTo: lastCut)
    try prune.run([.integer(Int64(owner)), .integer(lastCut + 1)])
    try insert.run(AuditCoding.values(of: note) + [.integer(Int64(owner)), .integer(lastCut)])
  }

  /// The line that stands for the first `lastCut` lines of `owner`: their numbers have no gaps.
  private func note(of owner: UInt32, upTo lastCut: Int64) throws(StorageError) -> AuditRecord {
    var began: Int64 = 0
    try dateOf.eachRow([.integer(Int64(owner)), .integer(lastCut)]) { row in began = row.integer(0)
    }
    var note = AuditRecord(
      id: EvaluationID(high: 0, low: UInt64(owner)),
      action: "audit cut",
      device: DeviceIdentity(owner: owner, name: DeviceIdentity.defaultName),
      callerUID: owner,
      callerPID: 0,
      isSimulated: false,
      began: WallInstant(milliseconds: began)
    )
    note.ended = note.began
    note.outcome = .success
    note.detail = "the \(lastCut) oldest lines were removed; \(linesKept) are kept"
    return note
  }

  /// The numbers of the first and the last line of `owner`; 1 and 0 when there is none.
  private func lines(of owner: UInt32) throws(StorageError) -> (first: Int64, last: Int64) {
    var lines: (first: Int64, last: Int64) = (1, 0)
    try bounds.eachRow([.integer(Int64(owner))]) { row in
      if !row.isNull(0) { lines = (row.integer(0), row.integer(1)) }
    }
    return lines
  }
}
