/// Which bounds cannot be kept to together.
struct Conflicts {
  /// The sets of bounds that some candidate keeps to, without those within another.
  private let kept: [Set<Int>]
  private let bounds: Range<Int>

  /// Takes the bounds that each candidate misses.
  init(_ missed: [[Int]], bounds: Int) {
    self.bounds = 0..<bounds
    kept = Set(missed).map { Set(0..<bounds).subtracting($0) }
  }

  /// Every bound that no candidate keeps to, and every pair that none keeps to although each of both
  /// is kept to by one.
  ///
  /// If there are neither, the same of three bounds, or of the fewest that it takes; none if a
  /// candidate keeps to all.
  var smallest: [[Int]] {
    var found: [[Int]] = []
    for size in 1...max(1, bounds.count) where size <= 2 || found.isEmpty {
      found += Self.sets(of: size, from: bounds).filter { set in
        !kept.contains { $0.isSuperset(of: set) }
          && !found.contains { $0.allSatisfy(set.contains) }
      }
    }
    return found
  }

  private static func sets(of size: Int, from bounds: Range<Int>) -> [[Int]] {
    guard size > 0 else { return [[]] }
    return bounds.flatMap { first in
      sets(of: size - 1, from: first + 1..<bounds.upperBound).map { [first] + $0 }
    }
  }
}
