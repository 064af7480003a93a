/// Names one evaluation or administrative act permanently.
public struct EvaluationID: Hashable, Sendable {
  /// The upper 64 bits.
  public var high: UInt64
  /// The lower 64 bits.
  public var low: UInt64

  /// The identifier with these bits.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// A fresh identifier.
  public init(using generator: inout some RandomNumberGenerator) {
    self.init(high: generator.next(), low: generator.next())
  }

  /// Thirty-two hexadecimal digits.
  public var text: String { String(hexadecimal: high, low) }

  /// The identifier written as `text`.
  public init?(text: String) {
    guard text.utf8.count == 32, text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }
}

/// One line of the audit: who asked, for what, and how it ended.
///
/// The beginning is durable before anything is judged; a line whose ``outcome`` is nil belongs to
/// an evaluation cut off by a crash, whose outcome is unknown.
public struct AuditRecord: Hashable, Sendable {
  /// The evaluation or act.
  public var id: EvaluationID
  /// What was asked for: `evaluate`, or an administrative act such as `passcode set`.
  public var action: String
  /// The device it concerns.
  public var device: DeviceIdentity
  /// The uid of the caller, as reported by the kernel.
  public var callerUID: UInt32
  /// The process of the caller, as reported by the kernel.
  public var callerPID: Int32
  /// The name of the caller's program, which the caller may choose; empty if it is unknown.
  public var program: String
  /// The path of that program; empty if the service cannot see it.
  public var programPath: String
  /// The terminal of the caller's process, such as `pts/3`; empty if it has none.
  public var terminal: String
  /// The policy; empty if there is none.
  public var policy: String
  /// The reason that was shown to the user.
  public var reason: String
  /// The words of the action, or what was asked of how many items, if a prompt showed them; otherwise
  /// empty.
  public var shownAction: String
  /// Whether the device is simulated.
  public var isSimulated: Bool
  /// When it began, for display.
  public var began: WallInstant
  /// When it ended, or nil.
  public var ended: WallInstant?
  /// How it ended, or nil while unknown.
  public var outcome: OutcomeCode?
  /// What proved it: `fingerprint`, `passcode`, `pam`, `reuse`, joined by `+`.
  public var method: String
  /// The finger that matched, if one did.
  public var finger: Finger?
  /// Attempts that were judged.
  public var attempts: UInt32
  /// Why, if the outcome alone does not tell.
  public var detail: String

  /// The beginning of a line.
  public init(
    id: EvaluationID,
    action: String,
    device: DeviceIdentity,
    callerUID: UInt32,
    callerPID: Int32,
    policy: String = "",
    reason: String = "",
    isSimulated: Bool,
    began: WallInstant
  ) {
    self.id = id
    self.action = action
    self.device = device
    self.callerUID = callerUID
    self.callerPID = callerPID
    program = ""
    programPath = ""
    terminal = ""
    self.policy = policy
    self.reason = reason
    shownAction = ""
    self.isSimulated = isSimulated
    self.began = began
    ended = nil
    outcome = nil
    method = ""
    finger = nil
    attempts = 0
    detail = ""
  }
}
