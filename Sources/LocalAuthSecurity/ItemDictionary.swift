import LocalAuthKeychain
import LocalAuthPKI
package import LocalAuthSecret

/// A dictionary of `SecItem…` in parts: what is asked, the secret, and with whose proof.
struct ItemDictionary {
  /// Everything but the context.
  private(set) var query = QueryDictionary()
  /// The data; `v_Data` in the query stands for it.
  private(set) var data: SecretBox?
  /// The context.
  private(set) var context: (any AuthenticationContext)?
  /// The key, certificate or identity that it names.
  private(set) var object: (any KeychainObject)?
  /// What it says itself, without what its object says.
  private var own = QueryDictionary()

  /// What a dictionary is for.
  enum Purpose {
    case addition
    case selection
    case change
  }

  /// The parts of `dictionary`; an object that it names stands for what it says of itself.
  ///
  /// - Throws: `errSecParam` for a key that is no string, a value that no dictionary can have, data
  ///   that is no data, a context that is none, and an object beside data or another class.
  init(_ dictionary: CFDictionary, for purpose: Purpose) throws(ItemStatus) {
    guard dictionary.count <= QueryDictionary.limit else { throw .param }
    for (key, value) in dictionary {
      guard let key = key as? String else { throw .param }
      switch key {
      case QueryKey.valueData.rawValue:
        guard let data = value as? Data else { throw .param }
        // What is far beyond any item is not copied into locked memory only to be refused.
        guard data.count <= 1 << 20 else { throw ItemStatus(.dataTooLarge) }
        self.data = SecretBox(Secret(data))
        query[key] = .secret
      case QueryKey.useAuthenticationContext.rawValue:
        guard let context = value as? any AuthenticationContext else { throw .param }
        self.context = context
      case QueryKey.valueReference.rawValue where purpose != .change:
        guard let object = value as? any KeychainObject else { throw .param }
        self.object = object
      default:
        guard let value = QueryValue(foundation: value) else { throw .param }
        query[key] = value
      }
    }
    if case .list(let names)? = query[QueryKey.matchIssuers.rawValue] {
      query[QueryKey.matchIssuers.rawValue] = .list(names.map(Self.normalized))
    }
    own = query
    if let object { try take(object, for: purpose) }
  }

  /// A name as the keychain has names of issuers; anything else as it is.
  private static func normalized(_ name: QueryValue) -> QueryValue {
    guard case .data(let der) = name, let normal = try? Certificate.normalizedName(der) else {
      return name
    }
    return .data(normal)
  }

  /// What the dictionary says itself counts more than what the object says.
  private mutating func take(
    _ object: any KeychainObject,
    for purpose: Purpose
  ) throws(ItemStatus) {
    let named = query[QueryKey.itemClass.rawValue]
    guard named == nil || named == .text(object.itemClass.rawValue) else { throw .param }
    var said = object.selection
    if purpose == .addition {
      guard data == nil else { throw .param }
      (said, data) = try object.newItem()
      query[QueryKey.valueData.rawValue] = data.map { _ in .secret }
    }
    for entry in said.entries where query[entry.key] == nil { query[entry.key] = entry.value }
  }

  /// Leaves keys out.
  mutating func remove(_ keys: QueryKey...) {
    for key in keys {
      query[key.rawValue] = nil
      own[key.rawValue] = nil
    }
  }

  /// What it says itself, with another object in the place of its own.
  func naming(_ other: any KeychainObject, for purpose: Purpose) throws(ItemStatus) -> Self {
    var half = self
    half.query = purpose == .selection ? own.asked(of: other.itemClass) : own
    half.query[QueryKey.itemClass.rawValue] = nil
    half.data = nil
    half.object = other
    try half.take(other, for: purpose)
    return half
  }

  /// The same for a half of what identities it selects.
  func of(_ itemClass: ItemClass) -> Self {
    var half = self
    half.query = query.asked(of: itemClass)
    half.query[QueryKey.itemClass.rawValue] = .text(itemClass.rawValue)
    return half
  }

  /// The query that has everything answered that an object is made of, where it asks for objects.
  var queryForObjects: QueryDictionary {
    guard query[QueryKey.returnReference.rawValue] == .boolean(true) else { return query }
    var query = query
    query[QueryKey.returnAttributes.rawValue] = .boolean(true)
    query[QueryKey.returnData.rawValue] = .boolean(true)
    return query
  }
}

extension QueryDictionary {
  /// What a selection of identities asks of one of their halves: certificates have what certificates can
  /// have, keys everything else, and what is opened is the key.
  fileprivate func asked(of half: ItemClass) -> Self {
    let both: Set<ItemAttribute> = [.accessGroup, .synchronizable]
    let keys: Set<ItemAttribute> = [.accessible, .accessControl]
    return Self(
      entries.filter { entry in
        guard let attribute = ItemAttribute(rawValue: entry.key), !both.contains(attribute) else {
          return true
        }
        let isOfCertificates = attribute.belongs(to: .certificate) && !keys.contains(attribute)
        return isOfCertificates == (half == .certificate)
      }
    )
  }
}

extension QueryValue {
  /// What a value of a dictionary is to the keychain; nil for a number that is no whole one of 64 bits, and
  /// for lists that have lists within them and so on.
  fileprivate init?(foundation value: Any, depth: Int = 0) {
    // A number is a Boolean too where it is 0 or 1: only the type itself tells.
    if type(of: value) == Bool.self, let flag = value as? Bool {
      self = .boolean(flag)
      return
    }
    switch value {
    case let text as String: self = .text(text)
    case let data as Data: self = .data([UInt8](data))
    case let number as NSNumber:
      guard let whole = Int64(exactly: number) else { return nil }
      self = .number(whole)
    case let date as Date: self = .date(date.milliseconds)
    case let identifier as UUID: self = .identifier(ItemIdentifier(identifier))
    case let control as SecAccessControl: self = .accessControl(control.accessControl)
    case is NSNull: self = .null
    case let list as [Any]:
      guard depth < Self.listsWithinLists else { return nil }
      var values: [QueryValue] = []
      for element in list {
        guard let value = QueryValue(foundation: element, depth: depth + 1) else { return nil }
        values.append(value)
      }
      self = .list(values)
    default: self = .opaque
    }
  }
}

extension QueryValue {
  /// No key takes more than a list; a little more is refused where the keys are known.
  private static let listsWithinLists = 4
}

extension Date {
  /// Milliseconds since 1970; the nearest that there is for a date far beyond.
  fileprivate var milliseconds: Int64 {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
  }

  /// The date of so many milliseconds since 1970.
  init(milliseconds: Int64) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}

extension ItemIdentifier {
  fileprivate init(_ identifier: UUID) {
    let bytes = identifier.uuid
    let all = [
      bytes.0, bytes.1, bytes.2, bytes.3, bytes.4, bytes.5, bytes.6, bytes.7, bytes.8, bytes.9,
      bytes.10, bytes.11, bytes.12, bytes.13, bytes.14, bytes.15,
    ]
    self.init(
      high: all[..<8].reduce(0) { $0 << 8 | UInt64($1) },
      low: all[8...].reduce(0) { $0 << 8 | UInt64($1) }
    )
  }
}

extension Secret {
  /// A copy of `data`, which stays as it is: nobody can wipe what Foundation holds.
  package init(_ data: Data) {
    self.init(capacity: data.count)
    // SAFETY: the secret has room for all of the data.
    unsafe withUnsafeMutableBytes { bytes, count in
      unsafe data.copyBytes(to: bytes)
      count = data.count
    }
  }
}

extension Data {
  /// A copy of `secret`, for a caller whose types are Foundation's.
  init(_ secret: borrowing Secret) {
    // SAFETY: the bytes are copied while they are lent.
    self = unsafe secret.withUnsafeBytes { unsafe Data($0) }
  }
}
