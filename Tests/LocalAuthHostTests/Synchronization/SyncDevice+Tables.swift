import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthSync

@testable import LocalAuthHost

/// The tables of a device, as its programs use them.
extension SyncDevice {
  /// The tables of the first group.
  var tables: GroupRequest { request(nil) }

  private func request(_ group: String?) -> GroupRequest {
    var request = GroupRequest(of: "sim", group, groups: AccessGroups(["local", "more"]))
    request.allowsSimulated = true
    return request
  }

  @discardableResult
  func change(_ changes: [TableChange], in group: String? = nil) throws -> TableWritten {
    try value {
      engine.writeTables(changes, request(group), caller: caller, then: $0)
    }
  }

  /// Writes columns of one row of the table "notes".
  @discardableResult
  func write(
    row: String,
    _ values: [ExactText: CellValue],
    in group: String? = nil
  ) throws -> TableWritten { try change([TableChange("notes", row, values)], in: group) }

  @discardableResult
  func delete(row: String) throws -> TableWritten { try change([TableChange("notes", row, nil)]) }

  func row(
    _ row: String,
    in group: String? = nil
  ) throws -> [ExactText: CellValue]? {
    try engine.tableRow("notes", row, request(group), caller: caller)
  }

  func page(after token: TableToken? = nil, in group: String? = nil) throws -> TablePage {
    try engine.tableRows(request(group), after: token, caller: caller)
  }

  /// All rows of "notes" that are not deleted.
  func rows(in group: String? = nil) throws -> [String: [ExactText: CellValue]] {
    var rows: [String: [ExactText: CellValue]] = [:]
    var token: TableToken?
    while true {
      let page = try page(after: token, in: group)
      for row in page.rows where row.key.table == "notes" {
        rows[row.key.row.text] = row.values
      }
      guard !page.isLast else { return rows }
      token = page.token
    }
  }

  /// How often programs that watch the tables are told from now on.
  func watchTables() throws -> HeardTables {
    let heard = HeardTables()
    heard.watch = try engine.watchTables(request(nil), caller: caller) { token in
      heard.tokens.append(token)
    }
    return heard
  }

  /// What a program heard of tables; the first is how they were.
  final class HeardTables {
    var tokens: [TableToken?] = []
    fileprivate var watch: GroupWatch<TableToken>?
  }
}
