import Glibc
import Synchronization

/// A daemon that answers as a test tells it to, on a socket in a directory of its own.
///
/// Each connection has a thread; the handler is called with one frame at a time of all connections,
/// and may write to any of them. Everything is gone when the value goes.
public final class FakeDaemon: Sendable {
  /// A frame that a client sent.
  public struct Request: Sendable {
    /// The frame's text, without its NUL.
    public let text: String
    /// Which connection it came on, from 0 on in the order of their acceptance.
    public let connection: Int
  }

  private struct State: Sendable {
    var connections: [Int32] = []
    var requests: [Request] = []
    var threads: [pthread_t] = []
  }

  /// What decides what is answered; it is called under a lock of its own.
  public typealias Handler = @Sendable (FakeDaemon, Request) -> Void

  /// The directory that the socket lies in: mode 0700, removed with the daemon.
  public let directory: String
  private let listener: Int32
  private let handler: Handler
  private let turn = Mutex(())
  private let state = Mutex(State())

  /// Where it listens.
  public var path: String { directory + "/socket" }

  /// The frames of all connections so far.
  public var requests: [Request] { state.withLock { $0.requests } }

  /// Begins to listen.
  public init(_ handler: @escaping Handler) {
    self.handler = handler
    var template = Array("/tmp/localauth-fake-XXXXXX".utf8CString)
    // SAFETY: the array is a C string that mkdtemp overwrites in place.
    guard unsafe mkdtemp(&template) != nil else { fatalError("mkdtemp: errno \(errno)") }
    directory = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    Self.bind(listener, to: directory + "/socket")
    listen(listener, 16)
    start { daemon in daemon.acceptAll() }
  }

  deinit {
    // SAFETY: the strings are C strings for the length of the calls.
    unsafe unlink(directory + "/socket")
    unsafe rmdir(directory)
  }

  /// Answers with a frame on the connection of `request`.
  public func reply(_ text: String, to request: Request) { send(text, on: request.connection) }

  /// Sends a frame on any connection.
  public func send(_ text: String, on connection: Int) {
    send(Array(text.utf8) + [0], on: connection)
  }

  /// Sends bytes as they are.
  public func send(_ bytes: [UInt8], on connection: Int) {
    let descriptor = state.withLock { $0.connections[connection] }
    var rest = bytes[...]
    while !rest.isEmpty {
      // SAFETY: the buffer is the array's own, valid inside the closure.
      let count = unsafe rest.withUnsafeBytes {
        unsafe Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Closes a connection from this side.
  public func close(_ connection: Int) {
    let descriptor = state.withLock { $0.connections[connection] }
    shutdown(descriptor, Int32(SHUT_RDWR))
  }

  /// Ends every connection and thread; must be called, because the threads keep the value alive.
  public func end() {
    shutdown(listener, Int32(SHUT_RDWR))
    // The first thread accepts; once it has ended, neither a connection nor a thread is added.
    let acceptor = state.withLock { $0.threads.removeFirst() }
    pthread_join(acceptor, nil)
    let (connections, threads) = state.withLock { ($0.connections, $0.threads) }
    for connection in connections { shutdown(connection, Int32(SHUT_RDWR)) }
    for thread in threads { pthread_join(thread, nil) }
    for connection in connections { Glibc.close(connection) }
    Glibc.close(listener)
  }

  // MARK: Threads

  private func acceptAll() {
    while true {
      let descriptor = accept(listener, nil, nil)
      guard descriptor >= 0 else { return }
      let number = state.withLock { state in
        state.connections.append(descriptor)
        return state.connections.count - 1
      }
      start { daemon in daemon.serve(number, descriptor) }
    }
  }

  private func serve(_ number: Int, _ descriptor: Int32) {
    var received: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      // SAFETY: the array's storage is valid for the call and has `count` bytes.
      let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
      guard count > 0 else { return }
      received += chunk[..<count]
      while let end = received.firstIndex(of: 0) {
        let request = Request(
          text: String(decoding: received[..<end], as: UTF8.self),
          connection: number
        )
        received.removeFirst(end + 1)
        state.withLock { $0.requests.append(request) }
        turn.withLock { _ in handler(self, request) }
      }
    }
  }

  private final class Body {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
  }

  private func start(_ body: @escaping @Sendable (FakeDaemon) -> Void) {
    let boxed = unsafe Unmanaged.passRetained(Body { body(self) }).toOpaque()
    var thread = pthread_t()
    // SAFETY: the retained body is taken back exactly once, in the thread.
    let error = unsafe pthread_create(
      &thread,
      nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      },
      boxed
    )
    precondition(error == 0, "pthread_create: \(error)")
    state.withLock { $0.threads.append(thread) }
  }

  private static func bind(_ descriptor: Int32, to path: String) {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the structure is larger than the path and zero behind it.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      for (index, byte) in path.utf8.enumerated() { unsafe room[index] = byte }
    }
    // SAFETY: the structure lives for the call and is given its size.
    let outcome = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        unsafe Glibc.bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    precondition(outcome == 0, "bind: errno \(errno)")
  }
}
