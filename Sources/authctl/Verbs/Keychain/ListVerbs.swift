import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthWire

/// `authctl keychain list|find`.
enum ListVerbs {
  static let limit = Option<LineCount?>("limit", "N", help: "how many items; all of them without")
  static let dates = Flag(
    "dates",
    help: "show when items were made and changed, instead of what guards them"
  )
  static let text = Argument<String>("TEXT", help: "a part of a name, in small or capital letters")

  static let list = Command(
    "list",
    abstract: "List the items that match, without their secrets.",
    discussion: """
      Items that ask for a proof are listed after it, and left out where nobody can be asked. The
      prompt says how many they are, and names the first of them; who cancels it gets the rest. Sorted
      by service and account. On a terminal, long names are cut to its width.

        authctl keychain list
        authctl keychain list mail --dates

      Dates are days in UTC; --json has the times.
      """,
    arguments: TypedName.operands,
    options: ItemOptions.describing
      + [ItemOptions.reference.declaration, limit.declaration, dates.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { (context) throws(Failure) in
    let query = try ItemArguments(context.arguments).query(isAll: true)
    return try list([query], context)
  }

  static let find = Command(
    "find",
    abstract: "List the items of which a name has a text in it.",
    discussion: """
      Looks at services, servers, paths, accounts, labels, comments and descriptions, not at
      secrets, in items of all classes or of --class. Small and capital letters are the same. Items
      that ask for a proof are treated as list does.

        authctl keychain find mail
      """,
    arguments: [text.declaration],
    options: [
      ItemOptions.itemClass.declaration, limit.declaration, dates.declaration,
    ] + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { (context) throws(Failure) in
    let classes = context.arguments[ItemOptions.itemClass].map { [$0.itemClass] }
    let queries: [QueryDictionary] = (classes ?? ItemClass.stored).map {
      [QueryKey.itemClass.rawValue: .text($0.rawValue)]
    }
    return try list(queries, context, only: NameSearch(context.arguments[text]))
  }

  // MARK: Running

  private static func list(
    _ queries: [QueryDictionary],
    _ context: VerbContext,
    only search: NameSearch? = nil
  ) throws(Failure) -> Report {
    // A search limits what it found, not what it looks at.
    let limit = search == nil ? context.arguments[limit]?.count : nil
    var queries = queries
    for index in queries.indices {
      queries[index][QueryKey.returnAttributes.rawValue] = .boolean(true)
      queries[index][QueryKey.matchLimit.rawValue] =
        limit.map { .number($0) } ?? .text("m_LimitAll")
    }
    let run = try KeychainInvocation(context)
    if run.canAsk {
      let listed = try ask(queries, in: run, search, isWhole: true)
      // Who declines to prove something still sees what needs no proof.
      guard listed.outcome == .userCancel else { return listed }
    }
    for index in queries.indices {
      queries[index][QueryKey.useAuthenticationUI.rawValue] = .text(InterfaceMode.skip.rawValue)
    }
    return try ask(queries, in: run, search, isWhole: false)
  }

  private static func ask(
    _ queries: [QueryDictionary],
    in run: KeychainInvocation,
    _ search: NameSearch?,
    isWhole: Bool
  ) throws(Failure) -> Report {
    try run.copyAll(queries) { (answers, device) in
      report(of: answers, device, run.context, search, isWhole: isWhole)
    }
  }

  private static func report(
    of answers: [RemoteAnswer],
    _ device: DeviceChoice,
    _ context: VerbContext,
    _ search: NameSearch?,
    isWhole: Bool
  ) -> Report {
    let items = sorted(answers, search, limit: context.arguments[limit])
    // An empty list is a success.
    var answer = answers[answers.count - 1]
    if answer.outcome == .success || answer.outcome == .itemNotFound {
      // What was proven for one class is worth telling also where the last has nothing.
      answer = answers.last { $0.evaluation != nil } ?? answer
    }
    if answer.outcome == .itemNotFound { answer = answer.foundNothing() }
    let count =
      CountText.of(items.count, "item") + "."
      + (isWhole ? "" : " Those that ask for a proof are left out.")
    let rows = ItemText.table(items, context.arguments[dates] ? ItemText.dated : ItemText.guarded)
    return KeychainReport(context: context, device: device, answer: answer)
      .report(count, answer: Columns.table(rows, columns: Columns.shownColumns)) {
        $0.member("items", items) { item, writer in ItemText.write(item, to: &writer) }
      }
  }

  private static func sorted(
    _ answers: [RemoteAnswer],
    _ search: NameSearch?,
    limit: LineCount?
  ) -> [RemoteItem] {
    let found = answers.flatMap(\.items).filter { found in
      search.map { search in found.item.map { search.matches($0) } ?? false } ?? true
    }
    let items = found.map { (order: ItemText.order($0), item: $0) }
      .sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.item)
    return limit.map { Array(items.prefix(Int($0.count))) } ?? items
  }
}
