public import LocalAuthCore
import LocalAuthWire

/// A test device as it stands.
public struct TestDeviceStatus: Hashable, Sendable {
  /// The enrolled fingers.
  public let fingers: [Finger]
  /// Whether it has a passcode.
  public let hasPasscode: Bool
  /// `beforeFirstUnlock`, `unlocked` or `locked`.
  public let lockState: String
  /// What a finger would meet now: ``OutcomeCode/success`` where it can be used.
  public let biometry: OutcomeCode
  /// What the passcode would meet now: ``OutcomeCode/success`` where it can be used.
  public let passcode: OutcomeCode
  /// Misses left before fingers are locked; nil when nothing locks them.
  public let attemptsLeft: Int?
  /// When a finger may be tried again, where time helps.
  public let retryAfter: Duration?
  /// Wrong passcodes left before passcodes are locked for good; nil when nothing locks them.
  public let passcodeAttemptsLeft: Int?
  /// Whether a prompt is shown.
  public let isPrompting: Bool
  /// Evaluations that wait for the prompt.
  public let waiting: Int

  init(_ device: DeviceMessages.Device) {
    fingers = device.fingers.compactMap { Finger(named: $0) }
    hasPasscode = device.passcode != "none"
    lockState = device.lockState
    biometry = OutcomeCode(factorState: device.biometry)
    passcode = OutcomeCode(factorState: device.passcodeState)
    attemptsLeft = device.attemptsLeft.map { Int(clamping: $0) }
    retryAfter = device.retryAfterSeconds.map { .seconds($0) }
    passcodeAttemptsLeft = device.passcodeAttemptsLeft.map { Int(clamping: $0) }
    isPrompting = device.prompting
    waiting = Int(clamping: device.waiting)
  }
}

/// One line of a test device's audit.
public struct TestAuditLine: Hashable, Sendable {
  /// What was asked for: `evaluate`, `unlock`, or an administrative act.
  public let action: String
  /// The policy of an evaluation.
  public let policy: String
  /// The reason that was shown.
  public let reason: String
  /// How it ended; nil while it has not.
  public let outcome: OutcomeCode?
  /// What proved it.
  public let method: String
  /// The finger that matched.
  public let finger: Finger?
  /// Attempts that were judged.
  public let attempts: Int
  /// Whether the device is simulated.
  public let isSimulated: Bool
  /// What the outcome alone does not tell.
  public let detail: String

  init(_ line: DeviceMessages.AuditLine) {
    action = line.action
    policy = line.policy
    reason = line.reason
    outcome = OutcomeCode(rawValue: line.outcome)
    method = line.method
    finger = line.finger.flatMap { Finger(named: $0) }
    attempts = Int(clamping: line.attempts)
    isSimulated = line.simulated
    detail = line.detail
  }
}
