import Glibc
import LocalAuthCore
import LocalAuthProver
import LocalAuthUnix
import Synchronization

/// One proof on several threads, which expand situations; their results are merged in a fixed
/// order.
struct ProofRun {
  /// Enough, because expansion keeps only a situation and its successors on the stack.
  private static let stackSize = 1024 * 1024

  /// The number of threads.
  let threads: Int

  /// Explores `setup` within `bounds` with each judge, as many states at each pace from each sort of
  /// beginning; calls `goesOn` again and again with the number of situations found, and stops when that
  /// is false.
  func prove(
    _ setup: Setup,
    _ bounds: Bounds,
    goesOn: (Int) -> Bool
  ) throws(Failure) -> PolicyProof {
    var part = bounds
    part.states = max(1, bounds.states / (Pace.allCases.count * Beginning.allCases.count))
    var all: [Exploration] = []
    for exploration in Self.explorations(setup, part) {
      var exploration = exploration
      while let batch = exploration.take() {
        for part in try expand(batch, of: exploration) { exploration.merge(part) }
        guard goesOn(all.reduce(exploration.states) { $0 + $1.states }) else {
          return PolicyProof(setup: setup, explorations: all + [exploration], isComplete: false)
        }
      }
      all.append(exploration)
    }
    return PolicyProof(setup: setup, explorations: all, isComplete: true)
  }

  private static func explorations(_ setup: Setup, _ bounds: Bounds) -> [Exploration] {
    setup.inAllSurroundings.flatMap { setup in
      Pace.allCases.flatMap { pace in
        Beginning.allCases.map { Exploration(setup, bounds, pace, from: $0) }
      }
    }
  }

  private func expand(
    _ batch: Range<Int>,
    of exploration: Exploration
  ) throws(Failure) -> [Exploration.Part] {
    let size = (batch.count + threads - 1) / threads
    let slices = stride(from: batch.lowerBound, to: batch.upperBound, by: size).map {
      $0..<min($0 + size, batch.upperBound)
    }
    guard slices.count > 1 else { return [exploration.expand(batch)] }
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
    private let parts: Mutex<[Exploration.Part?]>

    init(count: Int) { parts = Mutex(Array(repeating: nil, count: count)) }

    func put(_ part: Exploration.Part, at index: Int) { parts.withLock { $0[index] = part } }

    var all: [Exploration.Part] { parts.withLock { $0.compactMap(\.self) } }
  }
}
