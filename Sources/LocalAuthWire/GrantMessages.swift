/// The messages of `io.localauth.Grants`; the interface description documents the fields.
public enum GrantMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Grants"

  /// A grant.
  public struct Grant: WireReply, Sendable {
    /// The evaluation whose success the grant is.
    public var grant: String = ""
    /// The device.
    public var device: String = ""
    /// Whether the device is simulated.
    public var simulated: Bool = false
    /// `caller`, or `unlock` for a device that a finger unlocked.
    public var kind: String = ""
    /// The policy.
    public var policy: String = ""
    /// The approved action.
    public var action: String?
    /// The audience that the success was signed for.
    public var audience: String?
    /// The caller's uid.
    public var uid: Int64?
    /// The caller's process.
    public var pid: Int64 = 0
    /// The caller's program, for display.
    public var program: String = ""
    /// What counts as the same caller: `session` or `process`.
    public var bounds: String?
    /// The device number of the session's terminal.
    public var terminal: Int64?
    /// The session's leader, or the process.
    public var leader: Int64?
    /// The age of the proof, in seconds.
    public var ageSeconds: Int64 = 0
    /// Seconds until the grant expires if it is not used; use restarts its idle time.
    public var secondsLeft: Int64 = 0
    /// The number of answers left.
    public var usesLeft: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
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
    /// The device; all devices of the user when absent.
    public var device: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
    }
  }

  /// The reply to `List`.
  public struct ListReply: WireReply, Sendable {
    /// The grants.
    public var grants: [Grant] = []
    /// The number of older grants that did not fit.
    public var omitted: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("grants", &grants)
      try mapper.required("omitted", &omitted)
    }
  }

  /// The parameters of `Revoke`.
  public struct RevokeCall: WireObject, Sendable {
    /// The device; all devices of the user when absent.
    public var device: String?
    /// The grant; all when absent.
    public var grant: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("grant", &grant)
    }
  }

  /// The reply to `Revoke`.
  public struct RevokeReply: WireReply, Sendable {
    /// The number of grants that were revoked.
    public var revoked: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("revoked", &revoked)
    }
  }
}
