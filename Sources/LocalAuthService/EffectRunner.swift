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
    charge(
      run.guess,
      on: run.device,
      and: run.policyProfile,
      unless: run.hindrance,
      run.auditChange(nil)
    ) { [self] charge in
      switch charge {
      case .success(let change):
        run.change = change
        perform(run.machine.charged(), for: run)
      case .failure(let refusal): perform(run.machine.chargeFailed(refusal.outcome), for: run)
      }
    }
  }

  /// Charges one more answer of a conversation that asks again; `body` hears whether it may be given.
  ///
  /// Without it a stack of modules that each ask would judge several guesses for one charge.
  func chargeAnswer(of run: AttemptRun, then body: @escaping (_ isCharged: Bool) -> Void) {
    charge(run.guess, on: run.device, and: run.policyProfile, run.auditChange(nil)) { charge in
      if case .success = charge { body(true) } else { body(false) }
    }
  }

  /// Why a guess was not charged.
  struct Refusal: Error {
    let outcome: Outcome
  }

  /// Counts a guess on `device` as wrong and makes that durable with `lines`; `body` hears which change of the count
  /// it was, see ``LiveDevice/changes(of:)``.
  ///
  /// What cannot be stored is not counted in memory either: nothing is judged for it.
  func charge(
    _ guess: Guess,
    on device: LiveDevice,
    and policyProfile: LockoutProfile?,
    unless hindrance: @escaping () -> Outcome? = { nil },
    _ lines: @escaping @autoclosure () -> [StateChange],
    then body: @escaping (Result<UInt64, Refusal>) -> Void
  ) {
    let counting = device.counting(guess)
    whenStorageWorks([device, counting]) { [self] failure in
      if let failure { return body(.failure(Refusal(outcome: Outcome(failure)))) }
      let now = counting.now(clock.now())
      if let hindrance = hindrance() { return body(.failure(Refusal(outcome: hindrance))) }
      if let refusal = counting.charge(guess, and: policyProfile, at: now) {
        return body(.failure(Refusal(outcome: refusal)))
      }
      let change = counting.changes(of: guess)
      commit(counting.beside(device) + lines(), of: device, .guarded) { isDurable in
        guard !isDurable else { return body(.success(change)) }
        if change == counting.changes(of: guess) { counting.refund(guess) }
        body(.failure(Refusal(outcome: device.unwritable)))
      }
    }
  }

  private func judge(_ run: AttemptRun) {
    switch run.evidence {
    case .finger(let capture):
      let verdict = run.device.sensor?.judge(capture)
      judged(run, verdict ?? .unjudged(Outcome(.biometryDisconnected)))
    case .passcode(let passcode):
      guard let keybag = run.device.sealedKeybag else {
        return judged(run, .unjudged(Outcome(.internalError, detail: Self.noKeybag)))
      }
      open(keybag, with: [passcode], for: run) { [self] in judged(run, $0) }
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
      let keybag = run.device.sealedKeybag
    else { return judged(run, verdict) }
    open(keybag, with: candidates, for: run) { [self] _ in judged(run, verdict) }
  }

  private func open(
    _ keybag: [UInt8],
    with passcodes: [SecretBox],
    for run: AttemptRun,
    then body: @escaping (Verdict) -> Void
  ) {
    let step = nextStep()
    waitingForOpening[step] = { opening in
      switch opening {
      case .opened(let keys):
        run.opened = run.wantsKeys ? keys : nil
        body(.proven(finger: nil, generation: nil))
      case .wrong: body(.miss)
      case .failed: body(.unjudged(Outcome(.internalError)))
      }
    }
    run.device.vault.open(keybag, with: passcodes) { [mailbox] opening in
      mailbox.post(.opened(step: step, opening))
    }
  }

  private func judged(_ run: AttemptRun, _ verdict: Verdict) {
    perform(run.machine.judged(verdict), for: run)
  }

  private func settle(_ run: AttemptRun, _ verdict: Verdict) {
    let device = run.device
    // A proven passcode ends distrust, which takes a new sequence that agrees with its mirror.
    let endsDistrust = device.isDistrusted || device.counting(run.guess).isDistrusted
    let counting = settle(
      run.guess,
      verdict,
      on: device,
      isRefundable: !run.wasSubmitted,
      after: run.change
    )
    let kind: CommitKind = endsDistrust ? .guarded : .ordinary
    commit(counting + run.auditChange(verdict), of: device, kind) { [self] isDurable in
      perform(
        isDurable ? run.machine.settled() : run.machine.settleFailed(device.unwritable),
        for: run
      )
    }
  }

  /// Applies a verdict to whoever counts the guess, and to `device`; what is to be stored besides the device.
  private func settle(
    _ guess: Guess,
    _ verdict: Verdict,
    on device: LiveDevice,
    isRefundable: Bool,
    after change: UInt64
  ) -> [StateChange] {
    let counting = device.counting(guess)
    let machine = clock.now()
    let isLast = change == counting.changes(of: guess)
    counting.settle(
      guess,
      verdict,
      isRefundable: isRefundable && isLast,
      at: counting.now(machine)
    )
    if counting !== device, case .proven = verdict {
      device.settle(guess, verdict, isRefundable: false, at: device.now(machine))
    }
    return counting.beside(device)
  }

  /// Settles guesses that were charged by themselves; nobody waits for it, and its loss costs attempts.
  func settle(_ verdicts: [(guess: Guess, verdict: Verdict, change: UInt64)], on device: LiveDevice)
  {
    guard !verdicts.isEmpty else { return }
    for (guess, verdict, change) in verdicts {
      _ = settle(guess, verdict, on: device, isRefundable: true, after: change)
    }
    commit([], of: device, .ordinary) { _ in }
  }

  // MARK: Commits

  /// Calls `body` with why the durable state of a device cannot be written, or nil.
  ///
  /// After a failure it is written anew first, whole: nobody knows what of the last commit is on the disk.
  func whenStorageWorks(_ devices: [LiveDevice], _ body: @escaping (StorageError?) -> Void) {
    // One that is removed must not be written again.
    guard let device = devices.first(where: { $0.failure != nil && !$0.isRemoved }) else {
      return body(nil)
    }
    device.isKeybagStored = false
    // What an erasure was to remove is sealed under keys that are gone.
    let removed: [StateChange] =
      device.isErasureDue ? [.deviceRemoved(device.identity)] : []
    commit(removed + ownChanges(of: device, .guarded).0, .guarded) { [self] result in
      switch result {
      case .success:
        device.failure = nil
        device.isErasureDue = false
        whenStorageWorks(devices, body)
      case .failure(let error):
        device.failure = error
        body(error)
      }
    }
  }

  /// Makes the record of `device` and `changes` durable together, with its keybag where that changed.
  func commit(
    _ changes: [StateChange],
    of device: LiveDevice,
    _ kind: CommitKind,
    then body: @escaping (_ isDurable: Bool) -> Void
  ) {
    whenStorageWorks([device]) { [self] failure in
      guard failure == nil, !device.isRemoved else { return body(false) }
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
  }

  /// What the device itself has to store; an older keybag that is put back must be noticed.
  func ownChanges(of device: LiveDevice, _ kind: CommitKind) -> ([StateChange], CommitKind) {
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
    on device: LiveDevice,
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
