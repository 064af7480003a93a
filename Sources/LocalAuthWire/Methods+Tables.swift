extension Methods {
  // MARK: io.localauth.Tables

  /// Writes and deletes rows.
  public static let writeTables: Method<TableMessages.WriteCall, TableMessages.WriteReply> =
    .init(TableMessages.interface, "Write", by: .owner, .once, judging: [])

  /// Reads one row.
  public static let readTable: Method<TableMessages.ReadCall, TableMessages.ReadReply> =
    .init(TableMessages.interface, "Read", by: .owner, .once, judging: [])

  /// Lists the rows that changed since somebody looked last.
  public static let tableChanges: Method<TableMessages.ChangesCall, TableMessages.ChangesReply> =
    .init(TableMessages.interface, "Changes", by: .owner, .once, judging: [])

  /// Tells when others change rows.
  public static let watchTables: Method<TableMessages.WatchCall, TableMessages.WatchReply> =
    .init(TableMessages.interface, "Watch", by: .owner, .stream, judging: [])

  static let ofTables: [any AnyMethod] = [writeTables, readTable, tableChanges, watchTables]
}
