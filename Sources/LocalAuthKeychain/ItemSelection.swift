/// The items that a call applies to.
public struct ItemSelection: Hashable, Sendable {
  /// Their class.
  public let itemClass: ItemClass
  /// The groups that they may belong to.
  public let scope: AccessGroups.Scope
  /// The attribute values that they must have; the store searches by these.
  public let terms: [SearchTerm]
  /// Their protection, if the call names one.
  public let protection: ProtectionClass?
  /// Whether they are synchronizable; nil for both kinds.
  public let isSynchronizable: Bool?
  /// Whether they are tombstones of deleted items.
  public let areTombstones: Bool
  /// The reference to the only item meant, if the call gives one.
  public let reference: PersistentReference?
  /// Whether the call also names an object, which only the client's front end can compare.
  public let hasReference: Bool
  /// Conditions other than attribute values.
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

  /// Whether the attribute is not a search term.
  private static func isApart(_ attribute: ItemAttribute) -> Bool {
    attribute == .accessible || attribute == .tombstone || attribute == .user
  }

  private static func protection(_ value: AttributeValue?) -> ProtectionClass? {
    guard case .text(let name)? = value else { return nil }
    return ProtectionClass(rawValue: name)
  }

  /// Whether the call applies to `item`; for identities, whether `item` can be half of one.
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

  /// The primary key that the selection spells out, for items in `group`.
  ///
  /// Common attributes that the selection omits have their defaults. Nil unless the selection names
  /// every attribute that is particular to the primary key of its class.
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

  /// The classes of the rows to search; an identity consists of a certificate and a key.
  public var storedClasses: [ItemClass] {
    itemClass == .identity ? [.certificate, .key] : [itemClass]
  }

  /// The terms that items of `half` must match.
  ///
  /// Of an identity's terms, the certificate must match those that certificates have, and the key
  /// the others.
  public func terms(for half: ItemClass) -> [SearchTerm] {
    guard itemClass == .identity else { return terms }
    guard half == .key else { return terms.filter { $0.attribute.belongs(to: half) } }
    return terms.filter { !$0.attribute.belongs(to: .certificate) }
  }

  /// Whether the call can apply to an item with this header, as far as the header tells.
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

  /// The protection that items of `half` must have; of an identity only the key's counts, because
  /// using the key opens it.
  private func protection(for half: ItemClass) -> ProtectionClass? {
    itemClass == .identity && half == .certificate ? nil : protection
  }

  private func isOfClass(_ item: Item) -> Bool {
    guard itemClass == .identity else { return item.itemClass == itemClass }
    return item.itemClass == .certificate || item.itemClass == .key
  }
}
