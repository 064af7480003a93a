import LocalAuthCore
import LocalAuthUnix
import Synchronization

/// Runs pieces of work on threads, reports progress, and can be interrupted.
///
/// Pieces are taken in order, but by any thread, so their results must not depend on the thread.
final class SimulationRun<Result: Sendable>: Sendable {
  /// One piece of work: takes its number and a function that says whether to stop; nil if it was
  /// stopped.
  typealias Piece = @Sendable (UInt32, () -> Bool) -> Result?

  private let pieces: UInt32
  private let next = Atomic<UInt32>(0)
  private let isStopped = Atomic<Bool>(false)
  private let running = Atomic<Int>(0)
  private let done: Mutex<(result: Result, pieces: UInt32)>

  /// Creates a run of `pieces` pieces, whose results are added to `nothing`.
  init(_ pieces: UInt32, nothing: Result) {
    self.pieces = pieces
    done = Mutex((nothing, 0))
  }

  /// Performs all pieces, unless a signal interrupts it.
  ///
  /// - Parameters:
  ///   - threads: The number of threads.
  ///   - interruption: Ends the run; if it has come already, nothing is performed.
  ///   - progress: Called from time to time with the number of completed pieces.
  ///   - piece: The work.
  ///   - merge: Adds a result to another.
  /// - Returns: The results so far, and whether the run is complete.
  /// - Throws: An error if a thread cannot be started.
  func perform(
    threads: Int,
    until interruption: inout Interruption,
    progress: (UInt32) -> Void = { _ in },
    piece: @escaping Piece,
    merge: @escaping @Sendable (inout Result, Result) -> Void
  ) throws(Failure) -> (result: Result, isComplete: Bool) {
    guard !interruption.hasCome() else { return (done.withLock(\.result), false) }
    var started: [SystemThread] = []
    running.store(threads, ordering: .releasing)
    do throws(SystemError) {
      for _ in 0..<threads {
        started.append(
          try SystemThread(name: "simulation", stackSize: 8 * 1024 * 1024) {
            self.work(piece, merge)
            self.running.subtract(1, ordering: .acquiringAndReleasing)
          }
        )
      }
    } catch {
      isStopped.store(true, ordering: .releasing)
      for thread in started { thread.join() }
      throw Failure(.internalError, "No thread could be started: \(error).")
    }
    watch(&interruption, progress)
    for thread in started { thread.join() }
    // A piece stopped midway may have been counted although it is incomplete.
    let isWhole = !isStopped.load(ordering: .acquiring)
    return done.withLock { ($0.result, isWhole && $0.pieces == pieces) }
  }

  private func work(_ piece: Piece, _ merge: (inout Result, Result) -> Void) {
    while !isStopped.load(ordering: .relaxed) {
      let number = next.add(1, ordering: .relaxed).oldValue
      guard number < pieces,
        let result = piece(number, { isStopped.load(ordering: .relaxed) })
      else { return }
      done.withLock { done in
        merge(&done.result, result)
        done.pieces += 1
      }
    }
  }

  /// Waits until all threads have ended, which a signal speeds up.
  private func watch(_ interruption: inout Interruption, _ progress: (UInt32) -> Void) {
    while running.load(ordering: .acquiring) > 0 {
      interruption.wait()
      if interruption.hasCome() { isStopped.store(true, ordering: .releasing) }
      progress(done.withLock { $0.pieces })
    }
  }
}
