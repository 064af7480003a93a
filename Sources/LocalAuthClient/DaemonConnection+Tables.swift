public import LocalAuthWire

/// Rows, written and read over a connection.
extension DaemonConnection {
  /// Makes changes of rows in one commit.
  ///
  /// - Parameters:
  ///   - changes: At most 1,000, in their order; their property lists have at most ``TableMessages/bytesMax`` together, unless
  ///     it is one.
  ///   - address: The tables.
  /// - Returns: how far the rows have come, and how many are others than before.
  /// - Throws: ``ClientError``; nothing was written then.
  public mutating func writeTables(
    _ changes: [TableMessages.Change],
    _ address: GroupAddress
  ) throws(ClientError) -> TableMessages.WriteReply {
    var call: TableMessages.WriteCall = address.call()
    call.changes = changes
    return try self.call(Methods.writeTables, call)
  }

  /// Reads one row; nil if there is none.
  ///
  /// - Throws: ``ClientError``.
  public mutating func readTable(
    _ table: String,
    _ row: String,
    _ address: GroupAddress
  ) throws(ClientError) -> TableMessages.Row? {
    var call: TableMessages.ReadCall = address.call()
    (call.table, call.row) = (table, row)
    return try self.call(Methods.readTable, call).row
  }

  /// A page of the rows that changed behind a token, or of all.
  ///
  /// - Throws: ``ClientError``.
  public mutating func tableChanges(
    after token: String?,
    _ address: GroupAddress
  ) throws(ClientError) -> TableMessages.ChangesReply {
    var call: TableMessages.ChangesCall = address.call()
    call.after = token
    return try self.call(Methods.tableChanges, call)
  }
}
