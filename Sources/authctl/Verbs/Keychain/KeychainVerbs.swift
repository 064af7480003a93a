import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthWire

/// `authctl keychain add|get|update|delete|list`.
enum KeychainVerbs {
  static let all = Flag("all", help: "every item of the class, where no attribute is given")
  static let limit = Option<LineCount?>("limit", "N", help: "how many items; all of them without")

  static let command = Command(
    "keychain",
    abstract: "Keep secrets that open only on proof.",
    subcommands: [add, get, update, delete, list]
  )

  static let add = Command(
    "add",
    abstract: "Add an item.",
    discussion: """
      The secret is asked for twice on the terminal, or is all of standard input: a single line
      without its end, anything longer byte by byte.

        authctl keychain add --account me --service mail --access-control biometryAny
        pass show mail | authctl keychain add --account me --service mail --stdin

      With --each-use what the item asks for is asked for again at each use of it.
      """,
    options: ItemOptions.describing
      + [
        ItemOptions.accessControl.declaration, ItemOptions.eachUse.declaration,
        ItemSecretInput.stdin.declaration,
      ]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try add(context) }
  }

  static let get = Command(
    "get",
    abstract: "Print the secret of the first item that matches.",
    discussion: """
      Standard output gets the bare secret, and a line end only where it is a terminal. With --json
      it is in base64. What must be proven is asked for on the terminal.
      """,
    options: ItemOptions.describing + [ItemOptions.reference.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try get(context) }
  }

  static let update = Command(
    "update",
    abstract: "Change every item that matches.",
    discussion: """
      The secret changes with --set-secret, which asks for it twice on the terminal, or with --stdin.
      """,
    options: ItemOptions.describing + [ItemOptions.reference.declaration, all.declaration]
      + ItemOptions.changing
      + [ItemSecretInput.asks.declaration, ItemSecretInput.stdin.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions + [["set-secret", "stdin"]]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try update(context) }
  }

  static let delete = Command(
    "delete",
    abstract: "Delete every item that matches.",
    discussion: """
      Says on the terminal how many there are and asks whether to go on. Nobody is asked with --yes,
      --non-interactive, --script or --passcode-fd, or without a terminal.
      """,
    options: ItemOptions.describing
      + [ItemOptions.reference.declaration, all.declaration, Confirmation.yes.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try delete(context) }
  }

  static let list = Command(
    "list",
    abstract: "List the items that match, without their secrets.",
    discussion: """
      Items that ask for a proof are listed after it, and left out where nobody can be asked. The
      prompt says how many they are, and names the first of them; who cancels it gets the rest. Sorted
      by service and account. On a terminal, long names are cut to its width.
      """,
    options: ItemOptions.describing + [ItemOptions.reference.declaration, limit.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try list(context) }
  }

  // MARK: Running

  private static func add(_ context: VerbContext) throws(Failure) -> Report {
    var query = try ItemArguments(context.arguments).item()
    query[QueryKey.returnPersistentReference.rawValue] = .boolean(true)
    if ItemSecretInput.asksOnTerminal(context) { try checkKeychain(context) }
    let data = HeldSecret(try ItemSecretInput.read(context))
    var call = KeychainMessages.AddCall()
    call.query = try wire(query)
    return try KeychainInvocation(context, storing: data).report(
      Methods.addItem,
      call,
      placing: { $0.data = $1 },
      then: { (answers, device) in
        let answer = answers[answers.count - 1]
        let reference = answer.items.first?.reference
        return KeychainReport(context: context, device: device, answer: answer)
          .report("The item was added.") { writer in
            writer.key("reference")
            if let reference { writer.base64(reference.bytes.span) } else { writer.null() }
          }
      }
    )
  }

  /// Fails where nothing can be stored yet, before somebody types a secret in vain.
  private static func checkKeychain(_ context: VerbContext) throws(Failure) {
    let device = try context.device()
    let status = try context.call(Methods.status, DeviceVerbs.call(device)).device
    guard status.hasPasscodeOfPAM, !status.hasKeybag else { return }
    throw Failure(
      .passcodeNotSet,
      "There is no keychain yet. Make it with your login password: "
        + "\(context.typed(device: status.name)) passcode set"
    )
  }

  private static func get(_ context: VerbContext) throws(Failure) -> Report {
    var query = try ItemArguments(context.arguments).query(isAll: false)
    query[QueryKey.returnData.rawValue] = .boolean(true)
    if context.output.wantsJSON { query[QueryKey.returnAttributes.rawValue] = .boolean(true) }
    var call = KeychainMessages.CopyCall()
    call.query = try wire(query)
    return try KeychainInvocation(context).report(Methods.copyItems, call) {
      (answers, device) throws(Failure) in
      let answer = answers[answers.count - 1]
      return try KeychainReport(context: context, device: device, answer: answer)
        .secret(of: answer.items.first)
    }
  }

  private static func update(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = ItemArguments(context.arguments)
    let query = try arguments.query(isAll: context.arguments[all])
    let changes = try arguments.changes()
    let changesSecret =
      context.arguments[ItemSecretInput.stdin] || context.arguments[ItemSecretInput.asks]
    guard changesSecret || !changes.entries.isEmpty else {
      throw Failure(
        .usage,
        "Say what to change: --set-secret, --stdin, --set-label or another --set option."
      )
    }
    let data = changesSecret ? HeldSecret(try ItemSecretInput.read(context)) : nil
    var call = KeychainMessages.UpdateCall()
    call.query = try wire(query)
    call.changes = try wire(changes)
    return try KeychainInvocation(context, storing: data).report(
      Methods.updateItems,
      call,
      placing: { $0.data = $1 },
      then: { (answers, device) in
        KeychainReport(context: context, device: device, answer: answers[answers.count - 1])
          .report(counted(answers, "changed"))
      }
    )
  }

  private static func delete(_ context: VerbContext) throws(Failure) -> Report {
    var call = KeychainMessages.DeleteCall()
    call.query = try wire(
      try ItemArguments(context.arguments).query(isAll: context.arguments[all])
    )
    let run = try KeychainInvocation(context)
    if context.asksToGoOn, run.asksOnTerminal {
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
    let items = count == 1 ? "1 item" : "\(count) items"
    guard let done else { return "\(items) will be deleted." }
    return "\(items) \(count == 1 ? "was" : "were") \(done)."
  }

  private static func list(_ context: VerbContext) throws(Failure) -> Report {
    var query = try ItemArguments(context.arguments).query(isAll: true)
    query[QueryKey.returnAttributes.rawValue] = .boolean(true)
    query[QueryKey.matchLimit.rawValue] =
      context.arguments[limit].map { .number($0.count) } ?? .text("m_LimitAll")
    let run = try KeychainInvocation(context)
    if !run.canAsk {
      query[QueryKey.useAuthenticationUI.rawValue] = .text(InterfaceMode.skip.rawValue)
    }
    let listed = try list(query, in: run, isWhole: run.canAsk)
    // Who declines to prove something still sees what needs no proof.
    guard listed.outcome == .userCancel else { return listed }
    query[QueryKey.useAuthenticationUI.rawValue] = .text(InterfaceMode.skip.rawValue)
    return try list(query, in: run, isWhole: false)
  }

  private static func list(
    _ query: QueryDictionary,
    in run: KeychainInvocation,
    isWhole: Bool
  ) throws(Failure) -> Report {
    var call = KeychainMessages.CopyCall()
    call.query = try wire(query)
    return try run.report(
      Methods.copyItems,
      call,
      goOn: { $0.goOn(after: $1) },
      then: { (answers, device) in report(of: answers, device, run.context, isWhole: isWhole) }
    )
  }

  private static func report(
    of answers: [RemoteAnswer],
    _ device: DeviceChoice,
    _ context: VerbContext,
    isWhole: Bool
  ) -> Report {
    let last = answers[answers.count - 1]
    let items = answers.flatMap(\.items).map { (order: ItemText.order($0), item: $0) }
      .sorted { $0.order.lexicographicallyPrecedes($1.order) }.map(\.item)
    // An empty list is a success.
    let answer = last.outcome == .itemNotFound ? last.foundNothing() : last
    let count =
      (items.count == 1 ? "1 item." : "\(items.count) items.")
      + (isWhole ? "" : " Those that ask for a proof are left out.")
    let rows = items.isEmpty ? [] : [ItemText.heads] + items.map { ItemText.row($0) }
    return KeychainReport(context: context, device: device, answer: answer)
      .report(count, answer: Columns.table(rows, columns: Columns.shownColumns)) {
        $0.member("items", items) { item, writer in ItemText.write(item, to: &writer) }
      }
  }

  /// Converts a dictionary for transmission; typed options can only give valid values.
  private static func wire(_ dictionary: QueryDictionary) throws(Failure) -> WireQuery {
    do throws(WireError) {
      return try WireQuery(dictionary)
    } catch {
      throw Failure(.internalError, "\(error)")
    }
  }
}
