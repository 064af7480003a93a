import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix

/// An attempt that PAM judges, on one worker.
///
/// | event    | before  | judging                 | ended |
/// |----------|---------|-------------------------|-------|
/// | word     | -       | forwards it, or ends    | -     |
/// | respond  | -       | answers                 | -     |
/// | abort, giveWay | ended | ended: a miss if PAM had an answer | - |
/// | worker gone, timeout | - | ended             | -     |
final class PAMJudgment: Judgment {
  /// What became of the worker.
  enum WorkerState {
    /// It waits for the next attempt.
    case ready
    /// It was told to stop, and may still be busy.
    case interrupted
    /// It cannot be trusted any further.
    case broken
  }

  /// The host ends its conversations before it releases the loop.
  private unowned let loop: EventLoop
  private var onEvent: ((AuthenticatorEvent) -> Void)?
  private var onEnd: (WorkerState) -> Void = { _ in }
  private var attempt: ArmedAttempt?
  private var timer: TimerToken?

  init(loop: EventLoop, onEvent: @escaping (AuthenticatorEvent) -> Void) {
    self.loop = loop
    self.onEvent = onEvent
  }

  /// Has `attempt` judged within `limit`, from the next turn on, so that the caller has it by then.
  func start(
    _ attempt: ArmedAttempt,
    limit: Duration,
    onEnd: @escaping (WorkerState) -> Void
  ) {
    self.attempt = attempt
    self.onEnd = onEnd
    timer = loop.schedule(at: SystemClock.bootNow() + limit) { [self] in fail(.timedOut) }
    // A worker that a service manager starts first may take longer than a program that runs.
    loop.onNextTurn { [self] in attempt.begin(within: limit) { [weak self] in self?.perform($0) } }
  }

  /// Ends an attempt that never began, on the next turn, so that the caller has it by then.
  func fail(toBegin failure: ConversationFailure) {
    loop.onNextTurn { [self] in finish(.unjudged(failure.outcome), .broken) }
  }

  func respond(_ answer: SecretBox) {
    if let attempt, !attempt.respond(answer) { fail(.protocolBroken) }
  }

  func abort() { breakOff(because: .aborted, .interrupted) }

  /// Breaks it off because another attempt takes its worker, which is used no more.
  func giveWay() { breakOff(because: .gaveWay, .broken) }

  /// Whether PAM was given something to judge, of which it has not said yet what that is worth.
  var hasAnswer: Bool { attempt?.wasAnswered ?? false }

  private func breakOff(because failure: ConversationFailure, _ state: WorkerState) {
    guard let attempt else { return }
    self.attempt = nil
    attempt.cancel()
    // A module may have judged the first answer and asked again: breaking off is no free try.
    let verdict: Verdict = attempt.wasAnswered ? .miss : .unjudged(failure.outcome)
    // On the next turn, so that who breaks off has finished.
    loop.onNextTurn { [self] in finish(verdict, state) }
  }

  private func perform(_ action: Arming.Action) {
    switch action {
    // PAM says neither: what it judges are answers.
    case .nothing, .submitted, .retry: break
    case .ask(let text, let echoes): onEvent?(.prompt(text: text, echoes: echoes))
    case .tell(let text, let isError): onEvent?(isError ? .error(text) : .info(text))
    case .end(.fault(let fault)): fail(ConversationFailure(fault))
    case .end(let ending): finish(Self.verdict(ending), .ready)
    }
  }

  private func fail(_ failure: ConversationFailure) {
    finish(.unjudged(failure.outcome), .broken)
  }

  private func finish(_ verdict: Verdict, _ state: WorkerState) {
    guard let onEvent else { return }
    self.onEvent = nil
    if let timer { loop.cancel(timer) }
    attempt?.cancel()
    attempt = nil
    onEnd(state)
    onEvent(.ended(verdict))
  }

  /// Maps what the worker said last to a verdict.
  ///
  /// Only a match is proof; the right password of an unusable account proves nothing.
  static func verdict(_ ending: Arming.Ending) -> Verdict {
    switch ending {
    case .match: .proven(finger: nil, generation: nil)
    case .miss: .miss
    case .refused(let reason): .unjudged(Outcome(.authenticationFailed, detail: reason))
    case .failed(let reason):
      .unjudged(Outcome(.badConfiguration, detail: "PAM cannot judge: \(reason)."))
    case .fault(let fault): .unjudged(ConversationFailure(fault).outcome)
    }
  }
}

extension ConversationFailure {
  /// What a broken rule of the protocol is for an attempt.
  fileprivate init(_ fault: Arming.Fault) {
    switch fault {
    case .gone: self = .workerDied
    case .silent: self = .timedOut
    case .early, .armedTwice, .impatient, .otherAttempt, .tooManyWords, .malformed:
      self = .protocolBroken
    }
  }
}
