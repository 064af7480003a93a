import LocalAuthClient
import LocalAuthDialog
import LocalAuthUnix
import LocalAuthWire

/// One evaluation of a context, on its own thread; other threads reach it through its inbox.
final class EvaluationRun: Sendable {
  /// The parameters of an evaluation, fixed when it begins.
  struct Request: Sendable {
    let policy: PolicyName
    /// The call to send, except for how a person can be asked.
    let call: AuthenticationMessages.EvaluateCall
    let device: Device
    let settings: ContextSettings
    /// The context's earlier success for this policy.
    let earlier: ProvenSuccess?

    /// Whether a success may be repeated without asking.
    var isRepeatable: Bool {
      call.action == nil && call.assertion == nil && call.maxAgeSeconds == nil
    }
  }

  let request: Request
  let inbox: PromptInbox

  init(_ request: Request) throws(SystemError) {
    self.request = request
    inbox = try PromptInbox()
  }

  /// Ends the evaluation with ``AuthError/appCancel``, unless it has already ended.
  func cancel() { inbox.cancel() }

  /// Evaluates, and blocks until the evaluation ends.
  func evaluate() throws(AuthError) -> ProvenSuccess {
    guard !inbox.isCancelled else { throw .appCancel }
    let (choice, source) = try request.device.resolved()
    var connection = try AuthError.translating { () throws(ClientError) in try source.connect() }
    // Taken before the proof, so that a change meanwhile makes the next request ask again.
    let snapshot = try DeviceSnapshot.read(of: choice, over: &connection)
    // The earlier success is not repeated for a request with an action, an audience or a maximum
    // age: it approved something else, or may be too old.
    if request.isRepeatable, let earlier = request.earlier,
      try earlier.stillHolds(for: request.policy, snapshot, choice, &connection)
    {
      return earlier.repeated
    }
    var place = request.settings.place(for: inbox)
    let stream = try stream(at: place, choice, source, connection)
    var dialog = place.dialog(about: stream, showing: request.call.reason)
    defer { place.interface?.show(.ended) }
    let evaluation = try Evaluation(try dialog.result(), of: request.policy)
    guard (evaluation.actionDigest == nil) == (request.call.action == nil) else {
      throw .protocolError("a success of another action")
    }
    guard evaluation.age == nil || request.call.maxAgeSeconds != nil else {
      throw .protocolError("an earlier success, which was not asked for")
    }
    guard (evaluation.assertion == nil) == (request.call.assertion == nil) else {
      throw .protocolError("a success that is not signed as was asked")
    }
    return ProvenSuccess(evaluation: evaluation, snapshot: snapshot)
  }

  private func stream(
    at place: borrowing PromptPlace,
    _ choice: DeviceChoice,
    _ source: any ConnectionSource,
    _ connection: consuming DaemonConnection
  ) throws(AuthError) -> EvaluationStream {
    var call = request.call
    call.interactive = place.isInteractive
    call.agent = place.asksAgent ? true : nil
    do throws(ClientError) {
      return try EvaluationStream(evaluating: call, on: choice, at: source, over: connection)
    } catch {
      throw AuthError(error)
    }
  }
}
