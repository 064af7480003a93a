import LocalAuthClient
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthWire

/// `authctl keychain`: its verbs, and reading, changing and deleting items.
enum KeychainVerbs {
  static let all = Flag("all", help: "every item of the class, where no attribute is given")

  static let command = Command(
    "keychain",
    abstract: "Keep secrets that open only on proof.",
    discussion: """
      An item is named as in mail, mail me or mail/me, the service and the account, or described by
      options.

        authctl keychain add mail/me
        authctl keychain get mail
      """,
    subcommands: [
      AddVerb.command, GenerateVerb.command, get, update, delete, ListVerbs.list, ListVerbs.find,
      CodeVerb.command, EditVerb.command, ImportVerb.command, ExportVerb.command,
    ]
  )

  static let get = Command(
    "get",
    abstract: "Print the secret of an item.",
    discussion: """
      A service alone is its item without an account, or else its only item; where there are
      several, say the account too. Of items that options describe, it is the first that matches.

        authctl keychain get mail/me
        authctl keychain get --account me --service mail

      Standard output gets the bare secret, and a line end only where it is a terminal. With --json
      it is in base64. What must be proven is asked for on the terminal.

        authctl keychain get mail/me --clipboard

      With --clipboard it can be pasted until --clear-after has passed, or something else is copied.
      """,
    arguments: TypedName.operands,
    options: Clipboard.options + ItemOptions.describing + [ItemOptions.reference.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions + Clipboard.exclusions
  ) { (context) throws(Failure) in try get(context) }

  static let update = Command(
    "update",
    abstract: "Change an item, or every item that options describe.",
    discussion: """
      The secret changes with --set-secret, which asks for it twice on the terminal, or with --stdin.
      A name is that of one item, as for get.

        authctl keychain update mail/me --set-secret
      """,
    arguments: TypedName.operands,
    options: ItemOptions.describing + [ItemOptions.reference.declaration, all.declaration]
      + ItemOptions.changing
      + [ItemSecretInput.asks.declaration, ItemSecretInput.stdin.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions + [["set-secret", "stdin"]]
  ) { (context) throws(Failure) in try update(context) }

  static let delete = Command(
    "delete",
    abstract: "Delete an item, or every item that options describe.",
    discussion: """
      Says on the terminal how many there are and asks whether to go on. Nobody is asked with --yes,
      --non-interactive, --script or --passcode-fd, or without a terminal. A name is that of one
      item, as for get.

        authctl keychain delete mail/me
        authctl keychain delete --service mail
      """,
    arguments: TypedName.operands,
    options: ItemOptions.describing
      + [ItemOptions.reference.declaration, all.declaration, Confirmation.yes.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { (context) throws(Failure) in try delete(context) }

  // MARK: Running

  private static func get(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = ItemArguments(context.arguments)
    let clipboard = try Clipboard(context)
    let query = try arguments.query(isAll: false)
    let one = try KeychainInvocation.one(of: query, arguments, context)
    return try read(one, in: try KeychainInvocation(context), to: clipboard)
  }

  /// Reads the secret of the one item that `query` finds.
  static func read(
    _ query: QueryDictionary,
    in run: KeychainInvocation,
    to clipboard: Clipboard?
  ) throws(Failure) -> Report {
    let context = run.context
    var query = query
    query[QueryKey.returnData.rawValue] = .boolean(true)
    if context.output.wantsJSON { query[QueryKey.returnAttributes.rawValue] = .boolean(true) }
    var call = KeychainMessages.CopyCall()
    call.query = try wire(query)
    return try run.report(Methods.copyItems, call) { (answers, device) throws(Failure) in
      let answer = answers[answers.count - 1]
      return try KeychainReport(context: context, device: device, answer: answer)
        .secret(of: answer.items.first, to: clipboard)
    }
  }

  private static func update(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = ItemArguments(context.arguments)
    var query = try arguments.query(isAll: context.arguments[all])
    let changes = try arguments.changes()
    let changesSecret =
      context.arguments[ItemSecretInput.stdin] || context.arguments[ItemSecretInput.asks]
    guard changesSecret || !changes.entries.isEmpty else {
      throw Failure(
        .usage,
        "Say what to change: --set-secret, --stdin, --set-label or another --set option."
      )
    }
    query = try KeychainInvocation.one(of: query, arguments, context)
    let data = changesSecret ? HeldSecret(try ItemSecretInput.read(context)) : nil
    return try change(query, changes, in: try KeychainInvocation(context, storing: data))
  }

  /// Changes every item that `query` finds.
  static func change(
    _ query: QueryDictionary,
    _ changes: QueryDictionary,
    in run: KeychainInvocation,
    saying done: String? = nil
  ) throws(Failure) -> Report {
    var call = KeychainMessages.UpdateCall()
    call.query = try wire(query)
    call.changes = try wire(changes)
    return try run.report(
      Methods.updateItems,
      call,
      placing: { $0.data = $1 },
      then: { (answers, device) throws(Failure) in
        let answer = answers[answers.count - 1]
        try run.checkHasPassword(for: changes, answer)
        return KeychainReport(context: run.context, device: device, answer: answer)
          .report(done ?? counted(answers, "changed"))
      }
    )
  }

  private static func delete(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = ItemArguments(context.arguments)
    let query = try arguments.query(isAll: context.arguments[all])
    var call = KeychainMessages.DeleteCall()
    call.query = try wire(try KeychainInvocation.one(of: query, arguments, context))
    let run = try KeychainInvocation(context)
    if context.asksToGoOn, KeychainInvocation.asksOnTerminal(context.arguments) {
      var counting = call
      counting.countOnly = true
      let found = try send(counting, in: run)
      guard found.outcome == .success else { return found }
      try context.confirm(found.message)
    }
    return try send(call, in: run)
  }

  private static func send(
    _ call: KeychainMessages.DeleteCall,
    in run: KeychainInvocation
  ) throws(Failure) -> Report {
    try run.report(Methods.deleteItems, call) { (answers, device) in
      KeychainReport(context: run.context, device: device, answer: answers[answers.count - 1])
        .report(counted(answers, call.countOnly == true ? nil : "deleted"))
    }
  }

  /// Says how many items a call was about, such as "3 items were deleted.".
  private static func counted(_ answers: [RemoteAnswer], _ done: String?) -> String {
    let count = answers[answers.count - 1].count ?? 0
    guard let done else { return CountText.of(count, "item") + " will be deleted." }
    return CountText.of(count, "item was", "items were") + " \(done)."
  }

  /// Converts a dictionary for transmission; typed options can only give valid values.
  static func wire(_ dictionary: QueryDictionary) throws(Failure) -> WireQuery {
    do throws(WireError) {
      return try WireQuery(dictionary)
    } catch {
      throw Failure(.internalError, "\(error)")
    }
  }
}
