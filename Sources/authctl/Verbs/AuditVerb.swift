import LocalAuthClient
import LocalAuthCore
import LocalAuthJSON
import LocalAuthWire

/// `authctl audit`.
enum AuditVerb {
  static let follow = Flag("follow", help: "go on with what is yet to come")
  static let verify = Flag(
    "verify",
    help: "say whether the system's copy of the audit is whole; for root"
  )
  static let limit = Option<LineCount>("limit", "N", default: "100", help: "how many lines")

  static let command = Command(
    "audit",
    abstract: "Show who asked for what, and how it ended.",
    discussion: """
      Shows your own evaluations and administrative acts, the oldest first, of one device where one is
      named. With --follow and --json each line is one JSON object.
      """,
    options: [follow.declaration, limit.declaration, verify.declaration]
  ) { arguments in
    VerbContext.run(arguments) { (context) throws(Failure) in try run(context) }
  }

  private static func run(_ context: VerbContext) throws(Failure) -> Report {
    if context.arguments[verify] { return try verify(context) }
    var call = DeviceMessages.AuditCall()
    call.device = try context.device().name
    call.limit = context.arguments[limit].count
    guard context.arguments[follow] else {
      let reply = try context.call(Methods.audit, call)
      var report = Report("\(reply.lines.count) lines.", answer: reply.lines.map { text($0) }) {
        $0.member("items", reply.lines) { line, writer in
          write(line, to: &writer)
        }
      }
      if reply.omitted > 0 {
        report.remark = "\(reply.omitted) older lines do not fit into one answer"
      }
      return report
    }
    call.follow = true
    try follow(call, context)
    return Report("The daemon ended.") { _ in }
  }

  private static func verify(_ context: VerbContext) throws(Failure) -> Report {
    let reply = try context.call(Methods.verifyAudit, ServiceMessages.Empty())
    guard reply.intact else {
      throw Failure(.internalError, "The copy of the audit is damaged: \(reply.message ?? "").")
    }
    return Report("\(reply.lines) lines, all as they were written.") {
      $0.member("lines", reply.lines)
    }
  }

  /// Prints lines until the stream ends, output fails, or a signal ends this process.
  ///
  /// A connection that breaks is an error.
  private static func follow(
    _ call: DeviceMessages.AuditCall,
    _ context: VerbContext
  ) throws(Failure) {
    var connection = try context.connect()
    var continues = true
    try context.calling { () throws(ClientError) in try connection.begin(Methods.audit, call) }
    while continues {
      let reply: DeviceMessages.AuditReply
      (reply, continues) = try context.calling { () throws(ClientError) in
        try connection.next(Methods.audit)
      }
      for line in reply.lines where !isWritten(line, to: context.output) {
        throw Failure(.internalError, "Standard output cannot be written to.")
      }
    }
  }

  private static func isWritten(_ line: DeviceMessages.AuditLine, to output: Output) -> Bool {
    guard output.wantsJSON else { return output.write(text(line) + "\n") }
    return output.writeLine(
      Report("A line of the audit.") { writer in
        writer.member("line") { write(line, to: &$0) }
      }
    )
  }

  /// Formats a line for people.
  static func text(_ line: DeviceMessages.AuditLine) -> String {
    var words = [Timestamp.text(line.began), line.action, line.device]
    if !line.policy.isEmpty { words.append(line.policy) }
    words.append(line.outcome)
    if !line.method.isEmpty { words.append("by \(line.method)") }
    if let finger = line.finger { words.append("(\(finger))") }
    if line.simulated { words.append("(simulated)") }
    if line.attempts > 0 {
      words.append("after \(line.attempts) \(line.attempts == 1 ? "attempt" : "attempts")")
    }
    words.append("pid \(line.pid)")
    if !line.reason.isEmpty { words.append("- \(line.reason)") }
    if !line.detail.isEmpty { words.append("[\(line.detail)]") }
    return Columns.table([[words.joined(separator: " ")]]).joined()
  }

  private static func write(
    _ line: DeviceMessages.AuditLine,
    to writer: inout JSONWriter<JSONGrowingBuffer>
  ) {
    writer.member("evaluation", line.evaluation)
    writer.member("action", line.action)
    writer.member("device", line.device)
    writer.member("uid", line.uid)
    writer.member("pid", line.pid)
    writer.member("policy", line.policy.isEmpty ? nil : line.policy)
    writer.member("reason", line.reason.isEmpty ? nil : line.reason)
    writer.member("began", Timestamp.text(line.began))
    writer.member("ended", line.ended.map { Timestamp.text($0) })
    writer.member("outcome", line.outcome)
    writer.member("method", line.method.isEmpty ? nil : line.method)
    writer.member("finger", line.finger)
    writer.member("attempts", line.attempts)
    writer.member("simulated", line.simulated)
    writer.member("detail", line.detail.isEmpty ? nil : line.detail)
  }
}
