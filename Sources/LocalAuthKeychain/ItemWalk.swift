import LocalAuthCore

/// Goes through the rows that match a call and says what each of them does to it.
///
/// | row                   | action                                                     |
/// |-----------------------|------------------------------------------------------------|
/// | class key locked      | `.stop(.locked)`, whatever was taken (a deletion: as below)|
/// | cannot be opened      | `.forget`: as if it were not there, and removed later      |
/// | other group           | `.skip`                                                    |
/// | no proof needed       | `.take`                                                    |
/// | proof needed and had  | `.take`                                                    |
/// | proof needed, allow   | `.postpone`, and asked for at the end                      |
/// | proof needed, fail    | `.stop(.authentication(.notInteractive))`                  |
/// | proof needed, skip    | `.skip`                                                    |
/// | denied                | `.takeWithoutData` (an update, a use of a key: `.stop`)     |
///
/// A row that needs proof needs it as soon as it matches, also where only its attributes or its
/// existence are asked for, and proof of it by name. When all rows were seen, ``finish()`` says what must be proven; then the
/// call starts over with ``restart()``, at most ``maximumRounds`` times.
public struct ItemWalk: Hashable, Sendable {
  /// What a call does with the rows.
  public enum Purpose: Hashable, Sendable {
    case read(MatchLimit)
    case update
    case delete
    /// One key is used for this.
    case use(AccessOperation)
  }

  /// What is known of a row before it is opened.
  public enum Standing: Hashable, Sendable {
    case readable
    case locked
    /// Its key is gone or it is damaged.
    case undecodable
    /// What it says inside belongs to another group than the index said.
    case foreign
  }

  /// What happens to a row.
  public enum Action: Hashable, Sendable {
    case take
    /// It may be known that it is there, and what it is called; its data is for nobody.
    case takeWithoutData
    case skip
    /// Not there for this call; remove it when there is time.
    case forget
    /// Wait for the proof that ``ItemWalk/finish()`` will ask for.
    case postpone
    case stop(KeychainError)
  }

  /// One thing to be proven, once for all rows that ask for the same.
  public struct Demand: Hashable, Sendable {
    /// What the rows have in common.
    public let accessControl: AccessControl
    /// What is to be done with them.
    public let operation: AccessOperation
    /// The rows; the proof is for no others.
    public fileprivate(set) var items: Set<ItemIdentifier> = []
    /// What the first of them are called.
    fileprivate var names: [ItemName] = []

    /// What a person is told of it.
    public var named: NamedItems { NamedItems(operation, names, of: items.count, accessControl) }
  }

  /// What follows when every row was seen.
  public enum Finish: Hashable, Sendable {
    case done
    /// Prove all of these, in one context, then ``restart()``.
    case prove([Demand])
    case fail(KeychainError)
  }

  /// How often a call starts over; Apple's limit.
  public static let maximumRounds = 20

  /// What the call does with the rows.
  public let purpose: Purpose
  /// Whether the call may ask somebody.
  public let interface: InterfaceMode
  private var taken = 0
  private var demands: [Demand] = []
  private var rounds = 1

  /// A walk for `purpose` by a call that may ask as `interface` says.
  public init(_ purpose: Purpose, interface: InterfaceMode) {
    self.purpose = purpose
    self.interface = interface
  }

  /// What is done with a row of this access control that is taken.
  ///
  /// A key whose access control does not speak of using keys is used by whoever could read it.
  public func operation(on accessControl: AccessControl) -> AccessOperation {
    switch purpose {
    case .read: .decrypt
    case .update: .update
    case .delete: .delete
    case .use(let operation):
      accessControl.flags.contains(.privateKeyUsage) ? operation : .decrypt
    }
  }

  /// Whether rows may be left over, so that it counts which come first.
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
    // A row that waits for proof counts: it comes before those behind it once it is proven.
    case .read(let limit): taken >= limit.maximum
    case .use: taken >= 1
    case .update, .delete: false
    }
  }

  /// A row matches: its standing, the item and its name as far as it can be read, its access control,
  /// what that says to ``operation(on:)`` now, whether the call brings proof of it, and whether proving it
  /// takes nobody.
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
      demands.append(
        Demand(accessControl: accessControl, operation: operation(on: accessControl))
      )
    }
    // A row that moved while the list was gone through may come twice.
    if demands[place].items.insert(item).inserted,
      demands[place].names.count < NamedItems.mostNames
    {
      demands[place].names.append(name())
    }
    taken += 1
    return .postpone
  }

  /// Every row was seen, or ``isComplete``.
  public func finish() -> Finish {
    if !demands.isEmpty {
      return rounds < Self.maximumRounds
        ? .prove(demands) : .fail(.authentication(.authenticationFailed))
    }
    return taken > 0 ? .done : .fail(.itemNotFound)
  }

  /// The demands were met: the rows are gone through again, with the proof.
  public mutating func restart() {
    rounds += 1
    taken = 0
    demands = []
  }
}
