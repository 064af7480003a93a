extension SyncMessages {
  /// A call that takes the owner's proof: a passcode that comes with it, or a prompt.
  public protocol ProvenCall: WireObject, Sendable {
    /// How the owner proves to be that.
    var proof: Proof { get set }
  }

  /// How the owner of the device proves to be that; part of every call that takes it.
  public struct Proof: WireObject, Sendable {
    /// The device; the user's own machine when absent.
    public var device: String?
    /// Whether a simulated device counts.
    public var allowSimulated: Bool?
    /// The device's passcode; with it nobody is asked.
    public var passcode: WireSecret?
    /// Whether a registered agent shows the prompts, because the caller has no user interface.
    public var agent: Bool?
    /// How long to wait for an answer; 30 s when absent.
    public var timeoutMilliseconds: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("allowSimulated", &allowSimulated)
      try mapper.optional("passcode", &passcode)
      try mapper.optional("agent", &agent)
      try mapper.optional("timeoutMilliseconds", &timeoutMilliseconds)
    }
  }

  /// The parameters of `Roll`, `Repair`, `Leave` and `RecoveryKey`.
  public struct DecisionCall: ProvenCall {
    /// How the owner proves to be that.
    public var proof = Proof()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try proof.map(&mapper)
    }
  }

  /// The parameters of `Found`, `Join` and `Recover`.
  public struct BeginCall: ProvenCall {
    /// The hub.
    public var hub = Hub()
    /// The code that the hub's administrator gave, or the sponsor showed.
    public var code = WireSecret.none
    /// The name that people will know the device by.
    public var name: String = ""
    /// A policy that has to be proven besides that of the owner.
    public var policy: String?
    /// How the owner proves to be that.
    public var proof = Proof()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("hub", &hub)
      try mapper.required("code", &code)
      try mapper.required("name", &name)
      try mapper.optional("policy", &policy)
      try proof.map(&mapper)
    }
  }

  /// The parameters of `Approve`.
  public struct ApproveCall: ProvenCall {
    /// The device that the person compared; absent for the one that answers now.
    public var peer: String?
    /// A policy that has to be proven besides that of the owner.
    public var policy: String?
    /// How the owner proves to be that.
    public var proof = Proof()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("peer", &peer)
      try mapper.optional("policy", &policy)
      try proof.map(&mapper)
    }
  }

  /// The parameters of `Remove`.
  public struct RemoveCall: ProvenCall {
    /// The peer.
    public var peer: String = ""
    /// How the owner proves to be that.
    public var proof = Proof()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("peer", &peer)
      try proof.map(&mapper)
    }
  }

  /// The parameters of `Move`.
  public struct MoveCall: ProvenCall {
    /// The hub.
    public var hub = Hub()
    /// Whether zones may be those of an older copy.
    public var acceptOlder: Bool?
    /// How the owner proves to be that.
    public var proof = Proof()
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("hub", &hub)
      try mapper.optional("acceptOlder", &acceptOlder)
      try proof.map(&mapper)
    }
  }

  /// A reply to `Found`, `Recover`, `Approve`, `Remove`, `Roll`, `Repair`, `Move` and `Leave`: a prompt, or with no field that
  /// it is done.
  public struct ProvenReply: PromptingReply, Sendable {
    /// The number of requests that are ahead of this one.
    public var queued: Int64?
    /// A prompt to show.
    public var prompt: AuthenticationMessages.Prompt?
    /// A notice to show.
    public var notice: AuthenticationMessages.Notice?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("queued", &queued)
      try mapper.optional("prompt", &prompt)
      try mapper.optional("notice", &notice)
    }
  }

  /// A reply to `Join`: a prompt, or the last reply, which has the words.
  public struct JoinReply: PromptingReply, Sendable {
    /// The number of requests that are ahead of this one.
    public var queued: Int64?
    /// A prompt to show.
    public var prompt: AuthenticationMessages.Prompt?
    /// A notice to show.
    public var notice: AuthenticationMessages.Notice?
    /// The words of this device, which its sponsor sees too.
    public var words: [String]?
    /// The name by which it asked: the first one that was given with this code.
    public var name: String?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("queued", &queued)
      try mapper.optional("prompt", &prompt)
      try mapper.optional("notice", &notice)
      try mapper.optional("words", &words)
      try mapper.optional("name", &name)
    }
  }

  /// A reply to `RecoveryKey`; exactly one field is present.
  public struct RecoveryKeyReply: PromptingReply, Sendable {
    /// The number of requests that are ahead of this one.
    public var queued: Int64?
    /// A prompt to show.
    public var prompt: AuthenticationMessages.Prompt?
    /// A notice to show.
    public var notice: AuthenticationMessages.Notice?
    /// The key to print, in base64; the last reply.
    public var code: WireSecret?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("queued", &queued)
      try mapper.optional("prompt", &prompt)
      try mapper.optional("notice", &notice)
      try mapper.optional("code", &code)
    }
  }
}
