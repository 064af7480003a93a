import Glibc
import LocalAuthWire
import Testing

/// A stream socket of the test's, in the daemon's place.
final class CallSocket {
  let descriptor: Int32
  private var received: [UInt8] = []

  /// Takes over a socket.
  init(owning descriptor: Int32) { self.descriptor = descriptor }

  /// Connects to the socket at `path`.
  init(connectedTo path: String) throws {
    descriptor = try Self.socket()
    let code = try unsafe Self.withAddress(path) { unsafe connect(descriptor, $0, $1) }
    try #require(code == 0, "connect \(path)")
    // A worker that says nothing fails the test instead of stopping it.
    var limit = timeval(tv_sec: 30, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    #expect(unsafe setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &limit, size) == 0)
  }

  /// Listens at `path`.
  init(listeningAt path: String) throws {
    descriptor = try Self.socket()
    let code = try unsafe Self.withAddress(path) { unsafe bind(descriptor, $0, $1) }
    try #require(code == 0, "bind \(path)")
    try #require(listen(descriptor, 16) == 0)
  }

  deinit { close(descriptor) }

  /// Calls a method.
  func call(_ method: some AnyMethod, _ parameters: some WireObject) throws {
    var frame: [UInt8] = []
    try IncomingCall.write(
      method.name,
      parameters,
      more: method.replies == .stream,
      to: &frame
    )
    send(frame)
  }

  /// Sends bytes as they are; a peer that hangs up meanwhile is none of this call's business.
  func send(_ bytes: [UInt8]) {
    var sent = 0
    while sent < bytes.count {
      let count = unsafe bytes.withUnsafeBytes { bytes in
        unsafe Glibc.send(
          descriptor,
          bytes.baseAddress?.advanced(by: sent),
          bytes.count - sent,
          Int32(MSG_NOSIGNAL)
        )
      }
      guard count > 0 else { return }
      sent += count
    }
  }

  /// The next frame without its NUL; nil when the peer has hung up.
  func frame() throws -> [UInt8]? {
    while true {
      if let end = received.firstIndex(of: 0) {
        let frame = Array(received[..<end])
        received.removeFirst(end + 1)
        return frame
      }
      var piece = [UInt8](repeating: 0, count: 4096)
      let count = unsafe recv(descriptor, &piece, piece.count, 0)
      if count == 0 || count < 0 && errno == ECONNRESET {
        try #require(received.isEmpty, "half a reply")
        return nil
      }
      try #require(count > 0, "the worker said nothing")
      received += piece[..<count]
    }
  }

  /// The next reply: its error, or what it says, and whether more follow.
  func reply<Reply: WireObject>(_ type: Reply.Type) throws -> Heard<Reply>? {
    guard let frame = try frame() else { return nil }
    return try unsafe frame.withUnsafeBytes { bytes in
      let reply = try unsafe IncomingReply(frame: bytes)
      if let error = reply.error {
        let parameters = try unsafe ServiceMessages.ErrorParameters.read(
          reply.parameters,
          of: bytes
        )
        return .error(error, parameters.message ?? "")
      }
      return .reply(try unsafe Reply.read(reply.parameters, of: bytes), reply.continues)
    }
  }

  enum Heard<Reply> {
    case reply(Reply, Bool)
    case error(String, String)

    /// The name of the error, without that of its interface.
    var error: String? {
      guard case .error(let name, _) = self else { return nil }
      return name.split(separator: ".").last.map(String.init)
    }
  }

  /// Lets the peer see the end of what is sent.
  func hangUp() { shutdown(descriptor, Int32(SHUT_RDWR)) }

  /// Whether the peer has hung up, now or soon.
  var isAtEnd: Bool {
    var byte: UInt8 = 0
    return unsafe recv(descriptor, &byte, 1, 0) == 0 || errno == ECONNRESET
  }

  static func socket() throws -> Int32 {
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
