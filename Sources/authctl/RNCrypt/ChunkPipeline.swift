import CLocalAuthLinux
import LocalAuthCore
import LocalAuthSecret
import LocalAuthUnix
import Synchronization

/// Two steps of work on a stream, chunk by chunk: one fills chunks, the other uses them up.
///
/// Above ``inlineSize`` a thread of its own does the second step, beside the first.
final class ChunkPipeline: @unchecked Sendable {
  // @unchecked: the permits hand each slot from thread to thread, and one thread at a time calls `use`.

  typealias Fill = (inout Secret) throws(Failure) -> Bool
  typealias Use = (borrowing Secret) throws(Failure) -> Void

  /// The bytes of a chunk, so that two of them stay in the cache of a core.
  static let chunkSize = 128 * 1024
  /// Below so many bytes a thread is not worth its start.
  static let inlineSize = 1024 * 1024

  private final class Slot {
    // A cipher may add a block to what it is given, and another one at the end.
    var chunk = Secret(capacity: ChunkPipeline.chunkSize + 64)
    /// Whether there is anything to use, and whether another chunk follows.
    var (isUsed, goesOn) = (false, false)

    /// Empties the chunk and fills it.
    func refill(_ fill: Fill) throws(Failure) {
      (isUsed, goesOn) = (false, false)
      chunk.removeAll()
      goesOn = try fill(&chunk)
      isUsed = true
    }
  }

  private let slots = [Slot(), Slot()]
  private let use: Use
  private let failure = Mutex<Failure?>(nil)
  /// How many slots can be used, and how many can be filled.
  private let filled: FileDescriptor
  private let free: FileDescriptor

  private init(_ use: @escaping Use) throws(Failure) {
    self.use = use
    filled = try Self.permits()
    free = try Self.permits()
  }

  private static func permits() throws(Failure) -> FileDescriptor {
    let counter = la_counter_create(true)
    guard counter >= 0 else {
      throw Failure(.internalError, errno: -counter, "Work cannot be divided")
    }
    return FileDescriptor(owning: counter)
  }

  /// Calls `fill` with an empty chunk until it returns false, and `use` with each chunk, in order.
  ///
  /// - Throws: The first failure of either step, after which neither is called again.
  static func run(using use: @escaping Use, _ fill: Fill) throws(Failure) {
    let pipeline = try ChunkPipeline(use)
    guard try pipeline.runInline(fill) else { return }
    try pipeline.runOnTwoThreads(fill)
  }

  /// Does the work on the first chunks; false if there are no others.
  private func runInline(_ fill: Fill) throws(Failure) -> Bool {
    let slot = slots[0]
    for _ in 0..<(Self.inlineSize / Self.chunkSize) {
      try slot.refill(fill)
      try use(slot.chunk)
      guard slot.goesOn else { return false }
    }
    return true
  }

  private func runOnTwoThreads(_ fill: Fill) throws(Failure) {
    let thread: SystemThread
    do throws(SystemError) {
      thread = try SystemThread(name: "chunks") { self.useAll() }
    } catch { throw Failure(.internalError, errno: error.code, "A thread cannot be started") }
    _ = la_counter_add(free.rawValue, UInt64(slots.count))
    fillAll(fill)
    thread.join()
    if let failure = failure.withLock({ $0 }) { throw failure }
  }

  private func fillAll(_ fill: Fill) {
    var number = 0
    var goesOn = true
    while goesOn {
      _ = la_counter_read(free.rawValue)
      let slot = slots[number % slots.count]
      do throws(Failure) {
        if let failure = failure.withLock({ $0 }) { throw failure }
        try slot.refill(fill)
      } catch { fail(error, slot) }
      goesOn = slot.goesOn
      number += 1
      _ = la_counter_add(filled.rawValue, 1)
    }
  }

  private func useAll() {
    var number = 0
    var goesOn = true
    while goesOn {
      _ = la_counter_read(filled.rawValue)
      let slot = slots[number % slots.count]
      do throws(Failure) {
        if slot.isUsed, failure.withLock({ $0 == nil }) { try use(slot.chunk) }
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
      goesOn = slot.goesOn
      number += 1
      _ = la_counter_add(free.rawValue, 1)
    }
  }

  /// Makes `slot` the last one, of which nothing is used.
  private func fail(_ error: Failure, _ slot: Slot) {
    failure.withLock { $0 = $0 ?? error }
    (slot.isUsed, slot.goesOn) = (false, false)
  }
}
