import Glibc

/// Bytes received and not yet handed out, cut at each NUL; wiped as soon as they are done with.
///
/// The memory is its own and is touched inside its bounds only, so the type is safe to use. It grows
/// to one longest frame and is then reused, so a round trip allocates nothing.
@safe struct FrameBuffer: ~Copyable {
  private static let firstCapacity = 4096

  /// The longest frame, without its NUL.
  let limit: Int
  private var storage: UnsafeMutableRawBufferPointer
  private var capacity: Int
  /// `storage[start..<end]` is received; up to `scanned` there is no NUL in it.
  private var start = 0
  private var scanned = 0
  private var end = 0

  init(limit: Int) {
    precondition(limit > 0)
    self.limit = limit
    capacity = min(limit + 1, FrameBuffer.firstCapacity)
    unsafe storage = .allocate(byteCount: capacity, alignment: 16)
  }

  /// Whether something is held that is not a whole frame.
  var isEmpty: Bool { start == end }

  /// Whether a whole frame has been received.
  mutating func hasFrame() -> Bool { frameEnd() != nil }

  /// Hands out the next whole frame without its NUL and wipes it afterwards; nil when there is none.
  mutating func takeFrame<R>(_ body: (UnsafeRawBufferPointer) -> R) -> R? {
    guard let frameEnd = frameEnd() else { return nil }
    // SAFETY: `start...frameEnd` was received and lies inside the storage.
    let result = unsafe body(UnsafeRawBufferPointer(rebasing: storage[start..<frameEnd]))
    wipe(start..<frameEnd + 1)
    start = frameEnd + 1
    scanned = start
    if start == end { reset() }
    return result
  }

  /// Lends the free memory to `body`, which says how many bytes it received there.
  ///
  /// Returns nil, without calling it, when a frame exceeds the limit.
  mutating func fill(_ body: (UnsafeMutableRawBufferPointer) -> Int) -> Int? {
    guard makeRoom() else { return nil }
    // SAFETY: `end` is less than the capacity, and `body` says at most the size it was lent.
    let free = unsafe UnsafeMutableRawBufferPointer(rebasing: storage[end...])
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
    guard scanned < end, let base = unsafe storage.baseAddress else { return nil }
    // SAFETY: the range lies inside the storage.
    if let found = unsafe memchr(base + scanned, 0, end - scanned) {
      scanned = unsafe UnsafeRawPointer(found) - UnsafeRawPointer(base)
      return scanned
    }
    scanned = end
    return nil
  }

  private mutating func makeRoom() -> Bool {
    if end < capacity { return true }
    if start > 0 {
      moveToFront()
      return true
    }
    guard capacity < limit + 1 else { return false }
    grow()
    return true
  }

  private mutating func moveToFront() {
    let count = end - start
    // SAFETY: both ranges lie inside the storage; memmove allows them to overlap.
    unsafe storage.baseAddress.map { unsafe _ = memmove($0, $0 + start, count) }
    wipe(count..<end)
    scanned -= start
    start = 0
    end = count
  }

  private mutating func grow() {
    let doubled = min(limit + 1, capacity * 2)
    let bigger = UnsafeMutableRawBufferPointer.allocate(byteCount: doubled, alignment: 16)
    // SAFETY: the new memory is larger; the old one is wiped and not used again.
    unsafe bigger.copyMemory(from: UnsafeRawBufferPointer(storage))
    wipe(0..<capacity)
    unsafe storage.deallocate()
    unsafe storage = bigger
    capacity = doubled
  }

  private func wipe(_ range: Range<Int>) {
    // SAFETY: callers pass ranges inside the storage.
    unsafe storage.baseAddress.map { unsafe explicit_bzero($0 + range.lowerBound, range.count) }
  }

  deinit {
    // SAFETY: nobody else has the memory.
    wipe(start..<end)
    unsafe storage.deallocate()
  }
}

// SAFETY: the memory has this one owner, and moves with it between threads.
extension FrameBuffer: @unchecked Sendable {}
