import LocalAuthCore
import LocalAuthSecret
import LocalAuthToken
import LocalAuthUnix
import LocalAuthWire
import Synchronization

/// The settings of a context; each evaluation takes a copy when it begins.
struct ContextSettings: Sendable {
  var interactionNotAllowed = false
  var reason = ""
  var cancelTitle: String?
  var fallbackTitle: String?
  var reuseDuration = Duration.zero
  var timeout = Duration.seconds(30)
  var prompter = Prompter.terminal

  /// A call with these settings.
  var evaluateCall: AuthenticationMessages.EvaluateCall {
    var call = AuthenticationMessages.EvaluateCall()
    call.timeoutMilliseconds = timeout.wholeNanoseconds / 1_000_000
    call.reuseSeconds = reuseDuration.components.seconds
    call.fallbackTitle = fallbackTitle
    call.cancelTitle = cancelTitle.flatMap { $0.isEmpty ? nil : $0 }
    return call
  }

  /// The place where prompts appear; answers and cancellations arrive through `inbox`.
  func place(for inbox: PromptInbox) -> PromptPlace {
    PromptPlace(of: interactionNotAllowed ? .nobody : prompter, for: inbox)
  }
}

/// The state shared by a context and its evaluations, so that evaluations do not retain the
/// context.
final class ContextCore: Sendable {
  private struct State {
    var settings = ContextSettings()
    var isInvalid = false
    var runs: [ObjectIdentifier: EvaluationRun] = [:]
    /// Written only by ``ContextCore/finish(_:_:)``, with successes that the service reported.
    var successes: [PolicyName: ProvenSuccess] = [:]
    var evaluatedDomainState: DomainState?
    var credentials: [CredentialType: Credential] = [:]
  }

  private let state = Mutex(State())
  /// One call at a time, because the proofs for keychain items belong to one connection.
  let pool = ConnectionPool(width: 1)

  var settings: ContextSettings { state.withLock { $0.settings } }

  func change(_ body: (inout ContextSettings) -> Void) {
    state.withLock { body(&$0.settings) }
  }

  var isInvalid: Bool { state.withLock { $0.isInvalid } }

  var evaluatedDomainState: DomainState? {
    get { state.withLock { $0.evaluatedDomainState } }
    set { state.withLock { $0.evaluatedDomainState = newValue } }
  }

  // MARK: Evaluations

  /// Begins an evaluation, which ``finish(_:_:)`` must end.
  func begin(
    _ policy: PolicyName,
    _ reason: String?,
    action: String? = nil,
    assertion: AssertionRequest? = nil,
    reuse: GrantRule? = nil,
    on device: Device
  ) throws(AuthError) -> EvaluationRun {
    let (settings, earlier, isInvalid) = state.withLock {
      ($0.settings, $0.successes[policy], $0.isInvalid)
    }
    guard !isInvalid else { throw .invalidContext }
    let reason = reason ?? settings.reason
    guard !reason.isEmpty else {
      throw .usage("An evaluation needs a reason, which the person reads.")
    }
    var call = settings.evaluateCall
    call.policy = policy.description
    call.reason = reason
    call.action = try Self.checked(action)?.text
    call.assertion = assertion.map { AuthenticationMessages.AssertionWish($0) }
    call.maxAgeSeconds = reuse?.maxAge.components.seconds
    call.maxUses = (reuse?.uses).map(Int64.init)
    let request = EvaluationRun.Request(
      policy: policy,
      call: call,
      device: device,
      settings: settings,
      earlier: earlier
    )
    let run: EvaluationRun
    do throws(SystemError) {
      run = try EvaluationRun(request)
    } catch {
      throw .internalError("\(error)")
    }
    try register(run)
    return run
  }

  private static func checked(_ action: String?) throws(AuthError) -> ActionText? {
    guard let action else { return nil }
    guard let checked = ActionText(action) else {
      throw .usage(
        "An action has 1 to \(ActionText.bytesMax) bytes, of visible characters and single blanks."
      )
    }
    return checked
  }

  private func register(_ run: EvaluationRun) throws(AuthError) {
    let isInvalid = state.withLock { state in
      if !state.isInvalid { state.runs[ObjectIdentifier(run)] = run }
      return state.isInvalid
    }
    if isInvalid { throw .invalidContext }
  }

  /// Ends an evaluation; a success counts, and is remembered, only if the context is still valid.
  func finish(
    _ run: EvaluationRun,
    _ result: Result<ProvenSuccess, AuthError>
  ) -> Result<Evaluation, AuthError> {
    state.withLock { state in
      state.runs[ObjectIdentifier(run)] = nil
      guard !state.isInvalid else { return .failure(.appCancel) }
      let policy = run.request.policy
      switch result {
      case .failure(let error): return .failure(error)
      case .success(let success):
        let evaluation = success.evaluation
        state.evaluatedDomainState =
          evaluation.usedFinger ? success.snapshot.domainState : nil
        if !evaluation.isRepeated, run.request.isRepeatable { state.successes[policy] = success }
        return .success(evaluation)
      }
    }
  }

  /// Cancels all evaluations and calls, and forgets all successes and credentials.
  func invalidate() {
    let (runs, credentials) = state.withLock { state in
      defer {
        state.isInvalid = true
        state.runs = [:]
        state.successes = [:]
        state.evaluatedDomainState = nil
        state.credentials = [:]
      }
      return (state.runs, state.credentials)
    }
    for run in runs.values { run.cancel() }
    pool.invalidate()
    // Wipes outside the lock.
    withExtendedLifetime(credentials) {}
  }

  // MARK: Credentials

  /// Sets or removes a credential; returns false if the context is invalid.
  func set(_ credential: Credential?, for type: CredentialType) -> Bool {
    state.withLock { state in
      guard !state.isInvalid else { return false }
      state.credentials[type] = credential
      return true
    }
  }

  /// Discards a wrong credential, unless it has been replaced already.
  func forget(_ wrong: Credential, _ type: CredentialType) {
    // Wipes outside the lock.
    _ = state.withLock { state in
      state.credentials[type] === wrong ? state.credentials.removeValue(forKey: type) : nil
    }
  }

  func credential(_ type: CredentialType) -> Credential? {
    state.withLock { $0.credentials[type] }
  }
}

extension AuthenticationMessages.AssertionWish {
  fileprivate init(_ request: AssertionRequest) {
    self.init()
    audience = request.audience
    nonce = request.nonce
  }
}
