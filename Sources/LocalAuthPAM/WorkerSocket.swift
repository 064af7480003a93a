import CLocalAuthLinux
import Glibc

/// The socket on which workers listen where no service manager makes it.
public enum WorkerSocket {
  /// Makes the socket at `path`, open to the user `daemon` alone, in a directory that only this user
  /// can write to, and listens on it.
  ///
  /// A socket on which no process listens is replaced.
  public static func make(at path: String, for daemon: UInt32) throws(WorkerSocketError) -> Int32 {
    guard path.hasPrefix("/"), let slash = path.lastIndex(of: "/") else { throw .relative(path) }
    let directory = slash == path.startIndex ? "/" : String(path[..<slash])
    try prepare(directory)
    let socket = la_socket_create()
    guard socket >= 0 else { throw .failed("socket", errno: -socket) }
    do throws(WorkerSocketError) {
      try bind(socket, to: path, in: directory, for: daemon)
    } catch {
      close(socket)
      throw error
    }
    return socket
  }

  private static func prepare(_ directory: String) throws(WorkerSocketError) {
    // SAFETY: here and below, the C functions read a path that lives for the call.
    let made = unsafe mkdir(directory, 0o755)
    guard made == 0 || errno == EEXIST else { throw .failed("mkdir \(directory)", errno: errno) }
    var facts = stat()
    guard unsafe lstat(directory, &facts) == 0 else {
      throw .failed("lstat \(directory)", errno: errno)
    }
    guard facts.st_mode & S_IFMT == S_IFDIR, facts.st_uid == geteuid(), facts.st_mode & 0o022 == 0
    else { throw .openDirectory(directory) }
    // The mask for new files may have closed it to the daemon.
    guard made != 0 || (unsafe chmod(directory, 0o755)) == 0 else {
      throw .failed("chmod \(directory)", errno: errno)
    }
  }

  private static func bind(
    _ socket: Int32,
    to path: String,
    in directory: String,
    for daemon: UInt32
  ) throws(WorkerSocketError) {
    let lock = unsafe la_directory_lock(directory)
    guard lock >= 0 else { throw .failed("flock \(directory)", errno: -lock) }
    defer { close(lock) }
    let bound = unsafe la_socket_bind(socket, path, 0o600)
    guard bound >= 0 else { throw .failed("bind \(path)", errno: -bound) }
    // The daemon's from before anybody can connect; the listener asks the kernel once more.
    guard unsafe lchown(path, daemon, .max) == 0 else {
      throw .failed("chown \(path)", errno: errno)
    }
    let listening = la_socket_listen(socket, 64)
    guard listening >= 0 else { throw .failed("listen \(path)", errno: -listening) }
  }
}

/// Why the socket of the workers was not made.
public enum WorkerSocketError: Error, Equatable, CustomStringConvertible {
  /// The path is not absolute.
  case relative(String)
  /// The directory is another user's, or others may write to it.
  case openDirectory(String)
  /// A system call failed.
  case failed(String, errno: Int32)

  /// One line that says what to do.
  public var description: String {
    switch self {
    case .relative(let path): "\(path) is not absolute: name the socket by its whole path"
    case .openDirectory(let path):
      "\(path) has to be root's directory to which nobody else may write: chown and chmod it"
    case .failed(let call, let number):
      // SAFETY: strerror returns a C string that is copied before any other call.
      "\(call): \(unsafe String(cString: strerror(number)))"
    }
  }
}
