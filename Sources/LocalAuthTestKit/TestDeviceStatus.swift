public import LocalAuthCore
import LocalAuthWire

/// The state of a test device at one moment.
public struct TestDeviceStatus: Hashable, Sendable {
  /// The enrolled fingers.
  public let fingers: [Finger]
  /// Whether it has a passcode.
  public let hasPasscode: Bool
  /// `beforeFirstUnlock`, `unlocked` or `locked`.
  public let lockState: String
  /// `OutcomeCode.success` if a finger can be used now, else the reason why not.
  public let biometry: OutcomeCode
  /// `OutcomeCode.success` if the passcode can be used now, else the reason why not.
  public let passcode: OutcomeCode
  /// The number of misses left before fingers are locked; nil if nothing locks them.
  public let attemptsLeft: Int?
  /// The time until a finger may be tried again; nil if waiting does not help.
  public let retryAfter: Duration?
  /// The number of wrong passcodes left before passcodes are locked permanently; nil if nothing
  /// locks them.
  public let passcodeAttemptsLeft: Int?
  /// Whether a prompt is shown.
  public let isPrompting: Bool
  /// The number of evaluations that wait for the prompt.
  public let waiting: Int

  init(_ device: DeviceMessages.Device) {
    fingers = device.fingers.compactMap { Finger(named: $0) }
    hasPasscode = device.hasPasscode
    lockState = device.lockState
    biometry = device.biometryOutcome
    passcode = device.passcodeOutcome
    attemptsLeft = device.attemptsLeft.map { Int(clamping: $0) }
    retryAfter = device.retryAfterSeconds.map { .seconds($0) }
    passcodeAttemptsLeft = device.passcodeAttemptsLeft.map { Int(clamping: $0) }
    isPrompting = device.prompting
    waiting = Int(clamping: device.waiting)
  }
}

/// One line of a test device's audit.
public struct TestAuditLine: Hashable, Sendable {
  /// The requested action: `evaluate`, `unlock`, or an administrative one.
  public let action: String
  /// The policy of an evaluation.
  public let policy: String
  /// The reason that was shown.
  public let reason: String
  /// The outcome; nil while there is none.
  public let outcome: OutcomeCode?
  /// The method that proved it.
  public let method: String
  /// The finger that matched.
  public let finger: Finger?
  /// The number of judged attempts.
  public let attempts: Int
  /// Whether the device is simulated.
  public let isSimulated: Bool
  /// Details that the outcome alone does not tell.
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
