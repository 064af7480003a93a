import Glibc
import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthTerminal
import LocalAuthUnix
import Synchronization

/// Runs pieces of work on threads, tells how far it is, and can be interrupted.
///
/// Pieces are taken in order; which thread takes which is chance, so their results must not depend on it.
final class SimulationRun<Result: Sendable>: Sendable {
  /// One piece of work: its number, and whether to stop; nil when it was stopped.
  typealias Piece = @Sendable (UInt32, () -> Bool) -> Result?

  private let pieces: UInt32
  private let next = Atomic<UInt32>(0)
  private let isStopped = Atomic<Bool>(false)
  private let running = Atomic<Int>(0)
  private let done: Mutex<(result: Result, pieces: UInt32)>

  /// A run of so many pieces, whose results are added to `nothing`.
  init(_ pieces: UInt32, nothing: Result) {
    self.pieces = pieces
    done = Mutex((nothing, 0))
  }

  /// Performs all pieces, unless a signal ends it.
  ///
  /// - Parameters:
  ///   - threads: How many work at once.
  ///   - progress: Is told how many pieces are done, now and then.
  ///   - piece: The work.
  ///   - merge: Adds a result to another.
  /// - Returns: The results so far, and whether nothing interrupted it.
  /// - Throws: What keeps a thread from starting.
  func perform(
    threads: Int,
    progress: (UInt32) -> Void,
    piece: @escaping Piece,
    merge: @escaping @Sendable (inout Result, Result) -> Void
  ) throws(Failure) -> (result: Result, isComplete: Bool) {
    var started: [SystemThread] = []
    running.store(threads, ordering: .releasing)
    do throws(SystemError) {
      for _ in 0..<threads {
        started.append(
          try SystemThread(name: "simulation", stackSize: 1024 * 1024) {
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
    let isWatched = watch(progress)
    for thread in started { thread.join() }
    guard isWatched else { throw Failure(.internalError, "Signals cannot be watched here.") }
    // A piece that was stopped in its midst counts as done, and is not whole.
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

  /// Waits until all threads have ended; a signal ends them early.
  private func watch(_ progress: (UInt32) -> Void) -> Bool {
    guard var signals = try? SignalWatch() else {
      isStopped.store(true, ordering: .releasing)
      return false
    }
    while running.load(ordering: .acquiring) > 0 {
      var descriptor = pollfd(fd: signals.fileDescriptor, events: Int16(POLLIN), revents: 0)
      // SAFETY: one descriptor, which outlives the call.
      _ = unsafe poll(&descriptor, 1, 20)
      while let signal = signals.next() {
        switch signal {
        case .interrupt, .terminate, .hangUp, .quit: isStopped.store(true, ordering: .releasing)
        case .stop: signals.stopProcess()
        case .resume, .resize: break
        }
      }
      progress(done.withLock { $0.pieces })
    }
    signals.end()
    return true
  }
}

/// A line on the terminal that says how far something is, how fast, and how much longer it takes.
struct ProgressLine {
  private let total: Double
  private let unit: String
  private let perPiece: Double
  private let isShown: Bool
  private let start = SystemClock.bootNow()
  private var last = SystemClock.bootNow()

  /// A line for `total` pieces of `perPiece` units each; shown on a terminal only, and not with `--quiet`.
  init(pieces total: UInt32, perPiece: Double, unit: String, isQuiet: Bool) {
    self.total = Double(total)
    self.perPiece = perPiece
    self.unit = unit
    isShown = !isQuiet && isatty(STDERR_FILENO) != 0
  }

  /// Shows how far it is, ten times a second at most.
  mutating func show(_ pieces: UInt32) {
    let now = SystemClock.bootNow()
    guard isShown, pieces > 0, now - last > .milliseconds(100) else { return }
    last = now
    let seconds = (now - start) / .seconds(1)
    let rate = Double(pieces) * perPiece / seconds
    let left = (total - Double(pieces)) * seconds / Double(pieces)
    let percent = Int(Double(pieces) / total * 100)
    write(
      "\r\(percent) %  \(RateText.significant(rate)) \(unit)/s  "
        + "\(DurationText.format(.seconds(Int64(left.rounded(.up))))) left\u{1B}[K"
    )
  }

  /// Takes the line away.
  func clear() { if isShown { write("\r\u{1B}[K") } }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    // SAFETY: the array is valid for the call; a line that cannot be shown is not missed.
    _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
