import CLocalAuthLinux
import Glibc
import LocalAuthJSON
import LocalAuthUnix
import Testing

/// What a service manager does: it opens the socket, and is told when the daemon is ready.
@Suite struct ServiceManagerTests {
  private let scratch = Scratch()
  private var home: String { scratch.file("home") }

  @Test func activatedDaemonServesWhoCameBeforeIt() throws {
    let path = scratch.file("socket")
    let listener = try LocalSocket(path, SOCK_STREAM)
    listener.listen()
    // Somebody connects and asks before there is a daemon.
    let early = try WireClient(path)
    try early.send(Interface.service + "GetInfo")
    let daemon = try RunningProgram(
      SpawnRequest(
        executable: "/bin/sh",
        arguments: [
          "-c", #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$0" --home "$1""#, Machine.localauthd, home,
        ],
        environment: ["PATH=/usr/bin:/bin", "HOME=\(home)"],
        descriptors: [.null, .null, .null, .duplicate(of: listener.descriptor)]
      )
    )
    #expect(try early.receive().parameters["vendor"]?.string == "LocalAuth")
    let other = try WireClient(path)
    try other.create("sim")
    #expect(try other.evaluate(on: "sim", script: "match").outcome == "success")
    #expect(try daemon.end(SIGTERM) == .status(0))
    #expect(Files.exists(path), "the socket is the service manager's")
  }

  @Test func managerIsToldOfReadinessAndEnd() throws {
    let path = scratch.file("notify")
    let manager = try LocalSocket(path, SOCK_DGRAM)
    let daemon = try DaemonProcess(home: home, .init(environment: ["NOTIFY_SOCKET=\(path)"]))
    #expect(try manager.receive().split(separator: "\n").contains("READY=1"))
    #expect(try daemon.stop() == .status(0))
    #expect(try manager.receive().split(separator: "\n").contains("STOPPING=1"))
  }

  @Test func managerThatWatchesIsToldThatTheDaemonIsAlive() throws {
    let path = scratch.file("notify")
    let manager = try LocalSocket(path, SOCK_DGRAM)
    let watching = ["NOTIFY_SOCKET=\(path)", "WATCHDOG_USEC=20000"]
    let daemon = try DaemonProcess(home: home, .init(environment: watching))
    #expect(try manager.receive() == "READY=1\n")
    for _ in 0..<5 { #expect(try manager.receive() == "WATCHDOG=1\n") }
    #expect(try daemon.stop() == .status(0))
  }

  @Test func daemonServesWithoutAManagerToTell() throws {
    let daemon = try DaemonProcess(
      home: home,
      .init(environment: ["NOTIFY_SOCKET=\(scratch.file("nobody"))"])
    )
    #expect(try daemon.connect().call(Interface.service + "GetInfo").error == nil)
  }

  @Test(arguments: [SIGTERM, SIGINT]) func signalEndsItInOrder(_ signal: Int32) throws {
    let daemon = try DaemonProcess(home: home)
    try daemon.connect().create("sim")
    #expect(try daemon.program.end(signal) == .status(0))
    #expect(!Files.exists(daemon.socket))
    let log = home + "/state.sqlite-wal"
    #expect(try !Files.exists(log) || Files.read(log).isEmpty)
  }
}

/// A bound Unix socket of a test's.
final class LocalSocket: Sendable {
  let descriptor: Int32

  init(_ path: String, _ type: __socket_type) throws {
    descriptor = socket(AF_UNIX, Int32(type.rawValue | SOCK_CLOEXEC.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    // SAFETY: the path is shorter than the array, which was zeroed.
    unsafe withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      unsafe bytes.copyBytes(from: path.utf8.prefix(107))
    }
    // SAFETY: the address is valid for the call and of that size.
    let bound = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(descriptor, address, socklen_t(MemoryLayout<sockaddr_un>.size))
      }
    }
    guard bound == 0 else { throw SystemError("bind", code: errno, subject: path) }
  }

  deinit { close(descriptor) }

  func listen() { _ = Glibc.listen(descriptor, 16) }

  /// The next datagram as text.
  func receive() throws -> String {
    guard try Poll.wait(for: descriptor, until: .after(.seconds(60))) else { return "" }
    var bytes = [UInt8](repeating: 0, count: 4096)
    // SAFETY: the array's storage is valid for the call and `count` bytes long.
    let count = unsafe recv(descriptor, &bytes, bytes.count, 0)
    return String(decoding: bytes.prefix(max(0, count)), as: UTF8.self)
  }
}
