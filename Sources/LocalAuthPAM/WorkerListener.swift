import CLocalAuthLinux
import Glibc

/// Starts one worker per connection to a listening socket, and ends it with the connection.
///
/// It runs as root, because modules that check the passwords of all accounts need it, and loads no
/// module itself. The kernel's peer credentials limit connections to one user, the account of the
/// daemon. When the daemon hangs up, the worker is killed with whatever its modules started.
public struct WorkerListener {
  /// The most workers at a time; further connections are closed.
  public static let workersMax = 64

  private struct Worker {
    let process: Int32
    let handle: Int32
    let connection: Int32
  }

  /// The process name of a worker, with which the journal tags what its modules write.
  static let workerName = "localauth-pam-worker"

  private let listener: Int32
  private let daemon: UInt32
  private let program: String
  private let arguments: [String]
  private var workers: [Worker] = []
  /// Whether connections wait because the system is out of descriptors or memory: until a worker
  /// ends, or for a second.
  private var isPaused = false

  /// Creates a listener for the listening socket `descriptor`.
  ///
  /// - Parameters:
  ///   - descriptor: the socket.
  ///   - daemon: the only uid that may connect.
  ///   - program: the absolute path of the worker, which gets its connection as descriptor 3.
  ///   - arguments: the arguments of the worker.
  public init(descriptor: Int32, daemon: UInt32, program: String, arguments: [String]) {
    listener = descriptor
    self.daemon = daemon
    self.program = program
    self.arguments = arguments
  }

  /// Serves until the socket fails, and returns the reason.
  public mutating func run() -> WorkerEnding {
    guard la_socket_is_listener(listener) == 1 else { return .failed(errno: ENOTSOCK) }
    let prepared = la_socket_set_nonblocking(listener)
    guard prepared >= 0, fcntl(listener, F_SETFD, FD_CLOEXEC) == 0 else {
      return .failed(errno: prepared < 0 ? -prepared : errno)
    }
    while true {
      // A negative descriptor is not waited for.
      var entries = [pollfd(fd: isPaused ? -1 : listener, events: Int16(POLLIN), revents: 0)]
      for worker in workers {
        entries.append(pollfd(fd: worker.handle, events: Int16(POLLIN), revents: 0))
        // A hang-up is reported without being asked for.
        entries.append(pollfd(fd: worker.connection, events: 0, revents: 0))
      }
      // SAFETY: the array's storage is valid for the call and has `count` entries.
      guard unsafe poll(&entries, nfds_t(entries.count), isPaused ? 1000 : -1) >= 0 else {
        if errno == EINTR { continue }
        return .failed(errno: errno)
      }
      isPaused = false
      endWorkers(entries)
      guard entries[0].revents != 0 else { continue }
      if let ending = acceptOne() { return ending }
    }
  }

  private mutating func endWorkers(_ entries: [pollfd]) {
    var living: [Worker] = []
    for (index, worker) in workers.enumerated() {
      let hasEnded = entries[1 + 2 * index].revents != 0
      let isAbandoned = entries[2 + 2 * index].revents != 0
      if hasEnded || isAbandoned { end(worker) } else { living.append(worker) }
    }
    workers = living
  }

  /// Kills the worker's process group before reaping, while the id cannot belong to another one.
  private func end(_ worker: Worker) {
    kill(-worker.process, SIGKILL)
    var exit = la_exit()
    // SAFETY: the shim fills `exit`, which outlives the call.
    _ = unsafe la_child_exit(worker.handle, true, true, &exit)
    close(worker.handle)
    close(worker.connection)
  }

  private mutating func acceptOne() -> WorkerEnding? {
    let connection = la_socket_accept(listener)
    guard connection >= 0 else {
      switch -connection {
      case EAGAIN, EINTR, ECONNABORTED: return nil
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        isPaused = true
        return nil
      default: return .failed(errno: -connection)
      }
    }
    guard isDaemon(connection), workers.count < Self.workersMax,
      let worker = start(on: connection)
    else {
      close(connection)
      return nil
    }
    workers.append(worker)
    return nil
  }

  private func isDaemon(_ connection: Int32) -> Bool {
    var peer = la_peer()
    // SAFETY: `peer` outlives the call that fills it.
    return unsafe la_peer_credentials(connection, &peer) >= 0 && peer.uid == daemon
  }

  private func start(on connection: Int32) -> Worker? {
    var result = unsafe la_spawned()
    let words = [Self.workerName] + arguments
    let variables = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
    // SAFETY: strings and arrays live until the call returns, after the child's execve.
    let outcome = unsafe Self.withCStrings(words) { words in
      unsafe Self.withCStrings(variables) { variables in
        let descriptors: [Int32] = [-1, -1, 2, connection]
        return unsafe descriptors.withUnsafeBufferPointer { descriptors -> Int32 in
          guard let numbers = descriptors.baseAddress else { return -EINVAL }
          return unsafe program.withCString { path in
            unsafe "/".withCString { root in
              var request = unsafe la_spawn_request(
                path: path,
                arguments: words,
                environment: variables,
                directory: root,
                descriptors: numbers,
                descriptor_count: Int32(descriptors.count),
                dies_with_parent: true,
                detached: false
              )
              return unsafe la_spawn(&request, &result)
            }
          }
        }
      }
    }
    guard outcome >= 0 else { return nil }
    return unsafe Worker(process: result.pid, handle: result.pidfd, connection: connection)
  }

  private static func withCStrings<Result>(
    _ strings: [String],
    _ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result
  ) -> Result {
    var copies: [UnsafeMutablePointer<CChar>?] = unsafe strings.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    return unsafe body(&copies)
  }
}
