import CLocalAuthLinux
import Glibc
import LocalAuthUnix
import Synchronization

/// A pipe through which single bytes go.
final class BytePipe: Sendable {
  private let reader: FileDescriptor
  private let writer: Mutex<FileDescriptor?>
  /// The end that a program is given.
  let writingEnd: Int32

  init() {
    var ends: (reader: Int32, writer: Int32) = (-1, -1)
    // SAFETY: both pointers are valid for the call.
    guard unsafe la_pipe(&ends.reader, &ends.writer) == 0 else { fatalError("pipe: \(errno)") }
    reader = FileDescriptor(owning: ends.reader)
    writer = Mutex(FileDescriptor(owning: ends.writer))
    writingEnd = ends.writer
  }

  func write() {
    var byte: UInt8 = 1
    // SAFETY: one byte is read from a variable that outlives the call.
    _ = unsafe Glibc.write(writingEnd, &byte, 1)
  }

  /// Gives up our writing end, so that only a program holds one.
  func closeWriter() { writer.withLock { $0 = nil } }

  /// Waits for a byte; false at the end, and when the time is over.
  func read(within limit: Duration = .seconds(3600)) -> Bool {
    var byte: UInt8 = 0
    guard (try? Poll.wait(for: reader.rawValue, until: .after(limit))) == true else { return false }
    // SAFETY: one byte is written to a variable that outlives the call.
    return unsafe Glibc.read(reader.rawValue, &byte, 1) == 1
  }
}

/// Wakes one waiting thread for each time it was raised.
final class Signal: Sendable {
  private let pipe = BytePipe()

  func raise() { pipe.write() }

  func wait() {
    while !pipe.read() {}
  }
}
