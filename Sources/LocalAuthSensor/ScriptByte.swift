/// The bytes with a meaning in scripts.
extension UInt8 {
  static let tab = UInt8(ascii: "\t")
  static let newline = UInt8(ascii: "\n")
  static let carriageReturn = UInt8(ascii: "\r")
  static let space = UInt8(ascii: " ")
  static let quote = UInt8(ascii: "\"")
  static let hash = UInt8(ascii: "#")
  static let apostrophe = UInt8(ascii: "'")
  static let comma = UInt8(ascii: ",")
  static let colon = UInt8(ascii: ":")
  static let equals = UInt8(ascii: "=")

  var isBlank: Bool { self == .space || self == .tab || self == .carriageReturn }
  var isControl: Bool { self < .space && self != .tab || self == 0x7f }

  var isPartOfWord: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "-"), UInt8(ascii: "_"):
      true
    default: false
    }
  }
}
