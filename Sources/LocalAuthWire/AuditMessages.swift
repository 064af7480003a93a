extension DeviceMessages {
  /// One line of the audit.
  public struct AuditLine: WireReply, Sendable {
    /// Which evaluation or act.
    public var evaluation: String = ""
    /// What was asked for.
    public var action: String = ""
    /// The device.
    public var device: String = ""
    /// Who asked.
    public var uid: Int64 = 0
    /// Which process asked.
    public var pid: Int64 = 0
    /// The policy.
    public var policy: String = ""
    /// The reason that was shown.
    public var reason: String = ""
    /// When it began, in milliseconds since 1970.
    public var began: Int64 = 0
    /// When it ended.
    public var ended: Int64?
    /// How it ended, or `unknown`.
    public var outcome: String = ""
    /// What proved it.
    public var method: String = ""
    /// The finger that matched.
    public var finger: String?
    /// Attempts that were judged.
    public var attempts: Int64 = 0
    /// Whether the device is simulated.
    public var simulated: Bool = false
    /// What the outcome alone does not tell.
    public var detail: String = ""
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("evaluation", &evaluation)
      try mapper.required("action", &action)
      try mapper.required("device", &device)
      try mapper.required("uid", &uid)
      try mapper.required("pid", &pid)
      try mapper.required("policy", &policy)
      try mapper.required("reason", &reason)
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
    /// Only lines of this device.
    public var device: String?
    /// How many lines at most; 100 when absent.
    public var limit: Int64?
    /// Whether to wait for lines to come.
    public var follow: Bool?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("limit", &limit)
      try mapper.optional("follow", &follow)
    }
  }

  /// A reply to `Audit`.
  public struct AuditReply: WireReply, Sendable {
    /// Lines, oldest first.
    public var lines: [AuditLine] = []
    /// How many older lines were asked for and did not fit into the reply.
    public var omitted: Int64 = 0
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("lines", &lines)
      try mapper.required("omitted", &omitted)
    }
  }

  /// Whether the copy of the audit is what was written.
  public struct VerifyAuditReply: WireReply, Sendable {
    /// Whether it is.
    public var intact: Bool = false
    /// How many lines there are.
    public var lines: Int64 = 0
    /// What is wrong with it.
    public var message: String?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("intact", &intact)
      try mapper.required("lines", &lines)
      try mapper.optional("message", &message)
    }
  }
}
