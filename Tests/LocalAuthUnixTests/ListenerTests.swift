import CLocalAuthLinux
import Glibc
import Testing

@testable import LocalAuthUnix

@Suite struct ListenerTests {
  private let directory: TemporaryDirectory
  private var path: String { directory.path + "/s" }

  init() throws { directory = try TemporaryDirectory() }

  @Test(arguments: [0o600, 0o660, 0o666] as [UInt32])
  func theSocketHasExactlyTheModeAskedFor(mode: UInt32) throws {
    let listener = try Listener(path: path, mode: mode)
    #expect(fileMode(path) == S_IFSOCK | mode)
    listener.stop()
  }

  @Test func aClientIsAcceptedWithItsIdentity() throws {
    let loop = try EventLoop()
    let listener = try Listener(path: path)
    var peers: [PeerIdentity] = []
    var flags: [Int32] = []
    try listener.start(on: loop) { socket, peer in
      peers.append(peer)
      flags += [fcntl(socket.rawValue, F_GETFD), fcntl(socket.rawValue, F_GETFL) & O_NONBLOCK]
    }
    let client = try TestPeer(path: path)
    try loop.run { !peers.isEmpty }
    #expect(peers.map(\.processID) == [getpid()])
    #expect(peers.map(\.userID) == [geteuid()])
    #expect(peers.map(\.groupID) == [getegid()])
    #expect(flags == [FD_CLOEXEC, O_NONBLOCK])
    #expect(client.receive() == .end)
    listener.stop()
  }

  @Test func refusesToStealALiveSocket() throws {
    let loop = try EventLoop()
    let first = try Listener(path: path)
    let inUse = SystemError("bind", code: EADDRINUSE, subject: path)
    #expect(throws: inUse) { try Listener(path: path) }
    var accepted = 0
    try first.start(on: loop) { _, _ in accepted += 1 }
    let client = try TestPeer(path: path)
    // The probe of the refused listener is one of the two.
    try loop.run { accepted == 2 }
    withExtendedLifetime(client) {}
    first.stop()
  }

  @Test func replacesASocketThatNobodyListensAt() throws {
    do {
      let abandoned = FileDescriptor(owning: la_socket_create())
      #expect(unsafe la_socket_bind(abandoned.rawValue, path, 0o600) == 0)
    }
    #expect(fileMode(path) != nil)
    let loop = try EventLoop()
    let listener = try Listener(path: path)
    var accepted = 0
    try listener.start(on: loop) { _, _ in accepted += 1 }
    let client = try TestPeer(path: path)
    try loop.run { accepted == 1 }
    withExtendedLifetime(client) {}
    listener.stop()
  }

  @Test func leavesWhatIsNoSocketAlone() throws {
    let file = unsafe FileDescriptor(owning: open(path, O_CREAT | O_WRONLY, 0o600))
    #expect(throws: SystemError("bind", code: EADDRINUSE, subject: path)) {
      try Listener(path: path)
    }
    #expect(fileMode(path) == S_IFREG | 0o600)
    #expect(file.rawValue >= 0)
  }

  @Test func doesNotFollowALinkToAnotherSocket() throws {
    let target = directory.path + "/t"
    do {
      let abandoned = FileDescriptor(owning: la_socket_create())
      #expect(unsafe la_socket_bind(abandoned.rawValue, target, 0o600) == 0)
    }
    #expect(unsafe symlink(target, path) == 0)
    #expect(throws: SystemError("bind", code: EADDRINUSE, subject: path)) {
      try Listener(path: path)
    }
    #expect(fileMode(target) != nil)
  }

  @Test func saysWhenThePathCannotBeUsed() {
    let long = directory.path + "/" + String(repeating: "x", count: 100)
    #expect(throws: SystemError("bind", code: ENAMETOOLONG, subject: long)) {
      try Listener(path: long)
    }
    #expect(throws: SystemError("flock", code: ENOENT, subject: "/nonexistent")) {
      try Listener(path: "/nonexistent/s")
    }
    #expect(throws: SystemError("bind", code: ENOENT, subject: "")) { try Listener(path: "") }
  }

  @Test func removesItsPathWhenItStops() throws {
    let listener = try Listener(path: path)
    listener.stop()
    #expect(fileMode(path) == nil)
    do { _ = try Listener(path: path) }
    #expect(fileMode(path) == nil)
  }

  @Test func doesNotRemoveTheSocketOfAnother() throws {
    let old = try Listener(path: path)
    #expect(unsafe unlink(path) == 0)
    let new = try Listener(path: path)
    old.stop()
    #expect(fileMode(path) != nil)
    new.stop()
  }

  @Test func adoptsASocketThatListens() throws {
    let made = FileDescriptor(owning: la_socket_create())
    #expect(unsafe la_socket_bind(made.rawValue, path, 0o600) == 0)
    #expect(la_socket_listen(made.rawValue, 5) == 0)
    let loop = try EventLoop()
    let listener = try Listener(adopting: FileDescriptor(owning: dup(made.rawValue)))
    var accepted = 0
    try listener.start(on: loop) { _, _ in accepted += 1 }
    let client = try TestPeer(path: path)
    try loop.run { accepted == 1 }
    withExtendedLifetime(client) {}
    listener.stop()
    // Whoever made the path removes it.
    #expect(fileMode(path) != nil)
  }

  @Test func refusesToAdoptWhatDoesNotListen() throws {
    let idle = la_socket_create()
    #expect(throws: SystemError("adopt", code: EINVAL, subject: "descriptor \(idle)")) {
      try Listener(adopting: FileDescriptor(owning: idle))
    }
    let file = la_reserve_descriptor()
    #expect(throws: SystemError("getsockopt", code: ENOTSOCK)) {
      try Listener(adopting: FileDescriptor(owning: file))
    }
  }

  @Test func aHandlerMayStopTheListener() throws {
    let loop = try EventLoop()
    let listener = try Listener(path: path)
    var accepted = 0
    try listener.start(on: loop) { _, _ in
      accepted += 1
      listener.stop()
    }
    let clients = try (0..<3).map { _ in try TestPeer(path: path) }
    try loop.run { accepted > 0 }
    try loop.settle()
    #expect(accepted == 1)
    withExtendedLifetime(clients) {}
  }

  @Test func turnsClientsAwayWhenDescriptorsRunOut() async {
    // A process of its own, because the limit holds for all threads.
    await #expect(processExitsWith: .success) {
      let directory = try TemporaryDirectory()
      let path = directory.path + "/s"
      let loop = try EventLoop()
      let listener = try Listener(path: path)
      var held: [Int32] = []
      try listener.start(on: loop) { socket, _ in held.append(socket.release()) }
      let clients = try (0..<5).map { _ in try TestPeer(path: path) }
      let next = dup(0)
      close(next)
      var limit = rlimit()
      unsafe getrlimit(__rlimit_resource_t(7), &limit)  // RLIMIT_NOFILE
      let former = limit.rlim_cur
      limit.rlim_cur = rlim_t(next)
      unsafe setrlimit(__rlimit_resource_t(7), &limit)
      try loop.run { listener.refusedCount == 5 }
      // The backlog is empty, so nothing makes the loop spin.
      #expect(try loop.runOnce(timeout: .zero) == 0)
      for client in clients { #expect(client.receive() == .end) }
      limit.rlim_cur = former
      unsafe setrlimit(__rlimit_resource_t(7), &limit)
      let late = try TestPeer(path: path)
      try loop.run { held.count == 1 }
      withExtendedLifetime(late) {}
    }
  }

  @Test func servesAThousandConnections() throws {
    let count = try raisedDescriptorLimit() >= 6000 ? 1000 : 100
    let loop = try EventLoop()
    let listener = try Listener(path: path, backlog: 1024)
    var open = 0
    try listener.start(on: loop) { socket, peer in
      let connection = Connection(socket, peer: peer, on: loop)
      open += 1
      do {
        try connection.start(
          onFrame: { connection, frame in connection.send(frame) },
          onClose: { _, _ in open -= 1 }
        )
      } catch { Issue.record(error) }
    }
    var clients: [TestPeer] = []
    for number in 0..<count {
      clients.append(try TestPeer(path: path))
      if number % 50 == 49 { try loop.run { open == number + 1 } }
    }
    for (number, client) in clients.enumerated() { client.sendFrame("client \(number)") }
    var answers = [[UInt8]](repeating: [], count: count)
    try loop.run {
      for (number, client) in clients.enumerated() where answers[number].isEmpty {
        answers[number] = client.receiveAll()
      }
      return answers.allSatisfy { !$0.isEmpty }
    }
    for (number, answer) in answers.enumerated() {
      #expect(answer == Array("client \(number)\0".utf8))
    }
    clients = []
    try loop.run { open == 0 }
    listener.stop()
  }

  private func fileMode(_ path: String) -> UInt32? {
    var file = stat()
    return unsafe lstat(path, &file) == 0 ? file.st_mode : nil
  }

  private func raisedDescriptorLimit() throws -> UInt {
    var limit = rlimit()
    try #require(unsafe getrlimit(__rlimit_resource_t(7), &limit) == 0)  // RLIMIT_NOFILE
    limit.rlim_cur = limit.rlim_max
    unsafe setrlimit(__rlimit_resource_t(7), &limit)
    return UInt(limit.rlim_cur)
  }
}
