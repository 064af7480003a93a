/// "Did you mean": the name that a mistyped word was probably meant to be.
enum Suggestion {
  /// Longer words are not typing mistakes, and would make the comparison slow.
  private static let longestWord = 40

  /// Returns the closest of `names`; nil if none is close.
  ///
  /// A name is close with at most one edit for each three letters, or if the word is a prefix of at
  /// least three letters that only this name has.
  static func closest(to word: String, among names: [String]) -> String? {
    let typed = Array(word.utf8)
    guard !typed.isEmpty, typed.count <= longestWord else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
      let distance = distance(typed, Array(name.utf8))
      if distance <= max(1, name.utf8.count / 3), distance < best?.distance ?? .max {
        best = (name, distance)
      }
    }
    return best?.name ?? onlyCompletion(of: word, among: names)
  }

  private static func onlyCompletion(of word: String, among names: [String]) -> String? {
    let longer = names.filter { $0.hasPrefix(word) }
    return word.utf8.count >= 3 && longer.count == 1 ? longer.first : nil
  }

  /// Returns the number of insertions, deletions, substitutions and swaps of neighbours that turn
  /// one word into the other (optimal string alignment).
  static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var beforePrevious: [Int] = []
    var previous = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let substitution = previous[column] + (left[row] == right[column] ? 0 : 1)
        var cost = min(substitution, previous[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          cost = min(cost, beforePrevious[column - 1] + 1)
        }
        current.append(cost)
      }
      (beforePrevious, previous) = (previous, current)
    }
    return previous[right.count]
  }
}
