public import LocalAuthJSON
public import LocalAuthKeychain

/// The wire form of the dictionary of a keychain call.
///
/// The keys are Apple's. Values have JSON's own types, or are objects of one member that names the
/// type. The item's data is never included; it is sent separately as a ``WireSecret``.
public struct WireQuery: WireValue, Hashable, Sendable {
  /// The maximum depth of nested lists.
  private static let depthMax = 4

  /// The dictionary.
  public private(set) var dictionary: QueryDictionary

  /// Creates an empty dictionary, which a message holds before it is read.
  public init() { dictionary = QueryDictionary() }

  /// Creates the wire form of a dictionary, without `v_Data`.
  ///
  /// Throws for any other value that only this process can use: without it the call would be about
  /// other items. Throws also for too many keys and for lists nested deeper than the service reads,
  /// which would end the connection.
  public init(_ dictionary: QueryDictionary) throws(WireError) {
    self.dictionary = dictionary
    self.dictionary[QueryKey.valueData.rawValue] = nil
    guard dictionary.entries.count <= QueryDictionary.limit else {
      throw .invalidParameter("query")
    }
    for entry in self.dictionary.entries where !Self.travels(entry.value, depth: 0) {
      throw .invalidParameter(entry.key)
    }
  }

  /// Creates the wire form of attributes, in the order of their keys.
  public init(_ attributes: [ItemAttribute: AttributeValue]) {
    let sorted = attributes.sorted { $0.key.rawValue < $1.key.rawValue }
    dictionary = QueryDictionary(
      sorted.map { QueryDictionary.Entry(key: $0.key.rawValue, value: $0.value.asQueryValue) }
    )
  }

  /// The attributes in the dictionary; nil if a value is not one of an attribute.
  ///
  /// Unknown keys are left out, because a later version may have more.
  public var attributes: [ItemAttribute: AttributeValue]? {
    var attributes: [ItemAttribute: AttributeValue] = [:]
    for entry in dictionary.entries {
      guard let value = AttributeValue(entry.value) else { return nil }
      if let attribute = ItemAttribute(rawValue: entry.key) { attributes[attribute] = value }
    }
    return attributes
  }

  private static func travels(_ value: QueryValue, depth: Int) -> Bool {
    switch value {
    case .text, .data, .number, .boolean, .date, .identifier, .accessControl, .null: true
    case .list(let values):
      depth < depthMax && values.allSatisfy { travels($0, depth: depth + 1) }
    case .secret, .opaque: false
    }
  }
}

// MARK: Reading

extension WireQuery {
  /// Reads an object; refuses duplicate keys, `v_Data` and values of unknown form.
  public static func read(_ reader: inout JSONReader) throws(WireError) -> WireQuery {
    var query = WireQuery()
    query.dictionary.entries.reserveCapacity(8)
    try reading { () throws(JSONError) in try reader.beginObject() }
    while let key = try reading({ () throws(JSONError) in try reader.nextKey() }) {
      let name = key.string
      guard name != QueryKey.valueData.rawValue else { throw .invalidParameter(name) }
      do throws(WireError) {
        let value = try Self.value(&reader, depth: 0)
        query.dictionary.entries.append(QueryDictionary.Entry(key: name, value: value))
      } catch {
        throw .invalidParameter(name)
      }
    }
    return query
  }

  private static func value(
    _ reader: inout JSONReader,
    depth: Int
  ) throws(WireError) -> QueryValue {
    switch try reading({ () throws(JSONError) in try reader.peekKind() }) {
    case .string: return .text(try String.read(&reader))
    case .number: return .number(try Int64.read(&reader))
    case .boolean: return .boolean(try Bool.read(&reader))
    case .null:
      _ = try reading { () throws(JSONError) in try reader.isNull() }
      return .null
    case .array: return .list(try list(&reader, depth: depth + 1))
    case .object: return try typed(&reader)
    }
  }

  private static func list(
    _ reader: inout JSONReader,
    depth: Int
  ) throws(WireError) -> [QueryValue] {
    guard depth <= depthMax else { throw .invalidParameter("list") }
    var values: [QueryValue] = []
    try reading { () throws(JSONError) in try reader.beginArray() }
    while try reading({ () throws(JSONError) in try reader.nextElement() }) {
      values.append(try value(&reader, depth: depth))
    }
    return values
  }

  /// Reads an object of one member, whose key is the type of its value.
  private static func typed(_ reader: inout JSONReader) throws(WireError) -> QueryValue {
    try reading { () throws(JSONError) in try reader.beginObject() }
    guard let key = try reading({ () throws(JSONError) in try reader.nextKey() }) else {
      throw .invalidParameter("type")
    }
    let value: QueryValue
    switch key {
    case "data": value = .data(try WireBytes.read(&reader).bytes)
    case "date": value = .date(try Int64.read(&reader))
    case "identifier":
      guard let identifier = ItemIdentifier(text: try String.read(&reader)) else {
        throw .invalidParameter("identifier")
      }
      value = .identifier(identifier)
    case "accessControl":
      value = .accessControl(try WireAccessControl.read(&reader).accessControl())
    default: throw .invalidParameter(key.string)
    }
    guard try reading({ () throws(JSONError) in try reader.nextKey() }) == nil else {
      throw .invalidParameter("type")
    }
    return value
  }
}

// MARK: Writing

extension WireQuery {
  /// Writes an object.
  public func write(_ writer: inout WireWriter) {
    writer.beginObject()
    for entry in dictionary.entries {
      writer.key(named: entry.key)
      Self.write(entry.value, &writer)
    }
    writer.endObject()
  }

  private static func write(_ value: QueryValue, _ writer: inout WireWriter) {
    switch value {
    case .text(let text): writer.string(text)
    case .number(let number): writer.int(number)
    case .boolean(let flag): writer.bool(flag)
    case .null: writer.null()
    case .list(let values):
      writer.beginArray()
      for value in values { write(value, &writer) }
      writer.endArray()
    case .data(let bytes): write("data", WireBytes(bytes), &writer)
    case .date(let milliseconds): write("date", milliseconds, &writer)
    case .identifier(let identifier): write("identifier", identifier.text, &writer)
    case .accessControl(let control): write("accessControl", WireAccessControl(control), &writer)
    case .secret, .opaque: preconditionFailure("what does not travel was refused before")
    }
  }

  private static func write(
    _ type: StaticString,
    _ value: some WireValue,
    _ writer: inout WireWriter
  ) {
    writer.beginObject()
    writer.key(type)
    value.write(&writer)
    writer.endObject()
  }
}

extension AttributeValue {
  /// The value as it is in a query.
  fileprivate var asQueryValue: QueryValue {
    switch self {
    case .text(let text): .text(text)
    case .data(let bytes): .data(bytes)
    case .number(let number): .number(number)
    case .date(let milliseconds): .date(milliseconds)
    }
  }

  /// Creates the value of an attribute; nil if `value` cannot be one.
  fileprivate init?(_ value: QueryValue) {
    switch value {
    case .text(let text): self = .text(text)
    case .data(let bytes): self = .data(bytes)
    case .number(let number): self = .number(number)
    case .date(let milliseconds): self = .date(milliseconds)
    case .boolean, .identifier, .accessControl, .list, .secret, .opaque, .null: return nil
    }
  }
}
