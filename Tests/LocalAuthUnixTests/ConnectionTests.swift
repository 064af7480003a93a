import Glibc
import LocalAuthCore
import LocalAuthTestSupport
import Testing

@testable import LocalAuthUnix

@Suite struct ConnectionTests {
  @Test func deliversAFrameThatArrivesByteByByte() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    for byte in Array("hello".utf8) {
      peer.send([byte])
      _ = try loop.runOnce(timeout: .seconds(10))
      #expect(recorder.frames.isEmpty)
      #expect(connection.partialSince != nil)
    }
    peer.send([0])
    try loop.run { !recorder.frames.isEmpty }
    #expect(recorder.texts == ["hello"])
    #expect(connection.partialSince == nil)
    connection.close()
  }

  @Test func holdsThePeersProcessWhileItIsOpen() throws {
    let loop = try EventLoop()
    let (connection, _, _) = try Recorder.connect(on: loop)
    let process = try #require(connection.holdPeerProcess())
    #expect(!process.hasEnded)
    connection.close()
    #expect(connection.holdPeerProcess() == nil)
  }

  @Test func aClosedOneLeavesTheNextOneOfItsNumberAlone() throws {
    let loop = try EventLoop()
    // Other tests open descriptors too, so the number may go to one of them first.
    for _ in 1...1000 {
      let (closed, _, _) = try Recorder.connect(on: loop)
      closed.pauseReading()
      closed.close()
      let (connection, peer, recorder) = try Recorder.connect(on: loop)
      defer { connection.close() }
      guard connection.descriptor == closed.descriptor else { continue }
      closed.resumeReading()
      peer.sendFrame("hello")
      for _ in 1...10 where recorder.frames.isEmpty { _ = try loop.runOnce(timeout: .seconds(1)) }
      #expect(recorder.texts == ["hello"])
      return
    }
    Issue.record("no number was used again")
  }

  @Test func noticesWhenAnotherProcessThanThePeerSends() throws {
    let loop = try EventLoop()
    for (processID, isStranger) in [(getpid(), false), (getppid(), true), (0, true)] {
      let pair = try StreamPair()
      let (near, far) = pair.take()
      let connection = Connection(
        FileDescriptor(owning: near),
        peer: PeerIdentity(processID: processID, userID: 0, groupID: 0, process: nil),
        on: loop
      )
      var frames = 0
      try connection.start(onFrame: { _, _ in frames += 1 }, onClose: { _, _ in })
      #expect(!connection.hasStrangersInput)
      // Also what arrives behind the beginning of a frame.
      far.send([65])
      try loop.run { connection.partialSince != nil }
      far.send([66, 0])
      try loop.run { frames == 1 }
      #expect(connection.hasStrangersInput == isStranger)
      connection.close()
    }
  }

  @Test func descriptorsThatArePassedAlongAreClosed() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    var ends: [Int32] = [-1, -1]
    try #require(unsafe pipe(&ends) == 0)
    let reader = FileDescriptor(owning: ends[0])
    do {
      let writer = FileDescriptor(owning: ends[1])
      try peer.pass(writer.rawValue, with: [65, 0])
    }
    try loop.run { recorder.frames == [[65]] }
    // Nobody holds the writing end any more, so there is an end to read.
    #expect(try reader.readAvailable(limit: 1) == [])
    connection.close()
  }

  @Test func deliversManyFramesOfOneReadInOrder() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    let sent = (0..<500).map { "frame \($0)" }
    peer.send(stream(of: sent.map { Array($0.utf8) }))
    try loop.run { recorder.frames.count == sent.count }
    let isSame = recorder.texts == sent
    #expect(isSame)
    connection.close()
  }

  @Test func deliversEmptyFrames() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    peer.send([0, 0, 65, 0])
    try loop.run { recorder.frames.count == 3 }
    #expect(recorder.frames == [[], [], [65]])
    connection.close()
  }

  @Test(arguments: [1, 3, 16, 1000])
  func splitsARandomStreamExactly(framesPerTurn: Int) throws {
    let seed = TestSeed.value &+ UInt64(framesPerTurn)
    var generator = SeededGenerator(seed: seed)
    let loop = try EventLoop()
    let limits = ConnectionLimits(frameSize: 9000, framesPerTurn: framesPerTurn)
    let (connection, peer, recorder) = try Recorder.connect(on: loop, limits: limits)
    let frames = (0..<100).map { _ in
      let longest = Bool.random(using: &generator) ? 20 : 9000
      return (0..<Int.random(in: 0...longest, using: &generator)).map { _ in
        UInt8.random(in: 1...255, using: &generator)
      }
    }
    var unsent = stream(of: frames)[...]
    while !unsent.isEmpty {
      let size = Int.random(in: 1...20_000, using: &generator)
      unsent = unsent.dropFirst(peer.send(Array(unsent.prefix(size))).clamped)
      _ = try loop.runOnce(timeout: .zero)
    }
    try loop.run { recorder.frames.count == frames.count }
    let isSame = recorder.frames == frames
    #expect(isSame, "seed \(seed)")
    #expect(recorder.reasons.isEmpty)
    connection.close()
  }

  @Test func wipesEachFrameOnceItsHandlerHasReturned() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(
      on: loop,
      limits: ConnectionLimits(framesPerTurn: 2)
    )
    for text in ["secret one", "secret two", "secret three", "secret wit"] { peer.sendFrame(text) }
    peer.send(Array("half a secret".utf8))
    try loop.run { recorder.frames.count == 4 && connection.partialSince != nil }
    let scratch = unsafe UnsafeRawBufferPointer(
      start: loop.scratch.start,
      count: loop.scratch.capacity
    )
    #expect(unsafe scratch.allSatisfy { $0 == 0 })
    let waiting = unsafe Array(connection.input.bytes)
    #expect(waiting == Array("half a secret".utf8))
    connection.close()
    #expect([connection.input.count] == [0])
  }

  @Test func anIdleConnectionHoldsNoBuffer() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop) { connection, _ in
      connection.send([1])
    }
    peer.send([65])
    try loop.run { connection.partialSince != nil }
    peer.send([0])
    try loop.run { !recorder.frames.isEmpty }
    #expect(unsafe connection.input.bytes.baseAddress == nil)
    #expect(unsafe connection.output.bytes.baseAddress == nil)
    connection.close()
  }

  @Test func acceptsAFrameOfExactlyTheLimit() throws {
    let loop = try EventLoop()
    let limits = ConnectionLimits(frameSize: 10)
    let (connection, peer, recorder) = try Recorder.connect(on: loop, limits: limits)
    peer.sendFrame("0123456789")
    peer.send(Array("012345".utf8))
    try loop.run { recorder.frames.count == 1 }
    peer.sendFrame("6789")
    try loop.run { recorder.frames.count == 2 }
    #expect(recorder.texts == ["0123456789", "0123456789"])
    connection.close()
  }

  @Test(arguments: [
    ["0123456789A\0"], ["0123456789A"], ["ok\0", "01234", "56789", "A"],
    ["01234", "56789A\0ok\0"], ["0123456789", "A\0"], ["ok\0ok\00123456789ABC\0ok\0"],
  ])
  func closesOnAFrameOverTheLimit(pieces: [String]) throws {
    let loop = try EventLoop()
    let limits = ConnectionLimits(frameSize: 10)
    let (connection, peer, recorder) = try Recorder.connect(on: loop, limits: limits)
    for piece in pieces {
      peer.send(Array(piece.utf8))
      try loop.settle()
    }
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.reasons == [.frameTooLarge])
    #expect(recorder.texts.allSatisfy { $0 == "ok" })
    #expect(!connection.isOpen)
    #expect(peer.receive() != .nothing)
  }

  @Test func aPeerThatClosesBetweenFramesIsNoError() throws {
    let loop = try EventLoop()
    let (_, peer, recorder) = try Recorder.connect(on: loop)
    peer.sendFrame("last words")
    peer.close()
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.texts == ["last words"])
    #expect(recorder.reasons == [.peerClosed])
  }

  @Test func aPeerThatVanishesInAFrameIsSaidToHave() throws {
    let loop = try EventLoop()
    let (_, peer, recorder) = try Recorder.connect(on: loop)
    peer.send(Array("first\0secon".utf8))
    peer.close()
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.texts == ["first"])
    #expect(recorder.reasons == [.frameIncomplete])
  }

  @Test func aPeerThatOnlyEndsItsOutputStillGetsAnswers() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    peer.sendFrame("question")
    peer.endOutput()
    try loop.run { !recorder.frames.isEmpty }
    try loop.settle()
    #expect(recorder.reasons.isEmpty)
    connection.send(Array("answer".utf8))
    #expect(peer.receive() == .bytes(Array("answer\0".utf8)))
    peer.close()
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.reasons == [.peerClosed])
  }

  @Test func aPeerThatEndsItsOutputInAFrameIsClosed() throws {
    let loop = try EventLoop()
    let (_, peer, recorder) = try Recorder.connect(on: loop)
    peer.send([65])
    peer.endOutput()
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.reasons == [.frameIncomplete])
  }

  @Test func aFrameThatTakesTooLongIsCutOff() throws {
    let loop = try EventLoop()
    let limits = ConnectionLimits(frameTime: .milliseconds(2))
    let (connection, peer, recorder) = try Recorder.connect(on: loop, limits: limits)
    peer.send([65])
    try loop.run { connection.partialSince != nil }
    let since = try #require(connection.partialSince)
    // More bytes do not buy more time: it counts from the first.
    while recorder.reasons.isEmpty {
      peer.send([65])
      _ = try loop.runOnce(timeout: .seconds(10))
      #expect(connection.partialSince == since || connection.partialSince == nil)
    }
    #expect(recorder.reasons == [.frameTooSlow])
    #expect(loop.timerCount == 0)
  }

  @Test func eachFrameHasItsOwnTime() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    peer.send(Array("a".utf8))
    try loop.run { connection.partialSince != nil }
    let first = try #require(connection.partialSince)
    peer.send(Array("\0b".utf8))
    try loop.run { recorder.frames.count == 1 }
    #expect(try #require(connection.partialSince) > first)
    #expect(loop.timerCount == 1)
    peer.send([0])
    try loop.run { recorder.frames.count == 2 }
    #expect(loop.timerCount == 0)
    connection.close()
  }

  @Test func onePeerCannotKeepTheOthersWaiting() throws {
    let loop = try EventLoop()
    let limits = ConnectionLimits(framesPerTurn: 2)
    let (greedy, flood, many) = try Recorder.connect(on: loop, limits: limits)
    let (modest, quiet, few) = try Recorder.connect(on: loop, limits: limits)
    flood.send(Array(String(repeating: "x\0", count: 100).utf8))
    quiet.sendFrame("y")
    try loop.run { !few.frames.isEmpty }
    #expect(many.frames.count <= 4)
    var before = many.frames.count
    while many.frames.count < 100 {
      _ = try loop.runOnce(timeout: .zero)
      #expect(many.frames.count <= before + 2)
      before = many.frames.count
    }
    greedy.close()
    modest.close()
  }

  @Test func aPausedConnectionDeliversNothingUntilItIsResumed() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop) { connection, recorder in
      if recorder.frames.count == 2 { connection.pauseReading() }
    }
    peer.send(Array("a\0b\0c\0d\0e".utf8))
    try loop.run { recorder.frames.count == 2 }
    peer.send(Array("f\0".utf8))
    try loop.settle()
    #expect(recorder.texts == ["a", "b"])
    // While nothing is read, the peer's time for a frame does not run.
    #expect(connection.partialSince == nil)
    connection.resumeReading()
    #expect(recorder.frames.count == 2)
    try loop.run { recorder.frames.count == 5 }
    #expect(recorder.texts == ["a", "b", "c", "d", "ef"])
    connection.close()
  }

  @Test func aPeerThatVanishesDuringAPauseIsNoticed() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    connection.pauseReading()
    peer.sendFrame("unread")
    peer.close()
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.reasons == [.peerClosed])
    #expect(recorder.frames.isEmpty)
  }

  @Test func closingInAHandlerStopsTheFramesBehindIt() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop) { connection, _ in
      connection.close()
      #expect(!connection.send([66]))
    }
    peer.send(Array("a\0b\0c\0".utf8))
    try loop.run { !recorder.reasons.isEmpty }
    try loop.settle()
    #expect(recorder.texts == ["a"])
    #expect(recorder.reasons == [.closedHere])
    #expect([connection.input.count] == [0])
    #expect(peer.receive() == .end)
  }

  @Test func closingInAHandlerOfAFrameInPiecesIsSafe() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop) { connection, _ in
      connection.close()
    }
    peer.send(Array("a".utf8))
    try loop.run { connection.partialSince != nil }
    peer.send(Array("a\0b\0c".utf8))
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.texts == ["aa"])
    #expect(unsafe connection.input.bytes.baseAddress == nil)
  }

  @Test func theCloseIsToldOnceAndNotInTheMiddleOfACall() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    connection.close()
    connection.close(afterFlush: true)
    #expect(recorder.reasons.isEmpty)
    peer.close()
    try loop.run { !recorder.reasons.isEmpty }
    try loop.settle()
    #expect(recorder.reasons == [.closedHere])
    #expect(!connection.send([1]))
  }

  @Test func sendsWhatThePeerReadsLater() throws {
    let loop = try EventLoop()
    let (connection, peer, _) = try Recorder.connect(on: loop)
    let messages = (1...9).map { [UInt8](repeating: UInt8($0), count: 100_000) }
    for message in messages { #expect(connection.send(message)) }
    #expect(connection.outputCount > 0)
    let expected = stream(of: messages)
    var got: [UInt8] = []
    while got.count < expected.count {
      got += peer.receiveAll()
      _ = try loop.runOnce(timeout: .zero)
    }
    let isSame = got == expected
    #expect(isSame)
    #expect(connection.outputCount == 0)
    #expect(unsafe connection.output.bytes.baseAddress == nil)
    connection.close()
  }

  @Test func closesWhenThePeerDoesNotRead() throws {
    let loop = try EventLoop()
    let limits = ConnectionLimits(outputSize: 50_000)
    let (connection, peer, recorder) = try Recorder.connect(on: loop, limits: limits)
    let message = [UInt8](repeating: 7, count: 10_000)
    var accepted = 0
    while connection.send(message) {
      accepted += 1
      #expect(connection.outputCount <= 50_000)
      try #require(accepted < 10_000)
    }
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.reasons == [.outputTooLarge])
    withExtendedLifetime(peer) {}
  }

  @Test func closesWhenNobodyHasRoomForAnAnswerThatIsNotRead() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    connection.mayKeep = { [unowned connection] in connection.keptCount + $0 <= 50_000 }
    // What the socket takes is not kept.
    #expect(connection.send(Array("answer".utf8)))
    let message = [UInt8](repeating: 7, count: 10_000)
    while connection.send(message) { #expect(connection.keptCount <= 50_000) }
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.reasons == [.noRoom])
    #expect(connection.keptCount == 0)
    withExtendedLifetime(peer) {}
  }

  @Test func closesWhenNobodyHasRoomForAFrameInParts() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    connection.mayKeep = { [unowned connection] in connection.keptCount + $0 <= 5000 }
    // A whole frame is not kept.
    peer.sendFrame(String(repeating: "x", count: 6000))
    try loop.run { recorder.frames.count == 1 }
    peer.send([UInt8](repeating: 65, count: 3000))
    try loop.run { connection.keptCount > 0 }
    #expect(recorder.reasons.isEmpty)
    peer.send([UInt8](repeating: 65, count: 3000))
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.reasons == [.noRoom])
    #expect(connection.keptCount == 0)
  }

  @Test func closesOnceThePeerHasReadTheLastAnswer() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    let message = [UInt8](repeating: 7, count: 900_000)
    #expect(connection.send(message))
    connection.close(afterFlush: true)
    #expect(!connection.isOpen)
    peer.sendFrame("ignored")
    var got: [UInt8] = []
    while recorder.reasons.isEmpty {
      got += peer.receiveAll()
      _ = try loop.runOnce(timeout: .zero)
    }
    got += peer.receiveAll()
    let isSame = got == message + [0]
    #expect(isSame)
    #expect(recorder.reasons == [.closedHere])
    #expect(recorder.frames.isEmpty)
    #expect(loop.timerCount == 0)
  }

  @Test func doesNotWaitForeverForTheLastAnswerToBeRead() throws {
    let loop = try EventLoop()
    let limits = ConnectionLimits(flushTime: .milliseconds(1))
    let (connection, peer, recorder) = try Recorder.connect(on: loop, limits: limits)
    connection.send([UInt8](repeating: 7, count: 900_000))
    connection.close(afterFlush: true)
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.reasons == [.outputTooSlow])
    withExtendedLifetime(peer) {}
  }

  @Test func sendingToAPeerThatIsGoneClosesWithoutASignal() throws {
    let loop = try EventLoop()
    let (connection, peer, recorder) = try Recorder.connect(on: loop)
    peer.close()
    #expect(!connection.send([1]))
    try loop.run { !recorder.reasons.isEmpty }
    #expect(recorder.reasons == [.peerClosed])
  }

  @Test func theLoopKeepsAnOpenConnectionAliveAndLetsAClosedOneGo() throws {
    let loop = try EventLoop()
    weak var alive: Connection?
    let peer: TestPeer
    let recorder: Recorder
    do {
      let made = try Recorder.connect(on: loop)
      alive = made.connection
      peer = made.peer
      recorder = made.recorder
    }
    peer.sendFrame("still there?")
    try loop.run { !recorder.frames.isEmpty }
    #expect(alive != nil)
    peer.close()
    try loop.run { !recorder.reasons.isEmpty }
    #expect(alive == nil)
  }
}

/// The frames as they travel.
private func stream(of frames: [[UInt8]]) -> [UInt8] {
  Array(frames.map { $0 + [0 as UInt8] }.joined())
}

extension Int {
  /// A count of bytes sent, or none when the call could not send.
  fileprivate var clamped: Int { Swift.max(self, 0) }
}
