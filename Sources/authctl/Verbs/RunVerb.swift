import Glibc
import LocalAuthCore
import LocalAuthSecret

/// `authctl run`.
enum RunVerb {
  static let file = Option<String?>(
    "env-file",
    "FILE",
    source: .files,
    help: "variables for the command, one NAME=VALUE a line"
  )

  /// The longest text of a command in the standard reason, in scalars.
  private static let reasonLimit = 160

  static let command = Command(
    "run",
    abstract: "Run a command with secrets in its environment.",
    discussion: """
      A variable whose value is localauth://SERVICE/ACCOUNT, here or in --env-file, gets the secret of
      that generic password; localauth://SERVICE is enough where one item has the service. In braces a
      reference may be a part of a value: postgres://app:{{ localauth://db/app }}@db/main. Names are
      percent-encoded.

      All items are opened at once, and the prompt names each of them. Then this program becomes the
      command: its status, its signals and its terminal are its own, and no other process stays. Where
      one secret is missing, nothing is run. A secret with a zero byte fits no variable.

        DB_PASSWORD=localauth://db/app authctl run -- ./migrate --all
        authctl run --env-file production.env -- ./server
      """,
    arguments: [NextProgram.words.declaration],
    options: [file.declaration] + KeychainInvocation.options,
    exclusions: KeychainInvocation.exclusions
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let program = try NextProgram(context)
    let path = context.arguments[file]
    let text =
      if let path {
        try SecretFile.read(path: path, as: "environment", limit: EnvironmentFile.limit)
      } else {
        Secret(capacity: 0)
      }
    // SAFETY: the file's bytes and the environment stay in place until the command has both.
    return try unsafe text.withUnsafeBytes { (bytes) throws(Failure) in
      var references = ReferenceList()
      let environment = try unsafe CommandEnvironment(file: bytes, path ?? "", &references)
      guard !references.isEmpty else { throw become(program, environment, []) }
      var invocation = try KeychainInvocation(context)
      invocation.standardReason = reason(program)
      return try invocation.resolve(references, orElse: "Nothing was run.") {
        (secrets) throws(Failure) in
        try checkZeroBytes(secrets, references)
        NextProgram.withhold(KeychainInvocation.descriptors(context.arguments))
        throw become(program, environment, secrets)
      }
    }
  }

  /// Becomes the command; returns why that failed.
  private static func become(
    _ program: NextProgram,
    _ environment: CommandEnvironment,
    _ secrets: [HeldSecret]
  ) -> Failure {
    // SAFETY: the pointers are used within the call.
    unsafe environment.withPointers(secrets) { unsafe program.replaceProcess(environment: $0) }
  }

  private static func reason(_ program: NextProgram) -> String {
    let scalars = program.text.unicodeScalars
    let text = String(String.UnicodeScalarView(scalars.prefix(reasonLimit)))
    return "run \(text)" + (scalars.count > reasonLimit ? "..." : "")
  }

  private static func checkZeroBytes(
    _ secrets: [HeldSecret],
    _ references: ReferenceList
  ) throws(Failure) {
    for (held, entry) in zip(secrets, references.entries)
    where unsafe held.secret.withUnsafeBytes({ unsafe $0.contains(0) }) {
      throw Failure(
        .usage,
        "The secret of \(entry.text) has a zero byte, which no variable can hold. Nothing was run."
      )
    }
  }
}
