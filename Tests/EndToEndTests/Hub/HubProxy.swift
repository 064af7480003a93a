import Glibc
import LocalAuthTestSupport
import LocalAuthUnix
import Synchronization

/// Somebody between a device and its hub, at a socket of its own, who does something to the bytes.
final class HubProxy: Sendable {
  /// What it does.
  enum Mischief: Sendable {
    /// Nothing: it passes on what comes.
    case none
    /// It passes on single bytes.
    case dribble
    /// It closes both sides once so many bytes of the hub have passed.
    case cut(after: Int)
    /// It says everything of the hub's twice.
    case stutter
    /// It changes one byte of the hub's in so many.
    case flip(oneIn: Int)
    /// It swallows what the hub says.
    case silence
    /// It closes both sides, once, in the middle of what one of them says.
    case trip(Side, after: Int)
    /// It passes so many requests on, and then does something, once.
    case atRequest(Int, @Sendable () -> Void)
    /// It passes a request with these words on, and then does something, once.
    case atWords(String, @Sendable () -> Void)
  }

  /// Who says something.
  enum Side: CaseIterable, Sendable {
    case device
    case hub
  }

  /// What has passed since something began.
  struct Passed: Sendable {
    var bytes: [Side: Int] = [:]
    var requests = 0
  }

  /// The directory of its socket.
  let directory: String
  private let scratch = Scratch()
  private let hub: String
  private let mischief = Mutex(Mischief.none)
  private let tally = Mutex(Passed())
  private let random = Mutex(SeededGenerator.ofThisRun)
  private let listener: FileDescriptor
  private let isStopping = Atomic(false)
  /// How often all connections were closed.
  private let cuts = Atomic(0)
  private let threads = Mutex<[SystemThread]>([])

  init(before server: PostgreSQLServer) throws {
    directory = scratch.path
    hub = server.directory + "/.s.PGSQL.5432"
    listener = try Self.socket()
    let bound = unsafe Self.withAddress(directory + "/.s.PGSQL.5432") { address, size in
      unsafe bind(listener.rawValue, address, size)
    }
    guard bound == 0, listen(listener.rawValue, 16) == 0 else {
      throw SystemError("bind", code: errno)
    }
    let thread = try SystemThread(name: "proxy", stackSize: 1 << 20) { [unowned self] in accept() }
    threads.withLock { $0.append(thread) }
  }

  deinit { stop() }

  /// Ends it, and all that it passes on.
  func stop() {
    isStopping.store(true, ordering: .relaxed)
    for thread in threads.withLock({ $0.removingAll() }) { thread.join() }
  }

  /// Does this from now on.
  func begin(_ mischief: Mischief) {
    tally.withLock { $0 = Passed() }
    self.mischief.withLock { $0 = mischief }
  }

  /// What has passed since ``begin(_:)``.
  var passed: Passed { tally.withLock { $0 } }

  /// Closes all connections that there are.
  func cut() { cuts.add(1, ordering: .relaxed) }

  /// The seed of what is random.
  var seed: UInt64 { random.withLock { $0.seed } }

  private func accept() {
    while !isStopping.load(ordering: .relaxed) {
      guard (try? Poll.wait(for: listener.rawValue, until: .after(.milliseconds(50)))) == true
      else {
        continue
      }
      let number = Glibc.accept(listener.rawValue, nil, nil)
      guard number >= 0 else { continue }
      let client = FileDescriptor(owning: number)
      guard let server = try? Self.socket(),
        unsafe Self.withAddress(hub, { unsafe connect(server.rawValue, $0, $1) }) == 0
      else { continue }
      let pair = (client.release(), server.release())
      let thread = try? SystemThread(name: "proxied", stackSize: 1 << 20) { [unowned self] in
        pass(FileDescriptor(owning: pair.0), FileDescriptor(owning: pair.1))
      }
      if let thread { threads.withLock { $0.append(thread) } }
    }
  }

  private func pass(_ client: consuming FileDescriptor, _ server: consuming FileDescriptor) {
    var said = 0
    let begun = cuts.load(ordering: .relaxed)
    while !isStopping.load(ordering: .relaxed), cuts.load(ordering: .relaxed) == begun {
      let ready = try? DescriptorWait.readable(
        among: [client.rawValue, server.rawValue],
        until: .after(.milliseconds(50))
      )
      for descriptor in ready ?? [] {
        let isHub = descriptor == server.rawValue
        let bytes =
          (try? isHub ? server.readAvailable(limit: 4096) : client.readAvailable(limit: 4096))
        guard let bytes, !bytes.isEmpty else { return }
        if let rest = trip(isHub ? .hub : .device, bytes) {
          _ = isHub ? Self.write(rest, to: client) : Self.write(rest, to: server)
          return
        }
        if !isHub {
          guard Self.write(bytes, to: server) else { return }
          count(bytes)
          continue
        }
        guard let changed = change(bytes, &said) else { return }
        for piece in changed where !Self.write(piece, to: client) { return }
      }
    }
  }

  /// Notes what passes; the bytes before the end of the connection, if it ends here.
  private func trip(_ side: Side, _ bytes: [UInt8]) -> [UInt8]? {
    let before = tally.withLock { tally in
      defer { tally.bytes[side, default: 0] += bytes.count }
      return tally.bytes[side] ?? 0
    }
    return mischief.withLock { mischief in
      guard case .trip(side, let count) = mischief, before + bytes.count > count else { return nil }
      mischief = .none
      return Array(bytes.prefix(max(0, count - before)))
    }
  }

  /// Counts a request that has passed.
  private func count(_ bytes: [UInt8]) {
    let number = tally.withLock { tally in
      tally.requests += 1
      return tally.requests
    }
    let body: (@Sendable () -> Void)? = mischief.withLock { mischief in
      switch mischief {
      case .atRequest(number, let body):
        mischief = .none
        return body
      case .atWords(let words, let body):
        guard bytes.contains(Array(words.utf8)) else { return nil }
        mischief = .none
        return body
      default: return nil
      }
    }
    body?()
  }

  /// What becomes of bytes of the hub's; nil for the end.
  private func change(_ bytes: [UInt8], _ said: inout Int) -> [[UInt8]]? {
    said += bytes.count
    switch mischief.withLock({ $0 }) {
    case .none, .trip, .atRequest, .atWords: return [bytes]
    case .dribble: return bytes.map { [$0] }
    case .cut(let count): return said > count ? nil : [bytes]
    case .stutter: return [bytes, bytes]
    case .flip(let interval):
      return [
        random.withLock { random in
          bytes.map { byte in
            Int.random(in: 0..<interval, using: &random) == 0
              ? byte ^ UInt8.random(in: 1...255, using: &random) : byte
          }
        }
      ]
    case .silence: return []
    }
  }

  private static func write(_ bytes: [UInt8], to socket: borrowing FileDescriptor) -> Bool {
    // SAFETY: the bytes are lent for the call.
    (try? unsafe bytes.withUnsafeBytes { try unsafe socket.writeAll($0) }) != nil
  }

  private static func socket() throws -> FileDescriptor {
    let number = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
    guard number >= 0 else { throw SystemError("socket", code: errno) }
    return FileDescriptor(owning: number)
  }

  private static func withAddress(
    _ path: String,
    _ body: (UnsafePointer<sockaddr>, socklen_t) -> Int32
  ) -> Int32 {
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the path is shorter than the address has room for, whose rest is zero.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { room in
      unsafe room.copyBytes(from: path.utf8.prefix(room.count - 1))
    }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    return unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { unsafe body($0, size) }
    }
  }
}

extension Array {
  /// All elements, which are in it no more.
  fileprivate mutating func removingAll() -> [Element] {
    defer { removeAll() }
    return self
  }
}
