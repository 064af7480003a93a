import CLocalAuthLinux
import Glibc
import Testing

/// A listener that starts workers for the connections of one user.
final class ListeningWorker {
  let path: String
  let folder: String
  let process: pid_t

  init(in folder: String, for user: uid_t = getuid(), service: String = "service") throws {
    self.folder = folder
    path = "\(folder)/worker.sock"
    let socket = try CallSocket(listeningAt: path)
    process = try Program.start(
      SpawnedWorker.path,
      ["--listen", "--daemon", "\(user)", "--service", service, "--confdir", folder],
      descriptor: socket.descriptor
    ).get()
  }

  deinit {
    kill(-process, SIGKILL)
    _ = Program.wait(process)
  }

  /// The processes that it has started and not ended.
  var children: [pid_t] {
    get throws {
      let list = try ProcessMemory.read("/proc/\(process)/task/\(process)/children")
      return String(decoding: list, as: UTF8.self).split(separator: " ").compactMap { pid_t($0) }
    }
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

  /// A new worker, on a socket of the test's.
  func connect() throws -> ListenersWorker {
    let place = "\(folder)/\(WorkerConnection.freshName().prefix(8)).sock"
    let socket = try CallSocket(listeningAt: place)
    let lifeline = try CallSocket(connectedTo: path)
    try #require(la_send_descriptor(lifeline.descriptor, socket.descriptor) == 0)
    return ListenersWorker(at: place, lifeline)
  }
}

/// A worker that a listener has started.
final class ListenersWorker: WorkerConnection {
  /// Hanging up ends the worker.
  let lifeline: CallSocket

  init(at path: String, _ lifeline: CallSocket) {
    self.lifeline = lifeline
    super.init(at: path)
  }
}
