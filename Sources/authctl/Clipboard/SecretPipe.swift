import Glibc
import LocalAuthSecret
import LocalAuthUnix

/// A pipe; what is written to its input is read from its output.
struct SecretPipe: ~Copyable {
  private var reading: FileDescriptor?
  private var writing: FileDescriptor?
  /// The end to read from, valid until ``closeOutput()``.
  let output: Int32
  /// The end to write to, valid until ``closeInput()``.
  let input: Int32

  /// Makes a pipe; nil if there are no descriptors left.
  init?() {
    var ends: [Int32] = [-1, -1]
    // SAFETY: the array has room for two numbers.
    guard unsafe pipe(&ends) == 0 else { return nil }
    // A program that is started gets the descriptors that are named for it, whatever this says.
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (output, input) = (ends[0], ends[1])
    reading = FileDescriptor(owning: output)
    writing = FileDescriptor(owning: input)
  }

  /// Closes the end to read from.
  mutating func closeOutput() { reading = nil }

  /// Closes the end to write to, after which the reader finds the end.
  mutating func closeInput() { writing = nil }

  /// Writes a secret; false if nobody reads it in time.
  static func write(
    _ secret: borrowing Secret,
    to descriptor: Int32,
    within milliseconds: Int32
  ) -> Bool {
    let flags = fcntl(descriptor, F_GETFL)
    _ = fcntl(descriptor, F_SETFL, flags | O_NONBLOCK)
    // SAFETY: the bytes are written within the call.
    return unsafe secret.withUnsafeBytes { bytes in
      var written = 0
      while written < bytes.count {
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
        let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
        written += max(count, 0)
        if count > 0 || errno == EINTR { continue }
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard errno == EAGAIN, unsafe poll(&entry, 1, milliseconds) > 0 else { return false }
      }
      return true
    }
  }

  /// Writes one byte.
  static func write(_ byte: UInt8, to descriptor: Int32) -> Bool {
    var byte = byte
    // SAFETY: the byte lives for the call.
    return unsafe Glibc.write(descriptor, &byte, 1) == 1
  }
}
