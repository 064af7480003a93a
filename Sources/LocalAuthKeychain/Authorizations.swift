public import LocalAuthCore

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

  fileprivate init(for use: ItemUse) {
    item = use.item
    accessControl = use.accessControl
    operation = use.operation
  }
}

/// What was authorized on one device, in memory only.
///
/// | event                      | ends                                                   |
/// |----------------------------|--------------------------------------------------------|
/// | the call ends              | those that serve it alone: keys, items of `eachUse`    |
/// | the context is invalidated | its authorizations                                     |
/// | the connection ends        | those of all its contexts                              |
/// | lock, restart              | all                                                    |
/// | the enrolled set changes   | those that a finger had part in                        |
/// | the time is over           | the one                                                |
///
/// An authorization has one source: an evaluation that succeeded, of exactly what the access control
/// asks for.
public struct Authorizations: Sendable {
  private struct Authorization: Sendable {
    var scope: AuthorizationScope
    var proven: Proven
    var until: BootInstant
  }

  private var held: [ContextIdentity: [Authorization]] = [:]

  /// How long one lasts at most, whatever else ends it before.
  public static let longest: Duration = .seconds(600)
  /// How many there may be of one connection; more end the oldest.
  public static let mostOfAConnection = 64
  /// How many items those of one connection may name; more end the oldest, and no prompt names more.
  public static let mostNamesOfAConnection = 65_536

  /// None.
  public init() {}

  /// Takes the success of `evaluation` as the authorization of `scope`; false when it is none.
  ///
  /// The evaluation must have succeeded, must have asked for what the access control asks for at
  /// `generation` of the enrolled set, and must have been proven by itself: neither an unlock that
  /// stood in for a touch nor a grant opens items.
  public mutating func grant(
    _ scope: AuthorizationScope,
    by evaluation: EvaluationMachine,
    at generation: UInt64,
    until: BootInstant
  ) -> Bool {
    let asked = OperationRule.requires(evaluation.rules.requirement)
    guard !scope.operations.isEmpty,
      scope.operations.allSatisfy({ scope.accessControl.rule(for: $0, at: generation) == asked }),
      scope.nameCount <= Self.mostNamesOfAConnection,
      evaluation.outcome?.code == .success, !evaluation.isUnlockReused, !evaluation.isGranted,
      evaluation.rules.requirement.isMet(by: evaluation.proven)
    else { return false }
    held[scope.context]?.removeAll { $0.scope == scope }
    makeRoom(for: scope)
    held[scope.context, default: []].append(
      Authorization(scope: scope, proven: evaluation.proven, until: until)
    )
    return true
  }

  /// Whether ``proof(for:at:generation:)`` would give one: what the access control asks for was proven
  /// for this, or it asks for nothing before this operation.
  public func allows(_ use: ItemUse, at now: BootInstant, generation: UInt64) -> Bool {
    switch use.accessControl.rule(for: use.operation, at: generation) {
    case .allowed: true
    case .denied: false
    case .requires(let requirement): place(of: use, requirement, at: now) != nil
    }
  }

  /// Whether all that `scope` allows with every item was proven, so that nobody need be asked again.
  public func covers(
    _ scope: AuthorizationScope,
    at now: BootInstant,
    generation: UInt64
  ) -> Bool {
    scope.operations.allSatisfy { operation in
      switch scope.accessControl.rule(for: operation, at: generation) {
      case .allowed: true
      case .denied: false
      case .requires(let requirement):
        (held[scope.context] ?? []).contains { authorization in
          authorization.scope.items == .every
            && authorization.scope.accessControl == scope.accessControl
            && authorization.scope.operations.contains(operation)
            && now < authorization.until && requirement.isMet(by: authorization.proven)
        }
      }
    }
  }

  /// The proof for `use`; nil where that is not authorized now.
  public mutating func proof(
    for use: ItemUse,
    at now: BootInstant,
    generation: UInt64
  ) -> Proof? {
    switch use.accessControl.rule(for: use.operation, at: generation) {
    case .allowed: return Proof(for: use)
    case .denied: return nil
    case .requires(let requirement):
      held[use.context]?.removeAll { $0.until <= now }
      guard let place = place(of: use, requirement, at: now) else { return nil }
      held[use.context]?[place].scope.begin(use)
      return Proof(for: use)
    }
  }

  private func place(
    of use: ItemUse,
    _ requirement: Requirement,
    at now: BootInstant
  ) -> Int? {
    held[use.context]?.firstIndex { authorization in
      authorization.scope.serves(use) && now < authorization.until
        && requirement.isMet(by: authorization.proven)
    }
  }

  // MARK: Ends

  /// A call has ended, and what served it alone.
  public mutating func callEnded(_ call: UInt64, of context: ContextIdentity) {
    held[context]?.removeAll { $0.scope.call == call }
  }

  /// The context was invalidated.
  public mutating func contextEnded(_ context: ContextIdentity) { held[context] = nil }

  /// The connection ended, and all contexts with it.
  public mutating func connectionEnded(_ connection: UInt64) {
    held = held.filter { $0.key.connection != connection }
  }

  /// The device was locked or restarted.
  public mutating func deviceClosed() { held.removeAll() }

  /// The enrolled set changed.
  public mutating func enrolmentChanged() {
    held = held.mapValues { own in own.filter { !$0.proven.factors.contains(.biometry) } }
  }

  /// How many there are.
  public var count: Int { held.values.reduce(0) { $0 + $1.count } }

  private mutating func makeRoom(for scope: AuthorizationScope) {
    let connection = scope.context.connection
    held = held.filter { !$0.value.isEmpty }
    while true {
      let own = held.filter { $0.key.connection == connection }.flatMap(\.value)
      let names = own.reduce(scope.nameCount) { $0 + $1.scope.nameCount }
      guard own.count >= Self.mostOfAConnection || names > Self.mostNamesOfAConnection,
        let oldest = own.min(by: { $0.until < $1.until })?.scope
      else { return }
      held[oldest.context]?.removeAll { $0.scope == oldest }
    }
  }
}
