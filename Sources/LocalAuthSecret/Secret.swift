import CLocalAuthLinux
import Glibc
import Synchronization

/// Wiped, locked memory for a secret: a password, a key.
///
/// The bytes lie in one arena of the process that is kept out of swap (where the kernel allows it)
/// and out of core files, and they are overwritten when the value is destroyed, shortened or
/// emptied. There is no way to copy the value; `withUnsafeBytes` lends the bytes for a call. The
/// count is stored next to the bytes, so that in a forked child, where the kernel has wiped both,
/// every inherited secret is empty instead of being a run of zeros that could pass for a key.
@safe
public struct Secret: ~Copyable, @unchecked Sendable {
  // @unchecked: the pointer has one owner, and the language hands that owner from thread to thread.

  /// How many bytes the secret can hold, which never changes.
  public let capacity: Int
  /// The count, then `capacity` bytes.
  @usableFromInline let block: UnsafeMutableRawPointer

  /// Bytes before the content: the count, padded so that the content is aligned to 16.
  @usableFromInline static var headerSize: Int { 16 }

  /// Makes an empty secret with room for `capacity` bytes, all zero.
  ///
  /// A capacity of up to 2032 bytes takes tens of nanoseconds; a larger one takes whole pages. The
  /// process ends if there is no memory left.
  public init(capacity: Int) {
    precondition(capacity >= 0, "a secret's capacity cannot be negative")
    self.capacity = capacity
    unsafe block = SecretArena.allocate(Self.headerSize + capacity)
  }

  /// Makes a secret of exactly `bytes`.
  ///
  /// The source is not wiped: that is up to the caller.
  @unsafe
  public init(copying bytes: UnsafeRawBufferPointer) {
    self.init(capacity: bytes.count)
    if let source = bytes.baseAddress {
      // SAFETY: the content has room for `capacity` == `bytes.count` bytes and is not shared yet.
      unsafe content.copyMemory(from: source, byteCount: bytes.count)
    }
    count = bytes.count
  }

  /// Makes a secret of exactly `bytes`, such as `text.utf8`; the caller has to wipe the source.
  public init(copying bytes: some Collection<UInt8>) {
    self.init(capacity: bytes.count)
    // Byte by byte, 256 KiB take milliseconds.
    let room = unsafe content
    // SAFETY: the content has room for `capacity` == `bytes.count` bytes and is not shared yet.
    let copied = bytes.withContiguousStorageIfAvailable { source in
      if let start = source.baseAddress {
        unsafe room.copyMemory(from: start, byteCount: source.count)
      }
      return source.count
    }
    guard let copied else {
      for byte in bytes { _ = append(byte) }
      return
    }
    count = copied
  }

  deinit {
    unsafe SecretArena.free(block, size: Self.headerSize + capacity)
  }

  /// Whether the kernel agreed to keep every secret so far out of swap.
  ///
  /// False means that RLIMIT_MEMLOCK is too low; secrets work all the same.
  public static var isLocked: Bool {
    // The first use maps the arena, so that there is a mapping to report on.
    SecretArena.shared.withLock { _ in }
    return SecretRegion.everyMappingIsLocked.load(ordering: .relaxed)
  }

  /// How many bytes are in use, counted from the start.
  ///
  /// The bytes after them are zero.
  public internal(set) var count: Int {
    // SAFETY: the header is `headerSize` bytes at the start of a block that this value owns.
    get { unsafe block.load(as: Int.self) }
    nonmutating set { unsafe block.storeBytes(of: newValue, as: Int.self) }
  }

  @usableFromInline var content: UnsafeMutableRawPointer { unsafe block + Self.headerSize }

  /// Appends a byte; false if the secret is full.
  ///
  /// The bytes never move.
  public mutating func append(_ byte: UInt8) -> Bool {
    let end = count
    guard end < capacity else { return false }
    // SAFETY: end < capacity, so the byte lies in the content.
    unsafe content.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
    count = end + 1
    return true
  }

  /// Appends all of `other`, for which there must be room, and returns its range.
  @discardableResult
  public mutating func append(contentsOf other: borrowing Secret) -> Range<Int> {
    let start = count
    precondition(other.count <= capacity - start, "there is room for every secret")
    // SAFETY: both blocks live for the call, and the room behind `start` was checked.
    unsafe (content + start).copyMemory(from: other.content, byteCount: other.count)
    count = start + other.count
    return start..<count
  }

  /// Wipes and drops the last byte; does nothing if the secret is empty.
  public mutating func removeLast() {
    guard count > 0 else { return }
    setCount(count - 1)
  }

  /// Wipes and drops all bytes.
  public mutating func removeAll() {
    setCount(0)
  }

  /// Lends the bytes in use to `body`, which must not keep the pointer or copy the bytes elsewhere.
  @unsafe @inlinable
  public func withUnsafeBytes<R: ~Copyable, E>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> R
  ) throws(E) -> R {
    // SAFETY: the content lives as long as `self`, which is borrowed for the call.
    try unsafe body(UnsafeRawBufferPointer(start: content, count: count))
  }

  /// Lends the whole capacity to `body`, which sets the count of bytes in use afterwards.
  ///
  /// Bytes beyond the new count are wiped, also when `body` throws. A count outside the capacity
  /// ends the process. `body` must not keep the pointer or copy the bytes elsewhere.
  @unsafe @inlinable
  public mutating func withUnsafeMutableBytes<R: ~Copyable, E>(
    _ body: (UnsafeMutableRawBufferPointer, inout Int) throws(E) -> R
  ) throws(E) -> R {
    var used = count
    defer { setCount(used) }
    // SAFETY: the content lives as long as `self`, to which the call has exclusive access.
    return try unsafe body(UnsafeMutableRawBufferPointer(start: content, count: capacity), &used)
  }

  /// How many characters it has as UTF-8.
  package var characterCount: Int {
    // SAFETY: the bytes are lent for the call.
    unsafe withUnsafeBytes { bytes in unsafe bytes.count { $0 & 0xC0 != 0x80 } }
  }

  /// Whether both hold the same bytes, in a time that depends only on the lengths.
  public func isEqual(to other: borrowing Secret) -> Bool {
    let size = count
    guard size == other.count else { return false }
    // SAFETY: both contents hold `size` bytes and live for the call.
    return unsafe la_equal_constant_time(content, other.content, size)
  }

  @usableFromInline mutating func setCount(_ newCount: Int) {
    precondition(newCount >= 0 && newCount <= capacity, "a secret's count lies in its capacity")
    count = newCount
    // SAFETY: the range from `newCount` to `capacity` lies in the content.
    unsafe explicit_bzero(content + newCount, capacity - newCount)
  }
}
