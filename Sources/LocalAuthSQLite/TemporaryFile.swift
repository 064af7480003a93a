import CLocalAuthLinux
import Glibc
import LocalAuthFileFormat
import LocalAuthFiles
import LocalAuthUnix
import Synchronization

/// What SQLite sorts or keeps aside, under a key that nothing but this process has.
final class TemporaryFile: PagedFile {
  private let file: Mutex<EncryptedFile>

  /// Makes a file without a name.
  init() throws(FileFailure) {
    guard let descriptor = Self.directories.lazy.compactMap({ Self.open(in: $0) }).first else {
      throw .system("open")
    }
    file = Mutex(
      try FileFailure.translating { () throws(ProtectedFileError) in
        try EncryptedFile.temporary(on: descriptor)
      }
    )
  }

  /// A new file without a name in `directory`; nil if none can be made there.
  private static func open(in directory: String) -> Int32? {
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe Glibc.open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { return nil }
    let file = FileDescriptor(owning: opened)
    let made = la_unnamed_file(file.rawValue, 0o600)
    return made < 0 ? nil : made
  }

  /// Where SQLite looks, in its order.
  private static var directories: [String] {
    ["SQLITE_TMPDIR", "TMPDIR"].compactMap { (name: String) -> String? in
      // SAFETY: the result is copied at once.
      unsafe getenv(name).map { unsafe String(cString: $0) }
    } + ["/var/tmp", "/usr/tmp", "/tmp", "."]
  }

  var length: Int {
    get throws(FileFailure) {
      try withFile { (file) throws(ProtectedFileError) in file.length }
    }
  }

  @unsafe
  func read(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(FileFailure) -> Int {
    try withFile { (file) throws(ProtectedFileError) in try unsafe file.read(buffer, at: offset) }
  }

  @unsafe
  func write(_ bytes: UnsafeRawBufferPointer, at offset: Int) throws(FileFailure) {
    try withFile { (file) throws(ProtectedFileError) in try unsafe file.write(bytes, at: offset) }
  }

  func truncate(to length: Int) throws(FileFailure) {
    try withFile { (file) throws(ProtectedFileError) in try file.truncate(to: length) }
  }

  /// A file that is gone after a crash is never durable.
  func synchronize() {}

  func close() {}

  private func withFile<Value: Sendable>(
    _ body: (EncryptedFile) throws(ProtectedFileError) -> Value
  ) throws(FileFailure) -> Value {
    try FileFailure.translating { () throws(ProtectedFileError) in
      try file.withLock { (file) throws(ProtectedFileError) in try body(file) }
    }
  }
}
