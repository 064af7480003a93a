import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSensor

/// Performs what the machines ask for: the only code that writes durable state or asks a judge.
///
/// Everything runs on the engine's thread; the answers of the store and of the vaults come back
/// through the mailbox, numbered, and meet a machine that ignores what comes too late.
final class Interpreter {
  private let store: any ItemStoring
  private let pam: any PasscodeConversing
  private let clock: any Scheduling
  private let mailbox: Mailbox
  private let conversationLimit: Duration
  private var waitingForCommit: [UInt64: (Result<Void, StorageError>) -> Void] = [:]
  private var waitingForOpening: [UInt64: (KeybagOpening) -> Void] = [:]
  private var waitingForSealing: [UInt64: ([UInt8]?) -> Void] = [:]
  private var waitingForStretching: [UInt64: (SecretBox?) -> Void] = [:]
  private var lastStep: UInt64 = 0
  private var isClosed = false
  /// Hears every audit line that has its outcome, once that is durable.
  var onAuditLine: ((AuditRecord) -> Void)?

  init(ports: EnginePorts, mailbox: Mailbox, conversationLimit: Duration) {
    store = ports.store
    pam = ports.pam
    clock = ports.clock
    self.mailbox = mailbox
    self.conversationLimit = conversationLimit
  }

  /// Whether nothing is on its way to the store or a judge.
  var isIdle: Bool {
    waitingForCommit.isEmpty && waitingForOpening.isEmpty && waitingForSealing.isEmpty
      && waitingForStretching.isEmpty
  }

  /// The engine is gone: whoever answers later finds nobody.
  func close() {
    isClosed = true
    waitingForCommit.removeAll()
    waitingForOpening.removeAll()
    waitingForSealing.removeAll()
    waitingForStretching.removeAll()
  }

  // MARK: Attempts

  /// Takes `run` from its charge to its report.
  func start(_ run: AttemptRun) { perform(run.machine.begin(), for: run) }

  private func perform(_ action: Attempt.Action, for run: AttemptRun) {
    switch action {
    case .charge: charge(run)
    case .judge: judge(run)
    case .settle(let verdict): settle(run, verdict)
    case .report(let verdict): run.onReport(verdict)
    case .ignore: break
    }
  }

  private func charge(_ run: AttemptRun) {
    let device = run.device
    if let refusal = device.charge(
      run.machine.factor,
      and: run.policyProfile,
      at: device.now(clock.now())
    ) {
      return perform(run.machine.chargeFailed(refusal), for: run)
    }
    run.passcodeCounts = device.passcodeCounts
    commit([.audit(run.audit(nil))], of: device, .guarded) { [self] isDurable in
      perform(
        isDurable ? run.machine.charged() : run.machine.chargeFailed(device.unwritable),
        for: run
      )
    }
  }

  /// Charges one more answer of a conversation that asks again; `body` hears whether it may be given.
  ///
  /// Without it a stack of modules that each ask would judge several guesses for one charge.
  func chargeAnswer(of run: AttemptRun, then body: @escaping (_ isCharged: Bool) -> Void) {
    let device = run.device
    let now = device.now(clock.now())
    guard device.charge(run.machine.factor, and: run.policyProfile, at: now) == nil else {
      return body(false)
    }
    commit([.audit(run.audit(nil))], of: device, .guarded, then: body)
  }

  private func judge(_ run: AttemptRun) {
    switch run.evidence {
    case .finger(let capture):
      let verdict = run.device.sensor?.judge(capture)
      judged(run, verdict ?? .unjudged(Outcome(.biometryDisconnected)))
    case .passcode(let passcode):
      guard let evidence = run.device.passcodeEvidence else {
        return judged(run, .unjudged(Outcome(.internalError, detail: Self.noKeybag)))
      }
      open([passcode], evidence, for: run) { [self] in judged(run, $0) }
    case .conversation(let service, let directory):
      run.conversation = pam.converse(
        uid: run.device.identity.owner,
        service: service,
        directory: directory,
        limit: conversationLimit
      ) { [self] event in
        guard !isClosed else { return }
        run.onConversation(event)
        if case .ended(let verdict) = event { conversed(run, verdict) }
      }
    }
  }

  private static let noKeybag = "The passcode's keybag is damaged."

  /// PAM's word is the verdict; its answers are tried on the keybag only after it said yes.
  ///
  /// None that fits is no failure: the user is who they say, and the keybag stays closed.
  private func conversed(_ run: AttemptRun, _ verdict: Verdict) {
    let candidates = run.candidates
    run.candidates = []
    guard case .proven = verdict, run.wantsKeys, !candidates.isEmpty,
      let evidence = run.device.passcodeEvidence
    else { return judged(run, verdict) }
    open(candidates, evidence, for: run) { [self] _ in judged(run, verdict) }
  }

  private func open(
    _ passcodes: [SecretBox],
    _ evidence: PasscodeEvidence,
    for run: AttemptRun,
    then body: @escaping (Verdict) -> Void
  ) {
    let step = nextStep()
    waitingForOpening[step] = { opening in
      switch opening {
      case .opened(let keys, let made):
        run.opened = run.wantsKeys || made != nil ? keys : nil
        run.madeKeybag = made
        body(.proven(finger: nil, generation: nil))
      case .wrong: body(.miss)
      case .failed: body(.unjudged(Outcome(.internalError)))
      }
    }
    run.device.vault.open(passcodes, evidence) { [mailbox] opening in
      mailbox.post(.opened(step: step, opening))
    }
  }

  private func judged(_ run: AttemptRun, _ verdict: Verdict) {
    perform(run.machine.judged(verdict), for: run)
  }

  private func settle(_ run: AttemptRun, _ verdict: Verdict) {
    let device = run.device
    // A proven passcode ends distrust, which takes a new sequence that agrees with its mirror.
    let kind: CommitKind = device.isDistrusted ? .guarded : .ordinary
    if case .proven = verdict, let made = run.madeKeybag { device.adoptKeybag(made) }
    device.settle(
      run.machine.factor,
      verdict,
      wasSubmitted: run.wasSubmitted || run.passcodeCounts != device.passcodeCounts,
      at: device.now(clock.now())
    )
    commit([.audit(run.audit(verdict))], of: device, kind) { [self] isDurable in
      perform(
        isDurable ? run.machine.settled() : run.machine.settleFailed(device.unwritable),
        for: run
      )
    }
  }

  // MARK: Commits

  /// Makes the record of `device` and `changes` durable together, with its keybag where that changed.
  func commit(
    _ changes: [StateChange],
    of device: Device,
    _ kind: CommitKind,
    then body: @escaping (_ isDurable: Bool) -> Void
  ) {
    guard device.failure == nil, !device.isRemoved else { return body(false) }
    let (own, kind) = ownChanges(of: device, kind)
    commit(own + changes, kind) { result in
      switch result {
      case .success: body(true)
      case .failure(let error):
        device.failure = error
        body(false)
      }
    }
  }

  /// What the device itself has to store; an older keybag that is put back must be noticed.
  func ownChanges(of device: Device, _ kind: CommitKind) -> ([StateChange], CommitKind) {
    guard !device.isKeybagStored else { return ([.device(device.record)], kind) }
    device.isKeybagStored = true
    return (
      [.device(device.record), .keybag(device.identity, device.sealedKeybag)], .guarded
    )
  }

  /// Makes `changes` and `items` durable.
  func commit(
    _ changes: [StateChange],
    items: [ItemChange] = [],
    _ kind: CommitKind,
    then body: @escaping (Result<Void, StorageError>) -> Void
  ) {
    let step = nextStep()
    waitingForCommit[step] =
      onAuditLine.map { tell in
        { result in
          if case .success = result { Self.endedLines(changes).forEach(tell) }
          body(result)
        }
      } ?? body
    store.commit(changes, items: items, kind) { [mailbox] result in
      mailbox.post(.committed(step: step, result))
    }
  }

  private static func endedLines(_ changes: [StateChange]) -> [AuditRecord] {
    changes.compactMap { change in
      guard case .audit(let line) = change, line.outcome != nil else { return nil }
      return line
    }
  }

  // MARK: Keys

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

  /// Makes the key of an application password.
  func stretch(
    _ password: SecretBox,
    for item: ItemIdentifier,
    on device: Device,
    then body: @escaping (SecretBox?) -> Void
  ) {
    let step = nextStep()
    waitingForStretching[step] = body
    device.vault.stretch(password, for: item) { [mailbox] key in
      mailbox.post(.stretched(step: step, key))
    }
  }

  /// Passes on what the mailbox holds.
  func completionsArrived() {
    for completion in mailbox.takeAll() {
      switch completion {
      case .committed(let step, let result):
        waitingForCommit.removeValue(forKey: step)?(result)
      case .opened(let step, let opening):
        waitingForOpening.removeValue(forKey: step)?(opening)
      case .sealed(let step, let sealed):
        waitingForSealing.removeValue(forKey: step)?(sealed)
      case .stretched(let step, let key):
        waitingForStretching.removeValue(forKey: step)?(key)
      }
    }
  }

  private func nextStep() -> UInt64 {
    lastStep += 1
    return lastStep
  }
}
