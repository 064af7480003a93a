import Glibc

/// A queue of bytes that wipes what is removed and holds no memory while it is empty.
@safe
struct ByteQueue: ~Copyable {
  private var memory: WipedMemory?
  /// The start and size of `memory`; nil and 0 while there is none.
  private var start: UnsafeMutableRawPointer?
  private var capacity = 0
  private var first = 0

  /// The number of bytes in the queue.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The queued bytes; the pointer is valid until the queue changes.
  var bytes: UnsafeMutableRawBufferPointer {
    // SAFETY: first + count never exceeds the capacity.
    unsafe UnsafeMutableRawBufferPointer(start: start.map { unsafe $0 + first }, count: count)
  }

  /// Appends a copy of `source`.
  mutating func append(_ source: UnsafeRawBufferPointer) throws(SystemError) {
    guard let address = source.baseAddress, source.count > 0 else { return }
    let room = try unsafe makeRoom(source.count)
    // SAFETY: makeRoom returned space for that many bytes.
    unsafe room.copyMemory(from: address, byteCount: source.count)
    count += source.count
  }

  /// Makes space for `size` bytes after the queued ones; report the bytes used to ``didFill(_:)``.
  mutating func makeRoom(_ size: Int) throws(SystemError) -> UnsafeMutableRawPointer {
    if let start = unsafe start, first + count + size <= capacity {
      // SAFETY: the capacity has just been checked.
      return unsafe start + (first + count)
    }
    // Doubling bounds how often the bytes of a growing frame are copied.
    let grown = try WipedMemory(capacity: count == 0 ? size : 2 * (count + size))
    let base = unsafe grown.start
    // SAFETY: the new memory holds more than `count` bytes; the old is wiped when it is replaced.
    if let old = unsafe bytes.baseAddress { unsafe base.copyMemory(from: old, byteCount: count) }
    capacity = grown.capacity
    memory = consume grown
    unsafe start = unsafe base
    first = 0
    return unsafe base + count
  }

  /// Adds to the queue `size` bytes that were written where ``makeRoom(_:)`` pointed.
  mutating func didFill(_ size: Int) { count += size }

  /// Wipes and removes bytes from the front; removing the last byte frees the memory.
  mutating func removeFirst(_ size: Int) {
    guard size < count else { return removeAll() }
    // SAFETY: size < count, so the range lies in the queued bytes.
    if let waiting = unsafe bytes.baseAddress { unsafe explicit_bzero(waiting, size) }
    first += size
    count -= size
  }

  /// Wipes and removes everything.
  mutating func removeAll() {
    memory = nil
    unsafe start = nil
    capacity = 0
    first = 0
    count = 0
  }
}
