public import LocalAuthWire

/// The tables of an access group of a service.
public struct TableAddress: Sendable {
  /// Their device.
  public var device: DeviceChoice
  /// The access group, which is one of the program's; nil for the first.
  public var group: String?
  /// A number that this program writes and watches with, so that it is not told of its own changes.
  public var writer: Int64

  /// The tables of `group` on `device`, for a program that writes with this number.
  public init(_ device: DeviceChoice, _ group: String?, writer: Int64) {
    self.device = device
    self.group = group
    self.writer = writer
  }

  /// The parameters of a watch.
  public var watch: TableMessages.WatchCall { writerCall() }

  /// A call about them of this writer.
  fileprivate func writerCall<Call: TableWriterCall>() -> Call {
    var call: Call = call()
    call.writer = writer
    return call
  }

  /// A call about them.
  fileprivate func call<Call: TableCall>() -> Call {
    var call = Call()
    call.device = device.name
    call.allowSimulated = device.allowsSimulated
    call.group = group
    return call
  }
}

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
    _ address: TableAddress
  ) throws(ClientError) -> TableMessages.WriteReply {
    var call: TableMessages.WriteCall = address.writerCall()
    call.changes = changes
    return try self.call(Methods.writeTables, call)
  }

  /// Reads one row; nil if there is none.
  ///
  /// - Throws: ``ClientError``.
  public mutating func readTable(
    _ table: String,
    _ row: String,
    _ address: TableAddress
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
    _ address: TableAddress
  ) throws(ClientError) -> TableMessages.ChangesReply {
    var call: TableMessages.ChangesCall = address.call()
    call.after = token
    return try self.call(Methods.tableChanges, call)
  }
}
