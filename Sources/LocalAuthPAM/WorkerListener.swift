import CLocalAuthLinux
import Glibc

/// Starts one worker per connection to a listening socket, and ends it with the connection.
///
/// It runs as root, because modules that check the passwords of all accounts need it, loads no
/// module itself, and reads no message: the daemon passes the listening socket on which the worker
/// shall serve it. The kernel's peer credentials limit connections to one user, the account of the
/// daemon. When the daemon hangs up, the worker is killed with whatever its modules started.
public struct WorkerListener {
  /// The most connections at a time, each with its worker or before; further ones are closed.
  public static let connectionsMax = 64
  /// How long a connection may take to pass its socket.
  public static let waitMax = Duration.seconds(2)

  private struct Worker {
    let process: Int32
    let handle: Int32
    let connection: Int32
  }

  /// A connection that has not passed its socket yet.
  private struct Newcomer {
    let connection: Int32
    /// When it is closed, on the clock of ``now()``.
    let end: Int64
  }

  /// The process name of a worker, with which the journal tags what its modules write.
  static let workerName = "localauth-pam-worker"

  private let listener: Int32
  private let daemon: UInt32
  private let program: String
  private let arguments: [String]
  private var workers: [Worker] = []
  private var newcomers: [Newcomer] = []
  /// Whether connections wait because the system is out of descriptors or memory: until a worker
  /// ends, or for a second.
  private var isPaused = false

  /// Creates a listener for the listening socket `descriptor`.
  ///
  /// - Parameters:
  ///   - descriptor: the socket.
  ///   - daemon: the only uid that may connect.
  ///   - program: the absolute path of the worker, which gets the passed socket as descriptor 3.
  ///   - arguments: the arguments of the worker.
  public init(descriptor: Int32, daemon: UInt32, program: String, arguments: [String]) {
    listener = descriptor
    self.daemon = daemon
    self.program = program
    self.arguments = arguments
  }

  /// Serves until the socket fails, and returns the reason.
  public mutating func run() -> WorkerFailure {
    guard la_socket_is_listener(listener) == 1 else { return WorkerFailure(code: ENOTSOCK) }
    let prepared = la_socket_set_nonblocking(listener)
    guard prepared >= 0 else { return WorkerFailure(code: -prepared) }
    while true {
      var entries = entries
      // SAFETY: the array's storage is valid for the call and has `count` entries.
      guard unsafe poll(&entries, nfds_t(entries.count), patience) >= 0 else {
        if errno == EINTR { continue }
        return WorkerFailure(code: errno)
      }
      isPaused = false
      let (ofWorkers, ofNewcomers) = (1, 1 + 2 * workers.count)
      let ready = entries[ofNewcomers...].map { $0.revents != 0 }
      endWorkers(entries[ofWorkers..<ofNewcomers].map { $0.revents != 0 })
      hear(ready)
      guard entries[0].revents != 0 else { continue }
      if let failure = acceptOne() { return failure }
    }
  }

  /// The listener, then each worker with its connection, then the newcomers.
  private var entries: [pollfd] {
    // A negative descriptor is not waited for.
    var entries = [pollfd(fd: isPaused ? -1 : listener, events: Int16(POLLIN), revents: 0)]
    for worker in workers {
      entries.append(pollfd(fd: worker.handle, events: Int16(POLLIN), revents: 0))
      // A hang-up is reported without being asked for.
      entries.append(pollfd(fd: worker.connection, events: 0, revents: 0))
    }
    for newcomer in newcomers {
      entries.append(pollfd(fd: newcomer.connection, events: Int16(POLLIN), revents: 0))
    }
    return entries
  }

  /// How long to wait, in milliseconds; -1 for as long as nothing happens.
  private var patience: Int32 {
    let time = newcomers.map { max(0, $0.end - Self.now()) }.min()
    let pause: Int64? = isPaused ? 1000 : nil
    return [time, pause].compactMap(\.self).min().map { Int32(clamping: $0) } ?? -1
  }

  /// Starts the workers of the newcomers that have passed their socket, and gives up on others.
  private mutating func hear(_ ready: [Bool]) {
    let now = Self.now()
    let known = newcomers
    newcomers = []
    for (newcomer, isReady) in zip(known, ready) {
      guard isReady else {
        if newcomer.end > now { newcomers.append(newcomer) } else { close(newcomer.connection) }
        continue
      }
      if let worker = start(for: newcomer.connection) {
        workers.append(worker)
      } else {
        close(newcomer.connection)
      }
    }
  }

  /// Ends each worker of which one of the two signs is set: it has ended, or was abandoned.
  private mutating func endWorkers(_ signs: [Bool]) {
    var living: [Worker] = []
    for (index, worker) in workers.enumerated() {
      if signs[2 * index] || signs[2 * index + 1] { end(worker) } else { living.append(worker) }
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

  private mutating func acceptOne() -> WorkerFailure? {
    let connection = la_socket_accept(listener)
    guard connection >= 0 else {
      switch -connection {
      case EAGAIN, EINTR, ECONNABORTED: return nil
      case EMFILE, ENFILE, ENOBUFS, ENOMEM:
        isPaused = true
        return nil
      default: return WorkerFailure(code: -connection)
      }
    }
    guard isDaemon(connection), workers.count + newcomers.count < Self.connectionsMax else {
      close(connection)
      return nil
    }
    let end = Self.now() + Self.waitMax.components.seconds * 1000
    newcomers.append(Newcomer(connection: connection, end: end))
    return nil
  }

  private func isDaemon(_ connection: Int32) -> Bool {
    var peer = la_peer()
    // SAFETY: `peer` outlives the call that fills it.
    return unsafe la_peer_credentials(connection, &peer) >= 0 && peer.uid == daemon
  }

  /// Starts the worker on the socket that was passed, which must be one that listens.
  private func start(for connection: Int32) -> Worker? {
    let socket = la_receive_descriptor(connection)
    guard socket >= 0 else { return nil }
    defer { close(socket) }
    guard la_socket_is_listener(socket) == 1 else { return nil }
    return start(on: socket, for: connection)
  }

  private func start(on socket: Int32, for connection: Int32) -> Worker? {
    var result = unsafe la_spawned()
    let words = [Self.workerName] + arguments
    let variables = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]
    // SAFETY: strings and arrays live until the call returns, after the child's execve.
    let outcome = unsafe Self.withCStrings(words) { words in
      unsafe Self.withCStrings(variables) { variables in
        let descriptors: [Int32] = [-1, -1, 2, socket]
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

  /// Milliseconds of a clock that only advances.
  private static func now() -> Int64 {
    var time = timespec()
    // SAFETY: the pointer is valid for the call; the clock exists on every Linux.
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
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
