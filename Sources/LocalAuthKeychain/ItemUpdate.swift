public import LocalAuthCore

/// The request of a `SecItemUpdate` call: the same changes to every item that matches.
public struct ItemUpdate: Hashable, Sendable {
  /// The items to change.
  public let selection: ItemSelection
  /// The changes to make.
  public let changes: ItemChanges
  /// The options of the call.
  public let options: CallOptions

  /// Parses the update that the two dictionaries describe, by a client with these groups.
  public init(
    _ query: QueryDictionary,
    changes: QueryDictionary,
    groups: AccessGroups
  ) throws(KeychainError) {
    try groups.requireAny()
    let parsed = try QueryParser(query, for: .update)
    guard parsed.itemClass != .identity else { throw .unsupported(ItemClass.identity.rawValue) }
    selection = try ItemSelection(parsed, groups: groups, writing: true)
    options = parsed.options
    self.changes = try ItemChanges(changes, to: parsed.itemClass, groups: groups)
  }

  /// Returns all `items` with the changes and the remains that they replace, or throws if one
  /// cannot change.
  ///
  /// `items` is everything that matches, `access` returns what the device's state allows for a
  /// class, and `occupant` the current holder of a primary key.
  public func applied(
    to items: [Item],
    at now: WallInstant,
    access: (ProtectionClass) -> ClassAccess,
    enrolment: AccessControl.Enrolment,
    occupant: (PrimaryKey) -> Occupant
  ) throws(KeychainError) -> (changed: [Item], replaced: [ItemIdentifier]) {
    guard !items.isEmpty else { throw .itemNotFound }
    var changed: [Item] = []
    var replaced: [ItemIdentifier] = []
    var keys: Set<PrimaryKey> = []
    for item in items {
      switch access(changes.protection(of: item)) {
      case .available: break
      case .locked: throw .locked
      case .absent: throw .authentication(.passcodeNotSet)
      }
      let new = try changes.applied(to: item, at: now, enrolment: enrolment)
      let key = PrimaryKey(of: new)
      guard keys.insert(key).inserted else { throw .duplicateItem }
      switch occupant(key) {
      case .none: break
      case .live(let other): guard other == item.identifier else { throw .duplicateItem }
      case .remains(let old): replaced.append(old)
      }
      changed.append(new)
    }
    return (changed, replaced)
  }
}
