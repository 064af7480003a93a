import LocalAuthCore

/// Writes audit lines, which are numbered per owner without gaps.
struct AuditTable: ~Copyable {
  /// How many lines are removed at once, so that no commit waits long.
  private static let batch: Int64 = 1000
  /// After how many new lines of an owner pruning becomes due.
  private static let pruneEvery: Int64 = 256

  private let linesKept: Int64
  private let update: Statement
  private let insert: Statement
  private let bounds: Statement
  private let prune: Statement
  private let dateOf: Statement
  /// The next line number of each owner written for so far.
  private var nextLines: [UInt32: Int64] = [:]
  /// Lines that may be replaced, because no index has identifiers.
  private var written = WrittenLines()
  /// Owners whose oldest lines may need pruning.
  private var overdue: Set<UInt32> = []
  /// Whether an owner has been overdue for ``pruneEvery`` lines.
  private(set) var isLongOverdue = false

  /// Prepares the statements on `database`.
  init(_ database: borrowing Database, linesKept: Int64) throws(StorageError) {
    let update = try database.prepare(
      """
      UPDATE audit SET action = ?2, device = ?3, caller_uid = ?4, caller_pid = ?5, policy = ?6,
        reason = ?7, simulated = ?8, began = ?9, ended = ?10, outcome = ?11, method = ?12,
        finger = ?13, attempts = ?14, detail = ?15, program = ?16, program_path = ?17, terminal = ?18,
        shown_action = ?19
      WHERE id = ?1 AND owner = ?20 AND line = ?21
      """
    )
    let insert = try database.prepare(
      """
      INSERT INTO audit (id, action, device, caller_uid, caller_pid, policy, reason, simulated,
        began, ended, outcome, method, finger, attempts, detail, program, program_path, terminal,
        shown_action, owner, line)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19,
        ?20, ?21)
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
    // All of these or none: a partly initialized value could not be destroyed.
    self.linesKept = linesKept
    self.update = update
    self.insert = insert
    self.bounds = bounds
    self.prune = prune
    self.dateOf = dateOf
  }

  /// Adds the line, or replaces the one of the same evaluation: see ``WrittenLines``.
  mutating func put(_ record: AuditRecord) throws(StorageError) {
    let values = AuditCoding.values(of: record)
    let owner = record.device.owner
    if let line = written[record.id] {
      let place: [StatementValue] = [.integer(Int64(owner)), .integer(line)]
      if try update.run(values + place) == 1 {
        return written.put(line, of: record.id, isEnded: record.outcome != nil)
      }
    }
    let line = if let known = nextLines[owner] { known } else { try lines(of: owner).last + 1 }
    try insert.run(values + [.integer(Int64(owner)), .integer(line)])
    nextLines[owner] = line + 1
    written.put(line, of: record.id, isEnded: record.outcome != nil)
    if line % Self.pruneEvery == 0, !overdue.insert(owner).inserted { isLongOverdue = true }
  }

  /// Remembers what stands now.
  mutating func transactionWasCommitted() { written.keep() }

  /// Drops what was not written after a transaction was rolled back.
  mutating func transactionWasUndone() {
    nextLines.removeAll()
    written.undo()
  }

  /// Whether ``pruneBatch()`` has work to do.
  var isOverdue: Bool { !overdue.isEmpty }

  /// Deletes some of the oldest lines of one owner; call it inside a transaction.
  ///
  /// A line that says how many are gone takes the place of the last one deleted.
  mutating func pruneBatch() throws(StorageError) {
    isLongOverdue = false
    guard let owner = overdue.first else { return }
    let (first, last) = try lines(of: owner)
    let lastCut = min(last - linesKept, first + Self.batch)
    // A note about lines already removed does not count as a line to remove.
    guard first < lastCut else {
      overdue.remove(owner)
      return
    }
    let note = try note(of: owner, upTo: lastCut)
    try prune.run([.integer(Int64(owner)), .integer(lastCut + 1)])
    try insert.run(AuditCoding.values(of: note) + [.integer(Int64(owner)), .integer(lastCut)])
  }

  /// The note that replaces the first `lastCut` lines of `owner`; numbers have no gaps, so it tells
  /// their count.
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

  /// The numbers of the first and the last line of `owner`; 1 and 0 if there are none.
  private func lines(of owner: UInt32) throws(StorageError) -> (first: Int64, last: Int64) {
    var lines: (first: Int64, last: Int64) = (1, 0)
    try bounds.eachRow([.integer(Int64(owner))]) { row in
      if !row.isNull(0) { lines = (row.integer(0), row.integer(1)) }
    }
    return lines
  }
}
