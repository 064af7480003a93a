import Glibc
import LocalAuthPAM
import LocalAuthWire
import Testing

/// Workers that die, hang, lose their daemon or are spoken to wrongly.
@Suite struct WorkerChannelTests {
  private let stack: PAMStack
  private let worker: SpawnedWorker

  init() throws {
    stack = try PAMStack()
    worker = try SpawnedWorker()
  }

  @Test func hangingModuleDiesWithItsGroup() throws {
    try stack.script(auth: "[info=about to hang] hang")
    try worker.start(stack.request())
    #expect(try worker.next() == .info(conversation: 1, text: "about to hang"))
    worker.killGroup()
    // The end of the stream shows that the module's child is gone as well: it held the socket too.
    #expect(try worker.next() == nil)
    #expect(worker.wait() == .signal(SIGKILL))
  }

  @Test func crashOfAModuleEndsTheStream() throws {
    try stack.script(auth: "crash")
    try worker.start(stack.request())
    #expect(try worker.next() == nil)
    #expect(worker.wait() == .signal(SIGSEGV))
  }

  @Test func moduleThatExitsProvesNothing() throws {
    try stack.script(auth: "exit")
    try worker.start(stack.request())
    #expect(try worker.next() == nil)
    #expect(worker.wait() == .status(0))
  }

  @Test func endsWhenTheDaemonIsGone() throws {
    worker.hangUp()
    #expect(worker.wait() == .status(0))
  }

  @Test func endsWhenTheDaemonGoesDuringAPrompt() throws {
    try stack.script(auth: "ignore-errors ask=Password: hang-not return=0")
    try worker.start(stack.request())
    #expect(try worker.next() != nil)
    worker.hangUp()
    #expect(worker.wait() == .status(0))
  }

  @Test func refusesASecondConversationDuringAPrompt() throws {
    try stack.script(auth: "ask=Password:")
    try worker.start(stack.request())
    #expect(try worker.next() != nil)
    try worker.start(stack.request(), conversation: 2)
    #expect(try worker.next() == nil)
    #expect(worker.wait() == .status(EX_PROTOCOL))
  }

  @Test(
    arguments: [
      // No body at all, one below the header, one beyond the limit, the largest count there is.
      [0, 0, 0, 0], [8, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0], [1, 0, 1, 0], [255, 255, 255, 255],
      // Kinds of nobody and of the other direction; an abort with something behind it.
      [9, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0], [9, 0, 0, 0, 16, 1, 0, 0, 0, 0, 0, 0, 0],
      [10, 0, 0, 0, 3, 1, 0, 0, 0, 0, 0, 0, 0, 0],
      // A start without its strings; an answer with a NUL.
      [9, 0, 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0], [10, 0, 0, 0, 2, 1, 0, 0, 0, 0, 0, 0, 0, 0],
    ] as [[UInt8]]
  )
  func endsOnBytesThatAreNoMessage(bytes: [UInt8]) throws {
    worker.send(bytes)
    #expect(try worker.next() == nil)
    #expect(worker.wait() == .status(EX_PROTOCOL))
  }

  @Test func malformedAnswerDuringAPromptProvesNothing() throws {
    try stack.script(auth: "ignore-errors ask=Password: return=0")
    try worker.start(stack.request())
    #expect(try worker.next() != nil)
    // 512 bytes of answer: one more than PAM takes.
    let body = [2, 1, 0, 0, 0, 0, 0, 0, 0] + [UInt8](repeating: 0x61, count: 512)
    worker.send([9, 2, 0, 0] + body)
    #expect(try worker.next() == nil)
    #expect(worker.wait() == .status(EX_PROTOCOL))
  }

  @Test func endsInTheMiddleOfAFrame() throws {
    worker.send([200, 0, 0, 0, 1, 1])
    worker.hangUp()
    #expect(worker.wait() == .status(0))
  }
}
