// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

package import LocalAuth
import LocalAuthEmbedded
import LocalAuthKeychain
package import LocalAuthSecurity
import Synchronization

/// Evaluates policies, and obtains the proofs that keychain items require.
///
/// ```swift
/// let context = LAContext()
/// context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "open the vault") { … }
/// ```
///
/// A context belongs to the device that the task, the process or the environment selects when the
/// context is created, and replies run with that device selected. All members may be used from any
/// thread. An evaluation retains its context until it has replied; only ``invalidate()`` ends it
/// early.
///
/// A second evaluation of a policy that the context has met succeeds at once, without asking
/// anyone.
///
/// > Important: An empty reason is a programming error and ends the process.
open class LAContext: NSObject, AuthenticationContext, @unchecked Sendable {
  // @unchecked: the compiler cannot check an open class; its stored properties are Sendable.

  /// The underlying context.
  package let authContext: AuthContext
  private let device: CurrentDevice
  private let state = Mutex(State())

  private struct State {
    var reuseDuration: TimeInterval = 0
    var maxBiometryFailures: NSNumber?
    var hasSmartCardPIN = false
  }

  /// Creates a context on the current device without opening anything or asking anyone.
  ///
  /// If there is no current device, every evaluation fails.
  public override init() {
    device = .meant
    authContext = AuthContext(device: device.device)
    authContext.prompter = device.prompter
    super.init()
  }

  /// Ends all evaluations with ``LAError/Code/appCancel``; later ones fail with
  /// ``LAError/Code/invalidContext``, and keychain calls with `errSecAuthFailed`.
  ///
  /// The context wipes its credentials. Further calls have no effect.
  open func invalidate() {
    authContext.invalidate()
    state.withLock { $0.hasSmartCardPIN = false }
  }

  // MARK: Policies

  /// Checks whether a policy can be evaluated now, without asking anyone or counting an attempt.
  ///
  /// Blocks its caller for one exchange with the service. The answer is valid only for the moment,
  /// so use it at once.
  ///
  /// - Parameters:
  ///   - policy: the policy to check.
  ///   - error: receives the error with which an evaluation would fail at once, or nil.
  /// - Returns: whether an evaluation could succeed.
  @discardableResult
  open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    let refusal = authContext.refusal(of: policy)
    // SAFETY: the pointer, if any, is valid for the duration of the call.
    unsafe error?.pointee = refusal?._nsError
    return refusal == nil
  }

  /// Evaluates a policy, and asks a person if necessary.
  ///
  /// Does not block. A prompt not answered within 30 seconds ends with
  /// ``LAError/Code/systemCancel``.
  ///
  /// - Parameters:
  ///   - policy: the policy to evaluate.
  ///   - localizedReason: the reason shown to the person; must not be empty, and is cut to 1024
  ///     bytes.
  ///   - reply: called once with the result or the error, on a dedicated thread, never the main
  ///     thread; it may block.
  @preconcurrency
  open func evaluatePolicy(
    _ policy: LAPolicy,
    localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let reason = Self.shown(localizedReason)
    authContext.evaluate(policy, reason) { [self] result in device.use { result.tell(reply) } }
  }

  /// As the callback-based method; cancelling the task has no effect, but ``invalidate()`` ends the
  /// evaluation.
  ///
  /// - Returns: true.
  /// - Throws: the error of the evaluation.
  @discardableResult
  open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      evaluatePolicy(policy, localizedReason: localizedReason) { success, error in
        continuation.resume(with: error.map { .failure($0) } ?? .success(success))
      }
    }
  }

  // MARK: Access controls

  /// Obtains the proof that an access control requires, so that keychain calls with this context do
  /// not ask again.
  ///
  /// - Parameters:
  ///   - accessControl: the access control of the items.
  ///   - operation: the operation to be performed on the items.
  ///   - localizedReason: the reason, as for ``evaluatePolicy(_:localizedReason:reply:)``.
  ///   - reply: called once with the result, as for ``evaluatePolicy(_:localizedReason:reply:)``.
  @preconcurrency
  open func evaluateAccessControl(
    _ accessControl: SecAccessControl,
    operation: LAAccessControlOperation,
    localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    evaluate(
      accessControl.accessControl,
      AccessControlUse(operation),
      localizedReason,
      reply: reply
    )
  }

  /// Obtains the proof for a use of items, and calls back with the device of this context selected.
  func evaluate(
    _ accessControl: AccessControl,
    _ use: AccessControlUse,
    _ reason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    authContext.evaluate(accessControl, use, Self.shown(reason)) { [self] result in
      device.use { result.tell(reply) }
    }
  }

  /// As the callback-based method; cancelling the task has no effect, but ``invalidate()`` ends the
  /// evaluation.
  ///
  /// - Returns: true.
  /// - Throws: the error of the evaluation.
  @discardableResult
  open func evaluateAccessControl(
    _ accessControl: SecAccessControl,
    operation: LAAccessControlOperation,
    localizedReason: String
  ) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      evaluateAccessControl(
        accessControl,
        operation: operation,
        localizedReason: localizedReason
      ) { success, error in
        continuation.resume(with: error.map { .failure($0) } ?? .success(success))
      }
    }
  }

  /// Cuts the reason to the length that is shown; an empty reason ends the process.
  private static func shown(_ reason: String) -> String {
    guard !reason.isEmpty else {
      preconditionFailure("localizedReason must not be empty: say why the person is asked.")
    }
    return reason.cut(to: 1024)
  }

  // MARK: Credentials

  /// Stores a credential to use instead of asking a person; nil removes it.
  ///
  /// A password is copied into memory that is wiped; the caller's `Data` cannot be wiped. A
  /// password that does not open the item it is tried on is discarded. The PIN of a smart card is
  /// never used here: only the fact that it was set is remembered.
  ///
  /// - Returns: whether the credential was stored or removed; false if the context is invalid.
  @discardableResult
  open func setCredential(_ credential: Data?, type: LACredentialType) -> Bool {
    guard !authContext.isInvalid else { return false }
    switch type {
    case .applicationPassword:
      return authContext.setCredential(credential.map { Secret($0) }, type: .applicationPassword)
    case .smartCardPIN:
      state.withLock { $0.hasSmartCardPIN = credential != nil }
      return true
    }
  }

  /// Whether a credential of this type is set.
  open func isCredentialSet(_ type: LACredentialType) -> Bool {
    switch type {
    case .applicationPassword: authContext.isCredentialSet(.applicationPassword)
    case .smartCardPIN: state.withLock { $0.hasSmartCardPIN }
    }
  }

  // MARK: Settings

  /// The title of the button that asks for the passcode instead; nil means the default, and the
  /// empty string hides the button.
  open var localizedFallbackTitle: String? {
    get { authContext.localizedFallbackTitle }
    set { authContext.localizedFallbackTitle = newValue }
  }

  /// The title of the cancel button; nil and the empty string mean the default.
  open var localizedCancelTitle: String? {
    get { authContext.localizedCancelTitle }
    set { authContext.localizedCancelTitle = newValue }
  }

  /// The reason for keychain calls with this context that have none of their own; cut to 1024
  /// bytes.
  open var localizedReason: String {
    get { authContext.localizedReason }
    set { authContext.localizedReason = newValue.cut(to: 1024) }
  }

  /// Has no effect; the device's lockout profile determines when misses end an evaluation.
  open var maxBiometryFailures: NSNumber? {
    get { state.withLock { $0.maxBiometryFailures } }
    set { state.withLock { [newValue] in $0.maxBiometryFailures = newValue } }
  }

  /// The maximum age, in seconds, of an unlock of the device by finger that may replace a touch.
  ///
  /// Zero, the default, means never. Values above
  /// ``LATouchIDAuthenticationMaximumAllowableReuseDuration`` act as that maximum, and negative
  /// values and NaN become zero. Only an unlock of the device counts: neither a match in another
  /// evaluation nor a passcode. Fractions of a second are dropped.
  open var touchIDAuthenticationAllowableReuseDuration: TimeInterval {
    get { state.withLock { $0.reuseDuration } }
    set {
      let duration = newValue > 0 ? newValue : 0
      state.withLock { $0.reuseDuration = duration }
      authContext.reuseDuration = .seconds(
        min(duration, LATouchIDAuthenticationMaximumAllowableReuseDuration)
      )
    }
  }

  /// Whether prompts are forbidden; an evaluation that needs a person then fails with
  /// ``LAError/Code/notInteractive``.
  open var interactionNotAllowed: Bool {
    get { authContext.interactionNotAllowed }
    set { authContext.interactionNotAllowed = newValue }
  }

  // MARK: The device

  /// The kind of biometry the device has, whether or not it is usable now; blocks as
  /// ``canEvaluatePolicy(_:error:)`` does.
  open var biometryType: LABiometryType { LABiometryType(authContext.biometryType) }

  /// A token for the set of fingers enrolled at this context's last success by finger, or last
  /// successful check of a policy that requires one.
  ///
  /// Nil before that, after a success by passcode, and after such a check that failed.
  open var evaluatedPolicyDomainState: Data? { authContext.evaluatedDomainState.map { $0.bytes } }

  /// The current state of enrolment and pairing; blocks as ``canEvaluatePolicy(_:error:)`` does.
  open var domainState: LADomainState { LADomainState(authContext) }
}
