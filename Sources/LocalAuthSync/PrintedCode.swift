/// The characters of codes that a person reads from paper or a screen and types in again.
///
/// The 32 characters leave out I, L, O and U; who types one of the first three means 1, 1 and 0. The codes
/// themselves are secrets, so whoever keeps them writes character by character into wiped memory.
public enum PrintedCode {
  /// The characters of an invitation: 128 bits.
  public static let invitationSize = 26
  /// The random characters of a recovery key, which has two more to check them.
  public static let recoveryRandomSize = 26
  /// The characters of a recovery key.
  public static let recoverySize = 28
  /// How many stand together.
  public static let groupSize = 4

  private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

  /// The character for the five bits of `value`.
  public static func character(_ value: UInt8) -> UInt8 { alphabet[Int(value & 31)] }

  /// The five bits of a character; nil for one that no code has.
  public static func value(_ character: UInt8) -> UInt8? {
    let upper = (97...122).contains(character) ? character - 32 : character
    switch upper {
    case UInt8(ascii: "O"): return 0
    case UInt8(ascii: "I"), UInt8(ascii: "L"): return 1
    default: return alphabet.firstIndex(of: upper).map { UInt8($0) }
    }
  }

  /// Whether a character only keeps groups apart.
  public static func isSeparator(_ character: UInt8) -> Bool {
    character == UInt8(ascii: "-") || character == UInt8(ascii: " ")
  }
}

/// The two characters that check a recovery key.
///
/// They are two sums over the field of 32 elements, in which each place has weights of its own, so any two wrong
/// characters are noticed, and any two that were exchanged.
public struct PrintedCheck: Hashable, Sendable {
  private var place = 0
  private var once: UInt8 = 0
  private var twice: UInt8 = 0

  /// The check of no characters.
  public init() {}

  /// Adds the five bits of the next character; a key has at most 31.
  public mutating func add(_ value: UInt8) {
    once ^= Self.product(value & 31, Self.power(place))
    twice ^= Self.product(value & 31, Self.power(2 * place))
    place += 1
  }

  /// The five bits of either check character.
  public var values: (UInt8, UInt8) { (once, twice) }

  private static func power(_ exponent: Int) -> UInt8 {
    (0..<exponent % 31).reduce(1) { power, _ in product(power, 2) }
  }

  /// The product modulo x^5 + x^2 + 1.
  private static func product(_ left: UInt8, _ right: UInt8) -> UInt8 {
    var product: UInt8 = 0
    var left = left
    for bit in 0..<5 {
      if right >> UInt8(bit) & 1 == 1 { product ^= left }
      left = left << 1 ^ (left & 16 == 0 ? 0 : 0b10_0101)
      left &= 31
    }
    return product
  }
}
