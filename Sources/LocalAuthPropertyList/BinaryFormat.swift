/// The parts of Apple's binary property lists that reader and writer share.
enum BinaryFormat {
  static let magic = Array("bplist00".utf8)
  static let trailerSize = 32
  static let `false`: UInt8 = 0x08
  static let `true`: UInt8 = 0x09

  /// What a part is: the upper half of its first byte.
  enum Kind: UInt8 {
    case simple = 0
    case integer = 1
    case real = 2
    case date = 3
    case data = 4
    case ascii = 5
    case utf16 = 6
    case array = 10
    case dictionary = 13
  }

  /// How many bytes a number that is not below zero is written in: 1, 2, 4 or 8.
  static func size(of number: Int) -> Int {
    switch number {
    case ...0xFF: 1
    case ...0xFFFF: 2
    case ...0xFFFF_FFFF: 4
    default: 8
    }
  }
}
