import Glibc
import LocalAuthCore
import LocalAuthProver
import LocalAuthUnix
import Synchronization

/// One proof on several threads, which expand situations; their results are merged in a fixed
/// order.
struct ProofRun {
  /// The number of situations that one thread expands before all results are merged.
  private static let slice = 4096
  /// Enough, because expansion keeps only a situation and its successors on the stack.
  private static let stackSize = 1024 * 1024

  /// The number of threads.
  let threads: Int

  /// Explores `setup` within `bounds` with each judge, half of the states at each pace; calls `goesOn`
  /// again and again with the number of situations found, and stops when that is false.
  func prove(
    _ setup: Setup,
    _ bounds: Bounds,
    goesOn: (Int) -> Bool
  ) throws(Failure) -> PolicyProof {
    var half = bounds
    half.states = max(1, bounds.states / Pace.allCases.count)
    var all: [Exploration] = []
    let turns = setup.withEachJudge.flatMap { setup in Pace.allCases.map { (setup, $0) } }
    for (setup, pace) in turns {
      var exploration = Exploration(setup, half, pace)
      while let range = exploration.take(Self.slice * threads) {
        for part in try expand(range, of: exploration) {
          exploration.merge(part.found, transitions: part.transitions)
        }
        guard goesOn(all.reduce(exploration.states) { $0 + $1.states }) else {
          return PolicyProof(setup: setup, explorations: all + [exploration], isComplete: false)
        }
      }
      all.append(exploration)
    }
    return PolicyProof(setup: setup, explorations: all, isComplete: true)
  }

  private typealias Part = (found: [Exploration.Found], transitions: Int)

  private func expand(_ range: Range<Int>, of exploration: Exploration) throws(Failure) -> [Part] {
    let size = (range.count + threads - 1) / threads
    let slices = stride(from: range.lowerBound, to: range.upperBound, by: size).map {
      $0..<min($0 + size, range.upperBound)
    }
    guard slices.count > 1 else { return [exploration.expand(range)] }
    let parts = Parts(count: slices.count)
    do throws(SystemError) {
      var running: [SystemThread] = []
      for (index, slice) in slices.enumerated() {
        running.append(
          try SystemThread(name: "prove", stackSize: Self.stackSize) {
            parts.put(exploration.expand(slice), at: index)
          }
        )
      }
      for thread in running { thread.join() }
    } catch {
      throw Failure(.internalError, "A thread could not be started: \(error)")
    }
    return parts.all
  }

  /// Collects the results of the threads.
  private final class Parts: Sendable {
    private let parts: Mutex<[Part]>

    init(count: Int) { parts = Mutex(Array(repeating: ([], 0), count: count)) }

    func put(_ part: Part, at index: Int) { parts.withLock { $0[index] = part } }

    var all: [Part] { parts.withLock { $0 } }
  }
}
