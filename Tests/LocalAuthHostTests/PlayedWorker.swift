import Glibc
import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire
import Testing

@testable import LocalAuthHost

/// A judgment by PAM, with the test in the worker's place.
final class PlayedWorker {
  let loop: EventLoop
  let judgment: PAMJudgment
  /// What the judgment said.
  private(set) var events: [AuthenticatorEvent] = []
  /// What became of the worker.
  private(set) var state: PAMJudgment.WorkerState?
  /// The worker's ends of the connections, in the order in which they were made.
  private(set) var connections: [CallEnd] = []
  static let attempt = String(repeating: "a", count: 32)

  /// The worker's end of one connection.
  final class CallEnd {
    let descriptor: Int32
    init(_ descriptor: Int32) { self.descriptor = descriptor }
    deinit { close(descriptor) }

    func say(_ text: String) {
      let bytes = Array(text.utf8) + [0]
      _ = unsafe send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL))
    }
  }

  init(limit: Duration = .seconds(60)) throws {
    let loop = try EventLoop()
    self.loop = loop
    var hear: (AuthenticatorEvent) -> Void = { _ in }
    judgment = PAMJudgment(loop: loop) { hear($0) }
    hear = { [unowned self] in events.append($0) }
    let attempt = ArmedAttempt(Self.attempt, of: "ann", limit: limit, on: loop) {
      [unowned self] () throws(SystemError) in try connect()
    }
    judgment.start(attempt, limit: limit) { [unowned self] in state = $0 }
    try turn()
  }

  private func connect() throws(SystemError) -> FileDescriptor {
    let pair = try SocketPair()
    return pair.split { ours, theirs in
      connections.append(CallEnd(theirs.release()))
      try? ours.setNonBlocking()
      return ours
    }
  }

  /// Lets the loop handle what is there.
  func turn() throws {
    while try loop.runOnce(timeout: .zero) > 0 {}
  }

  /// Says something about the attempt.
  func say(_ texts: String...) throws {
    for text in texts { connections[0].say(text) }
    try turn()
  }

  func respond(_ text: String) throws {
    var secret = Secret(capacity: 2000)
    for byte in text.utf8 { _ = secret.append(byte) }
    judgment.respond(SecretBox(secret))
    try turn()
  }

  /// The verdict; nil if there is none yet.
  var verdict: Verdict? {
    for case .ended(let verdict) in events { return verdict }
    return nil
  }

  /// How often it ended.
  var endings: Int {
    events.count { if case .ended = $0 { true } else { false } }
  }

  static let armed = #"{"parameters":{"armed":true},"continues":true}"#
  static let question =
    #"{"parameters":{"question":{"text":"Password: ","echoes":false}},"continues":true}"#
  static let match = #"{"parameters":{"verdict":{"attempt":"\#(attempt)","match":true}}}"#
  static let miss = #"{"parameters":{"verdict":{"attempt":"\#(attempt)","match":false}}}"#
}
