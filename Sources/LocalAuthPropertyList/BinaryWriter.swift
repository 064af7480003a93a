extension PropertyList {
  /// The value as a binary property list (`bplist00`), in the one way that this module writes it.
  ///
  /// Values are numbered as they are met, arrays and dictionaries before what is in them; equal texts, numbers,
  /// dates and data are written once; keys are in the order of their UTF-8; each number has its shortest form,
  /// but reals have 64 bits. So equal values have equal bytes.
  ///
  /// - Returns: the bytes.
  /// - Throws: ``PropertyListError/tooDeep`` or ``PropertyListError/dateOutOfRange``.
  public func binary() throws(PropertyListError) -> [UInt8] {
    var writer = BinaryWriter()
    try writer.take(self)
    return writer.bytes
  }
}

/// Numbers the parts of a value, and writes them.
private struct BinaryWriter {
  /// A part, whose own parts are numbers of others.
  private enum Object {
    case scalar(PropertyList)
    case array([Int])
    case dictionary(keys: [Int], values: [Int])
  }

  private var objects: [Object] = []
  private var numbers: [PropertyList: Int] = [:]

  // MARK: Numbering

  /// Takes the whole, which is most often a single part that nothing has to be compared with.
  mutating func take(_ value: PropertyList) throws(PropertyListError) {
    switch value {
    case .string, .boolean, .integer, .real, .data: objects = [.scalar(value)]
    case .date, .array, .dictionary: _ = try number(value, depth: 0)
    }
  }

  private mutating func number(_ value: PropertyList, depth: Int) throws(PropertyListError) -> Int {
    switch value {
    case .date(let seconds) where !seconds.isFinite: throw .dateOutOfRange
    case .string, .boolean, .integer, .real, .date, .data: return number(scalar: value)
    case .array(let values):
      let own = try reserve(depth)
      var parts: [Int] = []
      for value in values { parts.append(try number(value, depth: depth + 1)) }
      objects[own] = .array(parts)
      return own
    case .dictionary(let values):
      let own = try reserve(depth)
      let sorted = values.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
      let keys = sorted.map { number(scalar: .string($0.key)) }
      var parts: [Int] = []
      for (_, value) in sorted { parts.append(try number(value, depth: depth + 1)) }
      objects[own] = .dictionary(keys: keys, values: parts)
      return own
    }
  }

  private mutating func number(scalar value: PropertyList) -> Int {
    if let known = numbers[value] { return known }
    numbers[value] = objects.count
    objects.append(.scalar(value))
    return objects.count - 1
  }

  private mutating func reserve(_ depth: Int) throws(PropertyListError) -> Int {
    guard depth < PropertyList.depthMax else { throw .tooDeep }
    objects.append(.array([]))
    return objects.count - 1
  }

  // MARK: Writing

  var bytes: [UInt8] {
    var bytes = BinaryFormat.magic
    var offsets: [Int] = []
    // Of their count, not of the last one's number: Foundation refuses references that could not hold
    // the count, of 256 objects for one.
    let referenceSize = BinaryFormat.size(of: objects.count)
    for object in objects {
      offsets.append(bytes.count)
      Self.write(object, referenceSize, to: &bytes)
    }
    let table = bytes.count
    let offsetSize = BinaryFormat.size(of: table)
    for offset in offsets { Self.append(UInt64(offset), size: offsetSize, to: &bytes) }
    bytes += [0, 0, 0, 0, 0, 0, UInt8(offsetSize), UInt8(referenceSize)]
    // How many there are; the first is the whole; where the table is.
    for number in [objects.count, 0, table] { Self.append(UInt64(number), size: 8, to: &bytes) }
    return bytes
  }

  private static func write(_ object: Object, _ referenceSize: Int, to bytes: inout [UInt8]) {
    switch object {
    case .scalar(let value): write(scalar: value, to: &bytes)
    case .array(let parts):
      begin(.array, count: parts.count, to: &bytes)
      for part in parts { append(UInt64(part), size: referenceSize, to: &bytes) }
    case .dictionary(let keys, let values):
      begin(.dictionary, count: keys.count, to: &bytes)
      for part in keys + values { append(UInt64(part), size: referenceSize, to: &bytes) }
    }
  }

  private static func write(scalar value: PropertyList, to bytes: inout [UInt8]) {
    switch value {
    case .boolean(let value): bytes.append(value ? BinaryFormat.true : BinaryFormat.false)
    case .integer(let number): write(number, to: &bytes)
    case .real(let number):
      bytes.append(BinaryFormat.Kind.real.rawValue << 4 | 3)
      append(number.bitPattern, size: 8, to: &bytes)
    case .date(let seconds):
      bytes.append(BinaryFormat.Kind.date.rawValue << 4 | 3)
      append(seconds.bitPattern, size: 8, to: &bytes)
    case .data(let content):
      begin(.data, count: content.count, to: &bytes)
      bytes += content
    case .string(let text): write(text, to: &bytes)
    case .array, .dictionary: break
    }
  }

  private static func write(_ text: String, to bytes: inout [UInt8]) {
    if text.utf8.allSatisfy({ $0 < 0x80 }) {
      begin(.ascii, count: text.utf8.count, to: &bytes)
      bytes += text.utf8
    } else {
      begin(.utf16, count: text.utf16.count, to: &bytes)
      for unit in text.utf16 { append(UInt64(unit), size: 2, to: &bytes) }
    }
  }

  /// A number below zero has eight bytes, any other as few as it needs.
  private static func write(_ number: Int64, to bytes: inout [UInt8]) {
    let size = number < 0 ? 8 : BinaryFormat.size(of: Int(number))
    bytes.append(BinaryFormat.Kind.integer.rawValue << 4 | UInt8(size.trailingZeroBitCount))
    append(UInt64(bitPattern: number), size: size, to: &bytes)
  }

  private static func begin(_ kind: BinaryFormat.Kind, count: Int, to bytes: inout [UInt8]) {
    let head = kind.rawValue << 4
    guard count < 15 else {
      bytes.append(head | 15)
      return write(Int64(count), to: &bytes)
    }
    bytes.append(head | UInt8(count))
  }

  private static func append(_ number: UInt64, size: Int, to bytes: inout [UInt8]) {
    for shift in stride(from: (size - 1) * 8, through: 0, by: -8) {
      bytes.append(UInt8(truncatingIfNeeded: number >> UInt64(shift)))
    }
  }
}
