import LocalAuthService
import LocalAuthSync
import LocalAuthWire

/// The methods of `io.localauth.Tables`.
enum TableMethods {
  static let handlers = [
    Handler(Methods.writeTables, write),
    Handler(Methods.readTable, read),
    Handler(Methods.tableChanges, changes),
    Handler(Methods.watchTables, watch),
  ]

  private static func write(
    _ parameters: TableMessages.WriteCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let (engine, responder) = (call.engine, call.responder)
    let request = try call.request(parameters.target)
    do throws(EngineError) {
      let changes = try parameters.changes.map { change throws(EngineError) in
        try TableChange(change)
      }
      engine.writeTables(changes, request, caller: call.caller) { result in
        responder.finish(result) { written in
          var reply = TableMessages.WriteReply()
          reply.token = written.token.text
          reply.changed = Int64(written.changes)
          return reply
        }
      }
    } catch { responder.fail(error) }
  }

  private static func read(
    _ parameters: TableMessages.ReadCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let request = try call.request(parameters.target)
    let (engine, caller) = (call.engine, call.caller)
    call.reply { () throws(EngineError) in
      let values = try engine.tableRow(parameters.table, parameters.row, request, caller: caller)
      var reply = TableMessages.ReadReply()
      reply.row = values.map { TableMessages.Row(parameters.table, parameters.row, $0) }
      return reply
    }
  }

  private static func changes(
    _ parameters: TableMessages.ChangesCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let token = try parameters.after.map { text throws(WireError) in
      guard let token = TableToken(text) else { throw .invalidParameter("after") }
      return token
    }
    let request = try call.request(parameters.target)
    let (engine, caller) = (call.engine, call.caller)
    call.reply { () throws(EngineError) in
      let page = try engine.tableRows(
        request,
        after: token,
        bytesMax: TableMessages.bytesMax / 2,
        caller: caller
      )
      return TableMessages.ChangesReply(page)
    }
  }

  private static func watch(
    _ parameters: TableMessages.WatchCall,
    _ call: borrowing Call
  ) throws(WireError) {
    let request = try call.request(parameters.target)
    let (engine, caller) = (call.engine, call.caller)
    call.watch(parameters.target.device) { () throws(EngineError) in
      TableMessages.WatchReply(try engine.tableToken(request, caller: caller))
    } reply: {
      TableMessages.WatchReply($0)
    } begin: { (onReport) throws(EngineError) in
      let watch = try engine.watchTables(request, caller: caller, onReport: onReport)
      return { watch.end() }
    }
  }
}

extension TableChange {
  /// The change that a call asks for.
  fileprivate init(_ change: TableMessages.Change) throws(EngineError) {
    let columns = TableColumns(
      names: change.columns ?? [],
      list: change.values?.bytes,
      nulls: change.nulls ?? []
    )
    let values: [ExactText: CellValue]
    do throws(TableColumns.Refusal) { values = try columns.values() } catch {
      switch error {
      case .list: throw .invalidArgument("The values are no property list of one for each column.")
      case .value(let name):
        throw .invalidArgument("The column '\(name)' keeps a text, an integer, a real or data.")
      case .twice(let name): throw .invalidArgument("The column '\(name)' is named twice.")
      }
    }
    let deletes = change.delete ?? false
    guard values.isEmpty || !deletes else {
      throw .invalidArgument("A row is written or deleted, not both.")
    }
    self.init(change.table, change.row, deletes ? nil : values)
  }
}

extension TableMessages.Row {
  /// A row as calls carry it; nil for a deleted one.
  fileprivate init(_ table: String, _ row: String, _ values: [ExactText: CellValue]?) {
    self.init()
    self.table = table
    self.row = row
    deleted = values == nil
    let carried = TableColumns(values ?? [:])
    (columns, nulls) = (carried.names, carried.nulls)
    self.values = carried.list.map { WireBytes($0) }
  }
}

extension TableMessages.ChangesReply {
  /// The most bytes that the names of a row and of its columns have in a reply, where JSON escapes quotation marks by two bytes.
  private static func nameBytes(_ row: TableMessages.Row) -> Int {
    let columns =
      row.columns.reduce(0) { $0 + $1.utf8.count } + row.nulls.reduce(0) { $0 + $1.utf8.count }
    return 2 * (row.table.utf8.count + row.row.utf8.count + columns)
  }

  /// The rows of a page that one reply has room for.
  init(_ page: TablePage) {
    self.init()
    token = page.token.text
    (more, anew, damaged) = (!page.isLast, page.isAnew, Int64(page.damaged))
    var left = TableMessages.bytesMax
    var known = page.token
    for listed in page.rows {
      let row = TableMessages.Row(listed.key.table.text, listed.key.row.text, listed.values)
      left -= (row.values?.bytes.count ?? 0) + Self.nameBytes(row)
      guard left > 0 || rows.isEmpty else {
        // The next call begins with it.
        more = true
        token = known.text
        return
      }
      rows.append(row)
      known = listed.token
    }
  }
}

extension TableMessages.WatchReply {
  fileprivate init(_ token: TableToken) {
    self.init()
    self.token = token.text
  }
}
