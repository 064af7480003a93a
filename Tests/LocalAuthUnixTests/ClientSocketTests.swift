import CLocalAuthLinux
import Glibc
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct ClientSocketTests {
  private let scratch = ScratchDirectory()
  private let past = Deadline.after(.zero)
  private let soon = Deadline.after(.seconds(30))

  /// A client and the raw descriptor of its server's end.
  private struct Connection: ~Copyable {
    var client: ClientSocket
    let server: FileDescriptor

    init(frameLimit: Int = ClientSocket.standardFrameLimit) throws {
      var one: Int32 = -1
      var other: Int32 = -1
      // SAFETY: the pointers are valid for the call.
      try #require(unsafe la_socket_pair(&one, &other) == 0)
      client = try ClientSocket(descriptor: FileDescriptor(owning: one), frameLimit: frameLimit)
      server = FileDescriptor(owning: other)
    }

    func reply(_ bytes: [UInt8]) {
      // SAFETY: the array is valid for the call.
      let sent = unsafe Glibc.send(server.rawValue, bytes, bytes.count, Int32(MSG_NOSIGNAL))
      #expect(sent == bytes.count)
    }

    func reply(_ text: String) { reply(Array(text.utf8)) }

    func closeServer() { _ = shutdown(server.rawValue, Int32(SHUT_RDWR)) }
  }

  private func failure(
    connectingTo name: String,
    until deadline: Deadline = .after(.seconds(30))
  ) -> ConnectError? {
    do throws(ConnectError) {
      _ = try ClientSocket.connect(to: name, trusting: .ownUser, until: deadline)
      return nil
    } catch {
      return error
    }
  }

  /// A listening socket in the scratch directory.
  private func listener(_ name: String, backlog: Int32 = 8) throws -> FileDescriptor {
    let made = FileDescriptor(owning: la_socket_create())
    // SAFETY: the string is a C string for the length of the call.
    try #require(unsafe la_socket_bind(made.rawValue, scratch.file(name), 0o600) >= 0)
    try #require(la_socket_listen(made.rawValue, backlog) >= 0)
    return made
  }

  // Connecting.

  @Test func absentSocketMeansNotRunning() {
    guard case .notRunning = failure(connectingTo: scratch.file("absent")) else {
      Issue.record("something answered")
      return
    }
    guard case .notRunning = failure(connectingTo: scratch.file("no/such/directory")) else {
      Issue.record("something answered")
      return
    }
  }

  @Test func socketOfADeadDaemonMeansNotRunning() throws {
    do { _ = try listener("dead") }
    // A program that another test starts just now has a copy of the listener until it is executed.
    let deadline = Deadline.after(.seconds(60))
    while true {
      if case .notRunning = failure(connectingTo: scratch.file("dead")) { return }
      guard !deadline.hasPassed else { break }
      sched_yield()
    }
    Issue.record("something answered")
  }

  @Test func pathThatDoesNotFitIsRefused() {
    for path in ["/" + String(repeating: "x", count: 107), "/a\0b"] {
      guard case .pathTooLong = failure(connectingTo: path) else {
        Issue.record("\(path) was tried")
        continue
      }
    }
  }

  @Test func abstractNamesAreRefused() {
    for path in ["@localauth", ""] {
      guard case .system = failure(connectingTo: path) else {
        Issue.record("\(path) was tried")
        continue
      }
    }
  }

  @Test func daemonThatDoesNotAcceptTimesOut() throws {
    let full = try listener("full", backlog: 0)
    // The kernel holds one connection more than the backlog.
    let first = try ClientSocket.connect(
      to: scratch.file("full"),
      trusting: .ownUser,
      until: soon
    )
    guard
      case .timedOut = failure(
        connectingTo: scratch.file("full"),
        until: .after(.milliseconds(20))
      )
    else {
      Issue.record("a second connection was made")
      return
    }
    _ = consume first
    _ = consume full
  }

  @Test func onlyTheAskedForServerIsTrusted() {
    #expect(ClientSocket.TrustedServer.ownUser.includes(geteuid()))
    #expect(!ClientSocket.TrustedServer.ownUser.includes(geteuid() + 1))
    #expect(ClientSocket.TrustedServer.system.includes(0))
    #expect(!ClientSocket.TrustedServer.system.includes(1000))
    #expect(ClientSocket.TrustedServer.root.includes(0))
    #expect(!ClientSocket.TrustedServer.root.includes(1000))
    if let service = SystemAccount.uid(of: SystemAccount.service) {
      #expect(ClientSocket.TrustedServer.system.includes(service))
      #expect(!ClientSocket.TrustedServer.root.includes(service))
    }
  }

  @Test(.enabled(if: geteuid() == 0, "needs root, to run a server as another user"))
  func foreignServerGetsNotOneByte() throws {
    scratch.setMode(0o711)
    let pair = try SocketPair()
    var server = try ChildProcess.spawn(
      SpawnRequest(
        executable: FixtureProgram.path,
        arguments: ["foreign", scratch.file("socket"), "65534"],
        descriptors: [.null, .null, .null, .duplicate(of: pair.theirs.rawValue)]
      )
    )
    let ours = pair.takeOurs()
    var byte: UInt8 = 0xff
    // SAFETY: room for the one byte asked for.
    #expect(unsafe read(ours.rawValue, &byte, 1) == 1)
    guard case .foreignServer(65534) = failure(connectingTo: scratch.file("socket")) else {
      Issue.record("another user's server was trusted")
      return
    }
    byte = 0xff
    #expect(unsafe read(ours.rawValue, &byte, 1) == 1)
    #expect(byte == 0)
    #expect(try server.waitForExit() == .status(0))
  }

  // Frames.

  @Test func frameArrivesWithoutItsNUL() throws {
    var connection = try Connection()
    connection.reply("hello\0")
    #expect(try connection.client.receiveText() == "hello")
  }

  @Test func framesOfOneSegmentArriveOneByOne() throws {
    var connection = try Connection()
    connection.reply("one\0\0three\0fo")
    #expect(try connection.client.receiveText() == "one")
    #expect(try connection.client.receiveText() == "")
    #expect(try connection.client.receiveText() == "three")
    connection.reply("ur\0")
    #expect(try connection.client.receiveText() == "four")
  }

  @Test func givingUpLosesNothing() throws {
    var connection = try Connection()
    connection.reply("first half ")
    #expect {
      try connection.client.receiveText(until: past)
    } throws: { error in
      guard case ClientSocketError.timedOut = error else { return false }
      return true
    }
    connection.reply("second half\0")
    #expect(try connection.client.receiveText(until: soon) == "first half second half")
  }

  @Test func anyCutIntoSegmentsGivesTheSameFrames() throws {
    let seed = ProcessEnvironment.current["SEED"].flatMap(UInt64.init) ?? 20_260_801
    var random = SeededGenerator(seed: seed)
    for _ in 0..<50 {
      var connection = try Connection(frameLimit: 20_000)
      let frames = (0..<Int.random(in: 1...6, using: &random)).map { _ in
        (0..<Int.random(in: 0...9000, using: &random)).map { _ in
          UInt8.random(in: 1...255, using: &random)
        }
      }
      var unsent: [UInt8] = frames.reduce(into: []) { $0 += $1 + [0] }
      for frame in frames {
        var received: [UInt8]?
        while received == nil {
          let count = min(unsent.count, Int.random(in: 1...4000, using: &random))
          if count > 0 { connection.reply(Array(unsent[..<count])) }
          unsent.removeFirst(count)
          received = try? unsafe connection.client.receiveFrame(until: past) { unsafe Array($0) }
        }
        #expect(received == frame, "seed \(seed)")
      }
    }
  }

  @Test func longestFrameIsTakenAndOneByteMoreIsRefused() throws {
    var fits = try Connection(frameLimit: 5000)
    fits.reply([UInt8](repeating: 0x61, count: 5000) + [0])
    #expect(try fits.client.receiveText().utf8.count == 5000)

    var exceeds = try Connection(frameLimit: 5000)
    exceeds.reply([UInt8](repeating: 0x61, count: 5001) + [0])
    #expect {
      try exceeds.client.receiveText()
    } throws: { error in
      guard case ClientSocketError.frameTooLong(5000) = error else { return false }
      return true
    }
  }

  @Test func limitHoldsForTheFrameBehindAnother() throws {
    var connection = try Connection(frameLimit: 10)
    connection.reply("12345\0" + String(repeating: "x", count: 11) + "\0")
    #expect(try connection.client.receiveText() == "12345")
    #expect(throws: ClientSocketError.self) { try connection.client.receiveText() }
  }

  @Test func endOfTheDaemonIsAnErrorAlsoInsideAFrame() throws {
    for text in ["", "half a fra"] {
      var connection = try Connection()
      if !text.isEmpty { connection.reply(text) }
      connection.closeServer()
      #expect {
        try connection.client.receiveText()
      } throws: { error in
        guard case ClientSocketError.closed = error else { return false }
        return true
      }
    }
  }

  @Test func wholeFrameIsDeliveredBeforeTheEnd() throws {
    var connection = try Connection()
    connection.reply("goodbye\0")
    connection.closeServer()
    #expect(try connection.client.receiveText() == "goodbye")
    #expect(throws: ClientSocketError.self) { try connection.client.receiveText() }
  }

  @Test func deliveredFrameIsWiped() throws {
    var connection = try Connection()
    connection.reply("passcode:123456\0rest\0")
    var address: UInt = 0
    // SAFETY: the memory stays the connection's; it is only looked at while the connection lives.
    try unsafe connection.client.receiveFrame { bytes in
      address = UInt(bitPattern: bytes.baseAddress)
      #expect(bytes.count == 15)
    }
    let frame = unsafe UnsafeRawBufferPointer(
      start: UnsafeRawPointer(bitPattern: address),
      count: 16
    )
    #expect(unsafe frame.allSatisfy { $0 == 0 })
    #expect(try connection.client.receiveText() == "rest")
  }

  // Sending.

  @Test func allBytesAreSentWhateverTheSocketTakesAtOnce() throws {
    let scratch = scratch
    let bytes = [UInt8](repeating: 0x42, count: 3 << 20)
    let socket = try listener("socket")
    let accepting = socket.rawValue
    let received = Counter()
    onThreads(2) { index in
      if index == 0 {
        let deadline = Deadline.after(.seconds(30))
        let client = try? ClientSocket.connect(
          to: scratch.file("socket"),
          trusting: .ownUser,
          until: deadline
        )
        if let client { try? client.send(bytes: bytes) }
      } else {
        guard isReadable(accepting, timeout: 30_000) else { return }
        let peer = FileDescriptor(owning: accept(accepting, nil, nil))
        let all = readToEnd(of: peer.rawValue)
        if all == bytes { received.increment() }
      }
    }
    #expect(received.value == 1)
    _ = consume socket
  }

  @Test func sendingToADeadDaemonIsAnErrorForWhoReadsAndNoSignal() throws {
    var connection = try Connection()
    connection.closeServer()
    try connection.client.send("hello")
    #expect {
      try connection.client.receiveText()
    } throws: { error in
      guard case ClientSocketError.closed = error else { return false }
      return true
    }
  }

  @Test func whatTheDaemonSaidBeforeItClosedIsHeardAlsoByWhoSendsLater() throws {
    var connection = try Connection()
    connection.reply("too many\0")
    connection.closeServer()
    try connection.client.send("hello")
    #expect(try connection.client.receiveText() == "too many")
  }

  // Waiting for several.

  @Test func waitSaysWhichIsReady() throws {
    var connection = try Connection()
    let other = try SocketPair()
    let watched = other.ours.rawValue
    var ready = try connection.client.wait(alsoFor: [watched], until: past)
    #expect(ready.hasTimedOut)

    connection.reply("x\0")
    ready = try connection.client.wait(alsoFor: [watched], until: soon)
    #expect(ready.isSocketReady)
    #expect(ready.descriptors == [])
    _ = try connection.client.receiveText()

    // SAFETY: one byte of a string that is valid for the call.
    #expect(unsafe write(other.theirs.rawValue, "k", 1) == 1)
    ready = try connection.client.wait(alsoFor: [watched])
    #expect(!ready.isSocketReady)
    #expect(ready.descriptors == [watched])
  }

  @Test func frameReceivedEarlierIsNotWaitedFor() throws {
    var connection = try Connection()
    connection.reply("one\0two\0")
    #expect(try connection.client.receiveText() == "one")
    #expect(try connection.client.wait().isSocketReady)
    #expect(try connection.client.receiveText() == "two")
    #expect(try connection.client.wait(until: past).hasTimedOut)
  }

  @Test func endOfTheDaemonEndsTheWait() throws {
    var connection = try Connection()
    connection.closeServer()
    #expect(try connection.client.wait().isSocketReady)
  }
}
