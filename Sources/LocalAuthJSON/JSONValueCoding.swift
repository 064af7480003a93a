extension JSONValue {
  /// Reads the one value of `text`, as strictly as ``JSONReader`` does.
  public init(
    parsing text: Span<UInt8>,
    maximumDepth: Int = JSONReader.defaultMaximumDepth
  ) throws(JSONError) {
    self = try JSONReader.read(text, maximumDepth: maximumDepth) {
      (reader) throws(JSONError) -> JSONValue in
      let value = try JSONValue(reading: &reader)
      try reader.end()
      return value
    }
  }

  /// Reads the next value of a reader, with positions that count from the start of its text.
  public init(reading reader: inout JSONReader) throws(JSONError) {
    var cursor = JSONPositionCursor()
    try self.init(reading: &reader, &cursor)
  }

  private init(
    reading reader: inout JSONReader,
    _ cursor: inout JSONPositionCursor
  ) throws(JSONError) {
    let kind = try reader.peekKind()
    cursor.advance(to: reader.offset, in: unsafe reader.source.span)
    let position = cursor.position
    switch kind {
    case .null:
      _ = try reader.isNull()
      self.init(.null, position: position)
    case .boolean: self.init(.bool(try reader.bool()), position: position)
    case .number: self.init(try Content(number: &reader), position: position)
    case .string: self.init(.string(try reader.string()), position: position)
    case .array: self.init(try Content(array: &reader, &cursor), position: position)
    case .object: self.init(try Content(object: &reader, &cursor), position: position)
    }
  }

  /// Appends the value as compact JSON to `bytes`.
  ///
  /// Throws ``JSONWriteError/notFinite`` for a number that JSON cannot express.
  public func write(into bytes: inout [UInt8]) throws(JSONWriteError) {
    try JSONWriter.write(into: &bytes) { $0.value(self) }
  }
}

extension JSONValue.Content {
  fileprivate init(number reader: inout JSONReader) throws(JSONError) {
    let token = try reader.number()
    // Minus zero counts as no integer, because 64 bits would lose its sign.
    if token.isInteger, let integer = token.integer, integer != 0 || !token.isNegative {
      self = .integer(integer)
    } else {
      self = .number(try reader.double(token))
    }
  }

  fileprivate init(
    array reader: inout JSONReader,
    _ cursor: inout JSONPositionCursor
  ) throws(JSONError) {
    var elements: [JSONValue] = []
    try reader.beginArray()
    while try reader.nextElement() {
      elements.append(try JSONValue(reading: &reader, &cursor))
    }
    self = .array(elements)
  }

  fileprivate init(
    object reader: inout JSONReader,
    _ cursor: inout JSONPositionCursor
  ) throws(JSONError) {
    var members: [JSONValue.Member] = []
    try reader.beginObject()
    while let key = try reader.nextKey() {
      cursor.advance(to: key.offset, in: unsafe reader.source.span)
      let position = cursor.position
      let value = try JSONValue(reading: &reader, &cursor)
      members.append(JSONValue.Member(key: key.string, position: position, value: value))
    }
    self = .object(members)
  }
}

extension JSONWriter where Sink: ~Copyable {
  /// Writes a tree.
  @inlinable
  public mutating func value(_ value: JSONValue) {
    switch value.content {
    case .null: null()
    case .bool(let value): bool(value)
    case .integer(let value): int(value)
    case .number(let value): double(value)
    case .string(let value): string(value)
    case .array(let elements):
      beginArray()
      for element in elements { self.value(element) }
      endArray()
    case .object(let members):
      beginObject()
      for member in members {
        key(named: member.key)
        self.value(member.value)
      }
      endObject()
    }
  }
}
