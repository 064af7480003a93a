import LocalAuthClient
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthUnix
import LocalAuthWire

/// Tries the rules of `localauth-authenticator(5)` with one program.
struct AuthenticatorCheck: ~Copyable {
  /// What came of one rule.
  struct Finding: Sendable {
    let check: String
    /// Whether it holds; nil if it could not be tried.
    let holds: Bool?
    /// Why it is broken or was not tried, or what was found.
    let message: String?
  }

  /// The rule that was broken, in a sentence.
  private struct Broken: Error {
    let why: String
    /// Whether the rule was only not tried.
    var isLeftOut = false

    static let nothingEnrolled = Broken(
      why: "nothing of this account is enrolled in this directory",
      isLeftOut: true
    )
    static let noText = Broken(why: "it asks for no text", isLeftOut: true)
    static let noAnswer = Broken(why: "no --answer was given", isLeftOut: true)
  }

  private typealias Check = (String, (borrowing AuthenticatorCheck) throws(Broken) -> String?)

  private let manifest: AuthenticatorManifest
  private let user: String
  private let rightAnswer: String?
  private let program: ProgramUnderTest
  /// How long a word is waited for that must not come.
  private static let silence = Duration.milliseconds(700)
  /// An account that no machine has.
  private static let nobody = "no-such-account-of-localauth"
  private static let wrongAnswer = "0 wrong answer 0"
  /// More than any frame may have.
  private static let flood = [UInt8](repeating: UInt8(ascii: "["), count: 10_000_000)

  /// Starts the program of `manifest`.
  init(
    _ manifest: AuthenticatorManifest,
    user: String,
    answer: String?,
    directory: String?
  ) throws(Failure) {
    self.manifest = manifest
    self.user = user
    rightAnswer = answer
    program = try ProgramUnderTest(manifest, directory: directory)
  }

  /// Tries every rule, in an order in which a broken one does not spoil the next.
  borrowing func run() -> [Finding] {
    let checks: [Check] = [
      ("is what its manifest says", { (check) throws(Broken) in try check.describes() }),
      ("says whether it can judge", { (check) throws(Broken) in try check.watches() }),
      ("says what is enrolled", { (check) throws(Broken) in try check.enrolls() }),
      ("refuses what it does not know", { (check) throws(Broken) in try check.refuses() }),
      ("judges nobody who is not enrolled", { (check) throws(Broken) in try check.judgesNobody() }),
      ("is armed before it judges", { (check) throws(Broken) in try check.isArmedFirst() }),
      ("stops when it is cancelled", { (check) throws(Broken) in try check.stops() }),
      ("takes answers for its own attempt", { (check) throws(Broken) in try check.keepsApart() }),
      ("refuses a wrong answer, once", { (check) throws(Broken) in try check.refusesWrong() }),
      ("accepts a right answer, once", { (check) throws(Broken) in try check.acceptsRight() }),
      ("survives a frame of 10 MB", { (check) throws(Broken) in try check.survives(Self.flood) }),
      (
        "survives nonsense",
        { (check) throws(Broken) in try check.survives(Array("{\"method\": 7}\u{0}]\u{0}".utf8)) }
      ),
    ]
    return checks.map { name, body in
      do throws(Broken) {
        return Finding(check: name, holds: true, message: try body(self))
      } catch {
        return Finding(check: name, holds: error.isLeftOut ? nil : false, message: error.why)
      }
    }
  }

  // MARK: What it says of itself

  private borrowing func describes() throws(Broken) -> String? {
    let reply = try call(Methods.describeProgram, Methods.Empty())
    let claim = manifest.contradiction(
      kind: reply.kind,
      asks: reply.asks,
      reportsPresence: reply.reportsPresence,
      isSimulated: reply.simulated,
      isExclusive: reply.exclusive ?? false
    )
    if let claim { throw Broken(why: "The program \(claim).") }
    return "version \(reply.version)"
  }

  private borrowing func watches() throws(Broken) -> String? {
    let reply = try trying("Watch") { (program) throws(ClientError) in
      var connection = try program.connect()
      try connection.begin(Methods.watchProgram, Methods.Empty())
      return try connection.next(Methods.watchProgram, until: .after(ProgramUnderTest.patience))
    }
    guard reply.continues else { throw Broken(why: "Watch ended after its first reply.") }
    let states = ["available", "busy", "gone", "suspended"]
    guard states.contains(reply.reply.state) else { throw Broken(why: "Watch named no state.") }
    return reply.reply.state
  }

  private borrowing func enrolls() throws(Broken) -> String? {
    let reply = try enrolled(user)
    return "\(user): \(CountText.of(reply.labels.count, "label"))"
  }

  private borrowing func enrolled(
    _ user: String
  ) throws(Broken) -> AuthenticatorMessages.EnrolledReply {
    var parameters = AuthenticatorMessages.EnrolledCall()
    parameters.user = user
    return try call(Methods.enrolledAtProgram, parameters)
  }

  private borrowing func refuses() throws(Broken) -> String? {
    do throws(ClientError) {
      // A method that the interface does not have.
      let _: ServiceMessages.InfoReply = try program.call(Methods.info, Methods.Empty())
    } catch {
      if case .remote = error { return nil }
      throw Broken(why: "An unknown method got no error: \(Self.words(error))")
    }
    return nil
  }

  private borrowing func judgesNobody() throws(Broken) -> String? {
    guard try enrolled(Self.nobody).labels.isEmpty else {
      throw Broken(why: "It says that an account which does not exist has something enrolled.")
    }
    var attempt = try arm(Self.nobody)
    guard case .end(.match)? = try decisive(&attempt) else { return nil }
    throw Broken(why: "It accepted an account which does not exist.")
  }

  // MARK: How it judges

  private borrowing func isArmedFirst() throws(Broken) -> String? {
    try needEnrolment()
    var attempt = try armed()
    let action = try decisive(&attempt, within: Self.silence)
    try checkFault(action)
    switch action {
    case nil, .ask?: return nil
    case .end?, .nothing?, .submitted?, .tell?, .retry?:
      throw Broken(why: "It judged although there was nothing to judge.")
    }
  }

  private borrowing func stops() throws(Broken) -> String? {
    try needEnrolment()
    let name = Self.freshName()
    do {
      var attempt = try armed(as: name)
      if manifest.asking == .text { try checkFault(try decisive(&attempt)) }
    }
    if manifest.asking == .text {
      // It takes the program a moment to notice.
      let deadline = Deadline.after(ProgramUnderTest.patience)
      while try !isRefused(Self.wrongAnswer, as: name) {
        guard !deadline.hasPassed else {
          throw Broken(why: "It took an answer after the attempt was cancelled.")
        }
      }
    }
    _ = try armed()
    return nil
  }

  private borrowing func keepsApart() throws(Broken) -> String? {
    try needText()
    var attempt = try armed()
    guard case .ask? = try decisive(&attempt) else { throw Broken(why: "It asked for no text.") }
    guard try isRefused(Self.wrongAnswer, as: Self.freshName()) else {
      throw Broken(why: "It took the answer of an attempt that it does not judge.")
    }
    guard try decisive(&attempt, within: Self.silence) == nil else {
      throw Broken(why: "It judged the answer of another attempt.")
    }
    return nil
  }

  private borrowing func refusesWrong() throws(Broken) -> String? {
    try needText()
    switch try judged(Self.wrongAnswer) {
    case .miss: return nil
    case .refused: throw Broken(why: "It found a wrong answer right.")
    case .match: throw Broken(why: "It accepted a wrong answer.")
    case .failed(let why): throw Broken(why: "It cannot judge: \(why)")
    case .fault(let fault): throw Broken(why: "It \(fault.sentence).")
    }
  }

  private borrowing func acceptsRight() throws(Broken) -> String? {
    guard let rightAnswer else { throw Broken.noAnswer }
    try needText()
    guard case .match = try judged(rightAnswer) else {
      throw Broken(why: "It refused the answer that was said to be right.")
    }
    guard manifest.kind == .code else { return nil }
    guard case .match = try judged(rightAnswer) else { return nil }
    throw Broken(why: "It accepted the same code twice.")
  }

  /// Gives an answer and returns how the attempt ends, once its connection stays silent.
  private borrowing func judged(_ answer: String) throws(Broken) -> Arming.Ending {
    let name = Self.freshName()
    var attempt = try armed(as: name)
    let asked = try decisive(&attempt)
    try checkFault(asked)
    guard case .ask? = asked else { throw Broken(why: "It asked for no text.") }
    attempt.answered()
    try trying("Answer") { (program) throws(ClientError) in try program.answer(name, answer) }
    guard case .end(let ending)? = try decisive(&attempt) else {
      throw Broken(why: "It gave no verdict within \(ProgramUnderTest.patience).")
    }
    // It may close the connection now, and say nothing more.
    guard
      try trying("Arm", { (_) throws(ClientError) in try attempt.next(within: Self.silence) })
        == nil
    else { throw Broken(why: "It said more after its verdict.") }
    return ending
  }

  /// Whether the program refuses an answer with an error of its own.
  private borrowing func isRefused(_ answer: String, as name: String) throws(Broken) -> Bool {
    do throws(ClientError) {
      try program.answer(name, answer)
      return false
    } catch {
      guard case .remote = error else { throw Broken(why: "Answer: \(Self.words(error))") }
      return true
    }
  }

  private borrowing func survives(_ bytes: [UInt8]) throws(Broken) -> String? {
    program.send(bytes, within: Self.silence)
    _ = try call(Methods.describeProgram, Methods.Empty())
    return nil
  }

  // MARK: Steps

  private borrowing func needEnrolment() throws(Broken) {
    guard try !enrolled(user).labels.isEmpty else { throw Broken.nothingEnrolled }
  }

  private borrowing func needText() throws(Broken) {
    guard manifest.asking == .text else { throw Broken.noText }
    try needEnrolment()
  }

  private static func freshName() -> String {
    EvaluationID(high: .random(in: .min ... .max), low: .random(in: .min ... .max)).text
  }

  private borrowing func arm(
    _ user: String,
    as name: String = freshName()
  ) throws(Broken) -> ArmedProgram {
    do throws(ClientError) {
      return try program.arm(name, for: user)
    } catch {
      throw Broken(why: "Arm: \(Self.words(error))")
    }
  }

  /// Begins to judge an attempt of the account, and waits until the program is armed.
  private borrowing func armed(as name: String = freshName()) throws(Broken) -> ArmedProgram {
    var attempt = try arm(user, as: name)
    let ending = try trying("Arm") { (_) throws(ClientError) in
      try attempt.untilArmed(within: ProgramUnderTest.patience)
    }
    try checkFault(ending)
    if case .end(.failed(let why))? = ending { throw Broken(why: "It cannot judge: \(why)") }
    return attempt
  }

  private borrowing func decisive(
    _ attempt: inout ArmedProgram,
    within patience: Duration = ProgramUnderTest.patience
  ) throws(Broken) -> Arming.Action? {
    do throws(ClientError) {
      return try attempt.decisive(within: patience)
    } catch {
      throw Broken(why: "Arm: \(Self.words(error))")
    }
  }

  private borrowing func checkFault(_ action: Arming.Action?) throws(Broken) {
    if case .end(.fault(let fault))? = action { throw Broken(why: "It \(fault.sentence).") }
  }

  private borrowing func call<Call: WireObject, Reply: WireObject>(
    _ method: RemoteMethod<Call, Reply>,
    _ parameters: Call
  ) throws(Broken) -> Reply {
    let word = method.name.split(separator: ".").last.map(String.init) ?? ""
    return try trying(word) { (program) throws(ClientError) in try program.call(method, parameters)
    }
  }

  private static func words(_ error: ClientError) -> String {
    switch error {
    case .remote(let name, let parameters):
      return parameters.message.map { "\(name): \($0)" } ?? name
    case .unreachable: return "the program closed the connection, or ended, or did not answer"
    case .protocolError(let what): return "what it sent is no reply: \(what)"
    case .requestTooLong, .foreignServer: return "\(error)"
    }
  }

  private borrowing func trying<Result>(
    _ word: String,
    _ body: (borrowing ProgramUnderTest) throws(ClientError) -> Result
  ) throws(Broken) -> Result {
    do throws(ClientError) {
      return try body(program)
    } catch {
      throw Broken(why: "\(word): \(Self.words(error))")
    }
  }
}
