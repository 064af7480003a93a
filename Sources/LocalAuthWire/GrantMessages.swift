/// What `io.localauth.Grants` says and hears; its description documents the fields.
public enum GrantMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Grants"

  /// A grant.
  public struct Grant: WireReply, Sendable {
    /// The evaluation whose success it is.
    public var grant: String = ""
    /// The device.
    public var device: String = ""
    /// Whether the device is simulated.
    public var simulated: Bool = false
    /// `caller`, or `unlock` for a device that a finger unlocked.
    public var kind: String = ""
    /// The policy.
    public var policy: String = ""
    /// What was approved.
    public var action: String?
    /// For whom it was signed.
    public var audience: String?
    /// The caller's uid.
    public var uid: Int64?
    /// The process that asked.
    public var pid: Int64 = 0
    /// Its program, for display.
    public var program: String = ""
    /// `session` or `process`: what counts as the same caller.
    public var bounds: String?
    /// The device number of the session's terminal.
    public var terminal: Int64?
    /// The session's leader, or the process.
    public var leader: Int64?
    /// How long ago it was proven.
    public var ageSeconds: Int64 = 0
    /// How long it still lives, if nobody uses it.
    public var secondsLeft: Int64 = 0
    /// How many answers are left.
    public var usesLeft: Int64?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("grant", &grant)
      try mapper.required("device", &device)
      try mapper.required("simulated", &simulated)
      try mapper.required("kind", &kind)
      try mapper.required("policy", &policy)
      try mapper.optional("action", &action)
      try mapper.optional("audience", &audience)
      try mapper.optional("uid", &uid)
      try mapper.required("pid", &pid)
      try mapper.required("program", &program)
      try mapper.optional("bounds", &bounds)
      try mapper.optional("terminal", &terminal)
      try mapper.optional("leader", &leader)
      try mapper.required("ageSeconds", &ageSeconds)
      try mapper.required("secondsLeft", &secondsLeft)
      try mapper.optional("usesLeft", &usesLeft)
    }
  }

  /// The parameters of `List`.
  public struct ListCall: WireObject, Sendable {
    /// The device; all of the user's when absent.
    public var device: String?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
    }
  }

  /// The reply to `List`.
  public struct ListReply: WireReply, Sendable {
    /// The grants.
    public var grants: [Grant] = []
    /// Older ones that did not fit.
    public var omitted: Int64 = 0
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("grants", &grants)
      try mapper.required("omitted", &omitted)
    }
  }

  /// The parameters of `Revoke`.
  public struct RevokeCall: WireObject, Sendable {
    /// The device; all of the user's when absent.
    public var device: String?
    /// The grant; all when absent.
    public var grant: String?
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("grant", &grant)
    }
  }

  /// The reply to `Revoke`.
  public struct RevokeReply: WireReply, Sendable {
    /// How many ended.
    public var revoked: Int64 = 0
    /// Everything absent, empty or zero.
    public init() {}
    /// Hands over every field.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("revoked", &revoked)
    }
  }
}
