// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

package import LocalAuth
import LocalAuthEmbedded
package import LocalAuthSecurity
import Synchronization

/// Evaluates policies, and proves for keychain calls what items ask for.
///
/// ```swift
/// let context = LAContext()
/// context.evaluatePolicy(.deviceOwnerAuthentication, localizedReason: "open the vault") { … }
/// ```
///
/// A context belongs to the device that the task, the process or the environment means when it is made.
/// Replies come where that device is meant too. Everything may be used from any thread. An evaluation keeps its context until it has replied; only
/// ``invalidate()`` ends it.
///
/// A second evaluation of a policy that the context has met succeeds at once and asks nobody.
///
/// > Important: An empty reason is an error of the program, and ends the process.
open class LAContext: NSObject, AuthenticationContext, @unchecked Sendable {
  // @unchecked: a class that can be inherited from cannot be checked; what is stored here is Sendable.

  /// The context on which everything rests.
  package let authContext: AuthContext
  private let device: CurrentDevice
  private let state = Mutex(State())

  private struct State {
    var reuseDuration: TimeInterval = 0
    var maxBiometryFailures: NSNumber?
    var hasSmartCardPIN = false
  }

  /// A context on the device that is meant now; nobody is asked and nothing is opened yet.
  ///
  /// Where there is none, every evaluation fails.
  public override init() {
    device = .meant
    authContext = AuthContext(device: device.device)
    authContext.prompter = device.prompter
    super.init()
  }

  /// Ends every evaluation with ``LAError/Code/appCancel``; later ones fail with
  /// ``LAError/Code/invalidContext``, and keychain calls with `errSecAuthFailed`.
  ///
  /// Credentials are forgotten. Calling it again changes nothing.
  open func invalidate() {
    authContext.invalidate()
    state.withLock { $0.hasSmartCardPIN = false }
  }

  // MARK: Policies

  /// Checks whether a policy could be met now; nobody is asked, and nothing is counted.
  ///
  /// It blocks its caller for one exchange with the service. The answer is about now: use it at once.
  ///
  /// - Parameters:
  ///   - policy: what would have to be proven.
  ///   - error: takes the error that an evaluation would begin with; nil where it could succeed.
  /// - Returns: whether it could.
  @discardableResult
  open func canEvaluatePolicy(_ policy: LAPolicy, error: NSErrorPointer) -> Bool {
    let refusal = authContext.refusal(of: policy)
    // SAFETY: the caller lends the pointer for the call, or gives none.
    unsafe error?.pointee = refusal?._nsError
    return refusal == nil
  }

  /// Evaluates a policy, and asks a person where that is needed.
  ///
  /// It does not block. What nobody answers within 30 seconds ends with ``LAError/Code/systemCancel``.
  ///
  /// - Parameters:
  ///   - policy: what has to be proven.
  ///   - localizedReason: why, as the person reads it; not empty. Of a longer text the first 1024 bytes
  ///     are shown.
  ///   - reply: hears once whether it was proven, or the error; on a thread of its own, never the main
  ///     one, where it may wait.
  @preconcurrency
  open func evaluatePolicy(
    _ policy: LAPolicy,
    localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let reason = Self.shown(localizedReason)
    authContext.evaluate(policy, reason) { [self] result in device.use { result.tell(reply) } }
  }

  /// The same for a task; cancelling it changes nothing, ``invalidate()`` ends the evaluation.
  ///
  /// - Returns: true.
  /// - Throws: the error.
  @discardableResult
  open func evaluatePolicy(_ policy: LAPolicy, localizedReason: String) async throws -> Bool {
    try await withCheckedThrowingContinuation { continuation in
      evaluatePolicy(policy, localizedReason: localizedReason) { success, error in
        continuation.resume(with: error.map { .failure($0) } ?? .success(success))
      }
    }
  }

  // MARK: Access controls

  /// Has proven what an access control asks for, so that keychain calls with this context do not ask
  /// again.
  ///
  /// - Parameters:
  ///   - accessControl: what the items are protected with.
  ///   - operation: what is about to be done with them.
  ///   - localizedReason: why, as for ``evaluatePolicy(_:localizedReason:reply:)``.
  ///   - reply: hears once whether it was proven, as there.
  @preconcurrency
  open func evaluateAccessControl(
    _ accessControl: SecAccessControl,
    operation: LAAccessControlOperation,
    localizedReason: String,
    reply: @escaping @Sendable (Bool, (any Error)?) -> Void
  ) {
    let reason = Self.shown(localizedReason)
    authContext.evaluate(accessControl.accessControl, AccessControlUse(operation), reason) {
      [self] result in
      device.use { result.tell(reply) }
    }
  }

  /// The same for a task; cancelling it changes nothing, ``invalidate()`` ends the evaluation.
  ///
  /// - Returns: true.
  /// - Throws: the error.
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

  /// The text as far as it is shown.
  private static func shown(_ reason: String) -> String {
    guard !reason.isEmpty else {
      preconditionFailure("localizedReason must not be empty: say why the person is asked.")
    }
    return reason.cut(to: 1024)
  }

  // MARK: Credentials

  /// Keeps a credential for what asks for it, so that nobody is asked; nil removes it.
  ///
  /// A password is copied into memory that is wiped; nobody can wipe the caller's `Data`. One that does
  /// not open the item it is tried on is forgotten. Nothing asks for the number of a smart card here:
  /// only that it was set is remembered.
  ///
  /// - Returns: whether it is kept, or removed; false in a context that was invalidated.
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

  /// Whether a credential of this type is kept.
  open func isCredentialSet(_ type: LACredentialType) -> Bool {
    switch type {
    case .applicationPassword: authContext.isCredentialSet(.applicationPassword)
    case .smartCardPIN: state.withLock { $0.hasSmartCardPIN }
    }
  }

  // MARK: Settings

  /// What the button is called that asks for the passcode instead; nil means the default, and the
  /// empty string hides the button.
  open var localizedFallbackTitle: String? {
    get { authContext.localizedFallbackTitle }
    set { authContext.localizedFallbackTitle = newValue }
  }

  /// What the button that says no is called; nil and the empty string mean the default.
  open var localizedCancelTitle: String? {
    get { authContext.localizedCancelTitle }
    set { authContext.localizedCancelTitle = newValue }
  }

  /// The reason of keychain calls with this context that give none of their own; cut to 1024 bytes.
  open var localizedReason: String {
    get { authContext.localizedReason }
    set { authContext.localizedReason = newValue.cut(to: 1024) }
  }

  /// Has no effect; the device's lockout profile says when misses end an evaluation.
  open var maxBiometryFailures: NSNumber? {
    get { state.withLock { $0.maxBiometryFailures } }
    set { state.withLock { [newValue] in $0.maxBiometryFailures = newValue } }
  }

  /// How old an unlock of the device by finger may be to stand in for a touch, in seconds.
  ///
  /// Zero, the default, means never; more than ``LATouchIDAuthenticationMaximumAllowableReuseDuration``
  /// acts as that much, and what is negative or no number is zero. Only an unlock of the device counts:
  /// no match of another evaluation, and no passcode. Fractions of a second are dropped.
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

  /// Whether nobody must be asked; what needs a person then fails with
  /// ``LAError/Code/notInteractive``.
  open var interactionNotAllowed: Bool {
    get { authContext.interactionNotAllowed }
    set { authContext.interactionNotAllowed = newValue }
  }

  // MARK: The device

  /// What kind of biometry the device has, whether or not it can be used now; blocks as
  /// ``canEvaluatePolicy(_:error:)`` does.
  open var biometryType: LABiometryType { LABiometryType(authContext.biometryType) }

  /// Stands for the fingers that were enrolled when this context last met, or could have met, a policy
  /// with a finger; nil before that, and after a success by passcode.
  open var evaluatedPolicyDomainState: Data? { authContext.evaluatedDomainState.map { $0.bytes } }

  /// What is enrolled and paired now; blocks as ``canEvaluatePolicy(_:error:)`` does.
  open var domainState: LADomainState { LADomainState(authContext) }
}
