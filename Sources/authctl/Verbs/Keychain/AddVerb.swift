import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthWire

/// `authctl keychain add`, and what adding has in common with generating.
enum AddVerb {
  static let updates = Flag("update", help: "change the item if there is one already")

  /// The options of every verb that adds an item.
  static var options: [OptionDeclaration] {
    ItemOptions.describing
      + [
        ItemOptions.accessControl.declaration, ItemOptions.eachUse.declaration,
        updates.declaration,
      ]
  }

  static let code = Flag("code", help: "what is added makes one-time codes")

  static let command = Command(
    "add",
    abstract: "Add an item.",
    discussion: """
      The secret is asked for twice on the terminal, or is all of standard input: a single line
      without its end, anything longer byte by byte.

        authctl keychain add mail/me
        authctl keychain add --account me --service mail --access-control biometryAny
        pass show mail | authctl keychain add mail/me --stdin --update

      With --each-use what the item asks for is asked for again at each use of it. With --update, an
      item of the same name gets the new secret and what else is given.

      With --code the secret is the otpauth:// address behind a QR code, or the key that sites show
      beside it, and makes the codes of: authctl keychain code.

        authctl keychain add mail/me --code
      """,
    arguments: TypedName.operands,
    options: options + [code.declaration, ItemSecretInput.stdin.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { (context) throws(Failure) in try add(context) }

  private static func add(_ context: VerbContext) throws(Failure) -> Report {
    let isCode = context.arguments[code]
    var item = try ItemArguments(context.arguments, ofCode: isCode).namedItem()
    try KeychainInvocation.checkHasUse(ofPasswordFor: item, context)
    if ItemSecretInput.asksOnTerminal(context) {
      try checkKeychain(context)
      try checkNew(item, context)
    }
    let data: HeldSecret
    if isCode {
      data = HeldSecret(try CodeVerb.readKey(context, for: &item))
    } else {
      data = HeldSecret(try ItemSecretInput.read(context))
    }
    return try store(item, in: try KeychainInvocation(context, storing: data)).report
  }

  /// What came of storing an item; `wasThere` says that an item of its name was changed.
  struct Stored {
    var report: Report
    var wasThere = false
  }

  /// Adds `item`, or changes the item of its name if that was asked for.
  static func store(
    _ item: QueryDictionary,
    in run: KeychainInvocation
  ) throws(Failure) -> Stored {
    let context = run.context
    var query = item
    query[QueryKey.returnPersistentReference.rawValue] = .boolean(true)
    var call = KeychainMessages.AddCall()
    call.query = try KeychainVerbs.wire(query)
    let added = try run.report(
      Methods.addItem,
      call,
      placing: { $0.data = $1 },
      then: { (answers, device) throws(Failure) in
        let answer = answers[answers.count - 1]
        try run.checkHasPassword(for: item, answer)
        let reference = answer.items.first?.reference
        return KeychainReport(context: context, device: device, answer: answer)
          .report("The item was added.") { writer in
            writer.key("reference")
            if let reference { writer.base64(reference.bytes.span) } else { writer.null() }
          }
      }
    )
    guard added.outcome == .duplicateItem, context.arguments[updates] else {
      return Stored(report: added)
    }
    return Stored(report: try replace(item, in: run), wasThere: true)
  }

  /// Changes the item that has the name of `item` already.
  private static func replace(
    _ item: QueryDictionary,
    in run: KeychainInvocation
  ) throws(Failure) -> Report {
    let (query, changes) = ItemDivision(of: item).parts
    guard try run.count(query) < 2 else {
      throw Failure(
        .duplicateItem,
        "Several items match, so none was changed: describe the one that is meant."
      )
    }
    return try KeychainVerbs.change(query, changes, in: run, saying: "The item was changed.")
  }

  /// Fails if there is an item of that name and it is not to be changed.
  private static func checkNew(
    _ item: QueryDictionary,
    _ context: VerbContext
  ) throws(Failure) {
    guard !context.arguments[updates] else { return }
    let named = ItemDivision(of: item).parts.query
    guard try KeychainInvocation.count(named, context) > 0 else { return }
    throw Failure(
      .duplicateItem,
      "\(OutcomeCode.duplicateItem.sentence) \(Advice.duplicateItem)"
    )
  }

  /// Fails where nothing can be stored yet, before somebody types a secret in vain.
  static func checkKeychain(_ context: VerbContext) throws(Failure) {
    let device = try context.device()
    let status = try context.call(Methods.status, DeviceVerbs.call(device)).device
    guard status.hasPasscodeOfPAM, !status.hasKeybag else { return }
    throw Failure(
      .passcodeNotSet,
      "There is no keychain yet. Make it with your login password: "
        + "\(context.typed(device: status.name)) passcode set"
    )
  }
}

/// An item to store, divided into what names it and the rest.
struct ItemDivision {
  /// The query for the item of that name, and the changes that make it the item to store.
  let parts: (query: QueryDictionary, changes: QueryDictionary)

  init(of item: QueryDictionary) {
    let itemClass = Self.itemClass(of: item)
    let key = Set(itemClass.primaryKey.map(\.rawValue))
    var (query, changes) = (QueryDictionary(), QueryDictionary())
    for (name, value) in item.entries.map({ ($0.key, $0.value) }) {
      if name == QueryKey.itemClass.rawValue || key.contains(name) {
        query[name] = value
      } else {
        changes[name] = value
      }
    }
    // An item without an account is another than one with it, and so on.
    let own: [ItemAttribute] = [
      .account, .service, .server, .path, .securityDomain, .protocol, .authenticationType, .port,
    ]
    for attribute in own where query[attribute.rawValue] == nil {
      switch attribute.defaultValue(for: itemClass) {
      case .text(let text): query[attribute.rawValue] = .text(text)
      case .number(let number): query[attribute.rawValue] = .number(number)
      case .data(let bytes): query[attribute.rawValue] = .data(bytes)
      case .date(let milliseconds): query[attribute.rawValue] = .date(milliseconds)
      case nil: break
      }
    }
    parts = (query, changes)
  }

  /// The class that an item to store names; what it is asked to be decides, not the command line.
  private static func itemClass(of item: QueryDictionary) -> ItemClass {
    guard case .text(let name)? = item[QueryKey.itemClass.rawValue] else { return .genericPassword }
    return ItemClass(rawValue: name) ?? .genericPassword
  }
}
