import LocalAuthAnalysis
import Testing

@Suite struct AbsorbingChainTests {
  /// The gambler's ruin with even odds: from 1 of 4, ruin is 3/4 and it takes 1 * 3 rounds.
  @Test func solvesTheGamblersRuin() throws {
    let chain = try AbsorbingChain(
      moves: [[0, 0.5, 0], [0.5, 0, 0.5], [0, 0.5, 0]],
      ends: [[0.5, 0], [0, 0], [0, 0.5]],
      times: [1, 1, 1]
    )
    let solution = try chain.solve()
    for (state, ruin, rounds) in [(0, 0.75, 3.0), (1, 0.5, 4), (2, 0.25, 3)] {
      #expect(abs(solution.absorption[state][0] - ruin) < 1e-14)
      #expect(abs(solution.absorption[state][1] - (1 - ruin)) < 1e-14)
      #expect(abs(solution.expectedTime[state] - rounds) < 1e-13)
    }
  }

  /// Misses in a row as a chain give the closed form.
  @Test(arguments: [(0.034, 3), (0.25, 3), (0.25, 5), (0.9, 7)])
  func agreesWithTheClosedFormOfMissRuns(_ miss: Double, _ length: Int) throws {
    var moves = [[Double]](repeating: Array(repeating: 0, count: length), count: length)
    for state in 0..<length {
      moves[state][0] += 1 - miss
      if state + 1 < length { moves[state][state + 1] += miss }
    }
    let ends = (0..<length).map { [$0 + 1 == length ? miss : 0] }
    let chain = try AbsorbingChain(
      moves: moves,
      ends: ends,
      times: Array(repeating: 1, count: length)
    )
    let closed = MissRun(miss: miss, length: UInt32(length)).expectedAttempts
    #expect(abs(try chain.solve().expectedTime[0] / closed - 1) < 1e-9)
  }

  @Test func everyRowOfEndsAddsUpToOne() throws {
    let chain = try AbsorbingChain(
      moves: [[0.9, 0.05], [0.3, 0.1]],
      ends: [[0.05, 0], [0.2, 0.4]],
      times: [1, 2]
    )
    for row in try chain.solve().absorption { #expect(abs(row.reduce(0, +) - 1) < 1e-14) }
  }

  @Test func refusesWhatIsNoChain() {
    #expect(throws: ChainError.misshapen) {
      try AbsorbingChain(moves: [[0, 1]], ends: [[0]], times: [1])
    }
    #expect(throws: ChainError.misshapen) {
      try AbsorbingChain(moves: [[0]], ends: [[1]], times: [])
    }
    #expect(throws: ChainError.misshapen) {
      try AbsorbingChain(moves: [[0, 0], [0, 0]], ends: [[1], [0, 1]], times: [1, 1])
    }
    #expect(throws: ChainError.notStochastic(state: 0)) {
      try AbsorbingChain(moves: [[0.5]], ends: [[0.4]], times: [1])
    }
    #expect(throws: ChainError.notStochastic(state: 0)) {
      try AbsorbingChain(moves: [[-0.5]], ends: [[1.5]], times: [1])
    }
    #expect(throws: ChainError.notStochastic(state: 0)) {
      try AbsorbingChain(moves: [[.nan]], ends: [[1]], times: [1])
    }
    #expect(throws: ChainError.neverAbsorbed) {
      try AbsorbingChain(moves: [[0, 1], [1, 0]], ends: [[0], [0]], times: [1, 1]).solve()
    }
  }

  @Test func aChainWithoutStatesHasNothingToSolve() throws {
    let solution = try AbsorbingChain(moves: [], ends: [], times: []).solve()
    #expect(solution.absorption.isEmpty && solution.expectedTime.isEmpty)
  }
}
