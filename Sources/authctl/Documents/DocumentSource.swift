import Glibc
import LocalAuthCore
import LocalAuthUnix

/// Where the content of a document comes from: a file, or standard input.
struct DocumentSource: ~Copyable {
  /// The most bytes of a document.
  private static let sizeMax = 4 << 30
  private let path: String
  private let file: FileDescriptor

  /// Opens the file at `path`; standard input if nil, which must not be a terminal.
  init(_ path: String?) throws(Failure) {
    self.path = path ?? "Standard input"
    file = FileDescriptor(owning: try Self.open(path))
  }

  private static func open(_ path: String?) throws(Failure) -> Int32 {
    if let path { return try openFile(path) }
    guard isatty(STDIN_FILENO) == 0 else {
      throw Failure(.usage, "Standard input is a terminal: give the file as an argument.")
    }
    let copy = dup(STDIN_FILENO)
    guard copy >= 0 else { throw Failure(.usage, errno: errno, "Standard input cannot be read") }
    return copy
  }

  private static func openFile(_ path: String) throws(Failure) -> Int32 {
    // SAFETY: the string is a C string for the length of the call.
    let opened = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard opened >= 0 else { throw Failure(.usage, errno: errno, "\(path) cannot be read") }
    var status = stat()
    // SAFETY: the structure lives for the call.
    guard unsafe fstat(opened, &status) == 0, status.st_mode & S_IFMT != S_IFDIR else {
      close(opened)
      throw Failure(.usage, "\(path) is a directory: name a file.")
    }
    guard status.st_size <= sizeMax else {
      close(opened)
      throw Failure(.usage, "\(path) has more than 4 GiB, which is the most that a document has.")
    }
    return opened
  }

  /// The next `count` bytes, fewer at the end, and none behind it.
  func next(_ count: Int) throws(Failure) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let read = unsafe bytes.withUnsafeMutableBytes { room in
        // SAFETY: the rest of the array is written.
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: room[filled...])
        return unsafe Glibc.read(file.rawValue, rest.baseAddress, rest.count)
      }
      if read == 0 { break }
      guard read > 0 || errno == EINTR else {
        throw Failure(.usage, errno: errno, "\(path) cannot be read")
      }
      filled += max(read, 0)
    }
    return Array(bytes.prefix(filled))
  }
}
