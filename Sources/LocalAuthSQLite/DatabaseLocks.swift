/// The locks on a database that the connections of one process hold, by the rules of SQLite.
///
/// Many may read while one prepares to write. Whoever wants to write waits until all have read, and keeps new readers out
/// meanwhile. No other process has the file open.
struct DatabaseLocks {
  /// What a connection holds, in SQLite's order and with its numbers.
  enum Level: Int32, Comparable {
    case none = 0
    case shared = 1
    /// It will write; others may read, also from now on.
    case reserved = 2
    /// It waits to write; others may read on.
    case pending = 3
    case exclusive = 4

    static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
  }

  typealias Holder = ObjectIdentifier

  private var held: [Holder: Level] = [:]

  /// Whether a connection is writing, or about to.
  var isReserved: Bool { held.values.contains { $0 >= .reserved } }

  func level(of holder: Holder) -> Level { held[holder] ?? .none }

  /// Raises what `holder` holds to `level`; false if others are in the way.
  ///
  /// Who asks for ``Level/exclusive`` while others read holds ``Level/pending`` afterwards.
  mutating func raise(_ holder: Holder, to level: Level) -> Bool {
    let own = self.level(of: holder)
    guard own < level else { return true }
    let others = held.filter { $0.key != holder }.values
    switch level {
    case .none: return true
    case .shared: guard others.allSatisfy({ $0 < .pending }) else { return false }
    case .reserved: guard others.allSatisfy({ $0 < .reserved }) else { return false }
    case .pending, .exclusive:
      guard others.allSatisfy({ $0 < .reserved }) else { return false }
      guard level == .pending || others.isEmpty else {
        held[holder] = .pending
        return false
      }
    }
    held[holder] = level
    return true
  }

  /// Lowers what `holder` holds to `level`.
  mutating func lower(_ holder: Holder, to level: Level) {
    guard self.level(of: holder) > level else { return }
    held[holder] = level == .none ? nil : level
  }
}
