import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthPropertyList
import LocalAuthTerminal
import LocalAuthWire

/// `authctl table get|set|remove|list|watch`.
enum TableVerbs {
  static let table = Argument<String>("TABLE", source: .tables, help: "the table")
  static let row = Argument<String>(
    "ROW",
    help: "what the row is called in its table, such as a UUID"
  )
  static let rows = Argument<SeveralWords>("ROW", help: "the rows")
  static let column = Argument<String?>("COLUMN", help: "print the value of this column alone")
  static let only = Argument<String?>("TABLE", source: .tables, help: "rows of this table only")
  static let assignments = Argument<SeveralWords>(
    "COLUMN[:TYPE]=VALUE",
    help: "what is written to a column: a string, int, real or data, or a null"
  )
  static let group = Option<String?>(
    "group",
    "GROUP",
    help: "the tables of another of your access groups than the first"
  )

  static let command = Command(
    "table",
    abstract: "Keep rows that programs and devices share, column by column.",
    discussion: """
      Tables belong to an access group and a device, or all devices of its circle (see 'authctl sync'). A row has at most
      64 KiB and 1,000 columns, lies encrypted on the disk, and is open from the first unlock of the device on, also while it
      is locked. Names are of one line: those of tables and columns have at most 128 bytes, those of rows 512.

      If two devices write one row at once, different columns both stand; of the same column the later write stands, and
      the row with the other is among the 'sync conflicts'.
      """,
    subcommands: [get, set, remove, list, TableWatchVerb.command]
  )

  static let get = Command(
    "get",
    abstract: "Print the columns of a row.",
    discussion: """
      Each line has a column, the type of its value, and the value: data as base64, a text on one line. With a column its
      value is printed alone, as it is, and nothing for a null.

        authctl --device demo table get notes milk
        authctl --device demo table get notes milk title
      """,
    arguments: [table.declaration, row.declaration, column.declaration],
    options: [group.declaration]
  ) { (context) throws(Failure) in
    let (table, row) = (context.arguments[table], context.arguments[row])
    let found = try calling(context) { (connection, address) throws(ClientError) in
      try connection.readTable(table, row, address)
    }
    guard let found else {
      throw Failure(
        .itemNotFound,
        "There is no row '\(row)' of '\(table)': 'table list' shows all rows."
      )
    }
    let read = try TableRowText(found)
    guard let column = context.arguments[column] else {
      let lines = Columns.table(read.cells, limit: .max)
      return Report("\(row) of \(table).", answer: lines) { read.write(to: &$0) }
    }
    guard let found = read.column(column) else {
      throw Failure(.itemNotFound, "The row '\(row)' of '\(table)' has no column '\(column)'.")
    }
    guard let value = found.value else {
      return Report("\(column) of \(row) is null.") { read.write(to: &$0) }
    }
    return Report("\(column) of \(row).", answer: [value.text]) { read.write(to: &$0) }
  }

  static let set = Command(
    "set",
    abstract: "Write columns of a row, which is made if there is none.",
    discussion: """
      Columns that are not named stay as they are. A value is a text unless its column has a type.

        authctl --device demo table set notes milk title=Milk count:int=2
        authctl --device demo table set notes milk count:null=
      """,
    arguments: [table.declaration, row.declaration, assignments.declaration],
    options: [group.declaration]
  ) { (context) throws(Failure) in
    let (table, row) = (context.arguments[table], context.arguments[row])
    let change = try TableAssignment.change(table, row, context.arguments[assignments].words)
    let written = try calling(context) { (connection, address) throws(ClientError) in
      try connection.writeTables([change], address)
    }
    let sentence =
      written.changed > 0
      ? "\(row) of \(table) was written." : "\(row) of \(table) was so already."
    return Report(sentence) {
      $0.member("table", table)
      $0.member("rows", [row])
      $0.member("changed", written.changed)
    }
  }

  static let remove = Command(
    "remove",
    abstract: "Remove rows.",
    discussion: """
      A row that is gone is no error.

        authctl --device demo table remove notes milk
      """,
    arguments: [table.declaration, rows.declaration],
    options: [group.declaration]
  ) { (context) throws(Failure) in
    let (table, rows) = (context.arguments[table], context.arguments[rows].words)
    let changes = rows.map { row in
      var change = TableMessages.Change()
      (change.table, change.row, change.delete) = (table, row, true)
      return change
    }
    let written = try calling(context) { (connection, address) throws(ClientError) in
      try connection.writeTables(changes, address)
    }
    return Report("\(CountText.of(Int(written.changed), "row")) of \(table) removed.") {
      $0.member("table", table)
      $0.member("rows", rows)
      $0.member("changed", written.changed)
    }
  }

  static let list = Command(
    "list",
    abstract: "List rows, the one that was changed here or came last at the end.",
    discussion: """
        authctl --device demo table list
        authctl --device demo table list notes
      """,
    arguments: [only.declaration],
    options: [group.declaration]
  ) { (context) throws(Failure) in
    let (rows, damaged) = try all(context)
    let lines = Columns.table(rows.map { [$0.table, $0.row, $0.line] })
    var sentence = CountText.of(rows.count, "row") + "."
    if damaged > 0 {
      sentence +=
        " \(damaged) more \(damaged == 1 ? "was" : "were") changed or damaged on the disk."
    }
    return Report(sentence, answer: lines) {
      $0.member("items", rows) { row, writer in row.write(to: &writer) }
      $0.member("damaged", Int64(damaged))
    }
  }

  // MARK: Rows

  /// All rows that are not deleted, of one table if one is named, and how many cannot be read.
  private static func all(
    _ context: VerbContext
  ) throws(Failure) -> (rows: [TableRowText], damaged: Int) {
    let table = context.arguments[only]
    let address = try address(context)
    var connection = try context.connect()
    var (rows, damaged): ([TableRowText], Int64) = ([], 0)
    var token: String?
    while true {
      let page = try context.calling(on: address.device) { () throws(ClientError) in
        try connection.tableChanges(after: token, address)
      }
      for row in page.rows where !row.deleted && (table == nil || row.table == table) {
        rows.append(try TableRowText(row))
      }
      damaged += page.damaged
      token = page.token
      if !page.more { return (rows, Int(clamping: damaged)) }
    }
  }

  static func address(_ context: VerbContext) throws(Failure) -> GroupAddress {
    GroupAddress(
      try context.device(),
      context.arguments[group],
      writer: Int64.random(in: 0 ... .max)
    )
  }

  private static func calling<Value>(
    _ context: VerbContext,
    _ body: (inout DaemonConnection, GroupAddress) throws(ClientError) -> Value
  ) throws(Failure) -> Value {
    let address = try address(context)
    var connection = try context.connect()
    return try context.calling(on: address.device) { () throws(ClientError) in
      try body(&connection, address)
    }
  }
}
