public import LocalAuthCore

/// What `SecItemAdd` is asked for.
public struct ItemAdd: Hashable, Sendable {
  /// The class of the new item.
  public let itemClass: ItemClass
  /// Its group, the client's first where the call names none.
  public let group: String
  /// Its protection and what must be proven, not bound to the device yet.
  public let accessControl: AccessControl
  /// Whether it is meant for the user's other devices too.
  public let isSynchronizable: Bool
  /// Its attributes, with the defaults of those that tell items of its class apart.
  public let attributes: [ItemAttribute: AttributeValue]
  /// The kind of the private key that it is, where that must not leave the keychain.
  public let heldKey: KeyCurve?
  /// Whether data comes with it.
  public let hasData: Bool
  /// Whether an object of the program comes with it, whose data and attributes its face knows.
  public let hasReference: Bool
  /// What is wanted of the new item.
  public let returns: ReturnSet
  /// How the call is made.
  public let options: CallOptions

  /// The addition that `dictionary` describes, by a client with these groups.
  ///
  /// What the program's own library refuses comes first, then a client without any group, then the
  /// dictionary, then the group.
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

  /// Throws for a key that must not leave the keychain and could not be used there: it would be lost.
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

  /// The Secure Enclave holds private keys of P-256 only, and an access control of one must speak
  /// of using keys.
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

  /// The new item with the remains that it replaces, once its class key is there and what it asks
  /// for can be proven on the device.
  ///
  /// `access` is what the device's state allows for the class of ``accessControl``, `enrolment` what
  /// it is bound to, and `occupant` says who has its primary key: it is asked last, because
  /// encryption comes before uniqueness.
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
    // A key that the device makes itself comes another way; data cannot be added under such flags.
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

/// Who has a primary key.
public enum Occupant: Hashable, Sendable {
  case none
  /// An item that can be found.
  case live(ItemIdentifier)
  /// A tombstone, or an item that nobody can open any more: it gives way.
  case remains(ItemIdentifier)
}
