/// The locks on the index of a write-ahead log that the connections of one process hold, by the rules of SQLite: eight
/// places, each for many at once or for one alone.
struct IndexLocks {
  static let places = 8

  typealias Holder = ObjectIdentifier

  private var readers = [Set<Holder>](repeating: [], count: places)
  private var writers = [Holder?](repeating: nil, count: places)

  /// Takes the places for `holder` among others; false, and none, if one of them is another's alone.
  mutating func share(_ range: Range<Int>, _ holder: Holder) -> Bool {
    guard range.allSatisfy({ writers[$0] == nil || writers[$0] == holder }) else { return false }
    for place in range { readers[place].insert(holder) }
    return true
  }

  /// Takes the places for `holder` alone; false, and none, if another has one of them.
  mutating func take(_ range: Range<Int>, _ holder: Holder) -> Bool {
    let isFree = range.allSatisfy { place in
      (writers[place] == nil || writers[place] == holder)
        && readers[place].subtracting([holder]).isEmpty
    }
    guard isFree else { return false }
    for place in range { writers[place] = holder }
    return true
  }

  mutating func release(_ range: Range<Int>, _ holder: Holder) {
    for place in range {
      readers[place].remove(holder)
      if writers[place] == holder { writers[place] = nil }
    }
  }
}
