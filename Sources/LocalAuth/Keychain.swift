import LocalAuthWire

/// A keychain: passwords, keys and certificates that are kept encrypted, and that open only on the
/// proof they ask for.
///
/// ```swift
/// let keychain = Keychain(service: "org.example.mail")
/// try await keychain.set("hunter2", for: "ann")
/// let password = try await keychain.string(for: "ann")
/// ```
///
/// A value is cheap, and nothing is opened before it is used. Every call may be made from any task;
/// it waits on threads of LocalAuth's, never on one of Swift concurrency's. Cancelling the task ends
/// a call with ``AuthError/appCancel``.
///
/// ### With a context, and without
///
/// Without a context every call asks on its own for the proof that an item wants.
/// Calls with an ``AuthContext`` take its settings, its ``Prompter`` and its application password,
/// and what was proven for one of them counts for the next. They go one by one, over one connection:
/// where that fails, or a call is cancelled, what was proven has to be proven again.
public struct Keychain: Sendable {
  /// Whose keychain it is.
  public let device: Device
  /// The context of its calls, if any; it is kept alive.
  public let context: AuthContext?
  /// The service of the accounts in calls that name only an account; the empty one unless it is said.
  ///
  /// Queries and new items name their own.
  public var service: String
  /// The access group of new items, and the only one in which items are looked for.
  ///
  /// Nil means the caller's first for new items, and all of them for looking. A query or an item that
  /// names one goes by that.
  public var accessGroup: String?
  private let pool: ConnectionPool
  private let prompter: Prompter

  /// How many calls without a context are under way at once; others wait.
  private static let width = 8

  /// The keychain of a device, each call on its own.
  ///
  /// - Parameters:
  ///   - device: which.
  ///   - service: see ``service``.
  ///   - accessGroup: see ``accessGroup``.
  ///   - prompter: who asks the person.
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

  /// The keychain of a context's device, whose calls share what is proven in the context.
  public init(
    context: AuthContext,
    service: String = "",
    accessGroup: String? = nil
  ) {
    device = context.device
    self.service = service
    self.accessGroup = accessGroup
    self.context = context
    // The context says it, call by call.
    prompter = .nobody
    pool = context.core.pool
  }

  /// The access groups of this program, the one for new items first.
  ///
  /// - Throws: ``KeychainFailure/service(_:)``.
  public func accessGroups() async throws(KeychainFailure) -> [String] {
    try await perform { (session) throws(KeychainFailure) in try session.groups().groups }
  }

  /// Makes calls one after the other, as one of this keychain's.
  func perform<Value: Sendable>(
    _ body: @escaping @Sendable (inout KeychainSession) throws(KeychainFailure) -> Value
  ) async throws(KeychainFailure) -> Value {
    try await pool.perform(for: caller, body)
  }

  /// The same for a caller that blocks.
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

  /// The query in this keychain's group, unless it names one.
  func grouped(_ query: KeychainQuery) -> KeychainQuery {
    var query = query
    // A reference names its item whatever the group, and takes no attribute besides.
    if query.reference == nil, query.group == nil { query.group = accessGroup }
    return query
  }
}
