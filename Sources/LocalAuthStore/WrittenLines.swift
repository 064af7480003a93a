import LocalAuthCore

/// Where the audit lines are that this process wrote and may write again.
///
/// That of an evaluation is replaced when it ends, and that of a grant counts answers as long as it is in force. So all
/// lines without an outcome are known, and the latest of those with one.
struct WrittenLines {
  private struct Place {
    let line: Int64
    let isEnded: Bool
  }

  /// How many lines with an outcome are known; one that is older is added again instead of replaced.
  static let mostEnded = 4096

  private var places: [EvaluationID: Place] = [:]
  /// The lines with an outcome, from `oldest` on in the order of their ends.
  private var ended: [EvaluationID] = []
  private var oldest = 0
  /// What the transaction that runs has changed, and what was there.
  private var before: [(id: EvaluationID, place: Place?)] = []

  /// The number of the line among those of its owner; nil if it is not known.
  subscript(id: EvaluationID) -> Int64? { places[id]?.line }

  mutating func put(_ line: Int64, of id: EvaluationID, isEnded: Bool) {
    before.append((id, places[id]))
    places[id] = Place(line: line, isEnded: isEnded)
  }

  /// The transaction was committed.
  mutating func keep() {
    for (id, place) in before where place?.isEnded != true && places[id]?.isEnded == true {
      end(id)
    }
    before = []
  }

  /// The transaction was rolled back.
  mutating func undo() {
    for (id, place) in before.reversed() { places[id] = place }
    before = []
  }

  private mutating func end(_ id: EvaluationID) {
    guard ended.count == Self.mostEnded else { return ended.append(id) }
    places[ended[oldest]] = nil
    ended[oldest] = id
    oldest = (oldest + 1) % Self.mostEnded
  }
}
