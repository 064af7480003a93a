extension PropertyList {
  /// Reads a binary property list.
  ///
  /// What others write is read too: any order of parts, any size of numbers, reals of 32 bits. Nothing is
  /// guessed: each offset and count has to lie in the bytes. So that parts that share parts cannot make much of little, a
  /// list has at most as many values as bytes, and their texts and data are at most ``contentMax`` bytes together, or as
  /// many as the list.
  ///
  /// - Parameter bytes: the whole list, and nothing else.
  /// - Throws: ``PropertyListError``.
  public init(binary bytes: [UInt8]) throws(PropertyListError) {
    var reader = try BinaryReader(bytes)
    self = try reader.whole()
  }
}

/// Reads the parts of a binary property list.
private struct BinaryReader {
  private let bytes: [UInt8]
  private let offsetSize: Int
  private let referenceSize: Int
  private let count: Int
  private let top: Int
  /// Where the table of offsets begins, which is where the parts end.
  private let table: Int
  /// How many more values there may be.
  private var left: Int
  /// How many more bytes of texts and data, each counted as often as it stands in the list: whoever writes it again
  /// compares each with those before.
  private var content: Int
  /// Texts and data that were read, which many parts may share.
  private var scalars: [Int: PropertyList] = [:]
  /// The arrays and dictionaries that the part being read lies in.
  private var outer: Set<Int> = []

  init(_ bytes: [UInt8]) throws(PropertyListError) {
    let magic = BinaryFormat.magic
    guard bytes.count >= magic.count + BinaryFormat.trailerSize, bytes.starts(with: magic) else {
      throw .notBinary
    }
    let trailer = bytes.count - BinaryFormat.trailerSize
    self.bytes = bytes
    offsetSize = Int(bytes[trailer + 6])
    referenceSize = Int(bytes[trailer + 7])
    left = bytes.count
    content = max(bytes.count, PropertyList.contentMax)
    func number(_ place: Int) throws(PropertyListError) -> Int {
      let value = bytes[place..<(place + 8)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      // Whatever is beyond the bytes is wrong, and what is not cannot overflow.
      guard value <= UInt64(bytes.count) else { throw .damaged(at: place) }
      return Int(value)
    }
    count = try number(trailer + 8)
    top = try number(trailer + 16)
    table = try number(trailer + 24)
    guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else {
      throw .damaged(at: trailer + 6)
    }
    guard top < count else { throw .damaged(at: trailer + 16) }
    guard table > magic.count, table + count * offsetSize == trailer else {
      throw .damaged(at: trailer + 24)
    }
  }

  mutating func whole() throws(PropertyListError) -> PropertyList { try value(top, depth: 0) }

  // MARK: Parts

  private mutating func value(_ number: Int, depth: Int) throws(PropertyListError) -> PropertyList {
    guard left > 0 else { throw .tooLarge }
    left -= 1
    if let known = scalars[number] { return try counted(known) }
    var place = try offset(of: number)
    let head = try byte(&place)
    guard let kind = BinaryFormat.Kind(rawValue: head >> 4) else {
      throw .unsupported(kind: head)
    }
    switch kind {
    case .array, .dictionary:
      guard depth < PropertyList.depthMax, outer.insert(number).inserted else { throw .tooDeep }
      defer { outer.remove(number) }
      let count = try length(head, &place)
      return kind == .array
        ? .array(try values(count, at: place, depth))
        : .dictionary(try pairs(count, at: place, depth))
    case .simple, .integer, .real, .date, .data, .ascii, .utf16:
      let value = try counted(try scalar(kind, head, &place))
      if depth > 0 { scalars[number] = value }
      return value
    }
  }

  private mutating func counted(_ value: PropertyList) throws(PropertyListError) -> PropertyList {
    switch value {
    case .string(let text): content -= text.utf8.count
    case .data(let bytes): content -= bytes.count
    case .boolean, .integer, .real, .date, .array, .dictionary: break
    }
    guard content >= 0 else { throw .tooLarge }
    return value
  }

  private mutating func values(
    _ count: Int,
    at place: Int,
    _ depth: Int
  ) throws(PropertyListError) -> [PropertyList] {
    let numbers = try references(count, at: place)
    guard count <= left else { throw .tooLarge }
    var values: [PropertyList] = []
    values.reserveCapacity(count)
    for number in numbers { values.append(try value(number, depth: depth + 1)) }
    return values
  }

  private mutating func pairs(
    _ count: Int,
    at place: Int,
    _ depth: Int
  ) throws(PropertyListError) -> [String: PropertyList] {
    // Twice the count cannot overflow: a count is at most that of the bytes.
    let numbers = try references(2 * count, at: place)
    var pairs: [String: PropertyList] = [:]
    for (key, part) in zip(numbers.prefix(count), numbers.dropFirst(count)) {
      guard case .string(let name) = try value(key, depth: depth + 1) else { throw .keyIsNoString }
      let value = try value(part, depth: depth + 1)
      guard pairs.updateValue(value, forKey: name) == nil else { throw .duplicateKey(name) }
    }
    return pairs
  }

  private func references(_ count: Int, at place: Int) throws(PropertyListError) -> [Int] {
    try check(count * referenceSize, at: place)
    var numbers: [Int] = []
    numbers.reserveCapacity(count)
    for index in 0..<count {
      let at = place + index * referenceSize
      let number = unsigned(at, size: referenceSize)
      guard number < UInt64(self.count) else { throw .damaged(at: at) }
      numbers.append(Int(number))
    }
    return numbers
  }

  private func scalar(
    _ kind: BinaryFormat.Kind,
    _ head: UInt8,
    _ place: inout Int
  ) throws(PropertyListError) -> PropertyList {
    switch kind {
    case .simple:
      switch head {
      case BinaryFormat.false: return .boolean(false)
      case BinaryFormat.true: return .boolean(true)
      default: throw .unsupported(kind: head)
      }
    case .integer: return .integer(try integer(head, &place))
    case .real: return .real(try real(head, &place))
    case .date:
      guard head & 15 == 3 else { throw .damaged(at: place - 1) }
      let seconds = try real(head, &place)
      guard seconds.isFinite else { throw .dateOutOfRange }
      return .date(seconds)
    case .data:
      let count = try length(head, &place)
      try check(count, at: place)
      return .data(Array(bytes[place..<(place + count)]))
    case .ascii: return .string(try ascii(try length(head, &place), at: place))
    case .utf16: return .string(try utf16(try length(head, &place), at: place))
    case .array, .dictionary: throw .damaged(at: place)
    }
  }

  // MARK: Texts

  private func ascii(_ count: Int, at place: Int) throws(PropertyListError) -> String {
    try check(count, at: place)
    let text = bytes[place..<(place + count)]
    guard text.allSatisfy({ $0 < 0x80 }) else { throw .invalidText }
    return String(decoding: text, as: UTF8.self)
  }

  private func utf16(_ count: Int, at place: Int) throws(PropertyListError) -> String {
    try check(2 * count, at: place)
    let units = (0..<count).map { UInt16(unsigned(place + 2 * $0, size: 2)) }
    guard let text = String(validating: units, as: UTF16.self) else { throw .invalidText }
    return text
  }

  // MARK: Numbers

  /// An integer of 1, 2 or 4 bytes has no sign, one of 8 has; one of 16 fits if its upper half says nothing.
  private func integer(_ head: UInt8, _ place: inout Int) throws(PropertyListError) -> Int64 {
    let at = place
    let size = 1 << Int(head & 15)
    guard size <= 16 else { throw .damaged(at: at - 1) }
    try check(size, at: at)
    place += size
    guard size == 16 else {
      return Int64(bitPattern: unsigned(at, size: size))
    }
    let low = Int64(bitPattern: unsigned(at + 8, size: 8))
    guard Int64(bitPattern: unsigned(at, size: 8)) == (low < 0 ? -1 : 0) else {
      throw .integerTooLarge
    }
    return low
  }

  private func real(_ head: UInt8, _ place: inout Int) throws(PropertyListError) -> Double {
    let at = place
    switch head & 15 {
    case 2:
      try check(4, at: at)
      place += 4
      return Double(Float(bitPattern: UInt32(unsigned(at, size: 4))))
    case 3:
      try check(8, at: at)
      place += 8
      return Double(bitPattern: unsigned(at, size: 8))
    default: throw .damaged(at: at - 1)
    }
  }

  /// The count of a part's bytes, characters or parts: in its first byte, or in an integer behind that.
  private func length(_ head: UInt8, _ place: inout Int) throws(PropertyListError) -> Int {
    guard head & 15 == 15 else { return Int(head & 15) }
    let at = place
    let next = try byte(&place)
    guard next >> 4 == BinaryFormat.Kind.integer.rawValue else { throw .damaged(at: at) }
    let count = try integer(next, &place)
    guard (0...Int64(bytes.count)).contains(count) else { throw .damaged(at: at) }
    return Int(count)
  }

  private func offset(of number: Int) throws(PropertyListError) -> Int {
    let at = table + number * offsetSize
    let offset = unsigned(at, size: offsetSize)
    guard (UInt64(BinaryFormat.magic.count)..<UInt64(table)).contains(offset) else {
      throw .damaged(at: at)
    }
    return Int(offset)
  }

  private func byte(_ place: inout Int) throws(PropertyListError) -> UInt8 {
    try check(1, at: place)
    defer { place += 1 }
    return bytes[place]
  }

  /// Throws unless `count` bytes from `place` on are before the table.
  private func check(_ count: Int, at place: Int) throws(PropertyListError) {
    guard count <= table - place else { throw .damaged(at: place) }
  }

  private func unsigned(_ place: Int, size: Int) -> UInt64 {
    bytes[place..<(place + size)].reduce(0) { $0 << 8 | UInt64($1) }
  }
}
