// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuth
import LocalAuthEmbedded
import LocalAuthKeychain
import LocalAuthSecurity
import Synchronization

/// A right to do something, granted after a proof.
///
/// A right belongs to the device that is current when the right is created. All members may be used
/// from any thread. The proof ends with ``deauthorize()`` and with the right.
open class LARight: NSObject, @unchecked Sendable {
  // @unchecked: the compiler cannot check an open class; its stored properties are Sendable.

  /// The state of a right.
  public enum State: Int, Sendable {
    /// Authorization has not been requested.
    case unknown = 0
    /// Authorization is in progress.
    case authorizing = 1
    /// The right is authorized.
    case authorized = 2
    /// The right is not authorized.
    case notAuthorized = 3
  }

  private struct Standing {
    var state = State.unknown
    var tag = 0
    /// The context that holds the proof; ``deauthorize()`` replaces it.
    var context: LAContext
  }

  let requirement: LAAuthenticationRequirement
  let device: CurrentDevice
  private let standing: Mutex<Standing>

  /// Creates a right that requires a finger or the passcode.
  public convenience override init() { self.init(requirement: .default) }

  /// Creates a right that requires the proof of `requirement`.
  public init(requirement: LAAuthenticationRequirement) {
    self.requirement = requirement
    device = .meant
    standing = Mutex(Standing(context: device.use { LAContext() }))
    super.init()
  }

  /// Ends the proof and any authorization in progress.
  deinit { context.invalidate() }

  /// The current state of the right.
  public var state: State { standing.withLock { $0.state } }

  /// A number for the program's own use.
  public var tag: Int {
    get { standing.withLock { $0.tag } }
    set { standing.withLock { $0.tag = newValue } }
  }

  var context: LAContext { standing.withLock { $0.context } }

  // MARK: Authorizing

  /// Asks for the proof and calls back once, without an error if the proof was given.
  ///
  /// - Parameters:
  ///   - localizedReason: the reason shown to the person; must not be empty.
  ///   - completion: called on a dedicated thread.
  @preconcurrency
  open func authorize(
    localizedReason: String,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    guard !localizedReason.isEmpty else {
      preconditionFailure("localizedReason must not be empty: say why the person is asked.")
    }
    let context = standing.withLock { standing in
      standing.state = .authorizing
      return standing.context
    }
    prove(in: context, localizedReason) { [weak self] error in
      self?.settle(error == nil ? .authorized : .notAuthorized, in: context)
      completion(error)
    }
  }

  /// Obtains the proof of the requirement, without retaining the right.
  func prove(
    in context: LAContext,
    _ reason: String,
    completion: @escaping @Sendable ((any Error)?) -> Void
  ) {
    guard let accessControl = requirement.accessControl else {
      return device.useOnOwnThread { completion(LAError(.authenticationFailed)._nsError) }
    }
    context.evaluateAccessControl(
      SecAccessControl(accessControl),
      operation: .useItem,
      localizedReason: reason
    ) { _, error in completion(error) }
  }

  /// As the callback-based method.
  ///
  /// - Throws: the error that the callback would receive.
  open func authorize(localizedReason: String) async throws {
    try await withCheckedThrowingContinuation { continuation in
      authorize(localizedReason: localizedReason) { error in
        continuation.resume(with: error.map { .failure($0) } ?? .success(()))
      }
    }
  }

  /// Sets the state, unless ``deauthorize()`` has replaced the context since.
  private func settle(_ state: State, in context: LAContext) {
    standing.withLock { if $0.context === context { $0.state = state } }
  }

  /// Checks whether the proof could be given now, and calls back once, without an error if so.
  @preconcurrency
  open func checkCanAuthorize(completion: @escaping @Sendable ((any Error)?) -> Void) {
    let context = context
    let policy = requirement.policy
    device.useOnOwnThread { completion(context.authContext.refusal(of: policy)?._nsError) }
  }

  /// As the callback-based method.
  ///
  /// - Throws: the error that the callback would receive.
  open func checkCanAuthorize() async throws {
    try await withCheckedThrowingContinuation { continuation in
      checkCanAuthorize { error in
        continuation.resume(with: error.map { .failure($0) } ?? .success(()))
      }
    }
  }

  /// Forgets the proof and ends any authorization in progress, then calls back.
  @preconcurrency
  open func deauthorize(completion: @escaping @Sendable () -> Void) {
    let new = device.use { LAContext() }
    let old = standing.withLock { standing in
      defer {
        standing.state = .notAuthorized
        standing.context = new
      }
      return standing.context
    }
    old.invalidate()
    device.useOnOwnThread(completion)
  }

  /// As the callback-based method.
  open func deauthorize() async {
    await withCheckedContinuation { continuation in
      deauthorize { continuation.resume() }
    }
  }
}

extension LAAuthenticationRequirement {
  /// The requirement as a keychain access control.
  var accessControl: AccessControl? {
    try? AccessControl(.whenPasscodeSetThisDeviceOnly, flags: kind.flags)
  }

  /// The policy whose check also applies to the requirement.
  var policy: LAPolicy {
    switch kind {
    case .userPresence: .deviceOwnerAuthentication
    case .biometry, .biometryCurrentSet: .deviceOwnerAuthenticationWithBiometrics
    }
  }
}
