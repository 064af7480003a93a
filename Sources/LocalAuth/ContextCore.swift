import LocalAuthCore
import LocalAuthSecret
import LocalAuthToken
import LocalAuthUnix
import LocalAuthWire
import Synchronization

/// What a context is told; each evaluation takes a copy when it begins.
struct ContextSettings: Sendable {
  var interactionNotAllowed = false
  var reason = ""
  var cancelTitle: String?
  var fallbackTitle: String?
  var reuseDuration = Duration.zero
  var timeout = Duration.seconds(30)
  var prompter = Prompter.terminal

  /// A call that says what these settings say.
  var evaluateCall: AuthenticationMessages.EvaluateCall {
    var call = AuthenticationMessages.EvaluateCall()
    call.timeoutMilliseconds = timeout.wholeNanoseconds / 1_000_000
    call.reuseSeconds = reuseDuration.components.seconds
    call.fallbackTitle = fallbackTitle
    call.cancelTitle = cancelTitle.flatMap { $0.isEmpty ? nil : $0 }
    return call
  }

  /// Where somebody is asked; answers and cancellations come through `inbox`.
  func place(for inbox: PromptInbox) -> PromptPlace {
    PromptPlace(of: interactionNotAllowed ? .nobody : prompter, for: inbox)
  }
}

/// What lives behind a context and its evaluations, so that these do not keep the context alive.
final class ContextCore: Sendable {
  private struct State {
    var settings = ContextSettings()
    var isInvalid = false
    var runs: [ObjectIdentifier: EvaluationRun] = [:]
    /// Written in one place only, ``ContextCore/finish(_:_:)``, with what the service proved.
    var successes: [PolicyName: ProvenSuccess] = [:]
    var evaluatedDomainState: DomainState?
    var credentials: [CredentialType: Credential] = [:]
  }

  private let state = Mutex(State())
  /// What is proven for keychain items belongs to one connection, so that calls go one by one.
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

  /// Begins an evaluation that ``finish(_:_:)`` ends.
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

  /// Ends an evaluation: a success counts, and is remembered, only in a context that is valid still.
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

  /// Cancels what runs, and forgets everything.
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
    // Wiped here, outside the lock.
    withExtendedLifetime(credentials) {}
  }

  // MARK: Credentials

  /// False where the context is invalid.
  func set(_ credential: Credential?, for type: CredentialType) -> Bool {
    state.withLock { state in
      guard !state.isInvalid else { return false }
      state.credentials[type] = credential
      return true
    }
  }

  /// Forgets a credential that turned out to be wrong, unless another took its place.
  func forget(_ wrong: Credential, _ type: CredentialType) {
    // Wiped here, outside the lock.
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
