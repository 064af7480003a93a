import Glibc
import LocalAuthCore

/// `authctl hub install|upgrade|status|verify|found|remove-circle`.
enum HubVerbs {
  static let connection = Argument<String?>(
    "CONNECTION",
    help: "the database, as libpq names it; what its environment says without"
  )

  static let command = Command(
    "hub",
    abstract: "Make and look after the hub of synchronized items, in a PostgreSQL database.",
    discussion: """
      A hub keeps what devices of a person exchange, and can read none of it. These verbs are for who
      administers the database, as a superuser of it. CONNECTION is a connection string or URI as psql
      takes it, without a password: PGPASSFILE names a file with one. Over a network the server must
      prove its name (sslmode=verify-full). No daemon is needed.
      """,
    subcommands: [install, upgrade, status, verify, found, removeCircle]
  )

  static let install = Command(
    "install",
    abstract: "Make a hub in a database that has none.",
    discussion: """
      Makes the schema localauth and the roles localauth_hub and localauth_device, all or nothing. It
      takes PostgreSQL 15 or later. What a connection to that database may write to the disk while it
      sorts is limited to 256 MB, unless it has a limit.

        authctl hub install "host=/run/postgresql dbname=localauth"
      """,
    arguments: [connection.declaration]
  ) { (context) throws(Failure) in
    let lines = try HubProgram(context).run("install")
    return lines.report("The hub was made, of version \(lines.first("version")).")
  }

  static let upgrade = Command(
    "upgrade",
    abstract: "Make what a newer version of the hub has more.",
    discussion: """
      In one transaction: a mistake leaves the hub as it was. Devices of the older version are told
      that theirs is another one until they are upgraded, too.
      """,
    arguments: [connection.declaration]
  ) { (context) throws(Failure) in
    let lines = try HubProgram(context).run("upgrade")
    let isChanged = !lines.all("made").isEmpty
    let version = lines.first("version")
    return lines.report(
      isChanged
        ? "The hub was upgraded to version \(version)."
        : "The hub is of version \(version) already."
    )
  }

  static let status = Command(
    "status",
    abstract: "Say which hub there is, and what it holds.",
    discussion: """
      Each circle has a line, the one that was used longest ago first, with the name that its devices show in
      'authctl sync status'.
      """,
    arguments: [connection.declaration]
  ) { (context) throws(Failure) in
    let lines = try HubProgram(context).run("status")
    guard !lines.all("version").isEmpty else {
      throw Failure(
        .badConfiguration,
        "There is no hub in this database: authctl hub install makes one."
      )
    }
    return lines.report("The hub is of version \(lines.first("version")).")
  }

  static let verify = Command(
    "verify",
    abstract: "Look for what should not be in a hub.",
    discussion: """
      Compares functions, tables, rights and roles with those that this version makes, looks at the
      ways in that pg_hba.conf leaves and at settings that lose data or let a device fill the disk, and
      reads every chain. Ends with 78 if something is wrong. Records are not looked at: devices verify
      those themselves.
      """,
    arguments: [connection.declaration]
  ) { (context) throws(Failure) in
    let lines = try HubProgram(context).run("verify")
    let problems = lines.all("problem")
    guard !problems.isEmpty else { return lines.report("Nothing is wrong with the hub.") }
    var report = lines.report(
      "Something is wrong with the hub.",
      .badConfiguration
    )
    report.answer = problems
    return report
  }

  static let found = Command(
    "found",
    abstract: "Make a circle for the devices of one person.",
    discussion: """
      Writes a code, from which the first device has its role and password; it has a day to log in, and
      then chooses a password of its own. Whoever reads the code before can take the device's place.

        authctl hub found "host=/run/postgresql dbname=localauth" --out code.txt
      """,
    arguments: [connection.declaration],
    options: [InjectVerb.output.declaration, InjectVerb.show.declaration],
    exclusions: [["out", "show"]]
  ) { (context) throws(Failure) in try found(context) }

  private static let nothing = "No circle was founded."

  private static func found(_ context: VerbContext) throws(Failure) -> Report {
    let program = try HubProgram(context)
    guard let path = context.arguments[InjectVerb.output] else {
      guard isatty(STDOUT_FILENO) == 0 || context.arguments[InjectVerb.show] else {
        throw Failure(.usage, "Standard output is a terminal: give --out FILE or --show.")
      }
      guard !context.output.wantsJSON else {
        throw Failure(.usage, "Standard output is for the code: with --json give --out FILE.")
      }
      try Output.requirePrivate()
      try program.run(["found"], output: STDOUT_FILENO)
      return Report(.success, "A circle was founded.") { _ in }
    }
    // What is there may be the code of another circle, which nobody has used yet.
    // SAFETY: the path is a C string for the call.
    guard unsafe access(path, F_OK) != 0 else {
      throw Failure(.usage, "\(path) is there already: it may have a code. \(nothing)")
    }
    let draft = try FileDraft(path, mode: 0o600, orElse: nothing)
    // The code is in its place before the circle counts.
    try draft.place()
    do throws(Failure) { try program.run(["found"], output: draft.descriptor) } catch {
      throw failure(error, draft, path)
    }
    return Report("A circle was founded; \(path) has the code of its first device.") {
      $0.member("file", path)
    }
  }

  /// Takes the file away again, unless its code may be that of a circle: where the server was not heard any more.
  private static func failure(_ error: Failure, _ draft: FileDraft, _ path: String) -> Failure {
    guard error.outcome == .unreachable, !draft.end(1).isEmpty else {
      draft.withdraw()
      return error
    }
    return Failure(
      error.outcome,
      "\(error.message) If a circle was founded all the same, \(path) has the code of its first device."
    )
  }
}
