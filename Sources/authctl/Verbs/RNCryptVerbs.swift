import Glibc
import LocalAuthCore
import LocalAuthRNCryptor
import LocalAuthSecret
import LocalAuthTerminal

/// `authctl rncrypt encrypt|decrypt`.
enum RNCryptVerbs {
  static let input = Option<String?>(
    "in",
    "FILE",
    source: .files,
    help: "what to read; standard input without"
  )
  static let stdin = Flag("password-stdin", help: "read the password from standard input")
  static let descriptor = Option<Int?>(
    "password-fd",
    "N",
    help: "read the password from this open descriptor"
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
    abstract: "Make a message that a password opens.",
    discussion: """
      The password is asked for on the terminal, twice, unless it is given.

        authctl rncrypt encrypt --in notes.txt --out notes.rnc
      """,
    options: [
      input.declaration, InjectVerb.output.declaration, stdin.declaration, descriptor.declaration,
    ],
    exclusions: [["password-stdin", "password-fd"]]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in
      try run(context) { (output) throws(Failure) in
        let source = try MessageSource(context.arguments[input])
        let password = try password(context, isNew: true)
        try MessageStream.encrypt(source, password, to: output)
      }
    }
  }

  static let decrypt = Command(
    "decrypt",
    abstract: "Write the content of a message.",
    discussion: """
      Nothing is decrypted before all of the message was verified, and no file appears before its
      content is complete. What comes through a pipe is copied first.

        authctl rncrypt decrypt --in notes.rnc --out notes.txt
        authctl rncrypt decrypt --in notes.rnc --show
      """,
    options: [
      input.declaration, InjectVerb.output.declaration, InjectVerb.show.declaration,
      acceptsVersion2.declaration, stdin.declaration, descriptor.declaration,
    ],
    exclusions: [["password-stdin", "password-fd"], ["out", "show"]]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in
      if arguments[InjectVerb.output] == nil { try Output.requirePrivate() }
      return try run(context) { (output) throws(Failure) in try decrypt(context, to: output) }
    }
  }

  private static func decrypt(_ context: VerbContext, to output: Int32) throws(Failure) {
    let arguments = context.arguments
    let versions =
      [MessageFormat.version] + (arguments[acceptsVersion2] ? [MessageFormat.version2] : [])
    var source = try MessageSource(arguments[input])
    // What goes out at once must not come from a file that changes meanwhile.
    if arguments[InjectVerb.output] == nil || source.size == nil { source = try source.copied() }
    let message = try MessageStream.Sealed(source, versions: versions)
    try MessageStream.decrypt(message, password(context, isNew: false), to: output)
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
    let draft = try FileDraft(path, mode: 0o600, orElse: nothing)
    try body(draft.descriptor)
    try draft.keep()
    return Report("\(path) was written, for you alone to read.") { $0.member("file", path) }
  }

  private static let nothing = "Nothing was written."

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
    if let path = arguments[input] {
      if let out = arguments[InjectVerb.output], InjectVerb.isSameFile(path, out) {
        throw Failure(.usage, "--in and --out are one file: the original would be lost.")
      }
      return
    }
    guard isatty(STDIN_FILENO) == 0 else {
      throw Failure(.usage, "Standard input is a terminal: give what to read with --in FILE.")
    }
    guard !arguments[stdin], arguments[descriptor] != 0 else {
      throw Failure(.usage, "Standard input is the password: give what to read with --in FILE.")
    }
  }

  /// Returns the password, given or typed; a new one is typed twice.
  private static func password(
    _ context: VerbContext,
    isNew: Bool
  ) throws(Failure) -> Secret {
    let password = try read(context, isNew: isNew)
    guard password.count > 0 else {
      throw Failure(.usage, "A message needs a password that is not empty. \(nothing)")
    }
    return password
  }

  private static func read(_ context: VerbContext, isNew: Bool) throws(Failure) -> Secret {
    try context.secret(
      stdin,
      descriptor,
      isText: false,
      orElse: "The password is needed and there is no terminal to ask on. Give --password-fd N."
    ) { (session) throws(SecretInputError) in
      isNew
        ? try session.readNewSecret(prompt: "New password of the message", again: "The same again")
        : try session.readSecret(prompt: "Password of the message")
    }
  }
}
