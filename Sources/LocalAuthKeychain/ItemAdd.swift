public import LocalAuthCore

/// The request of a `SecItemAdd` call.
public struct ItemAdd: Hashable, Sendable {
  /// The class of the new item.
  public let itemClass: ItemClass
  /// Its group; the client's first group if the call names none.
  public let group: String
  /// Its protection and what must be proven, not yet bound to the device.
  public let accessControl: AccessControl
  /// Whether it is meant for the user's other devices too.
  public let isSynchronizable: Bool
  /// Its attributes, with defaults for those that distinguish items of its class.
  public let attributes: [ItemAttribute: AttributeValue]
  /// The curve of the item's private key, if that must not leave the keychain.
  public let heldKey: KeyCurve?
  /// Whether the call supplies data.
  public let hasData: Bool
  /// Whether the call supplies an object, whose data and attributes only the client's front end
  /// knows.
  public let hasReference: Bool
  /// What the call returns about the new item.
  public let returns: ReturnSet
  /// The options of the call.
  public let options: CallOptions

  /// Parses the addition that `dictionary` describes, by a client with these groups.
  ///
  /// Errors are reported in this order: what Apple's client library refuses, a client without any
  /// group, the dictionary, the group.
  public init(_ dictionary: QueryDictionary, groups: AccessGroups) throws(KeychainError) {
    try Self.checkBeforeParsing(dictionary)
    try groups.requireAny()
    let parsed = try QueryParser(dictionary, for: .add)
    guard parsed.itemClass != .identity else { throw .unsupported(ItemClass.identity.rawValue) }
    guard parsed.reference == nil else {
      throw .parameter(.notAllowedHere(QueryKey.valuePersistentReference.rawValue))
    }
    itemClass = parsed.itemClass
    attributes = try Self.attributes(of: parsed)
    accessControl = Self.accessControl(of: parsed)
    isSynchronizable = parsed.synchronizable == .only(true)
    if isSynchronizable, accessControl.protection.isThisDeviceOnly {
      throw .parameter(.conflict("pdmn", "sync"))
    }
    hasData = parsed.hasData
    hasReference = parsed.hasReference
    returns = parsed.returns
    options = parsed.options
    heldKey = try Self.heldKey(of: parsed)
    try Self.checkToken(attributes, parsed)
    group = try groups.groupToAdd(to: parsed.group)
  }

  private static func checkBeforeParsing(
    _ dictionary: QueryDictionary
  ) throws(KeychainError) {
    if let value = dictionary["accc"] {
      guard case .accessControl = value else { throw .parameter(.invalidType("accc")) }
      if let sync = dictionary["sync"], try QueryParser.synchronizable(sync) == .only(true) {
        throw .parameter(.conflict("accc", "sync"))
      }
    }
    let interface = QueryKey.useAuthenticationUI.rawValue
    if dictionary[interface] == .text(InterfaceMode.skip.rawValue) {
      throw .parameter(.notAllowedHere(interface))
    }
    if dictionary["u_AuthCtx"] != nil, dictionary["u_CredRef"] != nil {
      throw .parameter(.conflict("u_AuthCtx", "u_CredRef"))
    }
  }

  private static func attributes(
    of parsed: QueryParser
  ) throws(KeychainError) -> [ItemAttribute: AttributeValue] {
    var result: [ItemAttribute: AttributeValue] = [:]
    for attribute in parsed.itemClass.ownKey {
      result[attribute] = attribute.defaultValue(for: parsed.itemClass)
    }
    for (attribute, value) in parsed.attributes {
      switch attribute.roleInAdd {
      case .computed: continue
      case .refused: throw .parameter(.notAllowedHere(attribute.rawValue))
      case .settable: if !Item.fields.contains(attribute) { result[attribute] = value }
      }
    }
    return result
  }

  private static func accessControl(of parsed: QueryParser) -> AccessControl {
    if let given = parsed.accessControl { return given }
    guard case .text(let name)? = parsed.value(of: .accessible),
      let protection = ProtectionClass(rawValue: name)
    else { return AccessControl(parsed.itemClass.defaultProtection) }
    return AccessControl(protection)
  }

  /// Throws if a key must not leave the keychain but could not be used there: it would be lost.
  private static func heldKey(of parsed: QueryParser) throws(KeychainError) -> KeyCurve? {
    guard parsed.itemClass == .key, parsed.value(of: .isExtractable) == .number(0),
      parsed.value(of: .keyClass) != .number(KeyClass.public.rawValue)
    else { return nil }
    let type = parsed.value(of: .type)
    let size = parsed.value(of: .keySizeInBits) ?? .number(256)
    guard parsed.value(of: .keyClass) == .number(KeyClass.private.rawValue), size == .number(256),
      let curve = KeyCurve.allCases.first(where: { type == .number($0.keyType.rawValue) })
    else { throw .unsupported(ItemAttribute.isExtractable.rawValue) }
    return curve
  }

  /// Throws unless a Secure Enclave key is a private P-256 key, and its access control, if one is
  /// given, has `privateKeyUsage`.
  private static func checkToken(
    _ attributes: [ItemAttribute: AttributeValue],
    _ parsed: QueryParser
  ) throws(KeychainError) {
    guard case .text(let name)? = attributes[.tokenID],
      let token = TokenID(rawValue: name), token.isSecureEnclave
    else { return }
    let type = attributes[.type]
    let isPrivateP256 =
      parsed.itemClass == .key && attributes[.keyClass] == .number(KeyClass.private.rawValue)
      && attributes[.keySizeInBits] == .number(256)
      && (type == .number(KeyType.ellipticCurve.rawValue)
        || type == .number(KeyType.secureEnclaveAccelerator.rawValue))
    guard isPrivateP256 else { throw .parameter(.invalidValue("tkid")) }
    if let given = parsed.accessControl, !given.flags.contains(.privateKeyUsage) {
      throw .parameter(.conflict("tkid", "accc"))
    }
  }

  /// Returns the new item, and the remains that it replaces.
  ///
  /// Throws unless its class key is available and what it requires can be proven on the device.
  /// `access` is what the device's state allows for the class of ``accessControl``; `enrolment` is
  /// what the item is bound to. `occupant` returns the holder of a primary key; it is called last,
  /// because encryption comes before uniqueness.
  public func admit(
    as identifier: ItemIdentifier,
    at now: WallInstant,
    access: ClassAccess,
    enrolment: AccessControl.Enrolment,
    occupant: (PrimaryKey) -> Occupant
  ) throws(KeychainError) -> (item: Item, replaced: ItemIdentifier?) {
    switch access {
    case .available: break
    case .locked: throw .locked
    case .absent: throw .authentication(.passcodeNotSet)
    }
    let bound = try accessControl.bound(to: enrolment)
    switch bound.rule(for: .encrypt, at: enrolment.generation) {
    case .allowed, .requires: break
    // Keys that the device creates do not come this way; data cannot be added under such flags.
    case .denied: if hasData { throw .authentication(.notPermitted) }
    }
    let item = Item(
      identifier: identifier,
      itemClass: itemClass,
      group: group,
      accessControl: bound,
      isSynchronizable: isSynchronizable,
      created: now,
      modified: now,
      attributes: attributes,
      hasData: hasData
    )
    switch occupant(PrimaryKey(of: item)) {
    case .none: return (item, nil)
    case .remains(let old): return (item, old)
    case .live: throw .duplicateItem
    }
  }
}

/// The holder of a primary key.
public enum Occupant: Hashable, Sendable {
  case none
  /// An item that can be found.
  case live(ItemIdentifier)
  /// A tombstone, or an item that can no longer be opened; a new item replaces it.
  case remains(ItemIdentifier)
}
