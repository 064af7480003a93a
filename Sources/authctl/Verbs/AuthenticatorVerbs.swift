import Glibc
import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthPolicies
import LocalAuthPolicyFiles
import LocalAuthUnix
import LocalAuthWire

/// `authctl authenticator list|show|check`.
enum AuthenticatorVerbs {
  static let name = Argument<String>("NAME", help: "the authenticator's name")
  static let subject = Argument<String>(
    "NAME|FILE",
    source: .files,
    help: "the name of an authenticator, or the file of a manifest"
  )
  static let account = Option<String?>(
    "account",
    "NAME",
    source: .users,
    help: "the account to check it with; your own by default"
  )
  static let answer = Option<String?>(
    "answer",
    "TEXT",
    help: "a right answer, to see that it is accepted once: never one of worth"
  )
  static let stateDirectory = Option<String?>(
    "state-directory",
    "DIR",
    source: .directories,
    help: "the program's directory; an empty one by default"
  )

  static let command = Command(
    "authenticator",
    abstract: "See and check the programs that judge keys and codes.",
    discussion: """
      An authenticator is a program that judges one kind of evidence for a policy, such as a one-time
      code. The administrator's manifests in /etc/localauth/authenticators name them.
      localauth-authenticator(5) says how they are written.
      """,
    subcommands: [list, show, check]
  )

  static let list = Command(
    "list",
    abstract: "List the authenticators, and whether they can be asked.",
    discussion: """
      Ends with 78 if a manifest has a mistake. After a change of manifests: authctl daemon reload.
      """
  ) { (context) throws(Failure) in
    let reply = try context.call(Methods.listAuthenticators, ServiceMessages.Empty())
    let rows = reply.authenticators.map { line in
      [
        line.name, line.kind, line.simulated ? "simulated" : "real", line.state,
        line.message ?? enrolled(line) ?? line.summary,
      ]
    }
    let count = CountText.of(reply.authenticators.count, "authenticator") + "."
    var report = Report(
      reply.problems.isEmpty ? .success : .badConfiguration,
      reply.problems.isEmpty ? count : "\(count) A manifest has a mistake."
    ) {
      $0.member("items", reply.authenticators) { line, writer in write(line, to: &writer) }
      $0.member("problems", reply.problems)
    }
    report.answer = Columns.table(rows) + reply.problems
    report.remark = report.answer.isEmpty ? count : nil
    return report
  }

  static let show = Command(
    "show",
    abstract: "Show one authenticator.",
    arguments: [name.declaration]
  ) { (context) throws(Failure) in
    let wanted = context.arguments[name]
    let reply = try context.call(Methods.listAuthenticators, ServiceMessages.Empty())
    guard let line = reply.authenticators.first(where: { $0.name == wanted }) else {
      throw Failure(
        .itemNotFound,
        "There is no authenticator '\(wanted)'; \(context.typed()) authenticator list shows them."
      )
    }
    let rows: [(String, String)] = [
      ("name", line.name), ("for", line.summary), ("judges", "\(line.kind), \(line.evidence)"),
      ("asks", line.asks), ("worth", line.amr ?? "no amr"),
      ("proof", line.simulated ? "simulated" : "real"), ("program", line.program),
      ("manifest", line.file), ("state", line.state),
    ]
    let more = [
      ("why", line.message), ("keeps", line.directory),
      ("enrolled", line.enrolled.map { "\($0)" }),
    ]
    .compactMap { label, text in text.map { (label, $0) } }
    return Report(
      "\(line.name) is \(line.state).",
      answer: Columns.lines((rows + more).map { (label: $0.0, text: $0.1) })
    ) {
      $0.member("authenticator") { write(line, to: &$0) }
    }
  }

  static let check = Command(
    "check",
    abstract: "Try whether a program keeps the rules of an authenticator.",
    discussion: """
      Starts the program of a manifest as the daemon would and tries good and bad ways with it:
      whether it is what its manifest says, waits to be armed, names the attempt, judges once, stops
      when it is cancelled, and survives nonsense. Needs no daemon. Wrong answers are given; with
      --answer a right one too. Ends with 1 if a rule is broken.

        authctl authenticator check ./totp.json
      """,
    arguments: [subject.declaration],
    options: [account.declaration, answer.declaration, stateDirectory.declaration]
  ) { (context) throws(Failure) in try check(context) }

  private static func check(_ context: VerbContext) throws(Failure) -> Report {
    let manifest = try manifest(context.arguments[subject])
    try needOwnFile(manifest.program)
    let check = try AuthenticatorCheck(
      manifest,
      user: context.arguments[account] ?? SystemAccount.name(of: getuid()) ?? "\(getuid())",
      answer: context.arguments[answer],
      directory: try context.arguments[stateDirectory].map { path throws(Failure) in
        try directory(path)
      }
    )
    let findings = check.run()
    let broken = findings.filter { $0.holds == false }
    let left = findings.filter { $0.holds == nil }
    var message =
      broken.isEmpty
      ? "\(manifest.name) keeps the rules: \(CountText.of(findings.count - left.count, "check"))"
      : "\(manifest.name) breaks \(CountText.of(broken.count, "rule"))"
    message += left.isEmpty ? "." : "; \(left.count) could not be tried."
    var report = Report(broken.isEmpty ? .success : .authenticationFailed, message) {
      $0.member("authenticator", manifest.name)
      $0.member("items", findings) { finding, writer in
        writer.member("check", finding.check)
        if let holds = finding.holds {
          writer.member("holds", holds)
        } else {
          writer.member("holds", String?.none)
        }
        writer.member("message", finding.message)
      }
    }
    report.answer =
      Columns.table(findings.map { [word($0.holds), $0.check, $0.message ?? ""] })
    report.remark = message
    return report
  }

  private static func word(_ holds: Bool?) -> String {
    switch holds {
    case nil: "left out"
    case true?: "ok"
    case false?: "BROKEN"
    }
  }

  /// Refuses what others can write, as the daemon does: it would run here with this user's rights.
  private static func needOwnFile(_ path: String) throws(Failure) {
    do throws(ConfigurationFileError) {
      _ = try ConfigurationFile.check(path)
    } catch {
      throw Failure(.badConfiguration, "Nothing was started: \(error).")
    }
  }

  /// The absolute path of a directory that exists.
  private static func directory(_ path: String) throws(Failure) -> String {
    guard let absolute = ProcessEnvironment.current.absolute(path), PathAccess.exists(absolute)
    else {
      throw Failure(.usage, "There is no directory \(path).")
    }
    return absolute
  }

  /// The manifest that a name or a path means.
  private static func manifest(_ subject: String) throws(Failure) -> AuthenticatorManifest {
    guard !subject.contains("/"), !subject.hasSuffix(".json") else {
      try needOwnFile(subject)
      let text = try TextFile.read(path: subject)
      do throws(PolicyError) {
        // Nobody can install PAM's worker by a manifest, but it keeps the same rules.
        return try AuthenticatorFile.parse(
          Array(text.utf8),
          file: subject,
          kinds: AuthenticatorKind.outside + [.password]
        )
      } catch {
        throw Failure(.badConfiguration, "\(error)")
      }
    }
    let files = AuthenticatorFiles(in: AuthenticatorFiles.systemDirectories)
    guard let entry = files.entries.first(where: { $0.manifest.name == subject }) else {
      if let problem = files.problems.first(where: { $0.contains("/\(subject).json") }) {
        throw Failure(.badConfiguration, problem)
      }
      throw Failure(
        .itemNotFound,
        "There is no authenticator '\(subject)'; name its manifest's file."
      )
    }
    return entry.manifest
  }

  private static func enrolled(_ line: AuthenticatorListMessages.Line) -> String? {
    line.enrolled == 0 ? "Nothing of yours is enrolled." : nil
  }

  private static func write<Sink: ~Copyable>(
    _ line: AuthenticatorListMessages.Line,
    to writer: inout JSONWriter<Sink>
  ) {
    writer.member("name", line.name)
    writer.member("summary", line.summary)
    writer.member("kind", line.kind)
    writer.member("evidence", line.evidence)
    writer.member("asks", line.asks)
    writer.member("amr", line.amr)
    writer.member("simulated", line.simulated)
    writer.member("program", line.program)
    writer.member("file", line.file)
    writer.member("state", line.state)
    writer.member("message", line.message)
    writer.member("enrolled", line.enrolled)
    writer.member("directory", line.directory)
  }
}
