import Glibc
import LocalAuthCore
import LocalAuthSecret
import LocalAuthUnix

/// `authctl inject`.
enum InjectVerb {
  static let input = Option<String?>(
    "in",
    "FILE",
    source: .files,
    help: "the template; standard input without"
  )
  static let output = Option<String?>(
    "out",
    "FILE",
    source: .files,
    help: "the file to make, with mode 0600; standard output without"
  )
  static let show = Flag("show", help: "write to a terminal, where others may read it")

  /// The largest template, in bytes.
  static let limit = 10 * 1024 * 1024
  private static let nothing = "Nothing was written."

  static let command = Command(
    "inject",
    abstract: "Fill the secrets into a template.",
    discussion: """
      {{ localauth://SERVICE/ACCOUNT }} in the template becomes the secret of that generic password,
      byte for byte; {{ localauth://SERVICE }} is enough where one item has the service. Everything
      else stays as it is, other things in braces too. Names are percent-encoded.

      All items are opened at once, and the prompt names each of them. The first byte is written when
      all of them are open. A file appears when it is complete, in place of one that was there.

        authctl inject --in config.template --out config.toml
        authctl inject < config.template | ssh server 'cat > config.toml'
      """,
    options: [input.declaration, output.declaration, show.declaration]
      + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions + [["out", "show"]]
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let path = context.arguments[input]
    try checkStreams(context)
    // Before somebody is asked.
    if let out = context.arguments[output] { try OutputPlace.check(out) }
    let text = try template(context)
    // SAFETY: the template's bytes stay in place for the call.
    return try unsafe text.withUnsafeBytes { (bytes) throws(Failure) in
      var references = ReferenceList()
      let template = try unsafe SecretTemplate(bytes, &references) { line in
        "in line \(line) of \(path ?? "standard input")"
      }
      var invocation = try KeychainInvocation(context)
      invocation.standardReason = "fill in \(path ?? "a template")"
      return try invocation.resolve(references, orElse: nothing) { (secrets) throws(Failure) in
        try unsafe write(template, of: bytes, secrets, context)
      }
    }
  }

  private static func checkStreams(_ context: VerbContext) throws(Failure) {
    let arguments = context.arguments
    if arguments[output] == nil {
      guard isatty(STDOUT_FILENO) == 0 || arguments[show] else {
        throw Failure(
          .usage,
          "Standard output is a terminal: give --out FILE, or --show to have secrets on the screen."
        )
      }
      guard !context.output.wantsJSON else {
        throw Failure(.usage, "Standard output is for the result: with --json give --out FILE.")
      }
      try Output.requirePrivate()
    }
    guard arguments[input] == nil else { return }
    guard isatty(STDIN_FILENO) == 0 else {
      throw Failure(.usage, "Standard input is a terminal: give the template with --in FILE.")
    }
    guard !(arguments[EvaluateVerb.script]?.isStandardInput ?? false),
      !KeychainInvocation.descriptors(arguments).contains(0)
    else { throw Failure(.usage, "Standard input is the template: give it with --in FILE.") }
  }

  private static func template(_ context: VerbContext) throws(Failure) -> Secret {
    guard let path = context.arguments[input] else {
      return try SecretFile.read(STDIN_FILENO, as: "template", limit: limit)
    }
    if let out = context.arguments[output], isSameFile(path, out) {
      throw Failure(.usage, "--in and --out are one file: the template would be lost.")
    }
    return try SecretFile.read(path: path, as: "template", limit: limit)
  }

  static func isSameFile(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    // SAFETY: the strings are C strings and the structures live for the calls.
    guard unsafe stat(one, &first) == 0, unsafe stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
  }

  @unsafe
  private static func write(
    _ template: SecretTemplate,
    of bytes: UnsafeRawBufferPointer,
    _ secrets: [HeldSecret],
    _ context: VerbContext
  ) throws(Failure) -> Report {
    guard let path = context.arguments[output] else {
      guard unsafe write(template, of: bytes, secrets, to: STDOUT_FILENO) else {
        throw Failure(.internalError, errno: errno, "Standard output cannot be written to")
      }
      return Report(.success, "The template was filled in.") { _ in }
    }
    let file = try OutputPlace.begin(path, orElse: nothing)
    do throws(SystemError) {
      guard unsafe write(template, of: bytes, secrets, to: file.descriptor) else {
        throw SystemError("write", code: errno, subject: path)
      }
      try file.publish()
    } catch {
      throw Failure(writing: path, error, nothing)
    }
    return Report("\(path) was written, for you alone to read.") { $0.member("file", path) }
  }

  /// Writes the pieces in their order; false, with an error number, if that failed.
  @unsafe
  private static func write(
    _ template: SecretTemplate,
    of bytes: UnsafeRawBufferPointer,
    _ secrets: [HeldSecret],
    to descriptor: Int32
  ) -> Bool {
    template.pieces.allSatisfy { piece in
      switch piece {
      case .text(let range):
        unsafe Output.write(UnsafeRawBufferPointer(rebasing: bytes[range]), to: descriptor)
      case .secret(let number):
        // SAFETY: the bytes are written within the call.
        unsafe secrets[number].secret.withUnsafeBytes { unsafe Output.write($0, to: descriptor) }
      }
    }
  }
}
