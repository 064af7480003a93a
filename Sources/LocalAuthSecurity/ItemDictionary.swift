import LocalAuthKeychain
import LocalAuthPKI
package import LocalAuthSecret

/// The parts of a `SecItem…` dictionary: the query, the secret data, and the context of the proofs.
struct ItemDictionary {
  /// Everything except the context and the object.
  private(set) var query = QueryDictionary()
  /// The data under `v_Data`; the query has a placeholder for it.
  private(set) var data: SecretBox?
  private(set) var context: (any AuthenticationContext)?
  /// The key, certificate or identity under `v_Ref`.
  private(set) var object: (any KeychainObject)?
  /// The dictionary's own entries, without the attributes of its object.
  private var own = QueryDictionary()

  /// What a dictionary is for.
  enum Purpose {
    case addition
    case selection
    case change
  }

  /// Takes `dictionary` apart; an object in it contributes its attributes.
  ///
  /// - Throws: `errSecParam` for too many keys, a key that is not a string, a value of the wrong
  ///   type, a list nested too deeply, and an object together with data or another class;
  ///   `errSecDataTooLarge` for more than 1 MiB of data; the status of an object that cannot be
  ///   added.
  init(_ dictionary: CFDictionary, for purpose: Purpose) throws(ItemStatus) {
    guard dictionary.count <= QueryDictionary.limit else { throw .param }
    for (key, value) in dictionary {
      guard let key = key as? String else { throw .param }
      switch key {
      case QueryKey.valueData.rawValue:
        guard let data = value as? Data else { throw .param }
        // Data far beyond any item's limit is refused before it is copied into locked memory.
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

  /// An issuer's name in the normalized form that the keychain stores; other values are unchanged.
  private static func normalized(_ name: QueryValue) -> QueryValue {
    guard case .data(let der) = name, let normal = try? Certificate.normalizedName(der) else {
      return name
    }
    return .data(normal)
  }

  /// Adds the object's attributes; the dictionary's own entries take precedence.
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

  /// Removes keys, from the dictionary's own entries too.
  mutating func remove(_ keys: QueryKey...) {
    for key in keys {
      query[key.rawValue] = nil
      own[key.rawValue] = nil
    }
  }

  /// The dictionary's own entries with `other` as the object.
  func naming(_ other: any KeychainObject, for purpose: Purpose) throws(ItemStatus) -> Self {
    var half = self
    half.query = purpose == .selection ? own.asked(of: other.itemClass) : own
    half.query[QueryKey.itemClass.rawValue] = nil
    half.data = nil
    half.object = other
    try half.take(other, for: purpose)
    return half
  }

  /// The selection of identities, reduced to one of their halves.
  func of(_ itemClass: ItemClass) -> Self {
    var half = self
    half.query = query.asked(of: itemClass)
    half.query[QueryKey.itemClass.rawValue] = .text(itemClass.rawValue)
    return half
  }

  /// The query; if it asks for objects, also for the attributes and data to build them from.
  var queryForObjects: QueryDictionary {
    guard query[QueryKey.returnReference.rawValue] == .boolean(true) else { return query }
    var query = query
    query[QueryKey.returnAttributes.rawValue] = .boolean(true)
    query[QueryKey.returnData.rawValue] = .boolean(true)
    return query
  }
}

extension QueryDictionary {
  /// The part of a selection of identities that applies to one of their halves.
  ///
  /// A certificate takes the attributes that certificates have, the key all others. Access group
  /// and synchronizability apply to both; protection and access control to the key alone, because
  /// it is the half that is opened.
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
  /// The keychain's form of a dictionary's value; nil for a number that is not a 64-bit integer,
  /// and for lists nested too deeply.
  fileprivate init?(foundation value: Any, depth: Int = 0) {
    // The numbers 0 and 1 also cast to `Bool`; only the dynamic type tells them apart.
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
  /// The depth at which lists are refused here.
  ///
  /// No key takes a list of lists; the parser, which knows the keys, refuses what passes here.
  private static let listsWithinLists = 4
}

extension Date {
  /// Milliseconds since 1970-01-01 UTC, clamped to the range of `Int64`.
  fileprivate var milliseconds: Int64 {
    let milliseconds = (timeIntervalSince1970 * 1000).rounded()
    return Int64(exactly: milliseconds) ?? (milliseconds < 0 ? .min : .max)
  }

  /// The date that is `milliseconds` after 1970-01-01 UTC.
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
  /// A copy of `data`; the original stays, because memory that Foundation owns cannot be wiped.
  package init(_ data: Data) {
    self.init(capacity: data.count)
    // SAFETY: the secret's capacity is the size of the data.
    unsafe withUnsafeMutableBytes { bytes, count in
      unsafe data.copyBytes(to: bytes)
      count = data.count
    }
  }
}

extension Data {
  /// A copy of `secret`, for callers that use Foundation's types.
  init(_ secret: borrowing Secret) {
    // SAFETY: the bytes are copied before the closure returns.
    self = unsafe secret.withUnsafeBytes { unsafe Data($0) }
  }
}
