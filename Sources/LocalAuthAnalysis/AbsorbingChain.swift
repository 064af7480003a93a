/// Why numbers make no absorbing chain.
public enum ChainError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The rows are not of one length, or there are not as many of each.
  case misshapen
  /// The probabilities out of this state are negative or do not add up to 1.
  case notStochastic(state: Int)
  /// From some state no end is ever reached.
  case neverAbsorbed

  /// What is wrong, in one line.
  public var description: String {
    switch self {
    case .misshapen: "every state needs a row of each matrix, and every row the same length"
    case .notStochastic(let state): "the probabilities out of state \(state) do not add up to 1"
    case .neverAbsorbed: "some state reaches no end"
    }
  }
}

/// A Markov chain that ends: transient states, the ends they reach, and how long each state takes.
///
/// With Q among transient states and R into ends, N = (I - Q)^-1 counts the visits, B = N R says which end is
/// reached, and N t how long it takes (Kemeny and Snell, "Finite Markov Chains", 1960).
public struct AbsorbingChain: Sendable {
  /// Q: from each transient state to each.
  public let moves: [[Double]]
  /// R: from each transient state to each end.
  public let ends: [[Double]]
  /// t: how long each transient state takes, in any unit.
  public let times: [Double]

  /// The chain with these matrices.
  public init(moves: [[Double]], ends: [[Double]], times: [Double]) throws(ChainError) {
    let states = moves.count
    let shape = moves.allSatisfy { $0.count == states }
    guard shape, ends.count == states, times.count == states,
      ends.allSatisfy({ $0.count == ends[0].count })
    else { throw .misshapen }
    for state in 0..<states {
      let row = moves[state] + ends[state]
      guard row.allSatisfy({ $0 >= 0 }), abs(row.reduce(0, +) - 1) < 1e-9 else {
        throw .notStochastic(state: state)
      }
    }
    (self.moves, self.ends, self.times) = (moves, ends, times)
  }

  /// What becomes of each state.
  public struct Solution: Hashable, Sendable {
    /// B: how likely each transient state reaches each end.
    public let absorption: [[Double]]
    /// N t: how long it takes from each.
    public let expectedTime: [Double]
  }

  /// Solves (I - Q) X = [R | t] by elimination with partial pivoting.
  public func solve() throws(ChainError) -> Solution {
    let states = moves.count
    var rows = (0..<states).map { state in
      (0..<states).map { (state == $0 ? 1 : 0) - moves[state][$0] } + ends[state] + [times[state]]
    }
    for column in 0..<states {
      var pivot = column
      for row in column..<states where abs(rows[row][column]) > abs(rows[pivot][column]) {
        pivot = row
      }
      guard abs(rows[pivot][column]) > 1e-300 else { throw .neverAbsorbed }
      rows.swapAt(column, pivot)
      let scale = rows[column][column]
      for place in column..<rows[column].count { rows[column][place] /= scale }
      let leading = rows[column]
      for row in 0..<states where row != column && rows[row][column] != 0 {
        let factor = rows[row][column]
        for place in column..<leading.count { rows[row][place] -= factor * leading[place] }
      }
    }
    return Solution(
      absorption: rows.map { Array($0[states..<($0.count - 1)]) },
      expectedTime: rows.map { $0[$0.count - 1] }
    )
  }
}
