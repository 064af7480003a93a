extension DeviceMessages {
  /// One line of the audit.
  public struct AuditLine: WireReply, Sendable {
    /// The identifier of the evaluation or act.
    public var evaluation: String = ""
    /// The requested action.
    public var action: String = ""
    /// The device.
    public var device: String = ""
    /// The uid of the caller.
    public var uid: Int64 = 0
    /// The process of the caller.
    public var pid: Int64 = 0
    /// The name of the caller's program; empty if it is unknown.
    public var program: String = ""
    /// The path of that program; empty if the service cannot see it.
    public var programPath: String = ""
    /// The terminal of the caller's process; empty if it has none.
    public var terminal: String = ""
    /// The policy.
    public var policy: String = ""
    /// The reason that was shown to the person.
    public var reason: String = ""
    /// The words of the action, if a prompt showed them.
    public var shownAction: String = ""
    /// When it began, in milliseconds since 1970.
    public var began: Int64 = 0
    /// When it ended, in milliseconds since 1970.
    public var ended: Int64?
    /// The row of the outcome table, or `unknown`.
    public var outcome: String = ""
    /// The method that proved it.
    public var method: String = ""
    /// The finger that matched.
    public var finger: String?
    /// The number of judged attempts.
    public var attempts: Int64 = 0
    /// Whether the device is simulated.
    public var simulated: Bool = false
    /// Details that the outcome does not tell.
    public var detail: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("evaluation", &evaluation)
      try mapper.required("action", &action)
      try mapper.required("device", &device)
      try mapper.required("uid", &uid)
      try mapper.required("pid", &pid)
      try mapper.required("program", &program)
      try mapper.required("programPath", &programPath)
      try mapper.required("terminal", &terminal)
      try mapper.required("policy", &policy)
      try mapper.required("reason", &reason)
      try mapper.required("shownAction", &shownAction)
      try mapper.required("began", &began)
      try mapper.optional("ended", &ended)
      try mapper.required("outcome", &outcome)
      try mapper.required("method", &method)
      try mapper.optional("finger", &finger)
      try mapper.required("attempts", &attempts)
      try mapper.required("simulated", &simulated)
      try mapper.required("detail", &detail)
    }
  }

  /// The parameters of `Audit`.
  public struct AuditCall: WireObject, Sendable {
    /// The device to report; all of the user's devices when absent.
    public var device: String?
    /// The line, by its evaluation or act, before which to begin; none when absent.
    public var before: String?
    /// The maximum number of lines; 100 when absent.
    public var limit: Int64?
    /// Whether to continue with new lines.
    public var follow: Bool?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("before", &before)
      try mapper.optional("limit", &limit)
      try mapper.optional("follow", &follow)
    }
  }

  /// A reply to `Audit`.
  public struct AuditReply: WireReply, Sendable {
    /// The lines, oldest first.
    public var lines: [AuditLine] = []
    /// The number of older lines that were asked for but did not fit into the reply.
    public var omitted: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("lines", &lines)
      try mapper.required("omitted", &omitted)
    }
  }

  /// The result of verifying the copy of the audit.
  public struct VerifyAuditReply: WireReply, Sendable {
    /// Whether the copy contains what was written.
    public var intact: Bool = false
    /// The number of lines in the copy.
    public var lines: Int64 = 0
    /// The number of lines that could not be written, if there were any.
    public var lost: Int64?
    /// What is wrong with the copy.
    public var message: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("intact", &intact)
      try mapper.required("lines", &lines)
      try mapper.optional("lost", &lost)
      try mapper.optional("message", &message)
    }
  }
}
