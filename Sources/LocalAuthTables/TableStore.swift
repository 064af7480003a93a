public import LocalAuth
import LocalAuthClient
import LocalAuthWire

/// Rows that programs of one access group share, and what was changed of them since a program looked last.
///
/// A row has a name, and columns with values in SQLite's five kinds; it has at most 64 KiB and 1,000 columns. If the device is
/// in a circle, its other devices have the same rows. Of what two of them write at once, columns of both stand; of one
/// column the later write does, and the other is kept in `authctl sync conflicts`. Programs of the group read rows whenever the
/// device was unlocked once, so they are no place for secrets.
///
/// Safe to use from any thread. Each call waits for the service, over a connection of its own; none waits for the network.
public final class TableStore: Sendable {
  private let place: Result<(source: any ConnectionSource, address: GroupAddress), AuthError>
  private let follower: ChangeFollower<TableMessages.WatchCall, TableMessages.WatchReply, TableNews>

  /// The tables of `group`, which is one of the program's access groups; nil for the first.
  ///
  /// Nothing is asked of the service yet.
  public init(_ group: String? = nil, on device: Device = .default) {
    do throws(AuthError) {
      let (choice, source) = try device.resolved()
      let writer = Int64.random(in: 0 ... .max)
      place = .success((source, GroupAddress(choice, group, writer: writer)))
    } catch { place = .failure(error) }
    let watched = (try? place.get()).map { place in
      ChangeFollower.Watched(
        place.source,
        Methods.watchTables,
        place.address.call(),
        anything: TableNews.changed
      ) { _ in .changed }
    }
    follower = ChangeFollower(watched, name: "localauth-rows")
  }

  deinit { follower.end() }

  // MARK: Rows

  /// One row; nil if there is none.
  ///
  /// - Throws: ``TableFailure``.
  public func row(_ name: String, in table: String) throws(TableFailure) -> StoredRow? {
    let row = try call { (connection, address) throws(ClientError) in
      try connection.readTable(table, name, address)
    }
    return try row.map { row throws(TableFailure) in try Self.understood(row) }
  }

  /// All rows of a table, in the order of the bytes of their names.
  ///
  /// It reads the rows of all tables of the group. A program that follows a table rather asks with ``changes(since:)``.
  ///
  /// - Throws: ``TableFailure``.
  public func rows(in table: String) throws(TableFailure) -> [StoredRow] {
    // Names of other bytes are other tables and rows, also where Unicode calls them equal.
    var rows: [[UInt8]: StoredRow] = [:]
    var token: String?
    while true {
      let changes = try changes(since: token)
      // The device was erased between two pages.
      if changes.isAnew { rows = [:] }
      for row in changes.rows where row.table.utf8.elementsEqual(table.utf8) {
        rows[Array(row.name.utf8)] = row.columns == nil ? nil : row
      }
      guard changes.hasMore else { break }
      token = changes.token
    }
    return rows.values.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
  }

  /// Writes and deletes rows: all of them in one commit, or none.
  ///
  /// Columns that a row does not name stay as they are. What is there already and the deletion of a row that is gone are no
  /// changes.
  ///
  /// - Parameter rows: At most 1,000, and together about 96 KiB unless it is one.
  /// - Returns: how many rows are others than before.
  /// - Throws: ``TableFailure``.
  @discardableResult
  public func write(_ rows: [StoredRow]) throws(TableFailure) -> Int {
    let changes = rows.map { TableMessages.Change($0) }
    let reply = try call { (connection, address) throws(ClientError) in
      try connection.writeTables(changes, address)
    }
    return Int(clamping: reply.changed)
  }

  /// The rows that changed since a program asked last, some at a time.
  ///
  /// ```swift
  /// var token: String? = saved
  /// var changes: RowChanges
  /// repeat {
  ///   changes = try store.changes(since: token)
  ///   show(changes.rows)
  ///   token = changes.token
  /// } while changes.hasMore
  /// ```
  ///
  /// Rows of all tables are listed, also what this program wrote, and rows that were deleted, which have no
  /// ``StoredRow/columns``.
  ///
  /// - Parameter token: ``RowChanges/token`` of the last time; nil for all rows. It may be kept for as long as one likes.
  /// - Returns: the rows.
  /// - Throws: ``TableFailure``.
  public func changes(since token: String? = nil) throws(TableFailure) -> RowChanges {
    let reply = try call { (connection, address) throws(ClientError) in
      try connection.tableChanges(after: token, address)
    }
    var rows: [StoredRow] = []
    for row in reply.rows { rows.append(try Self.understood(row)) }
    return RowChanges(
      rows: rows,
      token: reply.token,
      hasMore: reply.more,
      isAnew: reply.anew,
      damaged: Int(clamping: reply.damaged)
    )
  }

  // MARK: News

  /// That others changed rows, beginning with ``TableNews/changed``.
  ///
  /// It ends with the store. A service that cannot be reached, and a device that was not unlocked yet, is tried again each
  /// second, and ``failure`` says why.
  public var news: AsyncStream<TableNews> { follower.changes() }

  /// Calls `body` with all news from now on, on a thread of the store's own, beginning with ``TableNews/changed``.
  ///
  /// It is called until the store is let go, which `body` therefore must not hold.
  public func onNews(_ body: @escaping @Sendable (TableNews) -> Void) { follower.onChange(body) }

  /// Why news are not heard, such as ``TableFailure/locked(_:)`` before the first unlock; nil while they are, and before
  /// somebody listens.
  public var failure: TableFailure? {
    if case .failure(let error) = place { return .service(error) }
    return follower.failure.map { TableFailure($0) }
  }

  // MARK: Calls

  private static func understood(_ row: TableMessages.Row) throws(TableFailure) -> StoredRow {
    guard let read = StoredRow(row) else {
      throw TableFailure(.protocolError("columns that are none"))
    }
    return read
  }

  private func call<Value>(
    _ body: (inout DaemonConnection, GroupAddress) throws(ClientError) -> Value
  ) throws(TableFailure) -> Value {
    let source: any ConnectionSource
    let address: GroupAddress
    do throws(AuthError) { (source, address) = try place.get() } catch { throw .service(error) }
    do throws(ClientError) {
      var connection = try source.connect()
      return try body(&connection, address)
    } catch { throw TableFailure(error) }
  }
}
