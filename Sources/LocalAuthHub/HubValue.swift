/// A value for a parameter of a hub's function, as PostgreSQL's binary format has it.
enum HubValue {
  case null
  case number(Int64)
  case short(Int32)
  case text(String)
  case bytes([UInt8])
  case numbers([Int64])
  case texts([String])
  /// Each of which may be missing.
  case byteStrings([[UInt8]?])

  /// The number of its type in PostgreSQL's catalogue, which is the same in each installation.
  var type: UInt32 {
    switch self {
    case .null: 0
    case .number: 20
    case .short: 23
    case .text: 25
    case .bytes: 17
    case .numbers: 1016
    case .texts: 1009
    case .byteStrings: 1001
    }
  }

  /// The bytes that are sent; nil for a value that is missing.
  var encoded: [UInt8]? {
    switch self {
    case .null: nil
    case .number(let number): Self.bigEndian(number)
    case .short(let number): Self.bigEndian(number)
    case .text(let text): Array(text.utf8)
    case .bytes(let bytes): bytes
    case .numbers(let numbers): Self.array(numbers.map { Self.bigEndian($0) }, of: 20)
    case .texts(let texts): Self.array(texts.map { Array($0.utf8) }, of: 25)
    case .byteStrings(let strings): Self.array(strings, of: 17)
    }
  }

  private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
    stride(from: number.bitWidth - 8, through: 0, by: -8).map {
      UInt8(truncatingIfNeeded: number >> $0)
    }
  }

  /// An array of one dimension whose places are counted from 1.
  private static func array(_ elements: [[UInt8]?], of type: Int32) -> [UInt8] {
    let hasMissing: Int32 = elements.contains { $0 == nil } ? 1 : 0
    guard !elements.isEmpty else {
      return bigEndian(0 as Int32) + bigEndian(0 as Int32) + bigEndian(type)
    }
    var bytes = bigEndian(1 as Int32) + bigEndian(hasMissing) + bigEndian(type)
    bytes += bigEndian(Int32(elements.count)) + bigEndian(1 as Int32)
    for element in elements {
      bytes += bigEndian(element.map { Int32($0.count) } ?? -1)
      bytes += element ?? []
    }
    return bytes
  }
}
