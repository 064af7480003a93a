import LocalAuthCore
import LocalAuthKeychain

/// `authctl keychain edit`.
enum EditVerb {
  static let command = Command(
    "edit",
    abstract: "Ask for a new secret of an item.",
    discussion: """
      The secret is asked for twice on the terminal, as add does. No editor is started: editors keep
      what they edit in swap files, backups, histories and clipboards of their own.

        authctl keychain edit mail/me
      """,
    arguments: TypedName.operands,
    options: ItemOptions.describing + [ItemOptions.reference.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { (context) throws(Failure) in try edit(context) }

  private static func edit(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = ItemArguments(context.arguments)
    let named = try arguments.query(isAll: false)
    let query = try KeychainInvocation.one(of: named, arguments, context)
    guard ItemSecretInput.asksOnTerminal(context) else {
      throw Failure(
        .notInteractive,
        "There is no terminal to ask on. From a pipe: authctl keychain update NAME --stdin"
      )
    }
    // Before somebody types a secret in vain.
    switch try KeychainInvocation.count(query, context) {
    case 0: throw Failure(.itemNotFound, OutcomeCode.itemNotFound.sentence)
    case 1: break
    default:
      throw Failure(.usage, "Several items match, so none is changed: say which one is meant.")
    }
    let data = HeldSecret(try ItemSecretInput.read(context))
    return try KeychainVerbs.change(query, [:], in: try KeychainInvocation(context, storing: data))
  }
}
