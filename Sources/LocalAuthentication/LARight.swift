// swift-format-ignore-file: AlwaysUseLowerCamelCase
// The names are Apple's.

import LocalAuth
import LocalAuthEmbedded
import LocalAuthKeychain
import LocalAuthSecurity
import Synchronization

/// Something that may be done once somebody has proven that they may.
///
/// A right belongs to the device that is meant when it is made. Everything may be used from any thread.
/// What was proven ends with ``deauthorize()`` and with the right.
open class LARight: NSObject, @unchecked Sendable {
  // @unchecked: a class that can be inherited from cannot be checked; what is stored here is Sendable.

  /// Where a right stands.
  public enum State: Int, Sendable {
    /// Nobody asked for it yet.
    case unknown = 0
    /// Somebody is asked.
    case authorizing = 1
    /// It may be used.
    case authorized = 2
    /// It may not be used.
    case notAuthorized = 3
  }

  private struct Standing {
    var state = State.unknown
    var tag = 0
    /// In which the proof counts; another after each ``deauthorize()``.
    var context: LAContext
  }

  let requirement: LAAuthenticationRequirement
  let device: CurrentDevice
  private let standing: Mutex<Standing>

  /// A right that a finger or the passcode gives.
  public convenience override init() { self.init(requirement: .default) }

  /// A right for which `requirement` has to be proven.
  public init(requirement: LAAuthenticationRequirement) {
    self.requirement = requirement
    device = .meant
    standing = Mutex(Standing(context: device.use { LAContext() }))
    super.init()
  }

  /// A right that goes takes along what was proven for it and ends what is asked for.
  deinit { context.invalidate() }

  /// Where the right stands.
  public var state: State { standing.withLock { $0.state } }

  /// The program's own number.
  public var tag: Int {
    get { standing.withLock { $0.tag } }
    set { standing.withLock { $0.tag = newValue } }
  }

  var context: LAContext { standing.withLock { $0.context } }

  // MARK: Authorizing

  /// Asks for the proof, and calls back once, without an error where it was given.
  ///
  /// - Parameters:
  ///   - localizedReason: why, as the person reads it; not empty.
  ///   - completion: called on a thread of its own.
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

  /// Has the requirement proven; the right itself is not kept.
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

  /// The same for a task.
  ///
  /// - Throws: the error.
  open func authorize(localizedReason: String) async throws {
    try await withCheckedThrowingContinuation { continuation in
      authorize(localizedReason: localizedReason) { error in
        continuation.resume(with: error.map { .failure($0) } ?? .success(()))
      }
    }
  }

  /// An end that comes after ``deauthorize()`` changes nothing any more.
  private func settle(_ state: State, in context: LAContext) {
    standing.withLock { if $0.context === context { $0.state = state } }
  }

  /// Checks whether the proof could be given now, and calls back once, without an error where it could.
  @preconcurrency
  open func checkCanAuthorize(completion: @escaping @Sendable ((any Error)?) -> Void) {
    let context = context
    let policy = requirement.policy
    device.useOnOwnThread { completion(context.authContext.refusal(of: policy)?._nsError) }
  }

  /// The same for a task.
  ///
  /// - Throws: the error.
  open func checkCanAuthorize() async throws {
    try await withCheckedThrowingContinuation { continuation in
      checkCanAuthorize { error in
        continuation.resume(with: error.map { .failure($0) } ?? .success(()))
      }
    }
  }

  /// Forgets what was proven and ends what is asked for; calls back once it has.
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

  /// The same for a task.
  open func deauthorize() async {
    await withCheckedContinuation { continuation in
      deauthorize { continuation.resume() }
    }
  }
}

extension LAAuthenticationRequirement {
  /// The same as the keychain has it.
  var accessControl: AccessControl? {
    try? AccessControl(.whenPasscodeSetThisDeviceOnly, flags: kind.flags)
  }

  /// The policy whose preflight is the requirement's.
  var policy: LAPolicy {
    switch kind {
    case .userPresence: .deviceOwnerAuthentication
    case .biometry, .biometryCurrentSet: .deviceOwnerAuthenticationWithBiometrics
    }
  }
}
