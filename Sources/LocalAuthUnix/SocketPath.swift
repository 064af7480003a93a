import CLocalAuthLinux
import Glibc

/// A path bound by a listening socket, and the device and inode of the socket file.
struct SocketPath {
  private let path: String
  private let device: UInt
  private let inode: UInt

  /// Binds `socket` to `path` and listens, replacing a socket file on which no process listens.
  init(binding socket: Int32, to path: String, mode: UInt32, backlog: Int32) throws(SystemError) {
    let directory = Self.directory(of: path)
    // SAFETY: here and below, the C functions read a path that lives for the call.
    let lock = try FileDescriptor(
      owning: unsafe SystemError.check(la_directory_lock(directory), "flock", subject: directory)
    )
    defer { _ = lock.rawValue }
    _ = try SystemError.check(
      unsafe la_socket_bind(socket, path, mode),
      "bind",
      subject: path
    )
    _ = try SystemError.check(la_socket_listen(socket, backlog), "listen", subject: path)
    guard let file = Self.file(path) else { throw SystemError("lstat", code: errno, subject: path) }
    self.path = path
    device = UInt(file.st_dev)
    inode = UInt(file.st_ino)
  }

  /// Removes the path if it still leads to the file that was bound here.
  func remove() {
    guard let file = Self.file(path), file.st_dev == device, file.st_ino == inode else { return }
    unsafe unlink(path)
  }

  private static func file(_ path: String) -> stat? {
    var file = stat()
    // SAFETY: the kernel fills `file`, which outlives the call.
    return unsafe lstat(path, &file) == 0 ? file : nil
  }

  private static func directory(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
