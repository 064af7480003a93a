// swift-format-ignore-file: AlwaysUseLowerCamelCase, NoLeadingUnderscores
// The names are Apple's, and those of the protocol by which Swift casts errors.

public import Foundation

/// Why an evaluation did not succeed.
///
/// What a context hands out is an `NSError` of the domain ``LAErrorDomain``, which `as? LAError` and
/// `catch let error as LAError` turn into this. Every such error can be cast. One with a number that
/// has no ``Code`` has the code ``Code/authenticationFailed`` here, because nothing was proven, and
/// its number in `errorCode`: -1000 for a service that gave no answer that counts, -1001 for a
/// request that makes no sense.
public struct LAError: Error, CustomNSError, Hashable, Sendable {
  /// Which failure it is.
  public enum Code: Int, CaseIterable, Sendable {
    /// Too many misses, or something that was not permitted.
    case authenticationFailed = -1
    /// The person said no.
    case userCancel = -2
    /// The person chose the fallback, which is the program's own to show.
    case userFallback = -3
    /// The system ended it: the device was locked, nobody answered in time.
    case systemCancel = -4
    /// No passcode is set.
    case passcodeNotSet = -5
    /// There is no usable sensor.
    case biometryNotAvailable = -6
    /// No finger is enrolled.
    case biometryNotEnrolled = -7
    /// Fingers are locked until the passcode.
    case biometryLockout = -8
    /// The program ended it: its context was invalidated or let go.
    case appCancel = -9
    /// The context was invalidated before.
    case invalidContext = -10
    /// No paired device is nearby.
    case companionNotAvailable = -11
    /// The sensor is one that has to be paired first.
    case biometryNotPaired = -12
    /// The sensor was disconnected.
    case biometryDisconnected = -13
    /// The view that shows the question is too small.
    case invalidDimensions = -14
    /// A person is needed and must not or cannot be asked.
    case notInteractive = -1004

    /// The older name of ``biometryNotAvailable``.
    public static let touchIDNotAvailable = biometryNotAvailable
    /// The older name of ``biometryNotEnrolled``.
    public static let touchIDNotEnrolled = biometryNotEnrolled
    /// The older name of ``biometryLockout``.
    public static let touchIDLockout = biometryLockout
    /// The older name of ``companionNotAvailable``.
    public static let watchNotAvailable = companionNotAvailable

    /// Whether an error is one of this code, for `catch LAError.userCancel`.
    public static func ~= (code: Code, error: any Error) -> Bool {
      (error as? LAError)?.errorCode == code.rawValue
    }
  }

  /// The same as Foundation's error.
  public let _nsError: NSError

  /// The error of this object, whatever its domain.
  public init(_nsError: NSError) { self._nsError = _nsError }

  /// An error of this code; a description is added where `userInfo` has none.
  public init(_ code: Code, userInfo: [String: Any] = [:]) {
    let description = [NSLocalizedDescriptionKey: code.sentence]
    _nsError = NSError(
      domain: LAErrorDomain,
      code: code.rawValue,
      userInfo: userInfo.merging(description) { given, _ in given }
    )
  }

  /// Which failure it is.
  public var code: Code { Code(rawValue: _nsError.code) ?? .authenticationFailed }
  /// The number, which has a ``code`` unless it is -1000 or -1001.
  public var errorCode: Int { _nsError.code }
  /// What else is known, the description among it.
  public var errorUserInfo: [String: Any] { _nsError.userInfo }
  /// The same as `errorUserInfo`.
  public var userInfo: [String: Any] { _nsError.userInfo }
  /// What happened, in one sentence.
  public var localizedDescription: String { _nsError.localizedDescription }
  /// ``LAErrorDomain``.
  public static var errorDomain: String { LAErrorDomain }

  /// Whether both say the same, what else is known included.
  public static func == (one: LAError, other: LAError) -> Bool {
    one._nsError.isEqual(other._nsError)
  }

  /// Hashes the number: Foundation ends the process when an `NSError` of its own is hashed.
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

/// Casts between `NSError` and ``LAError`` go through this.
extension LAError: _ObjectiveCBridgeable {
  /// The same as Foundation's error.
  public func _bridgeToObjectiveC() -> NSError { _nsError }

  /// Casts what must be an ``LAError``; an error of another domain ends the process.
  public static func _forceBridgeFromObjectiveC(_ source: NSError, result: inout LAError?) {
    guard _conditionallyBridgeFromObjectiveC(source, result: &result) else {
      preconditionFailure("An error of the domain \(source.domain) is no LAError.")
    }
  }

  /// Casts what may be one; an error of another domain is none.
  public static func _conditionallyBridgeFromObjectiveC(
    _ source: NSError,
    result: inout LAError?
  ) -> Bool {
    guard source.domain == LAErrorDomain else { return false }
    result = LAError(_nsError: source)
    return true
  }

  /// The error of this object; without one, an evaluation that failed.
  public static func _unconditionallyBridgeFromObjectiveC(_ source: NSError?) -> LAError {
    source.map { LAError(_nsError: $0) } ?? LAError(.authenticationFailed)
  }
}
