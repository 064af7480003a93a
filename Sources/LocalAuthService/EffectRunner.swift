import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSensor

/// Performs the effects of the devices' machines; the only code that writes durable state or asks
/// an authenticator.
///
/// Everything runs on the engine's thread. The store and the vaults answer through the mailbox, by
/// step number, and the machines ignore answers that come too late.
final class EffectRunner {
  /// The owner of the sessions; nil once it is gone.
  weak var engine: Engine?
  /// Called with every audit line that has an outcome, once it is durable.
  var onAuditLine: (AuditRecord) -> Void = { _ in }
  let clock: any Scheduling
  let pam: any PasscodeConversing
  let conversationLimit: Duration
  private let store: any ItemStoring
  private let mailbox: Mailbox
  private var waitingForCommit: [UInt64: WaitingCommit] = [:]
  private var waitingForOpening: [UInt64: (KeybagOpening) -> Void] = [:]
  private var waitingForSealing: [UInt64: ([UInt8]?) -> Void] = [:]
  private var waitingForStretching: [UInt64: (SecretBox?) -> Void] = [:]
  private var waitingForBackup: [UInt64: (BackupBeginning) -> Void] = [:]
  private var waitingForBackupAccess: [UInt64: (BackupAccess) -> Void] = [:]
  private var lastStep: UInt64 = 0
  private(set) var isClosed = false

  /// What waits for a commit: its audit lines, and whoever asked for it.
  private struct WaitingCommit {
    let lines: AuditLines
    let body: (Result<Void, StorageError>) -> Void
  }

  /// The evidence of each attempt in progress.
  var evidence: [AttemptID: Evidence] = [:]
  /// Acts whose guess is pending.
  var acts: [EvaluationID: PendingAct] = [:]
  /// What is stored with a device for an act, and whom to tell.
  var stores: [EvaluationID: ActStore] = [:]
  /// Attempts of other devices that an account's machine counts, by the act's name there.
  var visits: [EvaluationID: AccountVisit] = [:]
  /// Pending checks of whether anything can be stored.
  var storageChecks: [EvaluationID: (StorageError?) -> Void] = [:]

  init(ports: EnginePorts, mailbox: Mailbox, conversationLimit: Duration) {
    store = ports.store
    pam = ports.pam
    clock = ports.clock
    self.mailbox = mailbox
    self.conversationLimit = conversationLimit
  }

  /// Whether nothing is pending at the store or a vault.
  var isIdle: Bool {
    waitingForCommit.isEmpty && waitingForOpening.isEmpty && waitingForSealing.isEmpty
      && waitingForStretching.isEmpty && waitingForBackup.isEmpty
      && waitingForBackupAccess.isEmpty
  }

  /// Drops all pending callbacks because the engine is gone; later answers are ignored.
  func close() {
    isClosed = true
    waitingForCommit.removeAll()
    waitingForOpening.removeAll()
    waitingForSealing.removeAll()
    waitingForStretching.removeAll()
    waitingForBackup.removeAll()
    waitingForBackupAccess.removeAll()
    evidence.removeAll()
    acts.removeAll()
    stores.removeAll()
    visits.removeAll()
    storageChecks.removeAll()
  }

  // MARK: Events and effects

  /// Feeds an event to a device's machine and performs the effects it asks for.
  ///
  /// Effects requested while another is performed wait their turn, as in the prover's model.
  @discardableResult
  func meet<Answer>(
    _ device: LiveDevice,
    _ event: (inout DeviceMachine, Moment) -> Answer
  ) -> Answer {
    let answer = device.meet(event, at: clock.now())
    carryOut(on: device)
    return answer
  }

  /// Calls `body` once every effect the device's machine asked for is performed: at once, unless
  /// one is being performed.
  func afterEffects(on device: LiveDevice, _ body: @escaping () -> Void) {
    if device.isInEffect { device.followUps.append(body) } else { body() }
  }

  private func carryOut(on device: LiveDevice) {
    guard !device.isInEffect else { return }
    repeat {
      device.isInEffect = true
      while !device.effects.isEmpty { perform(device.effects.removeFirst(), on: device) }
      device.isInEffect = false
      if !device.followUps.isEmpty { device.followUps.removeFirst()() }
    } while !device.effects.isEmpty || !device.followUps.isEmpty
  }

  private func perform(_ effect: DeviceMachine.Effect, on device: LiveDevice) {
    switch effect {
    case .commit(let commit): write(commit, of: device)
    case .commitWithAccount(let commit, let act): commitWithAccount(commit, act, of: device)
    case .judge(let charge): judge(charge, on: device)
    case .respond(let attempt): respond(attempt)
    case .respondWithAccount(let attempt): respondWithAccount(attempt)
    case .abort(let attempt): evidence[attempt]?.judgment?.abort()
    case .reported(let attempt, let verdict):
      guard let onReport = evidence.removeValue(forKey: attempt)?.onReport else { return }
      afterEffects(on: device) { onReport(verdict) }
    case .revokeFingers: device.follow(device.keybag.fingersRevoked())
    case .passcodeProven: device.sensor?.update { $0.passcodeProven() }
    case .authorized(let act): reported(act, .proven(finger: nil, generation: nil), on: device)
    case .refused(let act, let verdict): reported(act, verdict, on: device)
    case .stored(let act, let isDurable):
      guard let body = stores.removeValue(forKey: act)?.body else { return }
      afterEffects(on: device) { body(isDurable) }
    case .storageChecked(let id, let failure):
      guard let body = storageChecks.removeValue(forKey: id) else { return }
      afterEffects(on: device) { body(failure) }
    case .prepare(let id), .limit(let id), .admit(let id), .place(let id), .unlock(let id, _),
      .show(let id, _), .wait(let id, _), .miss(let id, _), .hide(let id), .over(let id, _),
      .answer(let id, _):
      engine?.session(id)?.perform(effect)
    }
  }

  /// A unique name for a step that is internal to the runner.
  func nextName() -> EvaluationID { EvaluationID(high: 0, low: nextStep()) }

  // MARK: The store

  /// Makes audit lines and item changes durable; a device's own state goes through its machine
  /// instead.
  func store(
    _ lines: [AuditRecord],
    _ items: [ItemChange] = [],
    _ kind: CommitKind = .ordinary,
    then body: @escaping (Result<Void, StorageError>) -> Void = { _ in }
  ) {
    commit(lines.map { .audit($0) }, items: items, kind, then: body)
  }

  /// Makes changes of a device's synchronization durable, with the items that follow from them.
  func store(
    _ changes: [StateChange],
    _ items: [ItemChange],
    _ kind: CommitKind,
    then body: @escaping (Result<Void, StorageError>) -> Void
  ) { commit(changes, items: items, kind, then: body) }

  /// Makes an empty spool for items of a device.
  func spool(of device: DeviceIdentity) throws(StorageError) -> any ItemSpooling {
    try store.spool(of: device)
  }

  /// Makes changes, and then all that a spool has, durable by one commit.
  func store(
    _ changes: [StateChange],
    spool: any ItemSpooling,
    _ kind: CommitKind,
    then body: @escaping (Result<Void, StorageError>) -> Void
  ) {
    commit(changes, then: body) { [store] changes, completion in
      store.commit(changes, spool: spool, kind, completion: completion)
    }
  }

  /// Removes everything stored for a device whose machine no longer writes, with the audit line of
  /// the removal.
  func remove(
    _ device: DeviceIdentity,
    _ line: AuditRecord? = nil,
    then body: @escaping (Result<Void, StorageError>) -> Void = { _ in }
  ) {
    let lines = [line].compactMap { $0 }.map { StateChange.audit($0) }
    commit([.deviceRemoved(device)] + lines, .guarded, then: body)
  }

  /// What is known of the counts of a device that is not stored and may have been lost.
  func doubt(of device: DeviceIdentity) -> CountDoubt { store.doubt(of: device) }

  /// Writes what a device's machine wants durable.
  func write(_ commit: DeviceMachine.Commit, of device: LiveDevice) {
    let session = commit.purpose.owner.flatMap { engine?.session($0) }
    if session?.isOnlyCounted(commit) ?? false {
      return written(commit, .success(()), of: device)
    }
    let own = changes(of: commit, session, of: device)
    var (changes, kind) = (own.changes, own.kind)
    let visitor = takeVisitor(with: commit)
    if let visitor {
      let session = visitor.commit.purpose.owner.flatMap { engine?.session($0) }
      let theirs = self.changes(of: visitor.commit, session, of: visitor.device)
      changes += theirs.changes
      if theirs.kind == .guarded { kind = .guarded }
    }
    self.commit(changes, kind) { [self] result in
      if case .redeem = commit.purpose { session?.redemptionWritten(own.line, result) }
      // The account first: the visiting device may begin its next attempt at once.
      written(commit, result, of: device)
      if let visitor { written(visitor.commit, result, of: visitor.device) }
    }
  }

  private func written(
    _ commit: DeviceMachine.Commit,
    _ result: Result<Void, StorageError>,
    of device: LiveDevice
  ) {
    if case .reopen = commit.purpose, case .success = result { device.isErasureDue = false }
    meet(device) { $0.committed(commit, result, at: $1) }
  }

  private func commit(
    _ changes: [StateChange],
    items: [ItemChange] = [],
    _ kind: CommitKind,
    then body: @escaping (Result<Void, StorageError>) -> Void
  ) {
    commit(changes, then: body) { [store] changes, completion in
      store.commit(changes, items: items, kind, completion: completion)
    }
  }

  /// Has `write` write, and calls `body` once the changes are durable or were not made.
  private func commit(
    _ changes: [StateChange],
    then body: @escaping (Result<Void, StorageError>) -> Void,
    by write: ([StateChange], @escaping @Sendable (Result<Void, StorageError>) -> Void) -> Void
  ) {
    let step = nextStep()
    let lines = AuditLines(of: changes, by: engine)
    waitingForCommit[step] = WaitingCommit(lines: lines, body: body)
    write(lines.changes) { [mailbox] result in mailbox.post(.committed(step: step, result)) }
  }

  // MARK: Keys

  /// Opens a keybag with the first of `passcodes` that fits it.
  func open(
    _ keybag: [UInt8],
    with passcodes: [SecretBox],
    by vault: any KeyVault,
    for charge: DurableCharge,
    then body: @escaping (KeybagOpening) -> Void
  ) {
    let step = nextStep()
    waitingForOpening[step] = body
    vault.open(keybag, with: passcodes, for: charge) { [mailbox] opening in
      mailbox.post(.opened(step: step, opening))
    }
  }

  /// Seals `keys` as the keybag of `record`.
  func seal(
    _ keys: any OpenedKeys,
    _ record: KeybagRecord,
    passcode: SecretBox?,
    then body: @escaping ([UInt8]?) -> Void
  ) {
    let step = nextStep()
    waitingForSealing[step] = body
    keys.seal(record, passcode: passcode) { [mailbox] sealed in
      mailbox.post(.sealed(step: step, sealed))
    }
  }

  /// Derives the key of an application password.
  func stretch(
    _ password: SecretBox,
    of item: ItemIdentifier,
    on device: LiveDevice,
    for charge: DurableCharge,
    then body: @escaping (SecretBox?) -> Void
  ) {
    let step = nextStep()
    waitingForStretching[step] = body
    device.vault.stretch(password, of: item, for: charge) { [mailbox] key in
      mailbox.post(.stretched(step: step, key))
    }
  }

  /// Begins a backup of a device.
  func beginBackup(
    of device: LiveDevice,
    password: SecretBox?,
    then body: @escaping (BackupBeginning) -> Void
  ) {
    let step = nextStep()
    waitingForBackup[step] = body
    let now = device.now(clock.now()).wall
    device.vault.beginBackup(password: password, at: now) { [mailbox] result in
      mailbox.post(.backupBegan(step: step, result))
    }
  }

  /// Opens a backup on a device, by its header.
  func openBackup(
    _ header: [UInt8],
    on device: LiveDevice,
    password: SecretBox?,
    then body: @escaping (BackupAccess) -> Void
  ) {
    let step = nextStep()
    waitingForBackupAccess[step] = body
    device.vault.openBackup(header, password: password) { [mailbox] result in
      mailbox.post(.backupOpened(step: step, result))
    }
  }

  /// Delivers the completions in the mailbox.
  func completionsArrived() {
    for completion in mailbox.takeAll() {
      switch completion {
      case .committed(let step, let result):
        guard let commit = waitingForCommit.removeValue(forKey: step) else { continue }
        commit.lines.committed(result, onAuditLine)
        commit.body(result)
      case .opened(let step, let opening):
        waitingForOpening.removeValue(forKey: step)?(opening)
      case .sealed(let step, let sealed):
        waitingForSealing.removeValue(forKey: step)?(sealed)
      case .stretched(let step, let key):
        waitingForStretching.removeValue(forKey: step)?(key)
      case .backupBegan(let step, let result):
        waitingForBackup.removeValue(forKey: step)?(result)
      case .backupOpened(let step, let result):
        waitingForBackupAccess.removeValue(forKey: step)?(result)
      }
    }
  }

  /// Tells the audit lines that became durable before the store was closed.
  ///
  /// Whoever waits for their commits is told nothing: what would follow could not be stored.
  func tellLastLines() {
    for case .committed(let step, let result) in mailbox.takeAll() {
      waitingForCommit.removeValue(forKey: step)?.lines.committed(result, onAuditLine)
    }
  }

  private func nextStep() -> UInt64 {
    lastStep += 1
    return lastStep
  }
}
