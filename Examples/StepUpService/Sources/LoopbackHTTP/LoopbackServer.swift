import Glibc

/// Serves HTTP/1.1 to programs of this machine, one request after the other.
///
/// It stands for the framework that a service has. There is no TLS here, so it listens on the loopback
/// interface and nowhere else.
public struct LoopbackServer: ~Copyable {
  /// There is no such port, or it is taken.
  public struct CannotListen: Error {
    /// The port.
    public let port: UInt16
    /// The number of the error.
    public let code: Int32
  }

  /// How long a client may take to send its request and to take its answer, in seconds.
  static let patience = 5

  /// Where it listens.
  public let port: UInt16
  private let listener: Int32

  /// Listens on a port; 0 lets the system choose one.
  public init(port: UInt16) throws(CannotListen) {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var one: Int32 = 1
    setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = INADDR_LOOPBACK.bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isListening = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
        bind(listener, pointer, size) == 0 && listen(listener, 16) == 0
          && getsockname(listener, pointer, &size) == 0
      }
    }
    guard isListening else {
      let code = errno
      close(listener)
      throw CannotListen(port: port, code: code)
    }
    self.listener = listener
    self.port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close(listener) }

  /// Answers requests until the process ends.
  public func serve(_ answer: (HTTPRequest) -> HTTPResponse) {
    while true {
      let client = accept(listener, nil, nil)
      guard client >= 0 else { continue }
      Self.limit(client)
      if let head = Self.readHead(client) {
        let response =
          HTTPRequest(head: head).map(answer)
          ?? HTTPResponse(.badRequest, #"{"error":"no request of HTTP/1.1 without a body"}"#)
        Self.write(response.bytes, to: client)
      }
      close(client)
    }
  }

  private static func limit(_ client: Int32) {
    var limit = timeval(tv_sec: patience, tv_usec: 0)
    let size = socklen_t(MemoryLayout<timeval>.size)
    setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &limit, size)
    setsockopt(client, SOL_SOCKET, SO_SNDTIMEO, &limit, size)
  }

  /// Everything up to the empty line, or too much; nil where neither came in time.
  private static func readHead(_ client: Int32) -> [UInt8]? {
    // Who sends a byte now and then would keep everybody else waiting.
    let deadline = ContinuousClock.now + .seconds(patience)
    var head: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 4096)
    while !head.contains(Array("\r\n\r\n".utf8)), head.count <= HTTPRequest.sizeMax {
      let count = recv(client, &chunk, chunk.count, 0)
      guard count > 0, ContinuousClock.now < deadline else { return nil }
      head += chunk[..<count]
    }
    return head
  }

  private static func write(_ bytes: [UInt8], to client: Int32) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }
}
