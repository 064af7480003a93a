import LocalAuthCore
import LocalAuthSecret
import LocalAuthSensor

/// Performs what the machines ask for: the only code that writes durable state or asks a judge.
///
/// Everything runs on the engine's thread; the answers of the store and of the verifier come back
/// through the mailbox, numbered, and meet a machine that ignores what comes too late.
final class Interpreter {
  private let store: any StateStoring
  private let verifier: any PasscodeVerifying
  private let pam: any PasscodeConversing
  private let clock: any Scheduling
  private let mailbox: Mailbox
  private let conversationLimit: Duration
  private var waitingForCommit: [UInt64: (Result<Void, StorageError>) -> Void] = [:]
  private var waitingForVerifier: [UInt64: (Bool?) -> Void] = [:]
  private var waitingForNewVerifier: [UInt64: ([UInt8]?) -> Void] = [:]
  private var lastStep: UInt64 = 0

  init(ports: EnginePorts, mailbox: Mailbox, conversationLimit: Duration) {
    store = ports.store
    verifier = ports.verifier
    pam = ports.pam
    clock = ports.clock
    self.mailbox = mailbox
    self.conversationLimit = conversationLimit
  }

  /// Whether nothing is on its way to the store or a judge.
  var isIdle: Bool {
    waitingForCommit.isEmpty && waitingForVerifier.isEmpty && waitingForNewVerifier.isEmpty
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
    commit([.audit(run.audit(nil))], of: device, .guarded) { [self] isDurable in
      perform(
        isDurable ? run.machine.charged() : run.machine.chargeFailed(Outcome(.internalError)),
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
    case .passcode(let passcode, let reference):
      let step = nextStep()
      waitingForVerifier[step] = { [self] isRight in
        judged(run, Self.verdict(isRight))
      }
      verifier.verify(passcode, against: reference, of: run.device.identity) { [mailbox] isRight in
        mailbox.post(.verified(step: step, isRight))
      }
    case .conversation(let service, let directory):
      run.conversation = pam.converse(
        uid: run.device.identity.owner,
        service: service,
        directory: directory,
        limit: conversationLimit
      ) { [self] event in
        run.onConversation(event)
        if case .ended(let verdict) = event { judged(run, verdict) }
      }
    }
  }

  private func judged(_ run: AttemptRun, _ verdict: Verdict) {
    perform(run.machine.judged(verdict), for: run)
  }

  private func settle(_ run: AttemptRun, _ verdict: Verdict) {
    let device = run.device
    // A proven passcode ends distrust, which takes a new sequence that agrees with its mirror.
    let kind: CommitKind = device.isDistrusted ? .guarded : .ordinary
    device.settle(
      run.machine.factor,
      verdict,
      wasSubmitted: run.wasSubmitted,
      at: device.now(clock.now())
    )
    commit([.audit(run.audit(verdict))], of: device, kind) { [self] isDurable in
      perform(
        isDurable ? run.machine.settled() : run.machine.settleFailed(Outcome(.internalError)),
        for: run
      )
    }
  }

  private static func verdict(_ isRight: Bool?) -> Verdict {
    switch isRight {
    case .some(true): .proven(finger: nil, generation: nil)
    case .some(false): .miss
    case .none: .unjudged(Outcome(.internalError))
    }
  }

  // MARK: Commits

  /// Makes the record of `device` and `changes` durable together.
  func commit(
    _ changes: [StateChange],
    of device: Device,
    _ kind: CommitKind,
    then body: @escaping (_ isDurable: Bool) -> Void
  ) {
    guard !device.hasFailed else { return body(false) }
    commit([.device(device.record)] + changes, kind) { result in
      switch result {
      case .success: body(true)
      case .failure:
        device.hasFailed = true
        body(false)
      }
    }
  }

  /// Makes `changes` durable.
  func commit(
    _ changes: [StateChange],
    _ kind: CommitKind,
    then body: @escaping (Result<Void, StorageError>) -> Void
  ) {
    let step = nextStep()
    waitingForCommit[step] = body
    store.commit(changes, kind) { [mailbox] result in
      mailbox.post(.committed(step: step, result))
    }
  }

  /// Makes the verifier of a new device passcode.
  func makeVerifier(
    for passcode: SecretBox,
    of device: DeviceIdentity,
    then body: @escaping ([UInt8]?) -> Void
  ) {
    let step = nextStep()
    waitingForNewVerifier[step] = body
    verifier.makeVerifier(for: passcode, of: device) { [mailbox] made in
      mailbox.post(.verifierMade(step: step, made))
    }
  }

  /// Passes on what the mailbox holds.
  func completionsArrived() {
    for completion in mailbox.takeAll() {
      switch completion {
      case .committed(let step, let result):
        waitingForCommit.removeValue(forKey: step)?(result)
      case .verified(let step, let isRight):
        waitingForVerifier.removeValue(forKey: step)?(isRight)
      case .verifierMade(let step, let made):
        waitingForNewVerifier.removeValue(forKey: step)?(made)
      }
    }
  }

  private func nextStep() -> UInt64 {
    lastStep += 1
    return lastStep
  }
}
