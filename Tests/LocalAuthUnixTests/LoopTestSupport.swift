import CLocalAuthLinux
import Glibc
import LocalAuthCore
import LocalAuthUnix
import Testing

extension EventLoop {
  /// Runs turns until `condition` holds; a turn in which nothing happens for ten seconds, or a
  /// hundred thousand turns, are a failure.
  func run(
    until condition: () -> Bool,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    for _ in 0..<100_000 {
      if condition() { return }
      if try runOnce(timeout: .seconds(10)) == 0, !condition() { break }
    }
    Issue.record("the loop came to rest before the condition held", sourceLocation: sourceLocation)
  }

  /// Runs a few turns without waiting, for what must not happen.
  func settle() throws {
    for _ in 0..<4 { _ = try runOnce(timeout: .zero) }
  }
}

/// Two connected sockets: one for the loop, and the peer's, which the test reads and writes itself.
struct StreamPair: ~Copyable {
  let near: FileDescriptor
  var far: FileDescriptor?

  init() throws {
    var ends: [Int32] = [-1, -1]
    try #require(unsafe socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    near = FileDescriptor(owning: ends[0])
    far = FileDescriptor(owning: ends[1])
  }

  consuming func take() -> (near: Int32, far: TestPeer) {
    let number = far?.rawValue ?? -1
    let peer = TestPeer(FileDescriptor(owning: dup(number)))
    return (near.release(), peer)
  }
}

/// The client's end of a connection, used in blocking or non-blocking calls by the test.
final class TestPeer {
  private var socket: FileDescriptor?
  let number: Int32

  init(_ socket: consuming FileDescriptor) {
    number = socket.rawValue
    self.socket = consume socket
  }

  /// A client connected to the socket at `path`.
  init(path: String) throws {
    let created = FileDescriptor(owning: la_socket_create())
    try #require(unsafe la_socket_connect(created.rawValue, path) == 0)
    number = created.rawValue
    socket = consume created
  }

  func close() { socket = nil }

  func endOutput() { shutdown(number, Int32(SHUT_WR)) }

  /// Sends as much as the socket takes now; gives how much that was.
  @discardableResult
  func send(_ bytes: [UInt8]) -> Int {
    unsafe bytes.withUnsafeBytes { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return unsafe la_send(number, start, buffer.count)
    }
  }

  /// Sends the text and a NUL.
  @discardableResult
  func sendFrame(_ text: String) -> Int { send(Array(text.utf8) + [0]) }

  enum Reading: Equatable {
    case bytes([UInt8])
    case nothing
    case end
    case reset
  }

  /// What has arrived, at most `limit` bytes.
  func receive(limit: Int = 65_536) -> Reading {
    var bytes = [UInt8](repeating: 0, count: limit)
    var sender: pid_t = 0
    let got = unsafe bytes.withUnsafeMutableBytes { buffer in
      guard let start = buffer.baseAddress else { return 0 }
      return unsafe la_receive(number, start, limit, &sender)
    }
    switch got {
    case 1...: return .bytes(Array(bytes.prefix(got)))
    case 0: return .end
    case -Int(EAGAIN): return .nothing
    default: return .reset
    }
  }

  /// Sends bytes and with them a descriptor.
  func pass(_ descriptor: Int32, with bytes: [UInt8]) throws {
    // A cmsghdr: its length, SOL_SOCKET, SCM_RIGHTS, and what it carries.
    var control = [UInt64](repeating: 0, count: 3)
    unsafe control.withUnsafeMutableBytes { room in
      unsafe room.storeBytes(of: 20, toByteOffset: 0, as: Int.self)
      unsafe room.storeBytes(of: SOL_SOCKET, toByteOffset: 8, as: Int32.self)
      unsafe room.storeBytes(of: 1, toByteOffset: 12, as: Int32.self)
      unsafe room.storeBytes(of: descriptor, toByteOffset: 16, as: Int32.self)
    }
    var bytes = bytes
    let size = bytes.count
    let sent = unsafe bytes.withUnsafeMutableBytes { text in
      unsafe control.withUnsafeMutableBytes { room in
        var part = unsafe iovec(iov_base: text.baseAddress, iov_len: size)
        // SAFETY: everything that the message points to lives until the call has returned.
        return unsafe withUnsafeMutablePointer(to: &part) { part in
          var message = unsafe msghdr()
          unsafe message.msg_iov = part
          unsafe message.msg_iovlen = 1
          unsafe message.msg_control = room.baseAddress
          unsafe message.msg_controllen = room.count
          return unsafe sendmsg(number, &message, 0)
        }
      }
    }
    try #require(sent == size)
  }

  /// Everything that has arrived.
  func receiveAll() -> [UInt8] {
    var all: [UInt8] = []
    while case .bytes(let more) = receive() { all += more }
    return all
  }
}

/// What a connection's handlers were told.
final class Recorder {
  var frames: [[UInt8]] = []
  var reasons: [CloseReason] = []
  var texts: [String] { frames.map { String(decoding: $0, as: UTF8.self) } }

  /// A started connection over one end of a pair, and the other end.
  static func connect(
    on loop: EventLoop,
    limits: ConnectionLimits = ConnectionLimits(),
    onFrame: ((Connection, Recorder) -> Void)? = nil
  ) throws -> (connection: Connection, peer: TestPeer, recorder: Recorder) {
    let (near, peer) = try StreamPair().take()
    let recorder = Recorder()
    let connection = Connection(
      FileDescriptor(owning: near),
      peer: try PeerIdentity(of: near),
      on: loop,
      limits: limits
    )
    try connection.start(
      onFrame: { connection, frame in
        var bytes: [UInt8] = []
        for index in frame.indices { bytes.append(frame[index]) }
        recorder.frames.append(bytes)
        onFrame?(connection, recorder)
      },
      onClose: { _, reason in recorder.reasons.append(reason) }
    )
    return (connection, peer, recorder)
  }
}

/// A directory that is removed with everything in it.
final class TemporaryDirectory {
  let path: String

  init() throws {
    var template = Array("/tmp/localauth-unix-XXXXXX".utf8CString)
    let made = unsafe mkdtemp(&template) != nil
    try #require(made)
    path = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
  }

  deinit {
    for name in ["s", "t", "file"] { unsafe unlink("\(path)/\(name)") }
    unsafe rmdir(path)
  }
}

/// The seed of this run: `SEED` from the environment, or 11.
enum TestSeed {
  static var value: UInt64 {
    guard let text = unsafe getenv("SEED") else { return 11 }
    return UInt64(unsafe String(cString: text)) ?? 11
  }
}
