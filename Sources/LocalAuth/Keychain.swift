import LocalAuthWire

/// A keychain: encrypted passwords, keys and certificates, each of which opens only with the proof
/// it requires.
///
/// ```swift
/// let keychain = Keychain(service: "org.example.mail")
/// try await keychain.set("hunter2", for: "ann")
/// let password = try await keychain.string(for: "ann")
/// ```
///
/// A value is cheap, and nothing is opened before it is used. Calls may be made from any task; they
/// wait on LocalAuth's own threads, never on those of Swift concurrency. Cancelling the task ends a
/// call with ``AuthError/appCancel``.
///
/// ### With and without a context
///
/// Without a context, each call obtains the proof that an item requires on its own. Calls with an
/// ``AuthContext`` use its settings, its ``Prompter`` and its application password, and share what
/// has been proven. They run one at a time over one connection; if the connection fails or a call
/// is cancelled, the proofs must be given again.
public struct Keychain: Sendable {
  /// The device whose keychain this is.
  public let device: Device
  /// The context of its calls, if any; it is retained.
  public let context: AuthContext?
  /// The service for calls that name only an account; empty by default.
  ///
  /// Queries and new items specify their own.
  public var service: String
  /// The access group of new items, and the only one that is searched.
  ///
  /// Nil means the caller's first group for new items, and all of its groups for searches. A group
  /// specified by a query or an item takes precedence.
  public var accessGroup: String?
  private let pool: ConnectionPool
  private let prompter: Prompter

  /// The maximum number of calls in progress without a context; others wait.
  private static let width = 8

  /// The keychain of a device, whose calls share no proof.
  ///
  /// - Parameters:
  ///   - device: the device.
  ///   - service: see ``service``.
  ///   - accessGroup: see ``accessGroup``.
  ///   - prompter: the prompter that asks the person.
  public init(
    device: Device = .default,
    service: String = "",
    accessGroup: String? = nil,
    prompter: Prompter = .terminal
  ) {
    self.prompter = prompter
    self.device = device
    self.service = service
    self.accessGroup = accessGroup
    context = nil
    pool = ConnectionPool(width: Self.width)
  }

  /// The keychain of a context's device, whose calls share the proofs of the context.
  public init(
    context: AuthContext,
    service: String = "",
    accessGroup: String? = nil
  ) {
    device = context.device
    self.service = service
    self.accessGroup = accessGroup
    self.context = context
    // Unused: each call takes the context's prompter.
    prompter = .nobody
    pool = context.core.pool
  }

  /// The access groups of this program, the one for new items first.
  ///
  /// - Throws: ``KeychainFailure/service(_:)``.
  public func accessGroups() async throws(KeychainFailure) -> [String] {
    try await perform { (session) throws(KeychainFailure) in try session.groups().groups }
  }

  /// Runs `body`, whose calls go one after the other, as one call of this keychain.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable (inout KeychainSession) throws(KeychainFailure) -> Value
  ) async throws(KeychainFailure) -> Value {
    try await pool.perform(for: caller, body)
  }

  /// As ``perform(_:)``, but blocks the caller.
  func performBlocking<Value: Sendable>(
    _ body: @escaping @Sendable (inout KeychainSession) throws(KeychainFailure) -> Value
  ) throws(KeychainFailure) -> Value {
    try pool.performBlocking(for: caller, body)
  }

  private var caller: KeychainCaller {
    if let context { return context.keychainCaller }
    var settings = ContextSettings()
    settings.prompter = prompter
    return KeychainCaller(
      device: device,
      settings: settings,
      context: pool.nextContext(),
      keepsProof: false
    )
  }

  /// Restricts `query` to this keychain's group, unless it specifies one.
  func grouped(_ query: KeychainQuery) -> KeychainQuery {
    var query = query
    // A reference identifies its item in any group, and must not be combined with attributes.
    if query.reference == nil, query.group == nil { query.group = accessGroup }
    return query
  }
}
