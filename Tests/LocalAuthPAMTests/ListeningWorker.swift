import Glibc
import Testing

/// A listener that starts workers for the connections of one user.
final class ListeningWorker {
  let path: String
  let process: pid_t

  init(in folder: String, for user: uid_t = getuid(), service: String = "service") throws {
    path = "\(folder)/worker.sock"
    let socket = try Self.socket()
    defer { close(socket) }
    let code = try unsafe Self.withAddress(path) { unsafe bind(socket, $0, $1) }
    try #require(code == 0)
    try #require(listen(socket, 4) == 0)
    process = try Program.start(
      SpawnedWorker.path,
      ["--listen", "--daemon", "\(user)", "--service", service, "--confdir", folder],
      descriptor: socket
    ).get()
  }

  deinit {
    kill(-process, SIGKILL)
    _ = Program.wait(process)
  }

  /// How many descriptors the listener has, which it numbers from 0.
  var descriptorCount: Int {
    var count = 0
    var status = stat()
    while unsafe lstat("/proc/\(process)/fd/\(count)", &status) == 0 { count += 1 }
    return count
  }

  /// Lets the listener have at most `count` descriptors.
  func limitDescriptors(to count: Int) throws {
    let words = ["--pid", "\(process)", "--nofile=\(count):1024"]
    try #require(Program.run("/usr/bin/prlimit", words) == .status(0))
  }

  /// A new connection to the worker.
  func connect() throws -> WorkerConnection {
    let socket = try Self.socket()
    let code = try unsafe Self.withAddress(path) { unsafe Glibc.connect(socket, $0, $1) }
    try #require(code == 0)
    return WorkerConnection(socket: socket)
  }

  private static func socket() throws -> Int32 {
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    let descriptor = Glibc.socket(AF_UNIX, kind, 0)
    try #require(descriptor >= 0)
    return descriptor
  }

  private static func withAddress(
    _ path: String,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) throws -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      unsafe bytes.copyBytes(from: path.utf8.prefix(bytes.count - 1))
    }
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        unsafe body(pointer, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
  }
}
