import LocalAuthCore
import LocalAuthJSON
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthWire

/// What the options of an import say of every item.
struct GivenAttributes {
  /// The attributes of an item of which the file says nothing but a name.
  let dictionary: QueryDictionary
  /// When every item can be opened; nil for what the file says of each.
  let protection: ProtectionClass?

  /// What must be proven of every item; nil for what the file says of each.
  fileprivate var flags: AccessControlFlags? {
    guard case .accessControl(let control)? = dictionary[ItemAttribute.accessControl.rawValue]
    else { return nil }
    return control.flags
  }

  /// The access group of every item; nil for what the file says of each.
  fileprivate var group: QueryValue? { dictionary[ItemAttribute.accessGroup.rawValue] }
}

/// Items to add together: those of one record, whose secrets lie one behind the other.
struct ExchangeItem: ~Copyable {
  /// The line of the file on which it begins.
  let line: Int
  /// The class and attributes of each.
  private(set) var dictionaries: [QueryDictionary] = []
  /// Where the secret of each is; nil for one without.
  private(set) var places: [Range<Int>?] = []
  /// The secrets.
  let secrets: Secret
  /// What was left out, and why; nil for nothing.
  private(set) var remark: String?

  /// The one item of a line of ours.
  init(line: Int, _ dictionary: QueryDictionary, _ data: consuming Secret?) {
    self.line = line
    dictionaries = [dictionary]
    if let data {
      places = [0..<data.count]
      secrets = data
    } else {
      places = [nil]
      secrets = Secret(capacity: 0)
    }
  }

  /// The items of a record, each with what `base` has: the login, its one-time codes and its notes;
  /// none of a record without a secret, such as an address or a card.
  init(_ record: consuming ExchangeRecord, base: QueryDictionary) throws(ExchangeProblem) {
    line = record.line
    let (name, account, url) = (record.name, record.username, record.url)
    let found = record.places
    guard !name.isEmpty else {
      throw ExchangeProblem(record.line, "There is neither a name nor an address.")
    }
    if found.isEmpty { remark = "There is no secret, so the record is left out." }
    let problem = found[.code].flatMap { Self.problem(ofCode: record.secrets, $0) }
    secrets = record.secrets
    for (role, prefix, description) in [
      (ExchangeRole.password, "", nil), (.code, CodeVerb.prefix, "one-time code"),
      (.notes, "note:", "note"),
    ] as [(ExchangeRole, String, String?)] {
      guard let place = found[role] else { continue }
      if role == .code, let problem {
        remark = "The one-time code is left out. " + problem.sentence
        continue
      }
      var item = base
      item[ItemAttribute.service.rawValue] = .text(prefix + name)
      if !account.isEmpty { item[ItemAttribute.account.rawValue] = .text(account) }
      if !url.isEmpty, role == .password { item[ItemAttribute.comment.rawValue] = .text(url) }
      if let description { item[ItemAttribute.description.rawValue] = .text(description) }
      dictionaries.append(item)
      places.append(place)
    }
  }

  private static func problem(
    ofCode secrets: borrowing Secret,
    _ place: Range<Int>
  ) -> OneTimeCodeError? {
    do throws(OneTimeCodeError) {
      // SAFETY: the bytes are copied to a secret within the call.
      let text = unsafe secrets.withUnsafeBytes { bytes in
        unsafe Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[place]))
      }
      _ = try OneTimeCode(text)
      return nil
    } catch {
      return error
    }
  }

  /// A copy of the secret of one item; nil for one without.
  borrowing func secret(at index: Int) -> Secret? {
    guard let place = places[index] else { return nil }
    // SAFETY: the bytes are copied to a secret within the call.
    return unsafe secrets.withUnsafeBytes { bytes in
      unsafe Secret(copying: UnsafeRawBufferPointer(rebasing: bytes[place]))
    }
  }
}

/// The members of a line of ours, as `keychain get --json` has them too.
struct ExchangeFields: ~Copyable {
  private var itemClass = ""
  private var accessible: String?
  private var accessControl: String?
  private var dictionary = QueryDictionary()
  private var data: Secret?
  private var isBroken = false

  mutating func read(from reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "class": itemClass = try reader.string()
      case "group": dictionary[ItemAttribute.accessGroup.rawValue] = .text(try reader.string())
      case "accessible": accessible = try reader.string()
      case "accessControl": accessControl = try reader.isNull() ? nil : try reader.string()
      case "synchronizable":
        if try reader.bool() { dictionary[ItemAttribute.synchronizable.rawValue] = .boolean(true) }
      case "attributes": try readAttributes(from: &reader)
      case "data": try readData(from: &reader)
      default: try reader.skipValue()
      }
    }
  }

  private mutating func readAttributes(from reader: inout JSONReader) throws(JSONError) {
    try reader.beginObject()
    while let key = try reader.nextKey() {
      guard let attribute = ItemAttribute(rawValue: key.string) else {
        isBroken = true
        try reader.skipValue()
        continue
      }
      switch try reader.peekKind() {
      case .string: dictionary[attribute.rawValue] = .text(try reader.string())
      case .number: dictionary[attribute.rawValue] = .number(try reader.int())
      default: dictionary[attribute.rawValue] = try Self.typed(from: &reader)
      }
    }
  }

  /// Reads a value that names its type.
  private static func typed(from reader: inout JSONReader) throws(JSONError) -> QueryValue {
    var value = QueryValue.data([])
    try reader.beginObject()
    while let key = try reader.nextKey() {
      switch key {
      case "date": value = .date(try reader.int())
      case "data":
        var (decoder, bytes) = (Base64Decoder(), [UInt8]())
        try reader.secretString {
          decoder.take($0) {
            bytes.append($0)
            return true
          }
        }
        value = .data(bytes)
      default: try reader.skipValue()
      }
    }
    return value
  }

  private mutating func readData(from reader: inout JSONReader) throws(JSONError) {
    guard try !reader.isNull() else { return }
    var decoder = Base64Decoder()
    var secret = Secret(capacity: ExchangeLimits.field)
    try reader.secretString { decoder.take($0) { secret.append($0) } }
    if !decoder.isComplete { isBroken = true }
    data = consume secret
  }

  /// Returns the item, with `given` in place of what the line says.
  consuming func item(
    _ line: Int,
    _ given: GivenAttributes
  ) throws(ExchangeProblem) -> ExchangeItem {
    guard let itemClass = ItemClassName(argument: itemClass)?.itemClass, !isBroken else {
      throw ExchangeProblem(line, "The class, an attribute or the secret is not understood.")
    }
    guard let stated = accessible.map({ ProtectionClass(name: $0) }) ?? .whenUnlocked else {
      throw ExchangeProblem(line, "The value of 'accessible' is not understood.")
    }
    let protection = given.protection ?? stated
    let flags: AccessControlFlags?
    do throws(KeychainError) {
      flags = try accessControl.map { text throws(KeychainError) in
        try AccessControlFlags(text: text)
      }
    } catch {
      throw ExchangeProblem(line, "The value of 'accessControl' is not understood.")
    }
    dictionary[QueryKey.itemClass.rawValue] = .text(itemClass.rawValue)
    if let group = given.group { dictionary[ItemAttribute.accessGroup.rawValue] = group }
    if let flags = given.flags ?? flags {
      guard let control = try? AccessControl(protection, flags: flags) else {
        throw ExchangeProblem(line, "The value of 'accessControl' is not understood.")
      }
      dictionary[ItemAttribute.accessControl.rawValue] = .accessControl(control)
    } else {
      dictionary[ItemAttribute.accessible.rawValue] = .text(protection.rawValue)
    }
    return ExchangeItem(line: line, dictionary, data.take())
  }
}
