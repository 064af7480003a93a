import LocalAuthClient
import LocalAuthUnix
import Synchronization

/// A place where no service is.
struct NoService: ConnectionSource {
  func connect() throws(ClientError) -> DaemonConnection {
    throw .unreachable("nobody is there")
  }
  func connectToRunning() throws(ClientError) -> DaemonConnection { try connect() }
}

/// The frames that a service was sent.
final class RequestLog: Sendable {
  private let requests = Mutex<[String]>([])

  var last: String { requests.withLock { $0.last ?? "" } }

  func append(_ request: String) { requests.withLock { $0.append(request) } }
}

/// A service that gives prepared answers, right or wrong, one for each request it is sent.
struct PreparedService: ConnectionSource {
  /// Frames without their NUL.
  let replies: [String]
  /// Writes down what it is asked.
  var log = RequestLog()

  func connect() throws(ClientError) -> DaemonConnection {
    guard let pair = try? SocketPair() else { throw .unreachable("no sockets") }
    let ours = pair.split { ours, theirs in
      let socket = Served(theirs)
      // The thread ends when the client closes its end.
      _ = try? SystemThread(name: "prepared") { [replies, log] in socket.serve(replies, log) }
      return ours
    }
    guard let socket = try? ClientSocket(descriptor: ours) else { throw .unreachable("no memory") }
    return DaemonConnection(socket: socket)
  }

  func connectToRunning() throws(ClientError) -> DaemonConnection { try connect() }

  private final class Served: Sendable {
    private let descriptor: Mutex<FileDescriptor?>

    init(_ descriptor: consuming FileDescriptor) { self.descriptor = Mutex(consume descriptor) }

    func serve(_ replies: [String], _ log: RequestLog) {
      let taken = descriptor.withLock { held in held.take() }
      guard let taken, var socket = try? ClientSocket(descriptor: taken) else { return }
      for reply in replies {
        let request = try? unsafe socket.receiveFrame { frame in
          unsafe String(decoding: frame, as: UTF8.self)
        }
        guard let request else { return }
        log.append(request)
        let bytes = Array(reply.utf8) + [0]
        guard (try? unsafe bytes.withUnsafeBytes { try unsafe socket.send($0) }) != nil else {
          return
        }
      }
      _ = try? unsafe socket.receiveFrame { _ in }
    }
  }
}
