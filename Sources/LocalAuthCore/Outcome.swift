/// Every way a request can end: the one table of words, `LAError` codes and exit statuses.
public enum OutcomeCode: String, CaseIterable, Hashable, Sendable {
  case success
  case authenticationFailed
  case usage
  case userCancel
  case userFallback
  case notInteractive
  case timeout
  case systemCancel
  case appCancel
  case busy
  case invalidContext
  case biometryLockout
  case passcodeThrottled
  case authenticatorLockout
  case biometryNotEnrolled
  case biometryNotAvailable
  case biometryDisconnected
  case authenticatorNotAvailable
  case sensorError
  case passcodeNotSet
  case itemNotFound
  case duplicateItem
  case itemLocked
  case accessGroupNotAllowed
  case keychainError
  case scriptEventsLeftOver
  case unreachable
  case internalError
  case simulatedNotAllowed
  case notPermitted
  case badConfiguration

  /// The status that `authctl` exits with.
  public var exit: Int32 { row.exit }
  /// The code that Apple's `LAError` has for it, or nil if there is none.
  public var laError: Int32? { row.laError }
  /// What happened, in one sentence.
  public var sentence: String { row.sentence }

  private var row: (exit: Int32, laError: Int32?, sentence: String) {
    switch self {
    case .success: (0, 0, "The requirement was proven.")
    case .authenticationFailed: (1, -1, "Authentication failed.")
    case .usage: (2, nil, "The command line was not understood.")
    case .userCancel: (3, -2, "The user cancelled.")
    case .userFallback: (4, -3, "The user chose the fallback.")
    case .notInteractive: (5, -1004, "A person is needed and cannot be asked here.")
    case .timeout: (6, -4, "Nobody answered in time.")
    case .systemCancel: (7, -4, "The system cancelled the request.")
    case .appCancel: (7, -9, "The program that asked cancelled the request.")
    case .busy: (8, -4, "Too many requests are waiting for this device.")
    case .invalidContext: (9, -10, "The context was invalidated.")
    case .biometryLockout: (10, -8, "Biometry is locked.")
    case .passcodeThrottled: (11, -1, "Too many wrong passcodes.")
    case .authenticatorLockout: (10, -1, "The authenticator is locked.")
    case .biometryNotEnrolled: (12, -7, "No finger is enrolled.")
    case .biometryNotAvailable: (13, -6, "There is no usable sensor.")
    case .biometryDisconnected: (13, -13, "The sensor was disconnected.")
    case .authenticatorNotAvailable: (13, -11, "No authenticator that is asked for is connected.")
    case .sensorError: (13, -6, "The sensor reported an error.")
    case .passcodeNotSet: (14, -5, "No passcode is set.")
    case .itemNotFound: (20, nil, "No item matches.")
    case .duplicateItem: (21, nil, "The item exists already.")
    case .itemLocked: (22, nil, "The state of the device keeps the item locked.")
    case .accessGroupNotAllowed: (23, nil, "The access group is not open to this program.")
    case .keychainError: (24, nil, "The keychain cannot do that.")
    case .scriptEventsLeftOver: (65, nil, "The script has events that were not used.")
    case .unreachable: (69, nil, "The daemon cannot be reached.")
    case .internalError: (70, nil, "Something inside LocalAuth failed; nothing was allowed.")
    case .simulatedNotAllowed: (77, -1, "A simulated device does not count here.")
    case .notPermitted: (77, -1, "That is not permitted.")
    case .badConfiguration: (78, nil, "The policy or configuration cannot be used.")
    }
  }
}

/// How a request ended.
public struct Outcome: Hashable, Sendable {
  /// The row of the table.
  public var code: OutcomeCode
  /// How long to wait before another attempt; nil if time alone does not help.
  public var retryAfter: Duration?
  /// What the sensor or the passcode provider said, for display.
  public var detail: String?

  /// The outcome with these parts.
  public init(_ code: OutcomeCode, retryAfter: Duration? = nil, detail: String? = nil) {
    self.code = code
    self.retryAfter = retryAfter
    self.detail = detail
  }

  /// The requirement was proven.
  public static let success = Outcome(.success)

  /// The outcome for a sensor fault.
  public static func sensor(_ fault: SensorFault) -> Outcome {
    switch fault {
    case .removed: Outcome(.biometryDisconnected)
    case .unavailable: Outcome(.biometryNotAvailable)
    case .timeout: Outcome(.timeout)
    case .cancelled: Outcome(.systemCancel, detail: "sensor: canceled")
    case .unableToProcess, .storageFull, .unableToRemove, .badCalibration, .duplicate, .busy,
      .notSupported, .general, .vendor:
      Outcome(.sensorError, detail: "sensor: \(fault.word)")
    }
  }
}
