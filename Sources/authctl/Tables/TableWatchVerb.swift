import LocalAuthClient
import LocalAuthWire

/// `authctl table watch`: a line for each row that is changed.
enum TableWatchVerb {
  static let command = Command(
    "watch",
    abstract: "Tell which rows change, as it happens.",
    discussion: """
      Each line has a row that this device or another one of its circle wrote or removed, as it is now. Ends with Ctrl-C.
      With --json the first lines are the rows that there are, and behind them is one whose "change" is "current".

        authctl --device demo table watch
      """,
    options: [TableVerbs.group.declaration]
  ) { (context) throws(Failure) in try watch(context) }

  private static func watch(_ context: VerbContext) throws(Failure) -> Never {
    let address = try TableVerbs.address(context)
    var token: String?
    try context.follow(Methods.watchTables, address.call()) { _ throws(Failure) in
      // Who has asked already is told of what came since; the first time only programs want to know all.
      let isFirst = token == nil
      var connection = try context.connect()
      var hasMore = true
      while hasMore {
        let page = try context.calling(on: address.device) { () throws(ClientError) in
          try connection.tableChanges(after: token, address)
        }
        if page.anew { try tellAll(context) }
        for row in page.rows where !isFirst || context.output.wantsJSON && !row.deleted {
          try tell(row, context)
        }
        (token, hasMore) = (page.token, page.more)
      }
      guard isFirst else { return }
      if context.output.wantsJSON {
        try context.tell("that is all there was") { $0.member("change", "current") }
      } else if !context.output.isQuiet {
        context.output.say("Watching the tables; Ctrl-C ends.")
      }
    }
  }

  /// What was known is gone, because the device was erased.
  private static func tellAll(_ context: VerbContext) throws(Failure) {
    try context.tell("any row may be another one: 'table list' shows what there is") {
      $0.member("change", "all")
    }
  }

  private static func tell(
    _ row: TableMessages.Row,
    _ context: VerbContext
  ) throws(Failure) {
    let read = try TableRowText(row)
    let sentence =
      row.deleted
      ? "removed: \(row.row) of \(row.table)" : "changed: \(row.row) of \(row.table): \(read.line)"
    try context.tell(sentence) {
      $0.member("change", row.deleted ? "removed" : "changed")
      read.write(to: &$0)
    }
  }
}
