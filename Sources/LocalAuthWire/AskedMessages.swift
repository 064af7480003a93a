extension DeviceMessages {
  /// An evaluation that has the prompt of a device, or waits for it.
  ///
  /// What it shares with a line of the audit has the same name and meaning there.
  public struct Asked: WireReply, Sendable {
    /// The identifier of the evaluation.
    public var evaluation: String = ""
    /// The requested action.
    public var action: String = ""
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
    /// The reason that the person reads.
    public var reason: String = ""
    /// The words of the action, or what is asked of how many items.
    public var shownAction: String = ""
    /// The factors that would answer now.
    public var factors: [String] = []
    /// Seconds left to answer.
    public var secondsLeft: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("evaluation", &evaluation)
      try mapper.required("action", &action)
      try mapper.required("uid", &uid)
      try mapper.required("pid", &pid)
      try mapper.required("program", &program)
      try mapper.required("programPath", &programPath)
      try mapper.required("terminal", &terminal)
      try mapper.required("policy", &policy)
      try mapper.required("reason", &reason)
      try mapper.required("shownAction", &shownAction)
      try mapper.required("factors", &factors)
      try mapper.required("secondsLeft", &secondsLeft)
    }
  }
}
