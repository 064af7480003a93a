import CLocalAuthLinux
import Glibc
import LocalAuthCore
import LocalAuthRNCryptor
import LocalAuthSecret
import LocalAuthUnix

/// A file or stream to read from, for messages and what they are made of.
struct MessageSource: ~Copyable {
  let name: String
  private let file: FileDescriptor

  /// Opens the file at `path`; standard input without.
  init(_ path: String?) throws(Failure) {
    name = path ?? "Standard input"
    guard let path else {
      file = FileDescriptor(owning: fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0))
      return
    }
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard opened >= 0 else { throw Failure(.usage, errno: errno, "\(path) cannot be opened") }
    file = FileDescriptor(owning: opened)
  }

  private init(_ name: String, _ file: consuming FileDescriptor) {
    self.name = name
    self.file = file
  }

  /// The bytes of a regular file; nil for anything else.
  var size: Int? {
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(file.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return nil
    }
    return Int(status.st_size)
  }

  /// Appends the next `count` bytes to `chunk`, or what is left; returns how many.
  ///
  /// `offset` is where to read in a file; without, reading goes on where it ended.
  func read(
    _ count: Int,
    at offset: Int? = nil,
    into chunk: inout Secret
  ) throws(Failure) -> Int {
    var total = 0
    while total < count {
      let from = offset.map { $0 + total }
      // SAFETY: the read fills at most the room behind what is in use, which is in the capacity.
      let read = unsafe chunk.withUnsafeMutableBytes { room, used in
        let free = unsafe UnsafeMutableRawBufferPointer(
          rebasing: room[used..<(used + count - total)]
        )
        let read =
          if let from { unsafe pread(file.rawValue, free.baseAddress, free.count, from) } else {
            unsafe Glibc.read(file.rawValue, free.baseAddress, free.count)
          }
        used += max(read, 0)
        return read
      }
      if read == 0 { break }
      guard read > 0 || errno == EINTR else {
        throw Failure(.usage, errno: errno, "\(name) cannot be read")
      }
      total += max(read, 0)
    }
    return total
  }

  /// Returns `count` bytes of a file from `offset`; fewer where it ends.
  func bytes(_ count: Int, at offset: Int) throws(Failure) -> [UInt8] {
    var chunk = Secret(capacity: count)
    _ = try read(count, at: offset, into: &chunk)
    // SAFETY: the bytes are copied within the call.
    return unsafe chunk.withUnsafeBytes { unsafe Array($0) }
  }

  /// Returns a copy of what is left to read that no other program can change: in memory, or above
  /// ``ChunkPipeline/inlineSize`` in a file without a name.
  func copied() throws(Failure) -> MessageSource {
    var copy = FileDescriptor(owning: try Self.check(unsafe la_memory_file("message")))
    var chunk = Secret(capacity: ChunkPipeline.chunkSize)
    var total = 0
    while try read(chunk.capacity, into: &chunk) > 0 {
      if total == ChunkPipeline.inlineSize { copy = try Self.file(with: copy) }
      guard Output.write(chunk, to: copy.rawValue) else {
        throw Failure(copying: errno)
      }
      total += chunk.count
      chunk.removeAll()
    }
    return MessageSource(name, copy)
  }

  /// Returns a file without a name that has the content of `memory`.
  private static func file(
    with memory: consuming FileDescriptor
  ) throws(Failure) -> FileDescriptor {
    let path = ProcessEnvironment.current["TMPDIR"] ?? "/tmp"
    // SAFETY: the string is a C string for the duration of the call.
    let opened = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard opened >= 0 else { throw Failure(copying: errno) }
    let directory = FileDescriptor(owning: opened)
    let file = FileDescriptor(owning: try check(la_unnamed_file(directory.rawValue, 0o600)))
    let source = MessageSource("memory", memory)
    var chunk = Secret(capacity: ChunkPipeline.inlineSize)
    _ = try source.read(chunk.capacity, at: 0, into: &chunk)
    guard Output.write(chunk, to: file.rawValue) else { throw Failure(copying: errno) }
    return file
  }

  private static func check(_ result: Int32) throws(Failure) -> Int32 {
    guard result >= 0 else { throw Failure(copying: -result) }
    return result
  }
}

extension Failure {
  /// The failure of a copy of a stream.
  fileprivate init(copying number: Int32) {
    self.init(.internalError, errno: number, "The message cannot be copied before it is verified")
  }
}
