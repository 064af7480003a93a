import LocalAuthTestSupport

/// Makes JSON texts that use the whole grammar, and breaks them.
struct RandomText {
  var random: SeededGenerator
  private var bytes: [UInt8] = []

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  /// A text that every reader must accept.
  mutating func document() -> [UInt8] {
    bytes = []
    value(depth: 0)
    return bytes
  }

  /// A text with one to three random changes, most of which break it.
  mutating func mutation(of document: [UInt8]) -> [UInt8] {
    var bytes = document
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let at = Int.random(in: 0...bytes.count, using: &random)
      let isInside = at < bytes.count
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where isInside: bytes.remove(at: at)
      case 1 where isInside: bytes[at] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2 where isInside: bytes.removeLast(bytes.count - at)
      case 3 where isInside: bytes.insert(bytes[at], at: at)
      case 4: bytes.insert(UInt8.random(in: 1...255, using: &random), at: at)
      default: bytes.insert(contentsOf: fragment(), at: at)
      }
    }
    return bytes
  }

  private mutating func fragment() -> [UInt8] {
    let fragments = [
      ",", ":", "\"", "\\", "[", "]", "{", "}", "0", "-", ".", "e5", "1e999", "null", "\\ud800",
      "\\u0000", "\u{FEFF}", "//", "/**/", "+", "NaN", "\u{B}", "\n", "\u{2028}", "\u{0}",
    ]
    return Array(fragments[Int.random(in: 0..<fragments.count, using: &random)].utf8)
  }

  private mutating func value(depth: Int) {
    space()
    switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &random) {
    case 0: put(["true", "false", "null"][Int.random(in: 0..<3, using: &random)])
    case 1: put(String(Int64.random(in: .min ... .max, using: &random)))
    case 2: put(String(Int64.random(in: -100...100, using: &random)))
    case 3: number()
    case 4, 5: string()
    case 6: list("[", "]", depth) { $0.value(depth: depth + 1) }
    default:
      var count = 0
      list("{", "}", depth) {
        $0.put("\"\(count)")
        count += 1
        $0.characters()
        $0.put("\"")
        $0.space()
        $0.put(":")
        $0.value(depth: depth + 1)
      }
    }
    space()
  }

  private mutating func list(
    _ open: String,
    _ close: String,
    _ depth: Int,
    _ element: (inout RandomText) -> Void
  ) {
    put(open)
    space()
    let count = Int.random(in: 0..<(5 - depth), using: &random)
    for index in 0..<count {
      if index > 0 { put(",") }
      space()
      element(&self)
      space()
    }
    put(close)
  }

  private mutating func number() {
    let whole = Int.random(in: 0...9999, using: &random)
    put(Bool.random(using: &random) ? "\(whole)" : "-\(whole)")
    if Bool.random(using: &random) { put(".\(Int.random(in: 0...999_999, using: &random))") }
    guard Bool.random(using: &random) else { return }
    let sign = ["", "+", "-"][Int.random(in: 0..<3, using: &random)]
    put((Bool.random(using: &random) ? "e" : "E") + sign)
    put("\(Int.random(in: 0...200, using: &random))")
  }

  private mutating func string() {
    put("\"")
    characters()
    put("\"")
  }

  private mutating func characters() {
    let pieces = [
      "a", "Z", " ", "/", "policy", "\\\"", "\\\\", "\\/", "\\b", "\\f", "\\n", "\\r", "\\t",
      "\\u0041", "\\u00e9", "\\uD83D\\uDE00", "é", "€", "😀", "\u{7F}", "\u{2028}", "\u{10FFFF}",
    ]
    for _ in 0..<Int.random(in: 0..<12, using: &random) {
      put(pieces[Int.random(in: 0..<pieces.count, using: &random)])
    }
  }

  private mutating func space() {
    guard UInt8.random(in: 0..<6, using: &random) == 0 else { return }
    put([" ", "\n", "\r\n", "\t", "  "][Int.random(in: 0..<5, using: &random)])
  }

  private mutating func put(_ text: String) { bytes += Array(text.utf8) }
}
