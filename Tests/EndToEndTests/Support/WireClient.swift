import Glibc
import LocalAuthJSON
import LocalAuthUnix

/// A blocking client that shares no code with the one people use, and can break every rule.
final class WireClient: @unchecked Sendable {
  /// One reply.
  struct Reply: Sendable {
    var error: String?
    var parameters: JSONValue
    var continues: Bool
  }

  enum Failure: Error {
    /// The daemon closed the connection.
    case closed
    case timedOut
    case notJSON(String)
    case system(SystemError)
  }

  /// How long the client waits for anything; only a test that fails waits so long.
  static let patience = Duration.seconds(60)

  let descriptor: Int32
  private var isOpen = true
  private var received: [UInt8] = []
  /// What has to live as long as its client.
  private let server: (any Sendable)?

  /// Takes a socket over that is connected already.
  init(descriptor: Int32, of server: (any Sendable)?) {
    self.descriptor = descriptor
    self.server = server
  }

  init(_ path: String, of server: (any Sendable)? = nil) throws(Failure) {
    self.server = server
    descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard descriptor >= 0 else { throw .system(SystemError("socket", code: errno)) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the path is shorter than the array, which was zeroed.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      unsafe bytes.copyBytes(from: path.utf8.prefix(107))
    }
    // SAFETY: the address is valid for the call and of that size.
    let connected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard connected == 0 else {
      let error = SystemError("connect", code: errno, subject: path)
      Glibc.close(descriptor)
      throw .system(error)
    }
  }

  deinit { close() }

  /// Closes the connection.
  func close() {
    guard isOpen else { return }
    isOpen = false
    Glibc.close(descriptor)
  }

  /// Says that nothing more will be sent.
  func finishSending() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

  /// Sends bytes as they are.
  func send(_ bytes: [UInt8]) throws(Failure) {
    var rest = bytes[...]
    while !rest.isEmpty {
      // SAFETY: the slice's storage is valid in the closure.
      let count = unsafe rest.withUnsafeBytes { bytes in
        unsafe Glibc.send(descriptor, bytes.baseAddress, bytes.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else {
        throw errno == EPIPE || errno == ECONNRESET
          ? .closed : .system(SystemError("send", code: errno))
      }
      rest = rest.dropFirst(count)
    }
  }

  /// Sends text and the NUL that ends a frame.
  func send(frame text: String) throws(Failure) { try send(Array(text.utf8) + [0]) }

  /// Sends a call.
  func send(
    _ method: String,
    _ parameters: JSONValue = [:],
    more: Bool = false,
    oneway: Bool = false
  ) throws(Failure) {
    var members: [JSONValue.Member] = [
      .init(key: "method", value: .text(method)), .init(key: "parameters", value: parameters),
    ]
    if more { members.append(.init(key: "more", value: true)) }
    if oneway { members.append(.init(key: "oneway", value: true)) }
    var bytes: [UInt8] = []
    do {
      try JSONValue(.object(members)).write(into: &bytes)
    } catch {
      throw .notJSON("\(error)")
    }
    try send(bytes + [0])
  }

  /// Receives one frame without its NUL.
  func receiveFrame(within limit: Duration = patience) throws(Failure) -> [UInt8] {
    let deadline = Deadline.after(limit)
    while true {
      if let end = received.firstIndex(of: 0) {
        let frame = Array(received[..<end])
        received.removeFirst(end + 1)
        return frame
      }
      try receive(until: deadline)
    }
  }

  /// Receives one reply.
  func receive(within limit: Duration = patience) throws(Failure) -> Reply {
    let frame = try receiveFrame(within: limit)
    do {
      let value = try JSONValue(parsing: frame.span)
      return Reply(
        error: value["error"]?.string,
        parameters: value["parameters"] ?? [:],
        continues: value["continues"]?.boolean ?? false
      )
    } catch {
      throw .notJSON(String(decoding: frame, as: UTF8.self))
    }
  }

  /// Whether the daemon has closed the connection, without a further frame.
  func isClosedByPeer(within limit: Duration = patience) -> Bool {
    do throws(Failure) {
      _ = try receiveFrame(within: limit)
      return false
    } catch {
      if case .closed = error { return true }
      return false
    }
  }

  /// Calls a method and returns its only reply.
  func call(_ method: String, _ parameters: JSONValue = [:]) throws(Failure) -> Reply {
    try send(method, parameters)
    return try receive()
  }

  /// Calls a method with `more` and returns all replies, the last one included.
  func stream(_ method: String, _ parameters: JSONValue = [:]) throws(Failure) -> [Reply] {
    try send(method, parameters, more: true)
    return try receiveRest()
  }

  /// Receives up to the reply that no other follows.
  func receiveRest() throws(Failure) -> [Reply] {
    var replies: [Reply] = []
    while true {
      let reply = try receive()
      replies.append(reply)
      if !reply.continues { return replies }
    }
  }

  private func receive(until deadline: Deadline) throws(Failure) {
    do {
      guard try Poll.wait(for: descriptor, until: deadline) else { throw Failure.timedOut }
    } catch let error as SystemError {
      throw .system(error)
    } catch {
      throw .timedOut
    }
    var chunk = [UInt8](repeating: 0, count: 65_536)
    // SAFETY: the array's storage is valid for the call and `count` bytes long.
    let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
    if count < 0, errno == EINTR { return }
    guard count > 0 else {
      throw count == 0 || errno == ECONNRESET
        ? .closed : .system(SystemError("recv", code: errno))
    }
    received += chunk[..<count]
  }
}

extension JSONValue {
  /// A string.
  static func text(_ text: String) -> JSONValue { JSONValue(.string(text)) }

  /// A whole number.
  static func number(_ number: some BinaryInteger) -> JSONValue {
    JSONValue(.integer(Int64(clamping: number)))
  }

  var string: String? {
    if case .string(let text) = content { return text }
    return nil
  }

  var integer: Int? {
    if case .integer(let number) = content { return Int(number) }
    return nil
  }

  var boolean: Bool? {
    if case .bool(let value) = content { return value }
    return nil
  }

  var elements: [JSONValue] {
    if case .array(let elements) = content { return elements }
    return []
  }

  /// The object with these members in place of its own.
  func setting(_ changes: [String: JSONValue]) -> JSONValue {
    guard case .object(let members) = content else { return self }
    let kept = members.filter { changes[$0.key] == nil }
    return JSONValue(
      .object(kept + changes.sorted { $0.key < $1.key }.map { .init(key: $0.key, value: $0.value) })
    )
  }
}
