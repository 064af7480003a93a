import Glibc
import LocalAuthCore
import LocalAuthProver
import LocalAuthUnix
import Synchronization

/// One proof on a few threads: they expand, and what they found is merged in one order.
struct ProofRun {
  /// Situations that one thread expands before all merge.
  private static let slice = 4096
  /// Expanding keeps no more than a situation and its successors on the stack.
  private static let stackSize = 1024 * 1024

  /// How many threads.
  let threads: Int

  /// Explores `setup` within `bounds`, half of the states at each pace; `onProgress` hears how many were
  /// found.
  func prove(
    _ setup: Setup,
    _ bounds: Bounds,
    onProgress: (Int) -> Void
  ) throws(Failure) -> [Exploration] {
    var half = bounds
    half.states = max(1, bounds.states / Pace.allCases.count)
    var all: [Exploration] = []
    for pace in Pace.allCases {
      var exploration = Exploration(setup, half, pace)
      while let range = exploration.take(Self.slice * threads) {
        for part in try expand(range, of: exploration) {
          exploration.merge(part.found, transitions: part.transitions)
        }
        onProgress(all.reduce(exploration.states) { $0 + $1.states })
      }
      all.append(exploration)
    }
    return all
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

  /// Where threads put what they found.
  private final class Parts: Sendable {
    private let parts: Mutex<[Part]>

    init(count: Int) { parts = Mutex(Array(repeating: ([], 0), count: count)) }

    func put(_ part: Part, at index: Int) { parts.withLock { $0[index] = part } }

    var all: [Part] { parts.withLock { $0 } }
  }
}
