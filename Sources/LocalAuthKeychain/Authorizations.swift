public import LocalAuthCore

/// Proof of what an item requires, for one operation on that item.
///
/// It cannot be copied, and opening the item consumes it. Only ``Authorizations`` makes one.
public struct Proof: ~Copyable, Sendable {
  /// The item it is for.
  public let item: ItemIdentifier
  /// The item's access control.
  public let accessControl: AccessControl
  /// The operation it is for.
  public let operation: AccessOperation

  fileprivate init(for use: ItemUse) {
    item = use.item
    accessControl = use.accessControl
    operation = use.operation
  }
}

/// The authorizations of one device, held in memory only.
///
/// | event                      | ends                                               |
/// |----------------------------|----------------------------------------------------|
/// | the call ends              | those that serve only it: keys, items of `eachUse` |
/// | the context is invalidated | its authorizations                                 |
/// | the connection ends        | those of all its contexts                          |
/// | lock, restart              | all                                                |
/// | the enrolled set changes   | those proven with a finger                         |
/// | its time is over           | the authorization itself                           |
///
/// An authorization has one source: a successful evaluation of exactly what the access control
/// requires.
public struct Authorizations: Hashable, Sendable {
  private struct Authorization: Hashable, Sendable {
    var scope: AuthorizationScope
    var proven: Proven
    var until: BootInstant
  }

  private var held: [ContextIdentity: [Authorization]] = [:]

  /// The longest time that an authorization lasts; other events may end it earlier.
  public static let longest: Duration = .seconds(600)
  /// The most authorizations of one connection; further ones end those that expire first.
  public static let mostOfAConnection = 64
  /// The most items that the authorizations of one connection may name.
  ///
  /// Further ones end the authorizations that expire first, and no prompt names more.
  public static let mostNamesOfAConnection = 65_536

  /// Creates an empty set of authorizations.
  public init() {}

  /// Authorizes `scope` by the success of `evaluation`; returns false if the evaluation does not
  /// qualify.
  ///
  /// The evaluation must have succeeded, must have required exactly what the access control
  /// requires at `generation` of the enrolled set, and must have been proven by itself: neither a
  /// reused unlock nor a grant opens items.
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

  /// Whether ``proof(for:at:generation:)`` would return a proof.
  ///
  /// It does if what the access control requires was proven for this use, or if the operation
  /// requires nothing.
  public func allows(_ use: ItemUse, at now: BootInstant, generation: UInt64) -> Bool {
    switch use.accessControl.rule(for: use.operation, at: generation) {
    case .allowed: true
    case .denied: false
    case .requires(let requirement): place(of: use, requirement, at: now) != nil
    }
  }

  /// Whether all that `scope` allows is proven for every item, so that no further prompt is needed.
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

  /// The proof for `use`; nil if that is not authorized now.
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

  /// Ends the authorizations that served only this call.
  public mutating func callEnded(_ call: UInt64, of context: ContextIdentity) {
    held[context]?.removeAll { $0.scope.call == call }
  }

  /// Ends the authorizations of a context that was invalidated.
  public mutating func contextEnded(_ context: ContextIdentity) { held[context] = nil }

  /// Ends the authorizations of all contexts of a connection.
  public mutating func connectionEnded(_ connection: UInt64) {
    held = held.filter { $0.key.connection != connection }
  }

  /// Ends all authorizations, after a lock or a restart of the device.
  public mutating func deviceClosed() { held.removeAll() }

  /// Ends the authorizations proven with a finger, after a change of the enrolled set.
  public mutating func enrolmentChanged() {
    held = held.mapValues { own in own.filter { !$0.proven.factors.contains(.biometry) } }
  }

  /// The number of authorizations.
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
