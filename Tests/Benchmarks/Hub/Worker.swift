import Glibc
import LocalAuthCrypto
import LocalAuthSecret
import LocalAuthSync
import LocalAuthUnix

/// A file that is read as a whole.
struct File {
  let bytes: [UInt8]

  init(_ path: String) throws {
    // SAFETY: the string is a C string for the call.
    let number = unsafe open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { throw Mistake(what: "\(path) cannot be read") }
    bytes = try FileDescriptor(owning: number).readAvailable(limit: 1 << 16)
  }
}

/// `localauth-sync`, connected to a hub.
final class Worker {
  private let child: ChildProcess
  private let socket: FileDescriptor
  private var number: UInt32 = 0
  private var buffer = HubFrameBuffer()

  init(_ program: String, _ directory: String, _ code: InvitationCode) throws {
    let pair = try SocketPair()
    var request = SpawnRequest(
      executable: program,
      descriptors: [.null, .null, .duplicate(of: 2), .duplicate(of: pair.theirs.rawValue)]
    )
    request.diesWithParent = true
    child = try ChildProcess.spawn(request)
    socket = pair.takeOurs()
    guard let role = code.hubRole(), let password = code.hubPassword(),
      let address = HubAddress(host: directory, database: "postgres", role: role)
    else { throw Mistake(what: "no address") }
    try send(.connect(address))
    try write(HubFrame.header(password.text.count))
    // SAFETY: the bytes are lent for the call.
    try unsafe password.text.withUnsafeBytes { try unsafe socket.writeAll($0) }
    guard case .done = try receive() else { throw Mistake(what: "not connected") }
  }

  /// Asks, and waits for the reply.
  func ask(_ request: HubRequest) throws -> HubReply {
    try send(request)
    return try receive()
  }

  /// Waits until it says that there is news.
  func waitForNews() throws {
    while try next().reply != .notice(.news) {}
  }

  private func send(_ request: HubRequest) throws {
    number += 1
    let message = request.bytes(number: number)
    try write(HubFrame.header(message.count) + message)
  }

  private func receive() throws -> HubReply {
    while true {
      let message = try next()
      if message.number == number { return message.reply }
    }
  }

  private func next() throws -> (number: UInt32, reply: HubReply) {
    while true {
      if let message = try buffer.next() {
        guard let read = HubReply.read(message) else { throw Mistake(what: "no reply") }
        return read
      }
      let bytes = try socket.readAvailable(limit: 1 << 16)
      guard !bytes.isEmpty else { throw Mistake(what: "the worker has ended") }
      buffer.append(bytes)
    }
  }

  private func write(_ bytes: [UInt8]) throws {
    // SAFETY: the bytes are lent for the call.
    try unsafe bytes.withUnsafeBytes { try unsafe socket.writeAll($0) }
  }
}
