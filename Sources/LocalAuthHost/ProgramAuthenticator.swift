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

/// One attempt that a program of an authenticator judges, for what the account has enrolled.
final class ProgramJudgment: Judgment {
  private let user: String
  private let program: AuthenticatorProgram
  private unowned let loop: EventLoop
  private var onEvent: ((AuthenticatorEvent) -> Void)?
  private let attempt: ArmedAttempt
  /// What was enrolled when the program was armed.
  private var armedFor: AuthenticatorProgram.Enrolment?

  /// The longest that a program is waited for; every evaluation ends before.
  private static let limit = Duration.seconds(3600)

  init(
    _ name: String,
    of user: String,
    by program: AuthenticatorProgram,
    on loop: EventLoop,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) {
    self.user = user
    self.program = program
    self.loop = loop
    self.onEvent = onEvent
    attempt = ArmedAttempt(name, of: user, limit: Self.limit, on: loop) {
      [program] () throws(SystemError) in try program.connect()
    }
  }

  /// Arms the program, unless what is enrolled changed since the passcode was last proven: the
  /// program tells of a change only when it notices.
  func start() {
    confirm("before") { [self] in
      armedFor = program.enrolments[user]
      attempt.begin { [weak self] in self?.perform($0) }
    }
  }

  private func confirm(_ time: String, _ body: @escaping () -> Void) {
    program.confirmEnrolment(of: user, as: "\(attempt.name) \(time)") { [weak self] isSame in
      guard let self, onEvent != nil else { return }
      guard isSame else { return finish(.unjudged(refusal("What is enrolled changed."))) }
      body()
    }
  }

  func respond(_ answer: SecretBox) {
    // It is no text, so it cannot be right.
    if !attempt.respond(answer) { finish(.miss) }
  }

  func abort() {
    guard onEvent != nil else { return }
    attempt.cancel()
    // On the next turn, so that who aborts has finished.
    loop.onNextTurn { [self] in
      finish(.unjudged(Outcome(.systemCancel, detail: "The attempt was broken off.")))
    }
  }

  private func perform(_ action: Arming.Action) {
    switch action {
    case .nothing: break
    case .submitted: onEvent?(.submitted)
    case .ask(let text, let echoes): onEvent?(.prompt(text: text, echoes: echoes))
    case .retry(let acquisition): onEvent?(.retry(acquisition))
    case .tell(let text, let isError): onEvent?(isError ? .error(text) : .info(text))
    case .end(let ending): ended(ending)
    }
  }

  private func ended(_ ending: Arming.Ending) {
    switch ending {
    case .match:
      confirm("after") { [self] in
        guard program.enrolments[user] == armedFor else {
          return finish(.unjudged(refusal("What is enrolled changed.")))
        }
        finish(.proven(finger: nil, generation: nil))
      }
    case .miss: finish(.miss)
    case .refused(let reason):
      // It had something to judge, so that the attempt stays charged.
      onEvent?(.submitted)
      finish(.unjudged(refusal(reason)))
    case .failed(let reason): finish(.unjudged(refusal(reason)))
    case .fault(let fault):
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

  private func finish(_ verdict: Verdict) {
    guard let onEvent else { return }
    self.onEvent = nil
    attempt.cancel()
    onEvent(.ended(verdict))
  }
}
