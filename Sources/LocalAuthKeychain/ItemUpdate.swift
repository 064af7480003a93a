public import LocalAuthCore

/// What `SecItemUpdate` is asked for: the same changes to every item that matches.
public struct ItemUpdate: Hashable, Sendable {
  /// Which items.
  public let selection: ItemSelection
  /// What becomes of them.
  public let changes: ItemChanges
  /// How the call is made.
  public let options: CallOptions

  /// The update that the two dictionaries describe, of a client with these groups.
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

  /// All `items` with the changes and the remains that they replace, or none of them.
  ///
  /// `items` is everything that matches, `access` what the device's state allows for a class,
  /// `occupant` who has a primary key now.
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
