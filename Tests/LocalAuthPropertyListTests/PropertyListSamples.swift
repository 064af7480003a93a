import LocalAuthPropertyList
import LocalAuthTestSupport

enum PropertyListSamples {
  /// Each kind of value, with those at its edges, which Foundation keeps too.
  static let plain: [PropertyList] =
    [
      .string(""), .string("plain"), .string("äöü €"), .string("🎉 two units"),
      .string("e\u{301}"), .string("\u{e9}"), .string(String(repeating: "x", count: 15)),
      .string(String(repeating: "ß", count: 70_000)), .string("a\u{0}b"),
      .boolean(true), .boolean(false),
      .real(0), .real(1.5), .real(-1e300), .real(.infinity), .real(.leastNonzeroMagnitude),
      .data([]), .data([0, 255]), .data([UInt8](repeating: 7, count: 300)),
      .array([]), .dictionary([:]),
      .array([.integer(1), .real(1), .boolean(true), .string("1"), .integer(1)]),
      .dictionary(["a": .array([.dictionary(["a": .string("a")])]), "ä": .data([1])]),
      nested(100),
    ] + integers.map(PropertyList.integer) + dates.map(PropertyList.date)
    + [255, 256, 257, 65_536].map(ofObjects)

  static let integers: [Int64] = [
    0, 1, 127, 128, 255, 256, 65_535, 65_536, 4_294_967_295, 4_294_967_296, .max, -1, -128, -65_536,
    .min,
  ]

  /// Apple's distant past and future, 1900, the first second of 1970, and one that is no second.
  static let dates: [Double] = [
    -63_114_076_800, 64_092_211_200, -3_187_296_000, -978_307_200, 0, 0.25,
  ]

  /// A value of as many objects, none of them twice: the array is one, and each of its numbers.
  static func ofObjects(_ count: Int) -> PropertyList {
    .array((1..<count).map { .integer(Int64($0)) })
  }

  /// As many arrays in each other.
  static func nested(_ depth: Int) -> PropertyList {
    (1..<depth).reduce(.array([])) { value, _ in .array([value]) }
  }

  static func random(depth: Int, _ random: inout SeededGenerator) -> PropertyList {
    switch Int.random(in: 0..<(depth > 0 ? 8 : 6), using: &random) {
    case 0: .string(text(&random))
    case 1: .boolean(Bool.random(using: &random))
    case 2: .integer(integers.randomElement(using: &random) ?? 0)
    case 3: .real(Double(Int.random(in: -1000...1000, using: &random)) / 7)
    case 4: .date(dates.randomElement(using: &random) ?? 0)
    case 5: .data((0..<Int.random(in: 0..<40, using: &random)).map { UInt8($0) })
    case 6:
      .array(
        (0..<Int.random(in: 0..<20, using: &random)).map { _ in
          self.random(depth: depth - 1, &random)
        }
      )
    default:
      .dictionary(
        Dictionary(
          (0..<Int.random(in: 0..<20, using: &random)).map { _ in
            (text(&random), self.random(depth: depth - 1, &random))
          },
          uniquingKeysWith: { first, _ in first }
        )
      )
    }
  }

  private static func text(_ random: inout SeededGenerator) -> String {
    let letters = Array("abc äß€🎉")
    return String(
      (0..<Int.random(in: 0..<20, using: &random)).map { _ in
        letters.randomElement(using: &random) ?? "a"
      }
    )
  }
}
