import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthUnix
import LocalAuthWire

/// `authctl audit`.
enum AuditVerb {
  static let follow = Flag("follow", help: "go on with what is yet to come")
  static let verify = Flag(
    "verify",
    help: "say whether the system's copy of the audit is whole; for root"
  )
  static let limit = Option<LineCount?>(
    "limit",
    "N",
    help: "the newest N lines only (100, or all with --since)"
  )
  static let since = Option<AuditTime?>(
    "since",
    "WHEN",
    help: "only what ended since then: 90m, 7d, today, 08:30, 2026-08-01, 2026-08-01T08:30"
  )
  static let outcome = Option<[OutcomeChoice]>(
    "outcome",
    "OUTCOME",
    help: "only what ended so; failure is anything but success"
  )
  static let summary = Flag("summary", help: "count by day instead; today unless --since says more")

  static let command = Command(
    "audit",
    abstract: "Show who asked for what, and how it ended.",
    discussion: """
      Shows your own evaluations and administrative acts, of one device where one is named, in the
      order in which they ended. Times are in UTC, by the clock of the device. A line without an
      outcome is still under way, or was cut off by a crash; it has the time at which it began.

      With --follow lines are shown as they end, with --json one object each. When the daemon ends,
      it waits for the next one, which it does not start, and goes on after the last line shown.

        authctl audit --since today --outcome failure
        authctl audit --device desk --follow
        authctl audit --summary --since 7d
      """,
    options: [
      follow.declaration, summary.declaration, verify.declaration, since.declaration,
      outcome.declaration, limit.declaration,
    ],
    exclusions: [["follow", "summary", "verify"]]
  ) { (context) throws(Failure) in try run(context) }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    let arguments = context.arguments
    let isNarrowed =
      arguments[since] != nil || arguments[limit] != nil || !arguments[outcome].isEmpty
    guard !arguments[verify] || !isNarrowed else {
      throw Failure(.usage, "--verify looks at the whole copy: leave the other options out.")
    }
    if arguments[verify] { return try verify(context) }
    let now = SystemClock.wallNow().milliseconds
    let start = arguments[since] ?? (arguments[summary] ? .today : nil)
    let filter = AuditFilter(since: start?.milliseconds(at: now), outcomes: arguments[outcome])
    let limit = arguments[limit].map { Int($0.count) } ?? (start == nil ? 100 : .max)
    var call = DeviceMessages.AuditCall()
    call.device = try context.device().name
    if arguments[follow] {
      try checkIsKnown(call, context)
      var follower = AuditFollower(call, filter, limit: limit, context)
      try follower.run()
    }
    let lines = try AuditPages.newest(limit, of: call, filter, context)
    if lines.isEmpty { try checkIsKnown(call, context) }
    return arguments[summary] ? AuditSummary(lines).report : report(lines)
  }

  /// Fails for a device that there neither is nor was: lines of one that was removed stay.
  private static func checkIsKnown(
    _ call: DeviceMessages.AuditCall,
    _ context: VerbContext
  ) throws(Failure) {
    guard call.device != nil,
      try AuditPages.newest(1, of: call, AuditFilter(since: nil, outcomes: []), context).isEmpty
    else { return }
    _ = try context.call(Methods.status, DeviceVerbs.call(try context.device()))
  }

  private static func report(_ lines: [DeviceMessages.AuditLine]) -> Report {
    var names = AccountNames()
    let count = CountText.of(lines.count, "line") + "."
    return Report(count, answer: lines.flatMap { AuditText.lines($0, &names) }) {
      $0.member("items", lines) { line, writer in AuditText.write(line, to: &writer) }
    }
  }

  private static func verify(_ context: VerbContext) throws(Failure) -> Report {
    let reply = try context.call(Methods.verifyAudit, ServiceMessages.Empty())
    guard reply.intact else {
      throw Failure(.internalError, "The copy of the audit is damaged: \(reply.message ?? "").")
    }
    let lost = reply.lost ?? 0
    let missing = lost == 0 ? "" : " \(lost) more could not be written."
    return Report(CountText.of(reply.lines, "line") + ", all as they were written." + missing) {
      $0.member("lines", reply.lines)
      $0.member("lost", lost)
    }
  }
}
