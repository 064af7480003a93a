public import LocalAuthCore

/// The second dictionary of `SecItemUpdate`: the changes to every item that matches.
public struct ItemChanges: Hashable, Sendable {
  /// New values of attributes.
  public private(set) var attributes: [ItemAttribute: AttributeValue] = [:]
  /// A new protection.
  public private(set) var protection: ProtectionClass?
  /// A new access control, not yet bound to the device.
  public private(set) var accessControl: AccessControl?
  /// The group to move to.
  public private(set) var group: String?
  /// Whether the items become synchronizable; nil leaves that unchanged.
  public private(set) var isSynchronizable: Bool?
  /// A new creation date, which an update may set.
  public private(set) var created: WallInstant?
  /// Whether the call supplies new data.
  public private(set) var replacesData = false

  /// Parses the changes that `dictionary` describes, to items of `itemClass`.
  ///
  /// Only attributes and data are accepted; any other key, `class` included, is an unknown
  /// attribute.
  init(
    _ dictionary: QueryDictionary,
    to itemClass: ItemClass,
    groups: AccessGroups
  ) throws(KeychainError) {
    try dictionary.validate()
    for entry in dictionary.entries {
      if entry.key == QueryKey.dataProtection { continue }
      if entry.key == QueryKey.valueData.rawValue {
        guard entry.value == .secret else { throw .parameter(.invalidType(entry.key)) }
        replacesData = true
        continue
      }
      guard let attribute = ItemAttribute(rawValue: entry.key), attribute.belongs(to: itemClass)
      else { throw .noSuchAttribute(entry.key) }
      try read(attribute, entry.value, groups)
    }
    try checkConflicts()
  }

  private mutating func read(
    _ attribute: ItemAttribute,
    _ value: QueryValue,
    _ groups: AccessGroups
  ) throws(KeychainError) {
    switch attribute.roleInUpdate {
    case .computed: return
    case .refused: throw .parameter(.notAllowedHere(attribute.rawValue))
    case .settable: break
    }
    if attribute == .accessGroup {
      group = try groups.groupToMove(to: value)
    } else if attribute == .synchronizable {
      if case .only(let flag) = try QueryParser.synchronizable(value) { isSynchronizable = flag }
    } else if attribute == .accessControl {
      guard case .accessControl(let new) = value else { throw .parameter(.invalidType("accc")) }
      accessControl = new
    } else {
      guard let coerced = attribute.kind.coerce(value) else {
        throw .parameter(.invalidType(attribute.rawValue))
      }
      store(attribute, coerced)
    }
  }

  private mutating func store(_ attribute: ItemAttribute, _ value: AttributeValue) {
    if attribute == .accessible, case .text(let name) = value {
      protection = ProtectionClass(rawValue: name)
    } else if attribute == .creationDate, case .date(let milliseconds) = value {
      created = WallInstant(milliseconds: milliseconds)
    } else {
      attributes[attribute] = value
    }
  }

  private func checkConflicts() throws(KeychainError) {
    if accessControl != nil, protection != nil { throw .parameter(.conflict("pdmn", "accc")) }
    if accessControl != nil, isSynchronizable == true {
      throw .parameter(.conflict("accc", "sync"))
    }
  }

  /// Throws if the changes touch the data or a fixed attribute of a key that must not leave the
  /// keychain.
  public func checkKey() throws(KeychainError) {
    let fixed: [ItemAttribute] = [
      .isExtractable, .wasNeverExtractable, .isSensitive, .wasAlwaysSensitive, .tokenID, .type,
      .keyClass, .keySizeInBits, .applicationLabel,
    ]
    for attribute in fixed where attributes[attribute] != nil {
      throw .parameter(.notAllowedHere(attribute.rawValue))
    }
    if replacesData { throw .parameter(.notAllowedHere(QueryKey.valueData.rawValue)) }
  }

  /// The protection whose class key a changed `item` needs.
  public func protection(of item: Item) -> ProtectionClass {
    accessControl?.protection ?? protection ?? item.accessControl.protection
  }

  /// Returns `item` with the changes.
  ///
  /// A new protection leaves what must be proven unchanged. The modification date advances by at
  /// least a millisecond, whatever the clock says.
  public func applied(
    to item: Item,
    at now: WallInstant,
    enrolment: AccessControl.Enrolment
  ) throws(KeychainError) -> Item {
    var changed = item
    if let accessControl { changed.accessControl = try accessControl.bound(to: enrolment) }
    if let protection { changed.accessControl = item.accessControl.moved(to: protection) }
    if let group { changed.group = group }
    if let isSynchronizable { changed.isSynchronizable = isSynchronizable }
    if let created { changed.created = created }
    changed.attributes.merge(attributes) { $1 }
    changed.hasData = item.hasData || replacesData
    let next = item.modified.milliseconds.addingReportingOverflow(1)
    changed.modified = max(
      now,
      WallInstant(milliseconds: next.overflow ? .max : next.partialValue)
    )
    let control = changed.accessControl
    guard changed.isSynchronizable else { return changed }
    if !control.isTrivial { throw .parameter(.conflict("accc", "sync")) }
    // What has both from an earlier version can still be changed otherwise.
    if isSynchronizable != nil || protection != nil, control.protection.isThisDeviceOnly {
      throw .parameter(.conflict("pdmn", "sync"))
    }
    return changed
  }
}
