import LocalAuthCore

/// The encoding of an audit line in its row.
enum AuditCoding {
  /// The values of a line, in the order of the columns that ``record(_:owner:)`` reads after the
  /// line's number.
  static func values(of record: AuditRecord) -> [StatementValue] {
    [
      .blob(bytes(of: record.id)), .text(record.action), .text(record.device.name),
      .integer(Int64(record.callerUID)), .integer(Int64(record.callerPID)), .text(record.policy),
      .text(record.reason), .integer(record.isSimulated ? 1 : 0),
      .integer(record.began.milliseconds), StatementValue(record.ended?.milliseconds),
      StatementValue(record.outcome?.rawValue), .text(record.method),
      StatementValue(record.finger?.rawValue), .integer(Int64(record.attempts)),
      .text(record.detail), .text(record.program), .text(record.programPath),
      .text(record.terminal),
      .text(record.shownAction),
    ]
  }

  /// The line of `owner` in a row of ``AuditReader``; nil if it is damaged.
  static func record(_ row: borrowing Row, owner: UInt32) -> AuditRecord? {
    guard let id = identifier(row.blob(1)), let callerUID = UInt32(exactly: row.integer(4)),
      let callerPID = Int32(exactly: row.integer(5)),
      let attempts = UInt32(exactly: row.integer(14))
    else { return nil }
    let outcome = row.isNull(11) ? nil : OutcomeCode(rawValue: row.text(11))
    let finger = row.isNull(13) ? nil : Finger(rawValue: row.text(13))
    guard row.isNull(11) == (outcome == nil), row.isNull(13) == (finger == nil) else { return nil }
    var record = AuditRecord(
      id: id,
      action: row.text(2),
      device: DeviceIdentity(owner: owner, name: row.text(3)),
      callerUID: callerUID,
      callerPID: callerPID,
      policy: row.text(6),
      reason: row.text(7),
      isSimulated: row.integer(8) != 0,
      began: WallInstant(milliseconds: row.integer(9))
    )
    record.ended = row.isNull(10) ? nil : WallInstant(milliseconds: row.integer(10))
    record.outcome = outcome
    record.method = row.text(12)
    record.finger = finger
    record.attempts = attempts
    record.detail = row.text(15)
    record.program = row.text(16)
    record.programPath = row.text(17)
    record.terminal = row.text(18)
    record.shownAction = row.text(19)
    return record
  }

  /// The identifier as its column holds it.
  static func bytes(of id: EvaluationID) -> [UInt8] {
    var writer = ByteWriter()
    writer.put(id.high)
    writer.put(id.low)
    return writer.bytes
  }

  private static func identifier(_ bytes: [UInt8]) -> EvaluationID? {
    var reader = ByteReader(bytes)
    guard let high = reader.number(UInt64.self), let low = reader.number(UInt64.self),
      reader.isAtEnd
    else { return nil }
    return EvaluationID(high: high, low: low)
  }
}

/// Reads pages of audit lines.
struct AuditReader: ~Copyable {
  /// The largest number of lines in a page.
  static let longestPage = 10_000

  /// Where a page began.
  private struct Start {
    let owner: UInt32
    let id: EvaluationID
    let line: Int64
  }

  /// How many programs may read on at once without a search for where they are.
  private static let mostStarts = 16

  private let page: Statement
  private let find: Statement
  /// Where the latest pages began: who reads on asks for what is before that, and nothing else finds an identifier fast.
  private var starts: [Start] = []

  /// Prepares the statements on `database`.
  init(_ database: borrowing Database) throws(StorageError) {
    let page = try database.prepare(
      """
      SELECT line, id, action, device, caller_uid, caller_pid, policy, reason, simulated, began,
        ended, outcome, method, finger, attempts, detail, program, program_path, terminal, shown_action
      FROM audit WHERE owner = ?1 AND (?2 IS NULL OR device = ?2)
        AND (?4 IS NULL OR line < ?4)
      ORDER BY line DESC LIMIT ?3
      """
    )
    // From the end, which is where people begin to read.
    let find = try database.prepare(
      "SELECT line FROM audit WHERE owner = ?1 AND id = ?2 ORDER BY line DESC LIMIT 1"
    )
    // Both or none: a partly initialized value could not be destroyed.
    self.page = page
    self.find = find
  }

  /// Returns the newest `limit` lines, oldest first; only those stored before the line `before` if
  /// it is not nil, which are none where that line is gone.
  mutating func read(
    owner: UInt32,
    device: String?,
    before: EvaluationID? = nil,
    limit: Int
  ) throws(StorageError) -> [AuditRecord] {
    let end = try before.map { (id) throws(StorageError) in try line(of: id, owner: owner) ?? 0 }
    var lines: [AuditRecord] = []
    var first: Int64 = 0
    let values: [StatementValue] = [
      .integer(Int64(owner)), StatementValue(device),
      .integer(Int64(min(max(limit, 0), Self.longestPage))),
      StatementValue(end),
    ]
    try page.eachRow(values) { (row) throws(StorageError) in
      guard let record = AuditCoding.record(row, owner: owner) else {
        throw .corrupt("audit line \(row.integer(0)) of user \(owner) is damaged")
      }
      lines.append(record)
      first = row.integer(0)
    }
    if let oldest = lines.last {
      starts.insert(Start(owner: owner, id: oldest.id, line: first), at: 0)
      starts = Array(starts.prefix(Self.mostStarts))
    }
    return lines.reversed()
  }

  /// The number of a line; nil if it is gone.
  private func line(of id: EvaluationID, owner: UInt32) throws(StorageError) -> Int64? {
    if let start = starts.first(where: { $0.owner == owner && $0.id == id }) { return start.line }
    var line: Int64?
    try find.eachRow([.integer(Int64(owner)), .blob(AuditCoding.bytes(of: id))]) { row in
      line = row.integer(0)
    }
    return line
  }
}
