import Glibc
import LocalAuthCore
import LocalAuthPAM
import LocalAuthWire
import Testing

/// Workers that die, hang, lose their daemon or are spoken to wrongly.
@Suite struct WorkerCallsTests {
  private let stack: PAMStack
  private let worker: SpawnedWorker

  init() throws {
    stack = try PAMStack()
    worker = try SpawnedWorker(stack)
  }

  @Test func hangingModuleDiesWithItsGroup() throws {
    try stack.script(auth: "[info=about to hang] hang")
    try worker.start()
    #expect(try worker.next() == .tells(text: "about to hang", isError: false))
    worker.killGroup()
    // The end of the stream shows that the module's child is gone as well: it held the socket too.
    #expect(try worker.next() == nil)
    #expect(worker.wait() == .signal(SIGKILL))
  }

  @Test func crashOfAModuleEndsTheStream() throws {
    try stack.script(auth: "crash")
    try worker.start()
    #expect(try worker.next() == nil)
    #expect(worker.wait() == .signal(SIGSEGV))
  }

  @Test func moduleThatExitsProvesNothing() throws {
    try stack.script(auth: "exit")
    try worker.start()
    #expect(try worker.next() == nil)
    #expect(worker.wait() == .status(0))
  }

  @Test(arguments: ["", "[ask=Password: ]", "[ask=Password: ] [ask=Again: ]"])
  func killedAtAnyStepItProvesNothing(steps: String) throws {
    try stack.script(auth: "\(steps) [info=here] hang return=0")
    try worker.start()
    while case .asks = try worker.next() { try worker.respond("guess") }
    worker.killGroup()
    #expect(try worker.next() == nil)
    #expect(worker.wait() == .signal(SIGKILL))
  }

  @Test func endOfTheAttemptIsNoticedInTheMiddleOfACall() throws {
    try stack.script(auth: "ask=Password:")
    try worker.start()
    #expect(try worker.next() != nil)
    // Half a call waits for its rest while the attempt ends.
    let half = try CallSocket(connectedTo: worker.path)
    half.send(Array(#"{"method":"io.localauth.Auth"#.utf8))
    worker.abort()
    #expect(try worker.describes() != nil)
    #expect(half.isAtEnd)
  }

  @Test func everyOtherCallIsServedDuringAQuestion() throws {
    try stack.script(auth: "[ask=Password: ] expect=tulip")
    try worker.start()
    #expect(try worker.next() != nil)
    #expect(try worker.describes() != nil)
    let watch = try CallSocket(connectedTo: worker.path)
    try watch.call(Methods.watchProgram, ServiceMessages.Empty())
    #expect(try watch.reply(AuthenticatorMessages.WatchReply.self)?.error == nil)
    try worker.respond("tulip")
    #expect(try worker.finish() == .match)
  }

  @Test func refusesASecondAttemptDuringAQuestion() throws {
    try stack.script(auth: "[ask=Password: ] expect=tulip")
    try worker.start()
    #expect(try worker.next() != nil)
    let second = try worker.calling("somebody", WorkerConnection.freshName())
    let reply = try second.reply(AuthenticatorMessages.ArmReply.self)
    #expect(reply?.error == "Unavailable")
    // The first one goes on.
    try worker.respond("tulip")
    #expect(try worker.finish() == .match)
  }

  private static let attempt = String(repeating: "0", count: 32)
  private static let wrongCalls: [(call: String, error: String)] = [
    ("", "InvalidParameter"), ("]", "InvalidParameter"), ("{}", "InvalidParameter"),
    (#"{"method": 7}"#, "InvalidParameter"),
    (#"{"method":"org.varlink.service.GetInfo"}"#, "MethodNotFound"),
    (#"{"method":"io.localauth.Authenticator.Enroll","more":true}"#, "MethodNotFound"),
    (#"{"method":"io.localauth.Authenticator.Arm","more":true}"#, "InvalidParameter"),
    (#"{"method":"io.localauth.Authenticator.Answer"}"#, "InvalidParameter"),
    (
      #"{"method":"io.localauth.Authenticator.Describe","parameters":{"service":"other"}}"#,
      "InvalidParameter"
    ),
    (
      #"{"method":"io.localauth.Authenticator.Arm","parameters":{"attempt":"x","user":"root","milliseconds":1}}"#,
      "InvalidParameter"
    ),
    (
      #"{"method":"io.localauth.Authenticator.Arm","parameters":{"attempt":"\#(attempt)","user":"a\u0000b","milliseconds":1}}"#,
      "InvalidParameter"
    ),
    (
      #"{"method":"io.localauth.Authenticator.Arm","parameters":{"attempt":"\#(attempt)","user":"","milliseconds":1}}"#,
      "InvalidParameter"
    ),
    (
      #"{"method":"io.localauth.Authenticator.Arm","parameters":{"attempt":"\#(attempt)","user":"root","milliseconds":1,"service":"other"}}"#,
      "InvalidParameter"
    ),
  ]

  @Test(arguments: wrongCalls) func refusesWhatIsNoCall(call: String, error: String) throws {
    let socket = try CallSocket(connectedTo: worker.path)
    socket.send(Array(call.utf8) + [0])
    #expect(try socket.reply(ServiceMessages.Empty.self)?.error == error)
    #expect(try worker.describes() != nil)
  }

  @Test func twoCallsOnOneConnectionAreNone() throws {
    let socket = try CallSocket(connectedTo: worker.path)
    let call = Array(#"{"method":"io.localauth.Authenticator.Describe"}"#.utf8) + [0]
    socket.send(call + call)
    #expect(socket.isAtEnd)
    #expect(try worker.describes() != nil)
  }

  @Test func survivesAFrameOfTenMegabytes() throws {
    for byte in [UInt8(ascii: "["), 0, UInt8(ascii: " ")] {
      let socket = try CallSocket(connectedTo: worker.path)
      socket.send([UInt8](repeating: byte, count: 10_000_000))
      if byte != 0 { #expect(socket.isAtEnd) }
    }
    #expect(try worker.describes() != nil)
  }

  @Test func survivesHalfAFrameAndSilence() throws {
    let half = try CallSocket(connectedTo: worker.path)
    half.send(Array(#"{"method":"io.localauth.Auth"#.utf8))
    let silent = try CallSocket(connectedTo: worker.path)
    // Each has its time, and then the next call has its turn.
    #expect(try worker.describes() != nil)
    #expect(half.isAtEnd && silent.isAtEnd)
  }

  @Test(arguments: [
    String(repeating: "x", count: Arming.answerSizeMax + 1), "tulip\u{0}", "\u{0}",
  ])
  func answerThatPAMWouldNotTakeWholeIsRefused(answer: String) throws {
    try stack.script(auth: "ignore-errors [ask=Password: ] expect=tulip")
    try worker.start()
    #expect(try worker.next() != nil)
    #expect(try worker.refusal(of: answer, to: worker.attempt) == "InvalidParameter")
    try worker.respond("rose")
    #expect(try worker.finish() == .miss)
  }

  @Test func hangsUpOnEverybodyButTheDaemon() throws {
    let stranger = try SpawnedWorker(stack, arguments: ["--daemon", "54321"])
    let reply = try stranger.describes()
    #expect(reply?.kind == nil)
    let own = try SpawnedWorker(stack, arguments: ["--daemon", "\(getuid())"])
    #expect(try own.describes() != nil)
  }
}
