public import LocalAuthCore
import LocalAuthKeychain
public import LocalAuthPolicies
import LocalAuthSensor
import LocalAuthSync

/// The configuration of an engine.
public struct EngineOptions: Sendable {
  /// The uid that owns the `default` device unless every user has one.
  public var owner: UInt32
  /// Whether the service is for all users, each with a `default` device.
  public var servesEverybody: Bool
  /// Whether nothing outlives the process, so that guesses may be cheap and clocks may be stopped.
  public var isEphemeral: Bool
  /// The PAM service that judges the passcode of users' own machines.
  public var pamService: String
  /// The directory to read that service from instead of the system's.
  public var pamDirectory: String?
  /// The longest a PAM conversation may take.
  public var conversationLimit: Duration
  /// The most devices that one user may have.
  public var devicesMax: Int
  /// The limits on the evaluations waiting on one device; touches may wait in the same number.
  public var queue: Arbiter.Limits
  /// The limits on agents and their pending prompts.
  public var agents: PromptAgents.Limits
  /// The most bytes of items that a restore or a document may spool before its one commit; nil for what the disk has.
  public var spooledBytesMax: Int?
  /// The most items that a restore or a document may bring; nil for no limit.
  public var spooledItemsMax: Int?
  /// How many entries of a zone are between two checkpoints.
  public var checkpointInterval: UInt64

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
    spooledBytesMax = nil
    spooledItemsMax = nil
    checkpointInterval = ZoneCheckpoint.interval
  }
}

/// All devices of one process, and the requests in progress on them.
///
/// It belongs to the loop's thread: call every method there; callbacks run there too.
public final class Engine {
  let clock: any Scheduling
  /// Called with what keeps a device from being synchronized, once for as long as it does.
  public var onSyncDoubt: (DeviceIdentity, SyncDoubt) -> Void = { _, _ in }
  /// The policies, profiles and tables in force; see ``takeUp(_:)``.
  var catalog: PolicyCatalog
  /// The catalog's usable sensor profiles, which a simulated sensor's settings can name.
  var sensorProfiles: SensorProfiles { SensorProfiles(catalog.sensorProfiles) }
  let options: EngineOptions
  let runner: EffectRunner
  /// The turn to hold or to change many items at once, which one call has at a time.
  ///
  /// So what all calls hold is bounded, and small changes of all devices wait for no more than one large one.
  let largeCalls = UserTurns(inAll: 1, ofUser: 1)
  /// The places of calls that look at more rows than are looked at in one go.
  ///
  /// Each holds no more than an answer, and those of one user keep the loop from nobody.
  let searches = UserTurns(inAll: 32, ofUser: 4)
  /// For reading items; only ``runner`` can write.
  let items: any ItemReading
  let vaults: any KeyVaultProvider
  let authenticators: (DeviceIdentity) -> [any Authenticator]
  let digest: any RecordTagger
  let hash: any MessageHashing
  let hubs: any HubLinking
  let signatures: any SignatureVerifying
  /// How far devices had verified what others sent them, when the state was loaded.
  let watermarks: [DeviceIdentity: [UInt8]]
  private let mailbox: Mailbox
  var random: any RandomNumberGenerator
  var itemIdentifiers = ItemIdentifierSource()
  var devices: [DeviceIdentity: LiveDevice] = [:]
  private var sessions: [EvaluationID: Session] = [:]
  private var prompts: [EvaluationID: Session] = [:]
  private var nonces: [EvaluationID: EvaluationID] = [:]
  /// Devices whose record names a profile or table that cannot be loaded.
  var unusable: [DeviceIdentity: UnusableDevice] = [:]
  let mayHaveLostDevices: Bool
  /// Keybags whose device record was lost; the user's own machine takes its keybag back.
  var orphanedKeybags: [DeviceIdentity: [UInt8]]
  /// Keychain calls in progress.
  var keychainRuns: [EvaluationID: KeychainRun] = [:]
  /// Backups being made or restored, by the connection that does it.
  var backupRuns: [UInt64: any BackupExchange] = [:]
  /// Why backups were ended that their connections did not end, which hear it when they go on.
  var endedBackups: [UInt64: EngineError] = [:]
  /// The users for whom the key of a backup is being derived, and the connection that waits for it; nil once
  /// that has ended.
  var backupsBeginning: [UInt32: UInt64?] = [:]
  /// What connections have sent for key-value stores and have not finished.
  var keyValueBatches = KeyValueBatches()
  /// The documents that connections are writing.
  var documentWrites: [UInt64: DocumentWrite] = [:]
  /// The number of the last keychain call.
  var lastKeychainRun: UInt64 = 0
  /// The issuers of assertions, keyed by the device whose keychain holds their keys.
  var issuers: [DeviceIdentity: Issuer] = [:]
  /// Enrolments in progress, including those whose passcode is still being judged.
  var enrolments: [EnrolmentID: EnrolmentRun] = [:]
  /// The agents that show prompts for callers without a user interface.
  let agentDesk: AgentDesk
  /// The audit of grants that are redeemed often.
  let grantUsage: GrantUsage
  /// SHA-256 of each policy that was evaluated with a grant request.
  var policyDigests: [String: [UInt8]] = [:]
  /// The numbers of the last enrolment and touch, by which each is identified because device names
  /// are reused.
  var lastEnrolment: UInt64 = 0
  var lastTouch: UInt64 = 0
  /// Called with every audit line that has an outcome, once it is durable, to copy it elsewhere.
  public var onAuditLine: (AuditRecord) -> Void {
    get { runner.onAuditLine }
    set { runner.onAuditLine = newValue }
  }

  /// Makes an engine from `state`, freshly loaded from `ports.store`.
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
    hubs = ports.hubs
    signatures = ports.signatures
    watermarks = state.watermarks
    items = ports.store
    vaults = ports.vaults
    authenticators = ports.authenticators
    self.catalog = catalog
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
    adopt(
      state.devices.map { record in
        UnusableDevice.Stored(
          record: current(record),
          isDistrusted: distrusted.contains(record.identity),
          keybag: orphanedKeybags.removeValue(forKey: record.identity)
        )
      }
    )
    if let warning = state.warning { note(warning, of: state.distrusted) }
  }

  /// Writes to the audit of each of `identities` why it demands its passcode and its counts are
  /// high.
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
    // PAM may still hold sessions of these devices, which nothing may resume.
    for device in devices.values {
      device.timers.end()
      device.endSynchronization()
    }
    runner.close()
  }

  /// Delivers completions of the store and the vaults; the loop calls it after `wake`.
  public func completionsArrived() {
    runner.completionsArrived()
  }

  /// Whether the process may exit at no other cost than a restart.
  public var isIdle: Bool {
    isAtRest && devices.values.allSatisfy { $0.synchronizer == nil }
      && !devices.values.contains { $0.holdsUnlock || $0.scripts.plannedCount != 0 }
  }

  /// Whether nothing is in progress, and everything is durable and answered.
  public var isAtRest: Bool {
    sessions.isEmpty && keychainRuns.isEmpty && enrolments.isEmpty && runner.isIdle
      && backupRuns.isEmpty
      && grantUsage.isIdle
  }

  // MARK: Evaluations

  /// Evaluates a policy.
  ///
  /// `onEvent` may be called before this returns; `finished` is the last event. Cancel with
  /// ``cancel(_:)`` and the returned identifier.
  public func evaluate(
    _ request: EvaluationRequest,
    caller: Caller,
    onEvent: @escaping (SessionEvent) -> Void
  ) throws(EngineError) -> EvaluationID {
    let device = try device(named: request.device, of: caller)
    let policy = try policy(named: request.policy)
    if request.assertion != nil { try checkAssertable(policy) }
    let request = request.answeredByScript(on: device) ?? request
    let id = EvaluationID(using: &random)
    if request.asksAgent, agentDesk.share(request, of: caller, as: id, onEvent) { return id }
    try begin(request, as: id, under: policy, on: device, of: caller, onEvent: onEvent)
    return id
  }

  /// Begins to evaluate `policy`, whose name the request has for the prompt.
  func begin(
    _ request: EvaluationRequest,
    as id: EvaluationID,
    under policy: Policy,
    on device: LiveDevice,
    of caller: Caller,
    onEvent: @escaping (SessionEvent) -> Void
  ) throws(EngineError) {
    let policyProfile = try policy.lockout.map { name throws(EngineError) in
      try lockoutProfile(named: name, for: policy.name)
    }
    var request = request
    if request.asksAgent, !agentDesk.canAsk(for: caller) { request.isInteractive = false }
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
  }

  /// Registers a session and starts it.
  func begin(_ session: Session) {
    sessions[session.id] = session
    session.begin()
  }

  /// Prepares the issuer that will sign the session's success.
  func prepare(_ session: Session) {
    whenSettled(session.device.pluggedIn[...]) { [self] in
      guard session.request.assertion != nil else {
        return session.meet { $0.prepared(session.id, nil, at: $1) }
      }
      prepareIssuer(for: session)
    }
  }

  private func whenSettled(
    _ authenticators: ArraySlice<any Authenticator>,
    _ body: @escaping () -> Void
  ) {
    guard let first = authenticators.first else { return body() }
    first.whenSettled { [self] in whenSettled(authenticators.dropFirst(), body) }
  }

  private func prepareIssuer(for session: Session) {
    withIssuer(for: session.device, session.caller) { result in
      var refusal: Outcome?
      if case .failure = result {
        refusal = Outcome(.internalError, detail: Session.unsigned)
      }
      session.meet { [refusal] in $0.prepared(session.id, refusal, at: $1) }
    }
  }

  /// Answers a prompt and invalidates its nonce, unless the passcode is too long to be one.
  public func respond(
    nonce: EvaluationID,
    caller: Caller,
    answer: PromptResponse
  ) throws(EngineError) {
    guard let session = prompts[nonce], let answerer = session.answerer,
      answerer.isSameProcess(as: caller)
    else { throw .promptNotFound }
    // Refused before it is charged; an application password has no such limit.
    if case .passcode(let passcode) = answer, session.request.password == nil {
      try checkPasscode(passcode, mayBeEmpty: true)
    }
    forgetPrompt(of: session)
    switch answer {
    case .cancel: session.end(Outcome(.userCancel))
    // If the passcode is asked for already, show the prompt again with a new nonce.
    case .fallback: if !session.fallback() { session.present() }
    case .passcode(let passcode):
      guard session.submit(passcode) else { throw .promptNotFound }
    }
  }

  /// Cancels an evaluation whose caller went away or changed its mind.
  public func cancel(_ id: EvaluationID) {
    guard let evaluation = agentDesk.detach(id) else { return }
    sessions[evaluation]?.end(Outcome(.appCancel))
  }

  /// Ends every evaluation, because the service stops.
  public func shutDown() {
    grantUsage.flush()
    for run in Array(keychainRuns.values) { run.cancel(.systemCancel) }
    backupRuns.removeAll()
    interruptEnrolments()
    for device in devices.values { device.endSynchronization() }
    for device in devices.values { runner.meet(device) { $0.cancelAll(at: $1) } }
    tellGaps()
  }

  /// Tells the audit lines that became durable until the store was closed; nothing else goes on.
  public func storeClosed() { runner.tellLastLines() }

  // MARK: For sessions

  func freshNonce(for session: Session) -> EvaluationID {
    forgetPrompt(of: session)
    let nonce = EvaluationID(using: &random)
    prompts[nonce] = session
    nonces[session.id] = nonce
    return nonce
  }

  /// The session with this identifier, until it is answered.
  func session(_ id: EvaluationID) -> Session? { sessions[id] }

  /// Forgets a session that has been answered.
  func forget(_ session: Session) {
    forgetPrompt(of: session)
    sessions[session.id] = nil
  }

  /// The session that holds the device's prompt.
  func armedSession(on device: LiveDevice) -> Session? {
    device.machine.promptHolder.flatMap { sessions[$0] }
  }

  /// Tells the machine that the device changed, which may change what a prompt asks for.
  func deviceChanged(_ device: LiveDevice) { runner.meet(device) { $0.changed(at: $1) } }

  /// Tells the engine that an authenticator of the device was connected or disconnected.
  public func authenticatorsChanged(on identity: DeviceIdentity) {
    guard let device = devices[identity] else { return }
    adoptPrints(on: device)
    deviceChanged(device)
  }

  /// Plugs in anew what ``EnginePorts/authenticators`` returns for each device.
  public func plugAuthenticators() {
    for device in devices.values {
      device.plug(authenticators(device.identity), hash)
      authenticatorsChanged(on: device.identity)
    }
  }

  /// Cancels everything in progress or waiting on a device that is locked, restarted, erased or
  /// removed.
  func cancelAll(on device: LiveDevice) {
    endBackups(on: device)
    for run in keychainRuns.values.filter({ $0.device === device }) { run.cancel(.systemCancel) }
    runner.meet(device) { $0.cancelAll(at: $1) }
    interruptEnrolment(on: device)
  }

  func forgetPrompt(of session: Session) {
    if let nonce = nonces.removeValue(forKey: session.id) { prompts[nonce] = nil }
  }
}
