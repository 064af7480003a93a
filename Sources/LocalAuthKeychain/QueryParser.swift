/// Parses one dictionary, by the rules that every call shares.
///
/// A key of four letters is an attribute. The first letter tells the kind of any other: `c`lass,
/// `m`atch, `r`eturn, `u`se or `v`alue; keys with `f` are ignored, all others refused.
struct QueryParser {
  /// The call that the dictionary belongs to.
  enum Call: Hashable, Sendable {
    case query
    case add
    case update
    case delete
  }

  /// The items that the value of `sync` admits.
  enum Synchronizable: Hashable, Sendable {
    case only(Bool)
    case any
  }

  let call: Call
  let itemClass: ItemClass
  let reference: PersistentReference?
  /// The attributes in their original order, without duplicates.
  private(set) var attributes: [(attribute: ItemAttribute, value: AttributeValue)] = []
  private(set) var accessControl: AccessControl?
  private(set) var group: QueryValue?
  private(set) var synchronizable: Synchronizable?
  private(set) var conditions = MatchConditions()
  private(set) var limit: MatchLimit = .one
  private(set) var returns: ReturnSet = []
  private(set) var hasData = false
  private(set) var hasReference = false
  private(set) var options = CallOptions()
  private var attributeCount = 0
  private var isSilent = false

  init(_ dictionary: QueryDictionary, for call: Call) throws(KeychainError) {
    try dictionary.validate()
    self.call = call
    reference = try Self.reference(in: dictionary)
    itemClass = try Self.itemClass(in: dictionary, reference)
    attributes.reserveCapacity(dictionary.entries.count)
    for entry in dictionary.entries { try read(entry.key, entry.value) }
    if isSilent, options.interface == .allow { options.interface = .fail }
    try checkConflicts()
  }

  private static func reference(
    in dictionary: QueryDictionary
  ) throws(KeychainError) -> PersistentReference? {
    let key = QueryKey.valuePersistentReference.rawValue
    guard let value = dictionary[key] else { return nil }
    guard case .data(let bytes) = value else { throw .parameter(.invalidType(key)) }
    return try PersistentReference(bytes: bytes)
  }

  private static func itemClass(
    in dictionary: QueryDictionary,
    _ reference: PersistentReference?
  ) throws(KeychainError) -> ItemClass {
    guard case .text(let name)? = dictionary[QueryKey.itemClass.rawValue] else {
      guard let reference else { throw .parameter(.missingClass) }
      return reference.itemClass
    }
    guard let itemClass = ItemClass(rawValue: name), itemClass == reference?.itemClass ?? itemClass
    else { throw .noSuchClass }
    return itemClass
  }

  private mutating func read(_ key: String, _ value: QueryValue) throws(KeychainError) {
    if key.utf16.count == 4 { return try readAttribute(key, value) }
    guard key.utf16.count > 1, let first = key.utf8.first else {
      throw .parameter(.invalidKey(key))
    }
    switch first {
    case UInt8(ascii: "f"): return
    case UInt8(ascii: "m"): try readMatch(key, value)
    case UInt8(ascii: "c"), UInt8(ascii: "r"), UInt8(ascii: "u"), UInt8(ascii: "v"):
      guard let known = QueryKey(named: key) else { throw .parameter(.invalidKey(key)) }
      try readKnown(known, value)
    default: throw .parameter(.invalidKey(key))
    }
  }

  /// The value that was given for an attribute.
  func value(of attribute: ItemAttribute) -> AttributeValue? {
    attributes.first { $0.attribute == attribute }?.value
  }

  private func checkConflicts() throws(KeychainError) {
    if let accessControl, let accessible = value(of: .accessible) {
      // A search result names both, and can be used as a query.
      let isOne = accessible == .text(accessControl.protection.rawValue)
      guard call != .add, isOne else { throw .parameter(.conflict("pdmn", "accc")) }
    }
    if reference != nil, attributeCount > 0 {
      throw .parameter(.notAllowedHere(QueryKey.valuePersistentReference.rawValue))
    }
    if options.hasContext, options.hasCredential {
      throw .parameter(.conflict("u_AuthCtx", "u_CredRef"))
    }
  }
}

// MARK: Attributes

extension QueryParser {
  private mutating func readAttribute(_ key: String, _ value: QueryValue) throws(KeychainError) {
    if key == QueryKey.dataProtection { return }
    guard let attribute = ItemAttribute(named: key), attribute.belongs(to: itemClass) else {
      throw .noSuchAttribute(key)
    }
    switch attribute.kind {
    case .accessControl:
      guard case .accessControl(let found) = value else { throw .parameter(.invalidType(key)) }
      accessControl = found
      attributeCount += 1
    case .blob, .data, .number, .text, .date, .protection:
      try readValue(of: attribute, value)
    }
  }

  private mutating func readValue(
    of attribute: ItemAttribute,
    _ value: QueryValue
  ) throws(KeychainError) {
    if attribute == .synchronizable {
      synchronizable = try Self.synchronizable(value)
      attributeCount += synchronizable == .any ? 0 : 1
      return
    }
    attributeCount += 1
    if attribute == .accessGroup {
      // Checked against the client's groups later; a value of a wrong type counts
      // as a group it does not have.
      group = value
      return
    }
    guard let coerced = attribute.kind.coerce(value) else {
      throw .parameter(.invalidType(attribute.rawValue))
    }
    attributes.append((attribute, coerced))
  }

  /// The meaning of `sync`: true, false, or both kinds.
  static func synchronizable(_ value: QueryValue) throws(KeychainError) -> Synchronizable {
    let key = ItemAttribute.synchronizable.rawValue
    guard let coerced = AttributeKind.number.coerce(value) else {
      throw .parameter(.invalidType(key))
    }
    if coerced == .number(0) { return .only(false) }
    if coerced == .number(1) { return .only(true) }
    guard coerced == .text(QueryKey.synchronizableAny) else { throw .parameter(.invalidValue(key)) }
    return .any
  }
}

// MARK: Everything else

extension QueryParser {
  private mutating func readMatch(_ key: String, _ value: QueryValue) throws(KeychainError) {
    guard call == .query else { throw .parameter(.notAllowedHere(key)) }
    guard let known = QueryKey(named: key) else { return }
    if known == .matchLimit {
      limit = try Self.limit(value)
    } else {
      try conditions.read(known, value, for: itemClass)
    }
  }

  private static func limit(_ value: QueryValue) throws(KeychainError) -> MatchLimit {
    if value == .text(MatchLimit.oneWord) || value == .number(1) { return .one }
    if value == .text(MatchLimit.allWord) { return .all }
    guard case .number(let number) = value, number > 1 else {
      throw .parameter(.invalidValue(QueryKey.matchLimit.rawValue))
    }
    return .count(Int(number))
  }

  private mutating func readKnown(_ key: QueryKey, _ value: QueryValue) throws(KeychainError) {
    switch key {
    // These were read before all others.
    case .itemClass, .valuePersistentReference: return
    case .returnData: try readReturn(.data, key, value)
    case .returnAttributes: try readReturn(.attributes, key, value)
    case .returnReference: try readReturn(.reference, key, value)
    case .returnPersistentReference: try readReturn(.persistentReference, key, value)
    case .valueData:
      guard value == .secret else { throw .parameter(.invalidType(key.rawValue)) }
      hasData = true
    case .valueReference:
      guard value == .opaque else { throw .parameter(.invalidType(key.rawValue)) }
      guard itemClass.hasReferences else { throw .parameter(.notAllowedHere(key.rawValue)) }
      hasReference = true
    case .useItemList: throw .parameter(.notAllowedHere(key.rawValue))
    case .useTombstones: options.leavesTombstone = try Self.boolean(key, value)
    case .useNoAuthenticationUI: isSilent = try Self.boolean(key, value)
    case .useAuthenticationUI: options.interface = try Self.interface(value)
    case .useOperationPrompt:
      guard case .text(let prompt) = value else { throw .parameter(.invalidType(key.rawValue)) }
      options.prompt = prompt
    case .useAuthenticationContext:
      guard value == .opaque else { throw .parameter(.invalidType(key.rawValue)) }
      options.hasContext = true
    case .useCredential:
      guard value == .opaque || value == .secret else {
        throw .parameter(.invalidType(key.rawValue))
      }
      options.hasCredential = true
    case .useCallerName: throw .restricted
    case .useSystemKeychain, .useUserIndependentKeychain, .useTokenRawItems:
      // Only Apple's own programs may set these; false is the default.
      if try Self.boolean(key, value) { throw .restricted }
    case .matchPolicy, .matchItemList, .matchSearchList, .matchIssuers, .matchEmailAddress,
      .matchSubjectContains, .matchHost, .matchCaseInsensitive, .matchTrustedOnly,
      .matchValidOnDate, .matchLimit:
      try readMatch(key.rawValue, value)
    }
  }

  private mutating func readReturn(
    _ kind: ReturnSet,
    _ key: QueryKey,
    _ value: QueryValue
  ) throws(KeychainError) {
    guard try Self.boolean(key, value) else { return }
    if call == .update { throw .parameter(.notAllowedHere(key.rawValue)) }
    returns.insert(kind)
  }

  /// Reads a real Boolean; the number 1 is not one.
  private static func boolean(_ key: QueryKey, _ value: QueryValue) throws(KeychainError) -> Bool {
    guard case .boolean(let flag) = value else { throw .parameter(.invalidType(key.rawValue)) }
    return flag
  }

  private static func interface(_ value: QueryValue) throws(KeychainError) -> InterfaceMode {
    let key = QueryKey.useAuthenticationUI.rawValue
    guard case .text(let word) = value else { throw .parameter(.invalidType(key)) }
    guard let mode = InterfaceMode(rawValue: word) else { throw .parameter(.invalidValue(key)) }
    return mode
  }
}
