public import LocalAuthCore

/// Whom an authorization belongs to: one context of one connection.
public struct ContextIdentity: Hashable, Sendable {
  /// The number of the connection; never used again while the service runs.
  public var connection: UInt64
  /// The number of the context, which the client chose; it says nothing beyond the connection.
  public var context: UInt64

  /// The context with this number on this connection.
  public init(connection: UInt64, context: UInt64) {
    self.connection = connection
    self.context = context
  }
}

/// What an authorization allows: one operation on items with one access control, by one context.
public struct AuthorizationScope: Hashable, Sendable {
  /// Whom.
  public var context: ContextIdentity
  /// On which items.
  public var accessControl: AccessControl
  /// What.
  public var operation: AccessOperation

  /// The scope of these three.
  public init(
    context: ContextIdentity,
    accessControl: AccessControl,
    operation: AccessOperation
  ) {
    self.context = context
    self.accessControl = accessControl
    self.operation = operation
  }
}

/// That what an item asks for was proven, for one operation on that item.
///
/// It cannot be copied, and whoever opens the item consumes it. Only ``Authorizations`` makes one.
public struct Proof: ~Copyable, Sendable {
  /// The item it is for.
  public let item: ItemIdentifier
  /// The item's access control.
  public let accessControl: AccessControl
  /// What it is for.
  public let operation: AccessOperation

  fileprivate init(_ scope: AuthorizationScope, of item: ItemIdentifier) {
    self.item = item
    accessControl = scope.accessControl
    operation = scope.operation
  }
}

/// What was authorized on one device, in memory only.
///
/// | event                      | ends                            |
/// |----------------------------|---------------------------------|
/// | the context is invalidated | its authorizations              |
/// | the connection ends        | those of all its contexts       |
/// | lock, restart              | all                             |
/// | the enrolled set changes   | those that a finger had part in |
/// | the time is over           | the one                         |
///
/// An authorization has one source: an evaluation that succeeded, of exactly what the access control
/// asks for.
public struct Authorizations: Sendable {
  private struct Authorization: Sendable {
    var proven: Proven
    var until: BootInstant
  }

  private var held: [AuthorizationScope: Authorization] = [:]

  /// How long one lasts at most, whatever else ends it before.
  public static let longest: Duration = .seconds(600)
  /// How many there may be of one connection; more end the oldest.
  public static let mostOfAConnection = 64

  /// None.
  public init() {}

  /// Takes the success of `evaluation` as the authorization of `scope`; false when it is none.
  ///
  /// The evaluation must have succeeded, must have asked for what the access control asks for at
  /// `generation` of the enrolled set, and must have been proven by itself: neither an unlock that
  /// stood in for a touch nor a grant opens items.
  public mutating func grant(
    _ scope: AuthorizationScope,
    by evaluation: Evaluation,
    at generation: UInt64,
    until: BootInstant
  ) -> Bool {
    guard
      case .requires(let requirement) = scope.accessControl.rule(
        for: scope.operation,
        at: generation
      ), evaluation.outcome?.code == .success, !evaluation.isUnlockReused, !evaluation.isGranted,
      evaluation.rules.requirement == requirement,
      requirement.isMet(by: evaluation.proven)
    else { return false }
    makeRoom(for: scope)
    held[scope] = Authorization(proven: evaluation.proven, until: until)
    return true
  }

  /// Whether ``proof(for:of:at:generation:)`` would give one: what the access control asks for was
  /// proven, or it asks for nothing before this operation.
  public func allows(_ scope: AuthorizationScope, at now: BootInstant, generation: UInt64) -> Bool {
    switch scope.accessControl.rule(for: scope.operation, at: generation) {
    case .allowed: return true
    case .denied: return false
    case .requires(let requirement):
      guard let authorization = held[scope], now < authorization.until else { return false }
      return requirement.isMet(by: authorization.proven)
    }
  }

  /// The proof for one operation on `item`; nil where the scope is not authorized now.
  public mutating func proof(
    for scope: AuthorizationScope,
    of item: ItemIdentifier,
    at now: BootInstant,
    generation: UInt64
  ) -> Proof? {
    guard allows(scope, at: now, generation: generation) else {
      held[scope] = nil
      return nil
    }
    return Proof(scope, of: item)
  }

  // MARK: Ends

  /// The context was invalidated.
  public mutating func contextEnded(_ context: ContextIdentity) {
    guard !held.isEmpty else { return }
    held = held.filter { $0.key.context != context }
  }

  /// The connection ended, and all contexts with it.
  public mutating func connectionEnded(_ connection: UInt64) {
    held = held.filter { $0.key.context.connection != connection }
  }

  /// The device was locked or restarted.
  public mutating func deviceClosed() { held.removeAll() }

  /// The enrolled set changed.
  public mutating func enrolmentChanged() {
    held = held.filter { !$0.value.proven.factors.contains(.biometry) }
  }

  /// How many there are.
  public var count: Int { held.count }

  private mutating func makeRoom(for scope: AuthorizationScope) {
    let connection = scope.context.connection
    let own = held.filter { $0.key.context.connection == connection && $0.key != scope }
    guard own.count >= Self.mostOfAConnection else { return }
    if let first = own.min(by: { $0.value.until < $1.value.until }) { held[first.key] = nil }
  }
}
