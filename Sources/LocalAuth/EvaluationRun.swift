import LocalAuthClient
import LocalAuthCore
import LocalAuthToken
import LocalAuthUnix
import LocalAuthWire

/// One evaluation of a context, on a thread of its own, which others reach through its inbox.
final class EvaluationRun: Sendable {
  /// What is evaluated, fixed when it began.
  struct Request: Sendable {
    let policy: PolicyName
    let reason: String
    let action: ActionText?
    let assertion: AssertionRequest?
    /// How old an earlier success may be, and how often this one may answer again.
    let reuse: GrantRule?
    let device: Device
    let settings: ContextSettings
    /// What the context has proven of this policy before.
    let earlier: ProvenSuccess?

    /// Whether a success may be told again.
    var isRepeatable: Bool { action == nil && assertion == nil && reuse == nil }
  }

  let request: Request
  let inbox: PromptInbox

  init(_ request: Request) throws(SystemError) {
    self.request = request
    inbox = try PromptInbox()
  }

  /// Ends the evaluation with ``AuthError/appCancel``, unless it has ended already.
  func cancel() { inbox.cancel() }

  /// Evaluates; blocks for as long as it takes.
  func evaluate() throws(AuthError) -> ProvenSuccess {
    guard !inbox.isCancelled else { throw .appCancel }
    let (choice, source) = try request.device.resolved()
    var connection = try AuthError.translating { () throws(ClientError) in try source.connect() }
    // Taken before the proof: a change while somebody proves makes the next request ask again.
    let snapshot = try DeviceSnapshot.read(of: choice, over: &connection)
    // What was approved before was something else, or may be too old.
    if request.isRepeatable, let earlier = request.earlier,
      try earlier.stillHolds(for: request.policy, snapshot, choice, &connection)
    {
      return earlier.repeated
    }
    let surface = request.settings.surface(showing: request.reason, for: inbox)
    var dialog = PromptDialog(
      inbox,
      on: surface,
      try stream(on: surface, choice, source, connection)
    )
    defer { try? surface.show(.ended) }
    let evaluation = try Evaluation(try dialog.result(), of: request.policy)
    guard (evaluation.actionDigest == nil) == (request.action == nil) else {
      throw .protocolError("a success of another action")
    }
    guard evaluation.age == nil || request.reuse != nil else {
      throw .protocolError("an earlier success, which was not asked for")
    }
    guard (evaluation.assertion == nil) == (request.assertion == nil) else {
      throw .protocolError("a success that is not signed as was asked")
    }
    return ProvenSuccess(evaluation: evaluation, snapshot: snapshot)
  }

  private func stream(
    on surface: any PromptSurface,
    _ choice: DeviceChoice,
    _ source: any ConnectionSource,
    _ connection: consuming DaemonConnection
  ) throws(AuthError) -> EvaluationStream {
    let settings = request.settings
    var call = AuthenticationMessages.EvaluateCall()
    call.policy = request.policy.description
    call.reason = request.reason
    call.action = request.action?.text
    call.assertion = request.assertion.map { AuthenticationMessages.AssertionWish($0) }
    call.interactive = surface.isInteractive || surface.asksAgent
    call.agent = surface.asksAgent ? true : nil
    call.timeoutMilliseconds = settings.timeout.wholeNanoseconds / 1_000_000
    call.maxAgeSeconds = request.reuse?.maxAge.components.seconds
    call.maxUses = (request.reuse?.uses).map(Int64.init)
    call.reuseSeconds = settings.reuseDuration.components.seconds
    call.fallbackTitle = settings.fallbackTitle
    call.cancelTitle = settings.cancelTitle.flatMap { $0.isEmpty ? nil : $0 }
    do throws(ClientError) {
      return try EvaluationStream(evaluating: call, on: choice, at: source, over: connection)
    } catch {
      throw AuthError(error)
    }
  }
}

extension AuthenticationMessages.AssertionWish {
  fileprivate init(_ request: AssertionRequest) {
    self.init()
    audience = request.audience
    nonce = request.nonce
  }
}
