import LocalAuthCore

/// Visits the rows that match a call and decides what happens to each of them.
///
/// | row                  | action                                                    |
/// |----------------------|-----------------------------------------------------------|
/// | class key locked     | `.stop(.locked)`, whatever was taken (deletion: as below) |
/// | locked, may be meant | `.stop(.locked)`, a deletion too                          |
/// | cannot be opened     | `.forget`: treated as absent, and removed later           |
/// | other group          | `.skip`                                                   |
/// | no proof needed      | `.take`                                                   |
/// | proof needed and had | `.take`                                                   |
/// | proof needed, allow  | `.postpone`, and asked for at the end                     |
/// | proof needed, fail   | `.stop(.authentication(.notInteractive))`                 |
/// | proof needed, skip   | `.skip`                                                   |
/// | denied               | `.takeWithoutData` (update or use of a key: `.stop`)      |
///
/// A row that needs proof needs it as soon as it matches, even if only its attributes or its
/// existence are requested, and the proof must name the row. After the last row, ``finish()`` says
/// what must be proven; then ``restart()`` begins another round, up to ``maximumRounds`` in all.
public struct ItemWalk: Hashable, Sendable {
  /// What a call does with the rows.
  public enum Purpose: Hashable, Sendable {
    case read(MatchLimit)
    case update
    case delete
    /// Use one key for this operation.
    case use(AccessOperation)
  }

  /// What is known about a row before it is opened.
  public enum Standing: Hashable, Sendable {
    case readable
    case locked
    /// Locked, and the call names what only its content tells.
    case undecided
    /// Its key is gone or it is damaged.
    case undecodable
    /// Its content belongs to a group outside the call's scope.
    case foreign
  }

  /// What happens to a row.
  public enum Action: Hashable, Sendable {
    case take
    /// Its existence and its attributes may be returned, its data may not.
    case takeWithoutData
    case skip
    /// Treat it as absent in this call; remove it when there is time.
    case forget
    /// Wait for the proof that ``ItemWalk/finish()`` will ask for.
    case postpone
    case stop(KeychainError)
  }

  /// One requirement to prove, once for all rows that share it.
  public struct Demand: Hashable, Sendable {
    /// The access control that the rows share.
    public let accessControl: AccessControl
    /// The operation on the rows.
    public let operation: AccessOperation
    /// The rows; the proof covers no others.
    public fileprivate(set) var items: Set<ItemIdentifier> = []
    /// The names of the first rows.
    fileprivate var names: [ItemName] = []
    /// The most names that a prompt shows.
    private var mostNames = NamedItems.mostNames

    fileprivate init(_ accessControl: AccessControl, _ operation: AccessOperation) {
      self.accessControl = accessControl
      self.operation = operation
    }

    /// The request as a prompt shows it.
    public var named: NamedItems {
      NamedItems(operation, names, of: items.count, accessControl, naming: mostNames)
    }

    /// Takes over what another search of the same call must prove, to be asked for at once; false if
    /// that is another requirement or operation.
    public mutating func join(_ other: Demand) -> Bool {
      guard accessControl == other.accessControl, operation == other.operation else { return false }
      mostNames = NamedItems.mostSearched
      // Two searches may find one item.
      guard !items.isSuperset(of: other.items) else { return true }
      items.formUnion(other.items)
      names += other.names
      return true
    }
  }

  /// What follows after the last row.
  public enum Finish: Hashable, Sendable {
    case done
    /// Prove all of these, in one context, then ``restart()``.
    case prove([Demand])
    case fail(KeychainError)
  }

  /// The most rounds of a call, the first included; Apple's limit.
  public static let maximumRounds = 20

  /// What the call does with the rows.
  public let purpose: Purpose
  /// Whether the call may prompt.
  public let interface: InterfaceMode
  private var taken = 0
  private var demands: [Demand] = []
  private var rounds = 1

  /// Creates a walk for `purpose`; `interface` says whether the call may prompt.
  public init(_ purpose: Purpose, interface: InterfaceMode) {
    self.purpose = purpose
    self.interface = interface
  }

  /// The operation on a row with this access control, if it is taken.
  ///
  /// A key whose access control lacks `privateKeyUsage` can be used by whoever proves what reading it would take, for
  /// that call.
  public func operation(on accessControl: AccessControl) -> AccessOperation {
    switch purpose {
    case .read: .decrypt
    case .update: .update
    case .delete: .delete
    case .use(let operation):
      accessControl.flags.contains(.privateKeyUsage) ? operation : .use
    }
  }

  /// Whether the walk may end before the last row, so that the order of the rows matters.
  public var isLimited: Bool {
    switch purpose {
    case .read(let limit): limit != .all
    case .use: true
    case .update, .delete: false
    }
  }

  /// Whether no further row is wanted.
  public var isComplete: Bool {
    switch purpose {
    // A postponed row counts: once proven, it comes before the rows behind it.
    case .read(let limit): taken >= limit.maximum
    case .use: taken >= 1
    case .update, .delete: false
    }
  }

  /// Decides what happens to a matching row.
  ///
  /// `name` is the item's, as far as it can be read. `rule` is what the access control says to
  /// ``operation(on:)`` now, `isProven` whether the call has proof of it, and `asksNobody` whether
  /// proving it needs no person.
  public mutating func visit(
    _ standing: Standing,
    _ item: ItemIdentifier,
    _ name: @autoclosure () -> ItemName,
    _ accessControl: AccessControl,
    _ rule: OperationRule,
    isProven: Bool,
    asksNobody: Bool = false
  ) -> Action {
    switch standing {
    case .readable: break
    case .locked: guard purpose == .delete else { return .stop(.locked) }
    case .undecided: return .stop(.locked)
    case .undecodable: return .forget
    case .foreign: return .skip
    }
    switch rule {
    case .allowed: return take()
    case .requires where isProven: return take()
    case .requires:
      switch asksNobody ? .allow : interface {
      case .fail: return .stop(.authentication(.notInteractive))
      case .skip: return .skip
      case .allow: return postpone(item, name, accessControl)
      }
    case .denied:
      switch purpose {
      case .update, .use: return .stop(.authentication(.notPermitted))
      case .read, .delete:
        taken += 1
        return .takeWithoutData
      }
    }
  }

  private mutating func take() -> Action {
    taken += 1
    return .take
  }

  private mutating func postpone(
    _ item: ItemIdentifier,
    _ name: () -> ItemName,
    _ accessControl: AccessControl
  ) -> Action {
    guard demands.reduce(0, { $0 + $1.items.count }) < Authorizations.mostNamesOfAConnection else {
      return .stop(.parameter(.tooMuchAtOnce))
    }
    let known = demands.firstIndex { $0.accessControl == accessControl }
    let place = known ?? demands.count
    if known == nil {
      demands.append(Demand(accessControl, operation(on: accessControl)))
    }
    // A row that moved during the walk may come twice.
    if demands[place].items.insert(item).inserted,
      demands[place].names.count < NamedItems.mostNames
    {
      demands[place].names.append(name())
    }
    taken += 1
    return .postpone
  }

  /// What follows after the last row, or once ``isComplete`` is true.
  public func finish() -> Finish {
    if !demands.isEmpty {
      return rounds < Self.maximumRounds
        ? .prove(demands) : .fail(.authentication(.authenticationFailed))
    }
    return taken > 0 ? .done : .fail(.itemNotFound)
  }

  /// Starts the next round, in which the rows are visited again with the proof.
  public mutating func restart() {
    rounds += 1
    taken = 0
    demands = []
  }
}
