import Glibc

/// Bytes on their way in or out: wiped as they leave, and without memory while there are none.
@safe
struct ByteQueue: ~Copyable {
  private var memory: WipedMemory?
  /// Where `memory` begins and how much it is; nil and 0 while there is none.
  private var start: UnsafeMutableRawPointer?
  private var capacity = 0
  private var first = 0

  /// How many bytes wait.
  private(set) var count = 0

  var isEmpty: Bool { count == 0 }

  /// The waiting bytes; the pointer holds until the queue is changed.
  var bytes: UnsafeMutableRawBufferPointer {
    // SAFETY: first + count never exceeds the capacity.
    unsafe UnsafeMutableRawBufferPointer(start: start.map { unsafe $0 + first }, count: count)
  }

  /// Adds a copy of `source` at the end.
  mutating func append(_ source: UnsafeRawBufferPointer) throws(SystemError) {
    guard let address = source.baseAddress, source.count > 0 else { return }
    let room = try unsafe makeRoom(source.count)
    // SAFETY: makeRoom gave space for that many bytes.
    unsafe room.copyMemory(from: address, byteCount: source.count)
    count += source.count
  }

  /// Space for `size` more bytes after the waiting ones; ``didFill(_:)`` says how many were used.
  mutating func makeRoom(_ size: Int) throws(SystemError) -> UnsafeMutableRawPointer {
    if let start = unsafe start, first + count + size <= capacity {
      // SAFETY: the capacity has just been checked.
      return unsafe start + (first + count)
    }
    // Twice what is needed, so that a growing frame is copied a bounded number of times.
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

  /// Counts bytes that were written where ``makeRoom(_:)`` said.
  mutating func didFill(_ size: Int) { count += size }

  /// Wipes and drops bytes from the front; the memory goes with the last of them.
  mutating func removeFirst(_ size: Int) {
    guard size < count else { return removeAll() }
    // SAFETY: size < count, so the range lies in the waiting bytes.
    if let waiting = unsafe bytes.baseAddress { unsafe explicit_bzero(waiting, size) }
    first += size
    count -= size
  }

  /// Wipes and drops everything.
  mutating func removeAll() {
    memory = nil
    unsafe start = nil
    capacity = 0
    first = 0
    count = 0
  }
}
