/// The properties that one event put at risk: it made a situation in which a wrong machine could have
/// broken them.
struct Premises: OptionSet, Hashable {
  let rawValue: UInt32

  init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The premise of `property` alone.
  init(_ property: Property) { rawValue = 1 << UInt32(property.rawValue) }
}

/// How often the premise of each property was met.
public struct PremiseCounts: Hashable, Sendable {
  private var counts = [Int](repeating: 0, count: Property.allCases.count)

  /// Creates counts of zero.
  public init() {}

  /// The number of events that put `property` at risk.
  public subscript(property: Property) -> Int { counts[Int(property.rawValue)] }

  mutating func add(_ premises: Premises) {
    guard !premises.isEmpty else { return }
    for index in counts.indices where premises.rawValue & (1 << UInt32(index)) != 0 {
      counts[index] += 1
    }
  }

  /// Adds what was counted elsewhere.
  public mutating func add(_ other: PremiseCounts) {
    for index in counts.indices { counts[index] += other.counts[index] }
  }
}
