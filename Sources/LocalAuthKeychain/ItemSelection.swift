/// Which items a call is about.
public struct ItemSelection: Hashable, Sendable {
  /// Their class.
  public let itemClass: ItemClass
  /// The groups that they may belong to.
  public let scope: AccessGroups.Scope
  /// The values that they have; the store searches by these.
  public let terms: [SearchTerm]
  /// Their protection, where the call names one.
  public let protection: ProtectionClass?
  /// Whether they are synchronizable; nil for both kinds.
  public let isSynchronizable: Bool?
  /// Whether they are traces of what was deleted.
  public let areTombstones: Bool
  /// The one item that is meant.
  public let reference: PersistentReference?
  /// Whether the call also names an object of its program, which only its face can compare.
  public let hasReference: Bool
  /// Conditions that are no values of attributes.
  public let conditions: MatchConditions

  init(
    _ parsed: QueryParser,
    groups: AccessGroups,
    writing: Bool
  ) throws(KeychainError) {
    guard parsed.value(of: .appClip) == nil else {
      throw .parameter(.notAllowedHere(ItemAttribute.appClip.rawValue))
    }
    itemClass = parsed.itemClass
    scope = try groups.scope(of: parsed.group, writing: writing)
    reference = parsed.reference
    hasReference = parsed.hasReference
    conditions = parsed.conditions
    protection = Self.protection(parsed.value(of: .accessible))
    areTombstones = parsed.value(of: .tombstone) == .number(1)
    switch parsed.synchronizable {
    case .only(let flag)?: isSynchronizable = flag
    case .any?: isSynchronizable = nil
    case nil: isSynchronizable = parsed.reference == nil ? false : nil
    }
    var terms: [SearchTerm] = []
    terms.reserveCapacity(parsed.attributes.count)
    for (attribute, value) in parsed.attributes where !Self.isApart(attribute) {
      terms.append(SearchTerm(attribute, value))
    }
    terms.sort { $0.attribute.number < $1.attribute.number }
    self.terms = terms
  }

  /// Whether it is no value that an item is searched by.
  private static func isApart(_ attribute: ItemAttribute) -> Bool {
    attribute == .accessible || attribute == .tombstone || attribute == .user
  }

  private static func protection(_ value: AttributeValue?) -> ProtectionClass? {
    guard case .text(let name)? = value else { return nil }
    return ProtectionClass(rawValue: name)
  }

  /// Whether the call is about `item`; for identities, whether `item` can be half of one.
  public func matches(_ item: Item) -> Bool {
    guard isOfClass(item), scope.contains(item.group), item.isTombstone == areTombstones else {
      return false
    }
    if let isSynchronizable, isSynchronizable != item.isSynchronizable { return false }
    if let protection = protection(for: item.itemClass), protection != item.accessControl.protection
    {
      return false
    }
    if let reference, !(itemClass == .identity && item.itemClass == .key), !reference.names(item) {
      return false
    }
    return terms(for: item.itemClass).allSatisfy { $0.matches(item) } && conditions.match(item)
  }

  /// The primary key that a selection which names all of one spells out, of items in `group` whose
  /// other attributes have their defaults; nil for any other selection.
  public func primaryKey(in group: String) -> PrimaryKey? {
    guard let isSynchronizable, !areTombstones, reference == nil, itemClass != .identity,
      itemClass.ownKey.allSatisfy({ attribute in terms.contains { $0.attribute == attribute } })
    else { return nil }
    return PrimaryKey(of: itemClass) { [terms] attribute in
      if attribute == .accessGroup { return .text(group) }
      if attribute == .synchronizable { return .number(isSynchronizable ? 1 : 0) }
      if let term = terms.first(where: { $0.attribute == attribute }) { return .data(term.value) }
      return attribute.emptyValue
    }
  }

  /// The classes of the rows that it is about: an identity has one of each.
  public var storedClasses: [ItemClass] {
    itemClass == .identity ? [.certificate, .key] : [itemClass]
  }

  /// The terms that items of `half` must meet; of an identity's, a certificate must meet those that
  /// certificates have, and the key the others.
  public func terms(for half: ItemClass) -> [SearchTerm] {
    guard itemClass == .identity else { return terms }
    guard half == .key else { return terms.filter { $0.attribute.belongs(to: half) } }
    return terms.filter { !$0.attribute.belongs(to: .certificate) }
  }

  /// Whether an item with this header can be one that the call is about, as far as that shows without
  /// opening it.
  public func admits(_ header: ItemHeader) -> Bool {
    if let reference, itemClass != .identity, case .item(_, let identifier) = reference,
      header.identifier != identifier || header.itemClass != itemClass
    {
      return false
    }
    return header.isTombstone == areTombstones
      && isSynchronizable.map { $0 == header.isSynchronizable } ?? true
      && protection(for: header.itemClass).map { $0 == header.protection } ?? true
  }

  /// The protection that items of `half` must have: an identity is opened by using its key.
  private func protection(for half: ItemClass) -> ProtectionClass? {
    itemClass == .identity && half == .certificate ? nil : protection
  }

  private func isOfClass(_ item: Item) -> Bool {
    guard itemClass == .identity else { return item.itemClass == itemClass }
    return item.itemClass == .certificate || item.itemClass == .key
  }
}
