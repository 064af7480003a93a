import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthWire

/// `authctl grant list|revoke`.
enum GrantVerbs {
  static let name = Argument<String?>("GRANT", help: "the grant, by how its name begins")
  static let all = Flag("all", help: "end all of them")

  static let command = Command(
    "grant",
    abstract: "See and end what answers again without asking.",
    discussion: """
      With evaluate --max-age a success is remembered for the same program on the same terminal, and
      for the same policy, action and audience. A grant ends by its age, by its uses, when the device
      is locked or restarted, with each change of fingers or passcode, and here.
      """,
    subcommands: [list, revoke]
  )

  static let list = Command(
    "list",
    abstract: "List what was granted and still counts.",
    discussion: "Shows the grants of all your devices, or of the one that is named."
  ) { (context) throws(Failure) in
    let reply = try context.call(Methods.listGrants, try listCall(context))
    var report = Report(
      CountText.of(reply.grants.count, "grant") + ".",
      answer: Columns.table(reply.grants.map { row($0) })
    ) {
      $0.member("items", reply.grants) { grant, writer in
        write(grant, to: &writer)
      }
    }
    if reply.omitted > 0 {
      report.remark = "\(reply.omitted) older ones do not fit into one answer"
    }
    return report
  }

  static let revoke = Command(
    "revoke",
    abstract: "End a grant, or all of them.",
    discussion: """
      Ends grants of all your devices, or of the one that is named. It takes no passcode, because it
      can only take away.

        authctl grant revoke 3fa4
        authctl grant revoke --all
      """,
    arguments: [name.declaration],
    options: [all.declaration]
  ) { (context) throws(Failure) in try revoke(context) }

  private static func revoke(_ context: VerbContext) throws(Failure) -> Report {
    var call = GrantMessages.RevokeCall()
    call.device = context.arguments[GlobalOptions.device]
    switch (context.arguments[name], context.arguments[all]) {
    case (nil, true): break
    case (let prefix?, false): call.grant = try grant(named: prefix, context)
    case (nil, false), (_?, true):
      throw Failure(
        .usage,
        "Name one grant, or say --all; \(context.typed()) grant list shows them."
      )
    }
    let reply = try context.call(Methods.revokeGrants, call)
    return Report(CountText.of(reply.revoked, "grant") + " revoked.") {
      $0.member("revoked", reply.revoked)
    }
  }

  /// Returns the only grant whose name begins with `prefix`.
  private static func grant(
    named prefix: String,
    _ context: VerbContext
  ) throws(Failure) -> String {
    let grants = try context.call(Methods.listGrants, try listCall(context)).grants
    let found = grants.map(\.grant).filter { $0.hasPrefix(prefix.lowercased()) }
    guard !prefix.isEmpty, let first = found.first else {
      throw Failure(.itemNotFound, "No grant's name begins with '\(prefix)'.")
    }
    guard found.count == 1 else {
      throw Failure(.usage, "\(found.count) grants' names begin with '\(prefix)': give more of it.")
    }
    return first
  }

  private static func listCall(_ context: VerbContext) throws(Failure) -> GrantMessages.ListCall {
    var call = GrantMessages.ListCall()
    call.device = context.arguments[GlobalOptions.device]
    return call
  }

  private static func row(_ grant: GrantMessages.Grant) -> [String] {
    var left = DurationText.words(.seconds(grant.secondsLeft)) + " left"
    if let uses = grant.usesLeft { left += ", " + CountText.of(uses, "use") }
    return [
      String(grant.grant.prefix(8)), grant.simulated ? "\(grant.device) (simulated)" : grant.device,
      grant.policy, left, holder(of: grant),
      [grant.action, grant.audience.map { "for \($0)" }].compactMap(\.self).joined(separator: " "),
    ]
  }

  private static func holder(of grant: GrantMessages.Grant) -> String {
    switch grant.bounds {
    case "session": "\(grant.program) in session \(grant.leader ?? 0)"
    case "process": "\(grant.program), process \(grant.leader ?? 0)"
    default: "unlocked by a finger"
    }
  }

  private static func write(
    _ grant: GrantMessages.Grant,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("grant", grant.grant)
    writer.member("device", grant.device)
    writer.member("simulated", grant.simulated)
    writer.member("kind", grant.kind)
    writer.member("policy", grant.policy)
    writer.member("action", grant.action)
    writer.member("audience", grant.audience)
    writer.member("uid", grant.uid)
    writer.member("pid", grant.pid)
    writer.member("program", grant.program)
    writer.member("bounds", grant.bounds)
    writer.member("terminal", grant.terminal)
    writer.member("leader", grant.leader)
    writer.member("ageSeconds", grant.ageSeconds)
    writer.member("secondsLeft", grant.secondsLeft)
    writer.member("usesLeft", grant.usesLeft)
  }
}
