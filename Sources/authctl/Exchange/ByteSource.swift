import Glibc
import LocalAuthSecret

/// A file, byte by byte, through secret memory.
struct ByteSource: ~Copyable {
  private let descriptor: Int32
  private var buffer = Secret(capacity: 64 * 1024)
  private var next = 0
  /// How many bytes of the record were read.
  private var recordBytes = 0
  /// The line of the next byte, counted from 1.
  private(set) var line = 1
  /// The error that ended reading, `EFBIG` for a record that is too long; 0 for none.
  private(set) var error: Int32 = 0

  init(_ descriptor: Int32) { self.descriptor = descriptor }

  /// Begins another record, which may have ``ExchangeLimits/record`` bytes.
  mutating func beginRecord() { recordBytes = 0 }

  /// Returns the next byte and leaves it there; nil at the end.
  mutating func peek() -> UInt8? {
    guard error == 0, next < buffer.count || fill() else { return nil }
    // SAFETY: the byte is read within the call, and `next` is below the count.
    return unsafe buffer.withUnsafeBytes { unsafe $0[next] }
  }

  /// Returns the next byte; nil at the end.
  mutating func read() -> UInt8? {
    guard let byte = peek() else { return nil }
    guard recordBytes < ExchangeLimits.record else {
      // What never ends a line is never read to its end.
      error = EFBIG
      return nil
    }
    recordBytes += 1
    next += 1
    if byte == UInt8(ascii: "\n") { line += 1 }
    return byte
  }

  private mutating func fill() -> Bool {
    next = 0
    buffer.removeAll()
    while true {
      // SAFETY: the read fills at most the room.
      let count = unsafe buffer.withUnsafeMutableBytes { room, used in
        let count = unsafe Glibc.read(descriptor, room.baseAddress, room.count)
        used = max(count, 0)
        return count
      }
      if count < 0, errno == EINTR { continue }
      if count < 0 { error = errno }
      return count > 0
    }
  }
}
