public import LocalAuthCore
public import LocalAuthKeychain
public import LocalAuthPolicies
import LocalAuthSensor

/// The adapters that an engine works with.
public struct EnginePorts {
  /// Durable state.
  public var store: any ItemStoring
  /// Keys, and the passcodes that open them.
  public var vaults: any KeyVaultProvider
  /// PAM.
  public var pam: any PasscodeConversing
  /// The authenticators that are plugged in for a device, asked for when the device is taken up.
  ///
  /// Its sensor and its passcode are no part of them. There is at most one for each factor.
  public var authenticators: (DeviceIdentity) -> [any Authenticator] = { _ in [] }
  /// Clock and timers of the engine's loop.
  public var clock: any Scheduling
  /// Randomness for identifiers, nonces and latencies.
  public var random: any RandomNumberGenerator
  /// Turns an enrolled set into an opaque token that differs from device to device.
  public var digest: any RecordTagger
  /// Digests what was approved.
  public var hash: any MessageHashing
  /// Makes the loop call ``Engine/completionsArrived()`` soon; it is called on any thread.
  public var wake: @Sendable () -> Void

  /// The ports.
  public init(
    store: any ItemStoring,
    vaults: any KeyVaultProvider,
    pam: any PasscodeConversing,
    clock: any Scheduling,
    random: any RandomNumberGenerator,
    digest: any RecordTagger,
    hash: any MessageHashing,
    wake: @escaping @Sendable () -> Void
  ) {
    self.store = store
    self.vaults = vaults
    self.pam = pam
    self.clock = clock
    self.random = random
    self.digest = digest
    self.hash = hash
    self.wake = wake
  }
}

/// What an engine is told besides its ports.
public struct EngineOptions: Sendable {
  /// The uid that the `default` device belongs to when nobody created one.
  public var owner: UInt32
  /// Whether every user has devices here, and so a `default` one.
  public var servesEverybody: Bool
  /// Whether nothing outlives the process, so that guesses may be cheap and clocks may stop.
  public var isEphemeral: Bool
  /// The PAM service of the user's own machine.
  public var pamService: String
  /// The directory to read that service from instead of the system's.
  public var pamDirectory: String?
  /// The longest a PAM conversation may take.
  public var conversationLimit: Duration
  /// The most devices of one user.
  public var devicesMax: Int
  /// The most waiting evaluations of one device.
  public var queue: Arbiter.Limits
  /// How many agents there may be, and how much they may be asked.
  public var agents: PromptAgents.Limits

  /// The options of an engine for `owner`.
  public init(owner: UInt32) {
    self.owner = owner
    servesEverybody = false
    isEphemeral = false
    pamService = "localauth"
    pamDirectory = nil
    conversationLimit = .seconds(120)
    devicesMax = 256
    queue = Arbiter.Limits()
    agents = PromptAgents.Limits()
  }
}

/// All devices of one process, and the requests under way on them.
///
/// It belongs to one thread, the loop's: every method is called there and calls back there.
public final class Engine {
  let clock: any Scheduling
  let catalog: PolicyCatalog
  /// Those of the catalog that can be used, by whom simulated sensors can be told to be.
  let sensorProfiles: SensorProfiles
  let options: EngineOptions
  let runner: EffectRunner
  /// For reading items; only ``runner`` can write.
  let items: any ItemReading
  let vaults: any KeyVaultProvider
  let authenticators: (DeviceIdentity) -> [any Authenticator]
  let digest: any RecordTagger
  let hash: any MessageHashing
  private let mailbox: Mailbox
  var random: any RandomNumberGenerator
  var itemIdentifiers = ItemIdentifierSource()
  var devices: [DeviceIdentity: LiveDevice] = [:]
  private var sessions: [EvaluationID: Session] = [:]
  private var prompts: [EvaluationID: Session] = [:]
  private var nonces: [EvaluationID: EvaluationID] = [:]
  /// Devices whose record names a profile or table that cannot be loaded, and why.
  var unusable: [DeviceIdentity: String] = [:]
  let mayHaveLostDevices: Bool
  /// Keybags whose device's record was lost: the user's own machine finds its again.
  var orphanedKeybags: [DeviceIdentity: [UInt8]]
  /// Keychain calls under way.
  var keychainRuns: [EvaluationID: KeychainRun] = [:]
  /// The number of the keychain call that began last.
  var lastKeychainRun: UInt64 = 0
  /// Who signs assertions, by the keychain that has the keys.
  var issuers: [DeviceIdentity: Issuer] = [:]
  /// Enrolments under way, those too whose passcode is still being judged.
  var enrolments: [EnrolmentID: EnrolmentRun] = [:]
  /// Who shows prompts for callers that cannot.
  let agentDesk: AgentDesk
  /// The audit of grants that answer often.
  let grantUsage: GrantUsage
  /// SHA-256 of each policy that was asked for with a grant.
  var policyDigests: [String: [UInt8]] = [:]
  /// The number of the last enrolment and of the last touch: each goes by it, for names of devices are used again.
  var lastEnrolment: UInt64 = 0
  var lastTouch: UInt64 = 0
  /// Called after every change of an audit line, for those who follow the audit.
  public var onAudit: () -> Void = {}
  /// Called with every audit line that has its outcome, once that is durable, for copies elsewhere.
  public var onAuditLine: ((AuditRecord) -> Void)? {
    get { runner.onAuditLine }
    set { runner.onAuditLine = newValue }
  }

  /// An engine over `state`, which was just loaded from `ports.store`.
  public init(
    ports: EnginePorts,
    catalog: PolicyCatalog,
    state: StoredState,
    options: EngineOptions
  ) {
    clock = ports.clock
    random = ports.random
    digest = ports.digest
    hash = ports.hash
    items = ports.store
    vaults = ports.vaults
    authenticators = ports.authenticators
    self.catalog = catalog
    sensorProfiles = SensorProfiles(catalog.sensorProfiles)
    self.options = options
    agentDesk = AgentDesk(limits: options.agents)
    mailbox = Mailbox(wake: ports.wake)
    runner = EffectRunner(
      ports: ports,
      mailbox: mailbox,
      conversationLimit: options.conversationLimit
    )
    grantUsage = GrantUsage(runner: runner, clock: ports.clock)
    mayHaveLostDevices = state.mayHaveLostDevices
    let distrusted = Set(state.distrusted)
    orphanedKeybags = Dictionary(
      state.keybags.map { ($0.device, $0.sealed) },
      uniquingKeysWith: { first, _ in first }
    )
    runner.engine = self
    // A user's own machine first, for it counts what the user's others are tried with.
    let isOwnMachine = { (record: DeviceRecord) in
      record.identity.name == DeviceIdentity.defaultName
    }
    for record in state.devices.filter(isOwnMachine) + state.devices.filter({ !isOwnMachine($0) }) {
      let device = adopt(
        current(record),
        isDistrusted: distrusted.contains(record.identity),
        keybag: orphanedKeybags.removeValue(forKey: record.identity)
      )
      if let device { completeKeybag(of: device) }
    }
    if let warning = state.warning { note(warning, of: state.distrusted) }
  }

  /// Writes into the audit of each of `identities` why its passcode is asked for and its counts are high.
  private func note(_ warning: String, of identities: [DeviceIdentity]) {
    let root = Caller(uid: options.owner, pid: 0, program: "")
    let lines = identities.compactMap { devices[$0] }.map { device in
      var line = act("state distrusted", on: device, caller: root).audit
      close(&line, .internalError, on: device)
      line.detail = warning
      return line
    }
    if !lines.isEmpty { runner.store(lines) }
  }

  deinit {
    // PAM may still hold sessions of its devices, which nothing may wake any more.
    for device in devices.values { device.timers.end() }
    runner.close()
  }

  /// Hands on what store and vaults completed; called by the loop after `wake`.
  public func completionsArrived() {
    runner.completionsArrived()
    onAudit()
  }

  /// Whether the process may end without costing anybody more than a restart.
  public var isIdle: Bool {
    sessions.isEmpty && keychainRuns.isEmpty && enrolments.isEmpty && runner.isIdle
      && grantUsage.isIdle
      && !devices.values.contains { $0.holdsUnlock || $0.scripts.plannedCount != 0 }
  }

  // MARK: Evaluations

  /// Evaluates a policy.
  ///
  /// `onEvent` may be called before this returns, and `finished` is the last it hears. Cancel by
  /// ``cancel(_:)`` with the identifier that is returned.
  public func evaluate(
    _ request: EvaluationRequest,
    caller: Caller,
    onEvent: @escaping (SessionEvent) -> Void
  ) throws(EngineError) -> EvaluationID {
    let device = try device(named: request.device, of: caller)
    let policy = try policy(named: request.policy)
    if request.assertion != nil { try checkAssertable(policy) }
    let policyProfile = try policy.lockout.map { name throws(EngineError) in
      try lockoutProfile(named: name, for: policy.name)
    }
    var request = request.answeredByScript(on: device) ?? request
    let id = EvaluationID(using: &random)
    if request.asksAgent {
      if agentDesk.share(request, of: caller, as: id, onEvent) { return id }
      request.isInteractive = request.isInteractive && agentDesk.canAsk(for: caller)
    }
    let script = try player(for: request, on: device)
    let conversation = request.asksAgent ? agentDesk.conversation(of: id, onEvent) : nil
    let session = Session(
      id: id,
      caller: caller,
      request: request,
      device: device,
      policy: policy,
      policyProfile: policyProfile,
      script: script,
      engine: self,
      conversation: conversation,
      onEvent: conversation?.hear ?? onEvent
    )
    begin(session)
    return id
  }

  /// Lets a session run.
  func begin(_ session: Session) {
    sessions[session.id] = session
    session.begin()
  }

  /// Makes ready what signs its success.
  func prepare(_ session: Session) {
    withIssuer(for: session.device, session.caller) { result in
      var refusal: Outcome?
      if case .failure = result {
        refusal = Outcome(.internalError, detail: Session.unsigned)
      }
      session.meet { [refusal] in $0.prepared(session.id, refusal, at: $1) }
    }
  }

  /// Answers a prompt; the nonce is spent by it.
  public func respond(
    nonce: EvaluationID,
    caller: Caller,
    answer: PromptResponse
  ) throws(EngineError) {
    guard let session = prompts[nonce], let answerer = session.answerer,
      answerer.isSameProcess(as: caller)
    else { throw .promptNotFound }
    forgetPrompt(of: session)
    switch answer {
    case .cancel: session.end(Outcome(.userCancel))
    // A prompt that offers it while the passcode is asked for already is shown anew, nonce and all.
    case .fallback: if !session.fallback() { session.present() }
    case .passcode(let passcode):
      guard session.submit(passcode) else { throw .promptNotFound }
    }
  }

  /// The caller of an evaluation went away or changed its mind.
  public func cancel(_ id: EvaluationID) {
    guard let evaluation = agentDesk.detach(id) else { return }
    sessions[evaluation]?.end(Outcome(.appCancel))
  }

  /// Ends every evaluation, because the service stops.
  public func shutDown() {
    grantUsage.flush()
    for run in Array(keychainRuns.values) { run.cancel(.systemCancel) }
    for device in devices.values { runner.meet(device) { $0.cancelAll(at: $1) } }
  }

  // MARK: For sessions

  func freshNonce(for session: Session) -> EvaluationID {
    forgetPrompt(of: session)
    let nonce = EvaluationID(using: &random)
    prompts[nonce] = session
    nonces[session.id] = nonce
    return nonce
  }

  /// The session of this name, until it was answered.
  func session(_ id: EvaluationID) -> Session? { sessions[id] }

  /// The session was answered.
  func forget(_ session: Session) {
    forgetPrompt(of: session)
    sessions[session.id] = nil
  }

  /// The session that has the device's prompt.
  func armedSession(on device: LiveDevice) -> Session? {
    device.machine.promptHolder.flatMap { sessions[$0] }
  }

  /// Something about the device changed: whoever is asked may be asked for something else.
  func deviceChanged(_ device: LiveDevice) { runner.meet(device) { $0.changed(at: $1) } }

  /// An authenticator of the device was connected or disconnected.
  public func authenticatorsChanged(on identity: DeviceIdentity) {
    if let device = devices[identity] { deviceChanged(device) }
  }

  /// Ends whatever runs or waits on a device that is locked, restarted, erased or goes away.
  func cancelAll(on device: LiveDevice) {
    for run in keychainRuns.values.filter({ $0.device === device }) { run.cancel(.systemCancel) }
    runner.meet(device) { $0.cancelAll(at: $1) }
    interruptEnrolment(on: device)
  }

  func forgetPrompt(of session: Session) {
    if let nonce = nonces.removeValue(forKey: session.id) { prompts[nonce] = nil }
  }
}
