import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// `authctl keychain generate`.
enum GenerateVerb {
  static let length = Option<PasswordLength>(
    "length",
    "N",
    default: "24",
    help: "how many characters"
  )
  static let characters = Option<CharacterKinds>(
    "characters",
    "SETS",
    default: "lower,upper,digits,symbols",
    help: "what it is made of"
  )
  static let show = Flag("show", help: "print the secret when it is stored")

  static let command = Command(
    "generate",
    abstract: "Store a random secret.",
    discussion: """
      The secret has a character of each set, and is shown only with --show. With --update, an item
      of the same name gets it.

        authctl keychain generate mail/me
        authctl keychain generate pin --length 6 --characters digits --show
      """,
    arguments: TypedName.operands,
    options: [length.declaration, characters.declaration, show.declaration]
      + Clipboard.options + AddVerb.options + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions + [["show", "clipboard", "osc52"]]
  ) { (context) throws(Failure) in try generate(context) }

  private static func generate(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = context.arguments
    let item = try ItemArguments(arguments).namedItem()
    guard item.entries.count > 1 else {
      throw Failure(.usage, "Say what it is for: give a name, such as mail or mail/me.")
    }
    let sets = arguments[characters].kinds
    guard let recipe = PasswordRecipe(length: arguments[length].length, sets: sets) else {
      throw Failure(.usage, "A character of each set needs --length \(sets.count) at least.")
    }
    guard !arguments[show] || !context.output.wantsJSON else {
      throw Failure(.usage, "'--show' prints the bare secret: leave it out with --json.")
    }
    try KeychainInvocation.checkHasUse(ofPasswordFor: item, context)
    let clipboard = try Clipboard(context)
    var generator = SystemRandomNumberGenerator()
    let data = HeldSecret(recipe.password(using: &generator))
    var report = try AddVerb.store(item, in: try KeychainInvocation(context, storing: data)).report
    if report.outcome == .success, arguments[show] { report.secret = KeychainReport.shown(data) }
    if report.outcome == .success, let clipboard { report.remark = try clipboard.take(data) }
    return report
  }
}
