import Glibc
import LocalAuthCrypto
import LocalAuthSecret
import LocalAuthSync
import LocalAuthUnix
import Synchronization

/// `localauth-sync`, and what the daemon would be for it.
final class HubWorker: Sendable {
  struct NoReply: Error {
    let what: String
  }

  private struct State {
    var number: UInt32 = 0
    var buffer = HubFrameBuffer()
    /// What it said by itself.
    var notices: [HubNotice] = []
  }

  let program: RunningProgram
  private let daemon: FileDescriptor
  private let errors: Captured
  private let state = Mutex(State())

  init(arguments: [String] = []) throws {
    errors = try Captured()
    let pair = try SocketPair()
    program = try RunningProgram(
      SpawnRequest(
        executable: Machine.localauthSync,
        arguments: arguments,
        // What libpq would take from there must not count.
        environment: ["PATH=/usr/bin:/bin", "PGSSLMODE=disable", "PGHOST=nowhere"],
        descriptors: [
          .null, .null, .duplicate(of: errors.descriptor), .duplicate(of: pair.theirs.rawValue),
        ]
      )
    )
    daemon = pair.takeOurs()
  }

  /// What it said on its standard error.
  var complaints: String { errors.text }

  /// Connects it to a hub.
  func connect(_ address: HubAddress, _ password: borrowing Secret) throws -> HubReply {
    try send(.connect(address))
    try write(HubFrame.header(password.count))
    // SAFETY: the bytes are lent for the call.
    try unsafe password.withUnsafeBytes { try unsafe daemon.writeAll($0) }
    return try receive()
  }

  /// Asks, and waits for the reply.
  func ask(_ request: HubRequest) throws -> HubReply {
    try send(request)
    return try receive()
  }

  /// Sends a request without waiting.
  func send(_ request: HubRequest) throws {
    let number = state.withLock { state in
      state.number += 1
      return state.number
    }
    let message = request.bytes(number: number)
    try write(HubFrame.header(message.count) + message)
  }

  /// Sends any bytes.
  func write(_ bytes: [UInt8]) throws {
    // SAFETY: the bytes are lent for the call.
    try unsafe bytes.withUnsafeBytes { try unsafe daemon.writeAll($0) }
  }

  /// Says that nobody asks any more, as the end of the daemon does.
  func hangUp() { daemon.shutDown() }

  /// The reply to the last request; notices that come before are kept.
  func receive(within limit: Duration = .seconds(60)) throws -> HubReply {
    try state.withLock { state in
      while true {
        let message = try next(&state, until: .after(limit))
        if case .notice(let notice) = message.reply {
          state.notices.append(notice)
          continue
        }
        guard message.number == state.number else { throw NoReply(what: "\(message)") }
        return message.reply
      }
    }
  }

  /// Waits until it says that there is news, if it has not since the last time.
  func waitForNews(within limit: Duration = .seconds(60)) throws {
    _ = try waitForNotice(within: limit) { $0 == .news }
  }

  /// Waits until it says something by itself that is meant, and forgets what it said before.
  func waitForNotice(
    within limit: Duration = .seconds(60),
    where isMeant: (HubNotice) -> Bool
  ) throws -> HubNotice {
    try state.withLock { state in
      while true {
        if let notice = state.notices.first(where: isMeant) {
          state.notices = []
          return notice
        }
        guard case .notice(let notice) = try next(&state, until: .after(limit)).reply else {
          throw NoReply(what: "a reply that nobody asked for")
        }
        state.notices.append(notice)
      }
    }
  }

  private func next(
    _ state: inout State,
    until deadline: Deadline
  ) throws -> (number: UInt32, reply: HubReply) {
    while true {
      if let message = try state.buffer.next() {
        guard let read = HubReply.read(message) else { throw NoReply(what: "no reply") }
        return read
      }
      guard try Poll.wait(for: daemon.rawValue, until: deadline) else {
        throw NoReply(what: "nothing in time; \(complaints)")
      }
      let bytes = try daemon.readAvailable(limit: 1 << 16)
      guard !bytes.isEmpty else { throw NoReply(what: "its end; \(complaints)") }
      state.buffer.append(bytes)
    }
  }
}

extension HubDevice {
  /// Where it is for a worker; by default at the server's socket.
  func address(_ directory: String? = nil, role: HubRole? = nil) throws -> HubAddress {
    let address = HubAddress(
      host: directory ?? server.directory,
      database: "postgres",
      role: role ?? self.role
    )
    guard let address else { throw HubError.unexpected("no address") }
    return address
  }

  /// A worker of the first device's that is connected.
  func worker() throws -> HubWorker {
    let worker = try HubWorker()
    let reply = try worker.connect(address(), password.text)
    guard reply == .done else { throw HubWorker.NoReply(what: "\(reply)") }
    return worker
  }
}
