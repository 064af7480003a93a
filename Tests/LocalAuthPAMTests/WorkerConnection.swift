import Glibc
import LocalAuthCore
import LocalAuthWire
import Testing

/// The daemon's side of a worker, with the machine that decides which of its words count.
class WorkerConnection {
  /// Where the worker listens.
  let path: String
  /// The name of the attempt that was armed last.
  private(set) var attempt = ""
  private var arming = Arming("")
  private var arm: CallSocket?

  init(at path: String) { self.path = path }

  /// Arms the worker for the account named `user`; `attempt` is a new name.
  func start(_ user: String = "somebody") throws {
    attempt = Self.freshName()
    arming = Arming(attempt)
    arm = try calling(user, attempt)
    #expect(try next() == .armed)
  }

  /// A connection of its own on which the worker is armed.
  func calling(_ user: String, _ attempt: String) throws -> CallSocket {
    let socket = try CallSocket(connectedTo: path)
    var parameters = AuthenticatorMessages.ArmCall()
    parameters.attempt = attempt
    parameters.user = user
    parameters.milliseconds = 30_000
    try socket.call(Methods.armProgram, parameters)
    return socket
  }

  static func freshName() -> String {
    EvaluationID(high: .random(in: .min ... .max), low: .random(in: .min ... .max)).text
  }

  /// The next word about the attempt, which must be one that counts; nil when the worker has hung up.
  func next() throws -> Arming.Word? {
    let word: Arming.Word?
    switch try arm?.reply(AuthenticatorMessages.ArmReply.self) {
    case nil: return nil
    case .reply(let reply, let continues)?:
      word = Arming.Word(reply)
      #expect(continues == (word?.isLast == false), "\(reply)")
    case .error(let name, let message)?: word = Arming.Word(error: name, message: message)
    }
    let known = try #require(word)
    if case .end(.fault(let fault)) = arming.said(known) {
      Issue.record("\(known): the worker \(fault.sentence)")
    }
    return known
  }

  /// Answers the open question.
  func respond(_ answer: String) throws {
    let isOpen = arming.answered()
    #expect(isOpen)
    #expect(try refusal(of: answer, to: attempt) == nil)
  }

  /// The error with which an answer is refused; nil if it is taken.
  func refusal(of answer: String, to attempt: String) throws -> String? {
    let socket = try CallSocket(connectedTo: path)
    var bytes = Array(answer.utf8)
    var frame = [UInt8](repeating: 0, count: 8192)
    let count = try unsafe bytes.withUnsafeBytes { bytes in
      var parameters = AuthenticatorMessages.AnswerCall()
      parameters.attempt = attempt
      parameters.answer = unsafe WireSecret(borrowing: bytes)
      return try unsafe frame.withUnsafeMutableBytes { frame in
        try unsafe IncomingCall.write(Methods.answerProgram.name, parameters, into: frame)
      }
    }
    frame.removeLast(frame.count - count)
    socket.send(frame)
    for index in bytes.indices { bytes[index] = 0 }
    for index in frame.indices { frame[index] = 0 }
    return try #require(try socket.reply(ServiceMessages.Empty.self)).error
  }

  /// Waits until the worker knows that nobody listens to `attempt` any more: an answer comes on a
  /// connection of its own, and may overtake the end of the one that it belongs to.
  func waitForTheEnd(of attempt: String) throws {
    while try refusal(of: "too late", to: attempt) != "NoSuchAttempt" {}
  }

  /// Whether the worker says what it is.
  func describes() throws -> AuthenticatorMessages.DescribeReply? {
    let socket = try CallSocket(connectedTo: path)
    try socket.call(Methods.describeProgram, ServiceMessages.Empty())
    let heard = try socket.reply(AuthenticatorMessages.DescribeReply.self)
    guard case .reply(let reply, false)? = heard else { return nil }
    return reply
  }

  /// Breaks the attempt off.
  func abort() { arm = nil }

  /// How the attempt ends, which the next word must say.
  func finish() throws -> Arming.Ending {
    switch try next() {
    case .verdict(attempt, let isMatch): return isMatch ? .match : .miss
    case .refuses(let reason): return .refused(reason)
    case .failed(let reason): return .failed(reason)
    case let word: throw Unexpected(word: word)
    }
  }

  /// Runs an attempt without questions to its end.
  func judge(_ user: String = "somebody") throws -> Arming.Ending {
    try start(user)
    return try finish()
  }

  /// Runs an attempt in which each question asks for the password; texts are passed over.
  func judge(_ user: String, password: String) throws -> Arming.Ending {
    try start(user)
    while true {
      switch try next() {
      case .asks(_, let echoes):
        #expect(!echoes)
        try respond(password)
      case .tells: continue
      case .verdict(attempt, let isMatch): return isMatch ? .match : .miss
      case .refuses(let reason): return .refused(reason)
      case .failed(let reason): return .failed(reason)
      case let word: throw Unexpected(word: word)
      }
    }
  }

  struct Unexpected: Error {
    let word: Arming.Word?
  }
}

extension Arming.Ending {
  /// Whether the worker says that it cannot judge.
  var isFailure: Bool {
    if case .failed = self { true } else { false }
  }
}
