import Glibc
import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthTerminal

/// The source of an item's secret: standard input or the terminal, never the command line.
enum ItemSecretInput {
  static let stdin = Flag("stdin", help: "read the secret from standard input")
  static let asks = Flag("set-secret", help: "ask for a new secret on the terminal")

  /// Whether a person will be asked for the secret.
  static func asksOnTerminal(_ context: VerbContext) -> Bool {
    !context.arguments[stdin] && !context.arguments[EvaluateVerb.nonInteractive]
      && (try? Terminal()) != nil
  }

  /// Returns the secret to store, given or typed twice, or once if `asking` has another question for
  /// it.
  static func read(
    _ context: VerbContext,
    asking question: String? = nil
  ) throws(Failure) -> Secret {
    if context.arguments[stdin] { return try given(context) }
    let advice = "The secret is needed and there is no terminal to ask on. Give it with --stdin."
    guard !context.arguments[EvaluateVerb.nonInteractive] else {
      throw Failure(.notInteractive, "The secret is needed and nobody may be asked. Give --stdin.")
    }
    let prompt = try prompt(context)
    return try context.askOnTerminal(orElse: advice) { (session) throws(SecretInputError) in
      if let question { return try session.readSecret(prompt: question) }
      return try session.readNewSecret(prompt: prompt, again: "The same again")
    }
  }

  /// Returns the question for a secret; a name in it shows a mistyped one in time.
  private static func prompt(_ context: VerbContext) throws(Failure) -> String {
    let name = try ItemArguments(context.arguments).name
    func given(_ attribute: ItemAttribute) -> String? {
      ItemOptions.texts.first { $0.attribute == attribute }.flatMap { context.arguments[$0.option] }
    }
    let text = name?.text ?? given(.service) ?? given(.server) ?? given(.label)
    let account = (name?.account ?? given(.account)).map { "account " + $0 }
    let words = [text, account].compactMap { $0 }
    guard !words.isEmpty else { return "Secret" }
    return "Secret for " + TerminalText.sanitized(words.joined(separator: ", "), limit: 60)
  }

  /// Reads all of standard input; if it is a single line, drops its line end.
  private static func given(_ context: VerbContext) throws(Failure) -> Secret {
    guard isatty(STDIN_FILENO) == 0 else {
      throw Failure(.usage, "Standard input is a terminal: leave out --stdin to be asked on it.")
    }
    guard !(context.arguments[EvaluateVerb.script]?.isStandardInput ?? false),
      context.arguments[EvaluateVerb.descriptor] != 0,
      context.arguments[KeychainInvocation.applicationPassword] != 0
    else { throw Failure(.usage, "Standard input is taken by --stdin: give the rest otherwise.") }
    var secret = try SecretFile.read(STDIN_FILENO, as: "secret")
    guard secret.count > 0 else {
      throw Failure(.usage, "Standard input is empty: an empty secret is an empty line.")
    }
    dropOnlyLineEnd(&secret)
    return secret
  }

  /// Drops the line end that `echo` adds; a file of several lines, such as a key, keeps every byte.
  static func dropOnlyLineEnd(_ secret: inout Secret) {
    // SAFETY: the bytes are only read within the call.
    let isOneLine = unsafe secret.withUnsafeBytes { bytes in
      unsafe bytes.firstIndex(of: UInt8(ascii: "\n")).map { $0 == bytes.count - 1 } ?? false
    }
    guard isOneLine else { return }
    secret.removeLast()
    // SAFETY: the byte is only read within the call.
    if unsafe secret.withUnsafeBytes({ unsafe $0.last }) == UInt8(ascii: "\r") {
      secret.removeLast()
    }
  }
}
