import Glibc

/// A receive buffer split into frames at each NUL; bytes are wiped after they are handed out.
///
/// The memory grows up to one longest frame and is reused, so a round trip allocates nothing.
struct FrameBuffer: ~Copyable {
  private static let firstCapacity = 4096

  /// The longest frame, without its NUL.
  let limit: Int
  private var memory: WipedMemory
  /// The usable size of the memory: at most a longest frame and its NUL.
  private var capacity: Int
  /// The received bytes are in `start..<end`; those before `scanned` contain no NUL.
  private var start = 0
  private var scanned = 0
  private var end = 0

  init(limit: Int) throws(SystemError) {
    precondition(limit > 0)
    self.limit = limit
    capacity = min(limit + 1, FrameBuffer.firstCapacity)
    memory = try WipedMemory(capacity: capacity)
  }

  /// Whether a whole frame has been received.
  mutating func hasFrame() -> Bool { frameEnd() != nil }

  /// Lends the next whole frame, without its NUL, to `body` and then wipes it; nil if there is
  /// none.
  mutating func takeFrame<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R? {
    guard let frameEnd = frameEnd() else { return nil }
    // SAFETY: `start...frameEnd` was received, so it lies inside the memory.
    let frame = unsafe UnsafeRawBufferPointer(start: memory.start + start, count: frameEnd - start)
    let result = unsafe body(frame)
    wipe(start..<frameEnd + 1)
    start = frameEnd + 1
    scanned = start
    if start == end { reset() }
    return result
  }

  /// Lends the free memory to `body`, which returns the number of bytes written there, or -1.
  ///
  /// Returns nil, without calling `body`, if a frame exceeds the limit.
  mutating func fill(
    _ body: (UnsafeMutableRawBufferPointer) -> Int
  ) throws(SystemError) -> Int? {
    guard try makeRoom() else { return nil }
    // SAFETY: `end` is less than the capacity here, and `body` writes only to what it was lent.
    let free = unsafe UnsafeMutableRawBufferPointer(
      start: memory.start + end,
      count: capacity - end
    )
    let count = unsafe body(free)
    if count > 0 { end += count }
    return count
  }

  /// Wipes everything.
  mutating func removeAll() {
    wipe(start..<end)
    reset()
  }

  private mutating func reset() {
    start = 0
    scanned = 0
    end = 0
  }

  private mutating func frameEnd() -> Int? {
    guard scanned < end else { return nil }
    // SAFETY: the range was received, so it lies inside the memory.
    if let found = unsafe memchr(memory.start + scanned, 0, end - scanned) {
      scanned = unsafe found - memory.start
      return scanned
    }
    scanned = end
    return nil
  }

  private mutating func makeRoom() throws(SystemError) -> Bool {
    if end < capacity { return true }
    if start > 0 {
      moveToFront()
      return true
    }
    guard capacity < limit + 1 else { return false }
    try grow()
    return true
  }

  private mutating func moveToFront() {
    let count = end - start
    // SAFETY: both ranges lie inside the memory; memmove allows them to overlap.
    _ = unsafe memmove(memory.start, memory.start + start, count)
    wipe(count..<end)
    scanned -= start
    start = 0
    end = count
  }

  private mutating func grow() throws(SystemError) {
    let doubled = min(limit + 1, capacity * 2)
    let bigger = try WipedMemory(capacity: doubled)
    // SAFETY: the new memory is larger; the old one is wiped when it is replaced.
    unsafe bigger.start.copyMemory(from: memory.start, byteCount: end)
    memory = bigger
    capacity = doubled
  }

  private func wipe(_ range: Range<Int>) {
    // SAFETY: callers pass ranges inside the memory.
    unsafe explicit_bzero(memory.start + range.lowerBound, range.count)
  }
}

// SAFETY: this value is the only owner of the memory, which moves with it between threads.
extension FrameBuffer: @unchecked Sendable {}
