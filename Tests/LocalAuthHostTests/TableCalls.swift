import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync

/// A rig whose engine has tables.
protocol TableCalls: AnyObject {
  var engine: Engine { get }
  var caller: Caller { get }
  func turn(until isDone: () -> Bool)
}

extension KeychainRig: TableCalls {}
extension StateRig: TableCalls {}

/// What a program knows that asks now and then.
struct TableFollower {
  private(set) var rows: [String: [ExactText: CellValue]] = [:]
  private(set) var token: TableToken?
  /// How often it began anew.
  private(set) var beginnings = 0

  /// Asks what changed until there is no more.
  mutating func ask(_ next: (TableToken?) throws -> TablePage) throws {
    while true {
      let page = try next(token)
      if page.isAnew {
        rows = [:]
        beginnings += 1
      }
      for row in page.rows { rows[row.key.row.text] = row.values }
      token = page.token
      guard !page.isLast else { return }
    }
  }
}

extension TableCalls {
  func tableRequest(
    _ group: String? = nil,
    groups: [String] = ["local", "more"]
  ) -> GroupRequest {
    var request = GroupRequest(of: "sim", group, groups: AccessGroups(groups))
    request.allowsSimulated = true
    return request
  }

  /// Changes rows and waits until it is durable.
  @discardableResult
  func change(_ changes: [TableChange], _ request: GroupRequest? = nil) throws -> TableWritten {
    var ended: Result<TableWritten, EngineError>?
    engine.writeTables(changes, request ?? tableRequest(), caller: caller) { ended = $0 }
    turn { ended != nil }
    guard let ended else { throw EngineError.internalError("no end") }
    return try ended.get()
  }

  /// Writes one number into a row of the table "t".
  @discardableResult
  func put(row: String, _ number: Int64) throws -> TableWritten {
    try change([TableChange("t", row, ["n": .integer(number)])])
  }

  func tableRow(_ row: String) throws -> [ExactText: CellValue]? {
    try engine.tableRow("t", row, tableRequest(), caller: caller)
  }

  func tablePage(
    after token: TableToken? = nil,
    _ request: GroupRequest? = nil
  ) throws -> TablePage {
    try engine.tableRows(request ?? tableRequest(), after: token, caller: caller)
  }
}
