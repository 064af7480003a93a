import CLocalAuthLinux
import Glibc
import Testing

@testable import LocalAuthUnix

@Suite struct PeerIdentityTests {
  @Test func aSocketPairHasUsAtBothEnds() throws {
    let pair = try StreamPair()
    let peer = try PeerIdentity(of: pair.near.rawValue)
    #expect(peer.processID == getpid())
    #expect(peer.userID == geteuid())
    #expect(peer.executablePath?.hasPrefix("/") == true)
    #expect(peer.commandName?.isEmpty == false)
    #expect(peer.process?.hasEnded == false)
  }

  @Test func whatIsNoSocketHasNoIdentity() throws {
    let file = FileDescriptor(owning: la_reserve_descriptor())
    #expect(throws: SystemError("getsockopt SO_PEERCRED", code: ENOTSOCK)) {
      try PeerIdentity(of: file.rawValue)
    }
  }

  @Test func aProcessThatHasEndedIsNobodyAnyMore() throws {
    let directory = try TemporaryDirectory()
    let path = directory.path + "/s"
    let loop = try EventLoop()
    let listener = try Listener(path: path)
    var accepted: (peer: PeerIdentity, socket: Int32)?
    try listener.start(on: loop) { socket, peer in accepted = (peer, socket.release()) }
    let child = connectingChild(path)
    try loop.run { accepted != nil }
    let (peer, socket) = try #require(accepted)
    #expect(peer.processID == child)
    #expect(peer.executablePath != nil && peer.commandName != nil)
    #expect(peer.process?.hasEnded == false)

    close(socket)  // The child waits for this to end.
    var status: Int32 = 0
    #expect(unsafe waitpid(child, &status, 0) == child)
    #expect(peer.process?.hasEnded == true)
    // The number may belong to somebody else from now on.
    #expect(peer.executablePath == nil && peer.commandName == nil)
    listener.stop()
  }

  /// Forks a child that connects to `path` and ends when the connection does.
  ///
  /// It makes nothing but
  /// system calls, so it does not matter which locks other threads held at the fork.
  private func connectingChild(_ path: String) -> pid_t {
    typealias Fork = @convention(c) () -> pid_t
    guard let symbol = unsafe dlsym(nil, "fork") else { return -1 }
    let address = path.utf8CString
    return unsafe address.withUnsafeBufferPointer { address in
      guard let start = address.baseAddress else { return -1 }
      let child = unsafe unsafeBitCast(symbol, to: Fork.self)()
      guard child == 0 else { return child }
      let socket = la_socket_create()
      guard unsafe la_socket_connect(socket, start) == 0 else { _exit(1) }
      var event = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
      _exit(unsafe poll(&event, 1, 60_000) == 1 ? 0 : 1)
    }
  }
}
