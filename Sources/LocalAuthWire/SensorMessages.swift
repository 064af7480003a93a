/// The messages of `io.localauth.Sensor`; the interface description documents the fields.
public enum SensorMessages {
  /// The interface's name.
  public static let interface = "io.localauth.Sensor"

  /// The parameters of `Enroll`.
  public struct EnrollCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// The finger.
    public var finger: String = ""
    /// Whether every stage waits for a `Present`.
    public var manual: Bool?
    /// The current passcode.
    public var passcode: WireSecret?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.required("finger", &finger)
      try mapper.optional("manual", &manual)
      try mapper.optional("passcode", &passcode)
    }
  }

  /// A reply to `Enroll`.
  public struct EnrollReply: WireReply, Sendable {
    /// The stage that was passed.
    public var stage: Int64?
    /// The number of stages.
    public var stages: Int64?
    /// How to improve the next touch.
    public var feedback: String?
    /// Whether the finger is enrolled.
    public var completed: Bool = false
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("stage", &stage)
      try mapper.optional("stages", &stages)
      try mapper.optional("feedback", &feedback)
      try mapper.required("completed", &completed)
    }
  }

  /// The parameters of `Remove`.
  public struct RemoveCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// The finger; all of them when absent.
    public var finger: String?
    /// The current passcode.
    public var passcode: WireSecret?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.optional("finger", &finger)
      try mapper.optional("passcode", &passcode)
    }
  }

  /// The reply to `List`.
  public struct ListReply: WireReply, Sendable {
    /// The enrolled fingers.
    public var fingers: [String] = []
    /// The generation of the enrolled set: the number of its changes.
    public var generation: Int64 = 0
    /// The maximum number of fingers.
    public var maximum: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("fingers", &fingers)
      try mapper.required("generation", &generation)
      try mapper.required("maximum", &maximum)
    }
  }

  /// The parameters of `Touch`.
  public struct TouchCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// The finger.
    public var finger: String = ""
    /// Whether to wait for a prompt.
    public var wait: Bool?
    /// How long to wait; 30 s when absent.
    public var timeoutMilliseconds: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.required("finger", &finger)
      try mapper.optional("wait", &wait)
      try mapper.optional("timeoutMilliseconds", &timeoutMilliseconds)
    }
  }

  /// The parameters of `Present`.
  public struct PresentCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// One event of the script grammar; a secret, because an event may be a passcode.
    public var event: WireSecret = WireSecret.none
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.required("event", &event)
    }
  }

  /// The reply to `Touch` and `Present`.
  public struct EffectReply: WireReply, Sendable {
    /// What the event did.
    public var effect: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("effect", &effect)
    }
  }

  /// The parameters of `Script`.
  public struct ScriptCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// The events.
    public var events: WireSecret = WireSecret.none
    /// The number of evaluations to use the script for; 0 for all, 1 when absent.
    public var times: Int64?
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.required("events", &events)
      try mapper.optional("times", &times)
    }
  }

  /// The reply to `Script`.
  public struct ScriptReply: WireReply, Sendable {
    /// The number of events in the script.
    public var queued: Int64 = 0
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("queued", &queued)
    }
  }

  /// The parameters of `Set`.
  public struct SetCall: WireObject, Sendable {
    /// The device.
    public var device: String?
    /// The setting.
    public var key: String = ""
    /// Its value.
    public var value: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.optional("device", &device)
      try mapper.required("key", &key)
      try mapper.required("value", &value)
    }
  }

  /// A setting or a fact about the sensor.
  public struct Setting: WireReply, Sendable {
    /// Its name.
    public var key: String = ""
    /// Its value.
    public var value: String = ""
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("key", &key)
      try mapper.required("value", &value)
    }
  }

  /// The reply to `Dump`.
  public struct DumpReply: WireReply, Sendable {
    /// The visible state of the sensor.
    public var state: [Setting] = []
    /// Creates a value whose fields are all absent, empty or zero.
    public init() {}
    /// Passes every field to `mapper`.
    public mutating func map(_ mapper: inout some FieldMapper) throws(WireError) {
      try mapper.required("state", &state)
    }
  }
}
