import Glibc
import LocalAuthCore
import LocalAuthRNCryptor

/// `authctl rncrypt encrypt|decrypt`.
enum RNCryptVerbs {
  static let input = Option<String?>(
    "in",
    "FILE",
    source: .files,
    help: "what to read; standard input without"
  )
  static let acceptsVersion2 = Flag(
    "accept-v2",
    help: "read the older format 2 too, which uses less of some passwords"
  )

  static let command = Command(
    "rncrypt",
    abstract: "Encrypt and decrypt files in RNCryptor's format.",
    discussion: """
      The format, version 3, is for exchange with apps and programs that speak it. It stretches a
      password little, by 10,000 rounds: take a long one. No daemon is needed.
      """,
    subcommands: [encrypt, decrypt]
  )

  static let encrypt = Command(
    "encrypt",
    abstract: "Make a message that a password opens, or two keys.",
    discussion: """
      The password is asked for on the terminal, twice, unless it is given.

        authctl rncrypt encrypt --in notes.txt --out notes.rnc

      With --keys or --keys-fd two keys open it instead: 64 bytes, the encryption key and then the
      HMAC key, or as many in hexadecimal.
      """,
    options: [input.declaration, InjectVerb.output.declaration] + MessageSecret.options,
    exclusions: MessageSecret.exclusions
  ) { (context) throws(Failure) in
    try run(context) { (output) throws(Failure) in
      let source = try MessageSource(context.arguments[input])
      let secret = try MessageSecret(context, isNew: true)
      let header = MessageHeader(for: MessageSecret.credential(context.arguments))
      try MessageStream.encrypt(source, secret.keys(for: header), header, to: output)
    }
  }

  static let decrypt = Command(
    "decrypt",
    abstract: "Write the content of a message.",
    discussion: """
      Nothing is decrypted before all of the message was verified, and no file appears before its
      content is complete. What comes through a pipe is copied first. A message that keys open needs
      --keys or --keys-fd.

        authctl rncrypt decrypt --in notes.rnc --out notes.txt
        authctl rncrypt decrypt --in notes.rnc --show
      """,
    options: [
      input.declaration, InjectVerb.output.declaration, InjectVerb.show.declaration,
      acceptsVersion2.declaration,
    ] + MessageSecret.options,
    exclusions: MessageSecret.exclusions + [["out", "show"]]
  ) { (context) throws(Failure) in
    if context.arguments[InjectVerb.output] == nil { try Output.requirePrivate() }
    return try run(context) { (output) throws(Failure) in try decrypt(context, to: output) }
  }

  private static func decrypt(_ context: VerbContext, to output: Int32) throws(Failure) {
    let arguments = context.arguments
    let versions =
      [MessageFormat.version] + (arguments[acceptsVersion2] ? [MessageFormat.version2] : [])
    var source = try MessageSource(arguments[input])
    // What goes out at once must not come from a file that changes meanwhile.
    if arguments[InjectVerb.output] == nil || source.size == nil { source = try source.copied() }
    let credential = MessageSecret.credential(arguments)
    let message = try MessageStream.Sealed(source, for: credential, versions: versions)
    let secret = try MessageSecret(context, isNew: false)
    try MessageStream.decrypt(message, secret.keys(for: message.header), to: output)
  }

  /// Opens the output for `body`, which writes to it; a file appears once `body` has returned.
  private static func run(
    _ context: VerbContext,
    _ body: (Int32) throws(Failure) -> Void
  ) throws(Failure) -> Report {
    try checkStreams(context)
    BuiltInCiphers.prepare()
    guard let path = context.arguments[InjectVerb.output] else {
      try body(STDOUT_FILENO)
      return Report(.success, "The result was written.") { _ in }
    }
    let draft = try FileDraft(path, mode: 0o600, orElse: "Nothing was written.")
    try body(draft.descriptor)
    try draft.keep()
    return Report("\(path) was written, for you alone to read.") { $0.member("file", path) }
  }

  private static func checkStreams(_ context: VerbContext) throws(Failure) {
    let arguments = context.arguments
    if arguments[InjectVerb.output] == nil {
      guard isatty(STDOUT_FILENO) == 0 || arguments[InjectVerb.show] else {
        throw Failure(.usage, "Standard output is a terminal: give --out FILE.")
      }
      guard !context.output.wantsJSON else {
        throw Failure(.usage, "Standard output is for the result: with --json give --out FILE.")
      }
    }
    if let out = arguments[InjectVerb.output] {
      for (option, path) in [("--in", arguments[input]), ("--keys", arguments[MessageSecret.keys])]
      {
        guard let path, InjectVerb.isSameFile(path, out) else { continue }
        throw Failure(.usage, "\(option) and --out are one file: the original would be lost.")
      }
    }
    guard arguments[input] == nil else { return }
    guard isatty(STDIN_FILENO) == 0 else {
      throw Failure(.usage, "Standard input is a terminal: give what to read with --in FILE.")
    }
    guard !MessageSecret.takesStandardInput(arguments) else {
      let what = MessageSecret.credential(arguments) == .keys ? "keys" : "password"
      throw Failure(.usage, "Standard input is the \(what): give what to read with --in FILE.")
    }
  }
}
