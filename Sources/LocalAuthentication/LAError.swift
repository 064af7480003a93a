// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores
// The names are Apple's, and those of the protocol that Swift uses to cast errors.

public import Foundation

/// Why an evaluation did not succeed.
///
/// Contexts report an `NSError` of the domain ``LAErrorDomain``, which `as? LAError` and `catch let
/// error as LAError` convert to this type. Every such error can be cast. If its number has no
/// ``Code``, its code is ``Code/authenticationFailed``, because nothing was proven, and `errorCode`
/// is the number: -1000 for a failure of the service or the configuration, -1001 for an invalid
/// request.
public struct LAError: Error, CustomNSError, Hashable, Sendable {
  /// The kind of failure.
  public enum Code: Int, CaseIterable, Sendable {
    /// Too many misses, a throttled factor, or something that is not permitted.
    case authenticationFailed = -1
    /// The person cancelled.
    case userCancel = -2
    /// The person chose the fallback, which the program has to present.
    case userFallback = -3
    /// The system ended it: the device was locked, the evaluation timed out, or too many requests
    /// were waiting.
    case systemCancel = -4
    /// No passcode is set.
    case passcodeNotSet = -5
    /// There is no usable sensor, or the sensor failed.
    case biometryNotAvailable = -6
    /// No finger is enrolled.
    case biometryNotEnrolled = -7
    /// Fingers are locked, for a time or until the passcode is proven.
    case biometryLockout = -8
    /// The program ended it: its context was invalidated or released.
    case appCancel = -9
    /// The context had been invalidated.
    case invalidContext = -10
    /// No paired device is nearby, or no requested authenticator is connected.
    case companionNotAvailable = -11
    /// The sensor has to be paired first.
    case biometryNotPaired = -12
    /// The sensor was disconnected.
    case biometryDisconnected = -13
    /// The view that shows the prompt is too small.
    case invalidDimensions = -14
    /// A person is needed but must not or cannot be asked.
    case notInteractive = -1004

    /// The older name of ``biometryNotAvailable``.
    public static let touchIDNotAvailable = biometryNotAvailable
    /// The older name of ``biometryNotEnrolled``.
    public static let touchIDNotEnrolled = biometryNotEnrolled
    /// The older name of ``biometryLockout``.
    public static let touchIDLockout = biometryLockout
    /// The older name of ``companionNotAvailable``.
    public static let watchNotAvailable = companionNotAvailable

    /// Whether an error has this code, for `catch LAError.userCancel`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? LAError)?.errorCode == code.rawValue
    }
  }

  /// The same as Foundation's error.
  public let _nsError: NSError

  /// Wraps an `NSError` of any domain.
  public init(_nsError: NSError) { self._nsError = _nsError }

  /// Creates an error of this code, and adds a description if `userInfo` has none.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    let description = [NSLocalizedDescriptionKey: code.sentence]
    _nsError = NSError(
      domain: LAErrorDomain,
      code: code.rawValue,
      userInfo: userInfo.merging(description) { given, _ in given }
    )
  }

  /// The kind of failure.
  public var code: Code { Code(rawValue: _nsError.code) ?? .authenticationFailed }
  /// The number, which has a ``code`` unless it is -1000 or -1001.
  public var errorCode: Int { _nsError.code }
  /// Further information, including the description.
  public var errorUserInfo: [String: Any] { _nsError.userInfo }
  /// The same as `errorUserInfo`.
  public var userInfo: [String: Any] { _nsError.userInfo }
  /// What happened, in one sentence.
  public var localizedDescription: String { _nsError.localizedDescription }
  /// ``LAErrorDomain``.
  public static var errorDomain: String { LAErrorDomain }

  /// Whether both are equal, including their further information.
  public static func == (one: LAError, other: LAError) -> Bool {
    one._nsError.isEqual(other._nsError)
  }

  /// Hashes only the number, because hashing an `NSError` of Foundation's own ends the process.
  public func hash(into hasher: inout Hasher) { hasher.combine(errorCode) }

  /// ``Code/authenticationFailed``.
  public static var authenticationFailed: Code { .authenticationFailed }
  /// ``Code/userCancel``.
  public static var userCancel: Code { .userCancel }
  /// ``Code/userFallback``.
  public static var userFallback: Code { .userFallback }
  /// ``Code/systemCancel``.
  public static var systemCancel: Code { .systemCancel }
  /// ``Code/passcodeNotSet``.
  public static var passcodeNotSet: Code { .passcodeNotSet }
  /// ``Code/biometryNotAvailable``.
  public static var biometryNotAvailable: Code { .biometryNotAvailable }
  /// ``Code/biometryNotEnrolled``.
  public static var biometryNotEnrolled: Code { .biometryNotEnrolled }
  /// ``Code/biometryLockout``.
  public static var biometryLockout: Code { .biometryLockout }
  /// ``Code/appCancel``.
  public static var appCancel: Code { .appCancel }
  /// ``Code/invalidContext``.
  public static var invalidContext: Code { .invalidContext }
  /// ``Code/companionNotAvailable``.
  public static var companionNotAvailable: Code { .companionNotAvailable }
  /// ``Code/biometryNotPaired``.
  public static var biometryNotPaired: Code { .biometryNotPaired }
  /// ``Code/biometryDisconnected``.
  public static var biometryDisconnected: Code { .biometryDisconnected }
  /// ``Code/invalidDimensions``.
  public static var invalidDimensions: Code { .invalidDimensions }
  /// ``Code/notInteractive``.
  public static var notInteractive: Code { .notInteractive }
  /// ``Code/touchIDNotAvailable``.
  public static var touchIDNotAvailable: Code { .touchIDNotAvailable }
  /// ``Code/touchIDNotEnrolled``.
  public static var touchIDNotEnrolled: Code { .touchIDNotEnrolled }
  /// ``Code/touchIDLockout``.
  public static var touchIDLockout: Code { .touchIDLockout }
  /// ``Code/watchNotAvailable``.
  public static var watchNotAvailable: Code { .watchNotAvailable }
}

/// Implements casts between `NSError` and ``LAError``.
extension LAError: _ObjectiveCBridgeable {
  /// The same as Foundation's error.
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  /// Casts an error that must be an ``LAError``; one of another domain ends the process.
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
    guard _conditionallyBridgeFromObjectiveC(source, result: &result) else {
      preconditionFailure("An error of the domain \(source.domain) is no LAError.")
    }
  }

  /// Casts an error if it is of the domain ``LAErrorDomain``.
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSError,
    result: inout LAError?
  ) -> Bool {
    guard source.domain == LAErrorDomain else { return false }
    result = LAError(_nsError: source)
    return true
  }

  /// Wraps `source`, or returns ``Code/authenticationFailed`` if it is nil.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
    source.map { LAError(_nsError: $0) } ?? LAError(.authenticationFailed)
  }
}
