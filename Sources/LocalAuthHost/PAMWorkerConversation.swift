import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthUnix
import LocalAuthWire

/// A conversation with PAM, on one worker.
///
/// | event    | starting | talking           | ended  |
/// |----------|----------|-------------------|--------|
/// | reply    | -        | forwards it       | -      |
/// | respond  | -        | sends the answer  | -      |
/// | abort    | ended    | tells the worker  | -      |
/// | worker gone, timeout | - | ended        | -      |
final class PAMWorkerConversation: Judgment {
  private let id: UInt64
  /// The host ends its conversations before it releases the loop.
  private unowned let loop: EventLoop
  private var onEvent: ((AuthenticatorEvent) -> Void)?
  private var worker: PAMWorkerProcess?
  private var onEnd: (_ isReusable: Bool) -> Void = { _ in }
  private var timer: TimerToken?
  private var isAborting = false

  /// How long an aborted worker may take to confirm before it is killed.
  private static let abortLimit = Duration.seconds(2)

  init(id: UInt64, loop: EventLoop, onEvent: @escaping (AuthenticatorEvent) -> Void) {
    self.id = id
    self.loop = loop
    self.onEvent = onEvent
  }

  func start(
    _ request: PAMRequest,
    on worker: PAMWorkerProcess,
    limit: Duration,
    onEnd: @escaping (_ isReusable: Bool) -> Void
  ) {
    self.worker = worker
    self.onEnd = onEnd
    worker.onReply = { [self] reply in replied(reply) }
    timer = loop.schedule(at: SystemClock.bootNow() + limit) { [self] in end(.timedOut) }
    worker.send(WorkerRequest.startFrame(conversation: id, request))
  }

  /// Ends a conversation that never began, on the next turn, so that the caller has it by then.
  func fail(_ failure: ConversationFailure) {
    loop.onNextTurn { [self] in finish(.unjudged(failure.outcome), isReusable: false) }
  }

  func respond(_ answer: SecretBox) {
    guard let answer = answer.take(), let worker else { return end(.protocolBroken) }
    if !worker.respond(answer, conversation: id) { end(.protocolBroken) }
  }

  func abort() {
    guard !isAborting, let worker else { return }
    isAborting = true
    worker.send(WorkerRequest.abortFrame(conversation: id))
    if let timer { loop.cancel(timer) }
    timer = loop.schedule(at: SystemClock.bootNow() + Self.abortLimit) { [self] in end(.aborted) }
  }

  private func replied(_ reply: WorkerReply?) {
    switch reply {
    case .none: end(isAborting ? .aborted : .workerDied)
    case .ready: break
    case .prompt(id, let echoes, let text): onEvent?(.prompt(text: text, echoes: echoes))
    case .info(id, let text): onEvent?(.info(text))
    case .error(id, let text): onEvent?(.error(text))
    case .finished(id, let judgement): finish(Self.verdict(judgement), isReusable: true)
    case .prompt, .info, .error, .finished: break
    }
  }

  private func end(_ failure: ConversationFailure) {
    finish(.unjudged(failure.outcome), isReusable: false)
  }

  private func finish(_ verdict: Verdict, isReusable: Bool) {
    guard let onEvent else { return }
    self.onEvent = nil
    if let timer { loop.cancel(timer) }
    worker?.onReply = { _ in }
    worker = nil
    onEnd(isReusable)
    onEvent(.ended(verdict))
  }

  /// Maps PAM's judgement to a verdict.
  ///
  /// Only success is proof; the right password of an unusable account proves nothing.
  static func verdict(_ judgement: PAMJudgement) -> Verdict {
    switch judgement.verdict {
    case .success: return .proven(finger: nil, generation: nil)
    case .accountExpired:
      return .unjudged(Outcome(.authenticationFailed, detail: "The account has expired."))
    case .credentialExpired:
      return .unjudged(Outcome(.authenticationFailed, detail: "The password has expired."))
    case .passwordChangeRequired:
      return .unjudged(
        Outcome(.authenticationFailed, detail: "The password must be changed; use passwd(1).")
      )
    case .authInfoUnavailable:
      return .unjudged(
        Outcome(.badConfiguration, detail: "PAM cannot judge: \(judgement.message).")
      )
    case .aborted(let afterAnswer):
      return afterAnswer ? .miss : .unjudged(ConversationFailure.aborted.outcome)
    case .wrongCredential, .userUnknown, .permissionDenied, .maxTries, .userChanged, .other:
      return .miss
    }
  }
}
