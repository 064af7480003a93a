import Glibc
import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

/// An authenticator that is a program of its own, for one account.
class ProgramAuthenticator: Authenticator {
  fileprivate let program: AuthenticatorProgram
  fileprivate let user: String
  private let freshName: () -> String
  /// The host releases the loop after the engine.
  private unowned let loop: EventLoop

  required init(
    _ program: AuthenticatorProgram,
    for user: String,
    on loop: EventLoop,
    freshName: @escaping () -> String
  ) {
    self.program = program
    self.user = user
    self.loop = loop
    self.freshName = freshName
  }

  var description: AuthenticatorDescription { program.description }
  var provenance: String { program.provenance(for: user) }
  var isReady: Bool { program.isReady(for: user) }

  func whenSettled(_ body: @escaping () -> Void) {
    program.askUnknown(user)
    program.whenSettled(for: user, body)
  }

  func judge(
    _: Submission,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> (any Judgment)? {
    let judgment = ProgramJudgment(freshName(), of: user, by: program, on: loop, onEvent: onEvent)
    // On the next turn, so that the caller has it by then.
    loop.onNextTurn { judgment.start() }
    return judgment
  }
}

/// A fingerprint reader behind a program of its own, for one account.
final class ProgramReader: ProgramAuthenticator, FingerprintReader {
  /// Where it is not known what is enrolled no finger is asked for, so nobody is told to wait for one.
  var presence: SensorPresence { program.knows(user) ? program.presence : .unplugged }
  var prints: EnrolledPrints? { program.prints(of: user) }
  var noticesChanges: Bool { program.isExclusive }

  func enroll(
    _ finger: Finger,
    onEvent: @escaping (ReaderEnrolmentEvent) -> Void
  ) -> () -> Void {
    program.enroll(finger, of: user, onEvent: onEvent)
  }

  func remove(_ finger: Finger?, then body: @escaping (String?) -> Void) {
    program.remove(finger, of: user, then: body)
  }
}

/// One attempt that a program judges; what counts of its words is the ``Arming``'s decision.
final class ProgramJudgment: Judgment {
  private let name: String
  private let user: String
  private let program: AuthenticatorProgram
  private unowned let loop: EventLoop
  private var onEvent: ((AuthenticatorEvent) -> Void)?
  private var arming: Arming
  private var call: ProgramCall?
  private var answer: ProgramCall?
  private var timer: TimerToken?
  /// What was enrolled when the program was armed.
  private var armedFor: AuthenticatorProgram.Enrolment?

  /// The longest that a program is waited for; every evaluation ends before.
  private static let limit = Duration.seconds(3600)
  /// The longest answer in bytes; that of PAM.
  private static let answerSizeMax = WorkerMessage.answerLimit

  init(
    _ name: String,
    of user: String,
    by program: AuthenticatorProgram,
    on loop: EventLoop,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) {
    self.name = name
    self.user = user
    self.program = program
    self.loop = loop
    self.onEvent = onEvent
    arming = Arming(name)
  }

  /// Arms the program, unless what is enrolled changed since the passcode was last proven: the
  /// program tells of a change only when it notices.
  func start() {
    confirm { [self] in
      armedFor = program.enrolments[user]
      arm()
    }
  }

  private func confirm(_ body: @escaping () -> Void) {
    program.confirmEnrolment(of: user, as: "\(name) \(arming.isOver)") { [weak self] isSame in
      guard let self, onEvent != nil else { return }
      guard isSame else { return finish(.unjudged(refusal("What is enrolled changed."))) }
      body()
    }
  }

  private func arm() {
    var parameters = AuthenticatorMessages.ArmCall()
    parameters.attempt = name
    parameters.user = user
    parameters.milliseconds = Self.limit.components.seconds * 1000
    do throws(SystemError) {
      call = try program.call(Methods.armProgram, parameters) { [weak self] in self?.heard($0) }
      limit(to: Arming.patience) { [weak self] in self?.broke(.silent) }
    } catch {
      broke(.gone)
    }
  }

  func respond(_ answer: SecretBox) {
    guard let text = answer.take(), arming.answered() else { return broke(.impatient) }
    guard text.count <= Self.answerSizeMax else { return finish(.miss) }
    var failure: SystemError?
    unsafe text.withUnsafeBytes { bytes in
      var parameters = AuthenticatorMessages.AnswerCall()
      parameters.attempt = name
      // SAFETY: the message is written before the closure ends.
      parameters.answer = unsafe WireSecret(borrowing: bytes)
      do throws(SystemError) {
        self.answer = try program.call(Methods.answerProgram, parameters) { [weak self] result in
          self?.answered(result)
        }
      } catch {
        failure = error
      }
    }
    switch failure?.code {
    case nil: break
    // It is no text, so it cannot be right.
    case EINVAL?: finish(.miss)
    case _?: broke(.gone)
    }
  }

  private func answered(
    _ result: Result<(reply: ServiceMessages.Empty, continues: Bool), ProgramFailure>
  ) {
    switch result {
    case .success: break
    // It gave up waiting meanwhile, which is no fault.
    case .failure(.refused): perform(arming.said(.failed("It no longer waits for the answer.")))
    case .failure(.malformed): broke(.malformed)
    case .failure(.gone): broke(.gone)
    }
  }

  func abort() {
    guard onEvent != nil else { return }
    _ = arming.broke(.gone)
    // On the next turn, so that who aborts has finished.
    loop.onNextTurn { [self] in
      finish(.unjudged(Outcome(.systemCancel, detail: "The attempt was broken off.")))
    }
    call?.cancel()
  }

  private func heard(
    _ result: Result<(reply: AuthenticatorMessages.ArmReply, continues: Bool), ProgramFailure>
  ) {
    switch result {
    case .success(let (reply, continues)):
      guard let word = Arming.Word(reply), continues != word.isLast else {
        return broke(.malformed)
      }
      perform(arming.said(word))
    case .failure(.refused(AuthenticatorMessages.unavailable, let message)):
      perform(arming.said(.failed(ActionText(message)?.text ?? "It cannot judge now.")))
    case .failure(.refused), .failure(.malformed): broke(.malformed)
    case .failure(.gone): broke(.gone)
    }
  }

  private func broke(_ fault: Arming.Fault) { perform(arming.broke(fault)) }

  private func perform(_ action: Arming.Action) {
    if arming.isArmed { limit(to: Self.limit) { [weak self] in self?.broke(.silent) } }
    switch action {
    case .nothing: break
    case .submitted: onEvent?(.submitted)
    case .ask(let text, let echoes): onEvent?(.prompt(text: text, echoes: echoes))
    case .retry(let acquisition): onEvent?(.retry(acquisition))
    case .tell(let text, let isError): onEvent?(isError ? .error(text) : .info(text))
    case .end(.match):
      call?.cancel()
      confirm { [self] in
        guard program.enrolments[user] == armedFor else {
          return finish(.unjudged(refusal("What is enrolled changed.")))
        }
        finish(.proven(finger: nil, generation: nil))
      }
    case .end(.miss): finish(.miss)
    case .end(.failed(let reason)): finish(.unjudged(refusal(reason)))
    case .end(.fault(let fault)):
      finish(.unjudged(refusal("The program \(fault.sentence).")))
      program.fail(fault.sentence)
    }
  }

  private func refusal(_ why: String) -> Outcome {
    guard program.manifest.kind.factor == .biometry else {
      return Outcome(.authenticatorNotAvailable, detail: "\(program.manifest.name): \(why)")
    }
    let isGone = program.presence == .unplugged
    return Outcome(isGone ? .biometryDisconnected : .biometryNotAvailable, detail: why)
  }

  private func limit(to duration: Duration, _ body: @escaping () -> Void) {
    if let timer { loop.cancel(timer) }
    timer = loop.schedule(at: SystemClock.bootNow() + duration, body)
  }

  private func finish(_ verdict: Verdict) {
    guard let onEvent else { return }
    self.onEvent = nil
    if let timer { loop.cancel(timer) }
    call?.cancel()
    answer?.cancel()
    onEvent(.ended(verdict))
  }
}
