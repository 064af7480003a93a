import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret
import LocalAuthSensor

/// The verdict that kept an act's secret from being proven.
struct ActRefusal: Error {
  let verdict: Verdict
}

/// An act, or the opening of an item, whose guess is pending.
struct PendingAct {
  /// Makes the audit line for the verdict; nil if there is none.
  var line: ((Verdict?) -> AuditRecord)?
  /// Called with the evidence that was judged, or with the refusal.
  var body: (Result<Evidence?, ActRefusal>) -> Void
}

/// Running attempts and delivering their verdicts.
extension EffectRunner {
  // MARK: Acts

  /// Judges one guess of an act by `evidence`, at the passcode as tried from `origin` unless
  /// `guess` says otherwise.
  ///
  /// `body` is called with the evidence, which holds what it opened, or with nil if no passcode is
  /// set.
  func prove(
    _ act: EvaluationID,
    from origin: Origin,
    as guess: Guess? = nil,
    by evidence: Evidence?,
    _ line: @escaping (Verdict?) -> AuditRecord,
    then body: @escaping (Result<Evidence?, ActRefusal>) -> Void
  ) {
    guard let device = evidence?.device else { return body(.success(nil)) }
    let factor = guess?.factor ?? .passcode
    self.evidence[AttemptID(act, factor)] = evidence
    acts[act] = PendingAct(line: line, body: body)
    let isSubmitted = evidence?.isSubmitted ?? true
    meet(device) { machine, now in
      if let guess {
        machine.prove(act, guess, isSubmitted: isSubmitted, at: now)
      } else {
        machine.authorize(act, from: origin, isSubmitted: isSubmitted, at: now)
      }
    }
  }

  /// Charges a guess at an item and makes that durable.
  ///
  /// `body` is called with the charge, to be passed to ``settle(_:on:)``, or with why nothing may
  /// be judged.
  func charge(
    _ item: ItemIdentifier,
    on device: LiveDevice,
    then body: @escaping (Result<DurableCharge, ActRefusal>) -> Void
  ) {
    let guess = Guess.item(item.number)
    let attempt = AttemptID(nextName(), guess.factor)
    let password = ItemPassword(of: device) { [self] charge in
      afterEffects(on: device) { body(.success(charge)) }
    }
    evidence[attempt] = Evidence(password, on: device)
    acts[attempt.owner] = PendingAct { result in
      if case .failure(let refusal) = result { body(.failure(refusal)) }
    }
    meet(device) { $0.prove(attempt.owner, guess, isSubmitted: false, at: $1) }
  }

  /// Settles guesses charged with ``charge(_:on:then:)``.
  ///
  /// Nothing waits for this; if it is lost, the guesses stay charged.
  func settle(_ verdicts: [(DurableCharge, Verdict)], on device: LiveDevice) {
    guard !verdicts.isEmpty else { return }
    for (charge, _) in verdicts { forget(charge.attempt) }
    meet(device) { $0.judged(verdicts, at: $1) }
  }

  /// Gives up on a guess charged with ``charge(_:on:then:)``: without a verdict it stays charged.
  func dismiss(_ charge: DurableCharge, on device: LiveDevice) {
    forget(charge.attempt)
    meet(device) { machine, _ in machine.dismiss(charge.attempt.owner) }
  }

  private func forget(_ attempt: AttemptID) {
    evidence[attempt] = nil
    acts[attempt.owner] = nil
  }

  /// Delivers the verdict on an act.
  func reported(_ act: EvaluationID, _ verdict: Verdict, on device: LiveDevice) {
    let pending = acts.removeValue(forKey: act)
    let evidence = [Factor.passcode, .applicationPassword].compactMap { factor in
      self.evidence.removeValue(forKey: AttemptID(act, factor))
    }
    guard let body = pending?.body else { return }
    afterEffects(on: device) {
      if case .proven = verdict {
        body(.success(evidence.first))
      } else {
        body(.failure(ActRefusal(verdict: verdict)))
      }
    }
  }

  // MARK: Judging

  /// Starts judging a charged attempt.
  func judge(_ charge: DurableCharge, on device: LiveDevice) {
    let attempt = charge.attempt
    // The visiting device's own machine has it judged.
    if visits[attempt.owner] != nil {
      visits[attempt.owner]?.charge = charge
      return
    }
    guard let evidence = evidence(of: attempt) else {
      return judged(charge, .unjudged(Outcome(.internalError)), on: device)
    }
    // Weak, so that an authenticator that retains the closure keeps no secret alive.
    let hear = { [weak self, weak evidence, weak device] (event: AuthenticatorEvent) in
      guard let self, let evidence, let device else { return }
      heard(event, by: evidence, charge, on: device)
    }
    evidence.judgment = evidence.authenticator.judge(evidence.sample, for: charge, onEvent: hear)
  }

  /// The evidence of an attempt; starts an authenticator that judges by itself.
  func evidence(of attempt: AttemptID) -> Evidence? {
    if let known = evidence[attempt] { return known }
    evidence[attempt] = engine?.session(attempt.owner)?.starting(attempt.factor)
    return evidence[attempt]
  }

  private func judged(_ charge: DurableCharge, _ verdict: Verdict, on device: LiveDevice) {
    meet(device) { $0.judged(charge, verdict, at: $1) }
  }

  // MARK: What authenticators say

  private func heard(
    _ event: AuthenticatorEvent,
    by evidence: Evidence,
    _ charge: DurableCharge,
    on device: LiveDevice
  ) {
    guard !isClosed else { return }
    evidence.onEvent?(event)
    switch event {
    case .prompt(_, let echoes):
      askedWithAccount(charge.attempt)
      meet(device) { $0.asked(charge.attempt, at: $1) }
      if evidence.onEvent == nil { answer(evidence, charge, on: device, echoes: echoes) }
    case .info, .error, .retry: break
    case .submitted: meet(device) { machine, _ in machine.submitted(charge.attempt) }
    case .opened(let keys): evidence.keep(keys)
    case .turnedAway(let outcome):
      meet(device) { $0.turnedAway(charge, outcome, at: $1) }
    case .ended(let verdict): conversed(evidence, verdict, charge, on: device)
    }
  }

  /// Answers the first question without echo with the act's passcode, and aborts on any other: an
  /// act has no person to ask.
  private func answer(
    _ evidence: Evidence,
    _ charge: DurableCharge,
    on device: LiveDevice,
    echoes: Bool
  ) {
    guard !echoes, let passcode = evidence.prepared else {
      evidence.judgment?.abort()
      return
    }
    evidence.prepared = nil
    evidence.give(passcode, echoes: false)
    meet(device) { $0.answered(act: charge.attempt.owner, at: $1) }
  }

  /// Passes an answer on, once the line of its evaluation is durable if that was put off.
  func respond(_ attempt: AttemptID) {
    let evidence = evidence[attempt]
    let owner = visits[attempt.owner]?.attempt.owner ?? attempt.owner
    guard let line = engine?.session(owner)?.takeLinePutOff() else {
      evidence?.respond()
      return
    }
    store([line]) { result in
      switch result {
      case .success: evidence?.respond()
      case .failure: evidence?.judgment?.abort()
      }
    }
  }

  /// Delivers PAM's verdict, after trying the answers on the keybag if PAM accepted them.
  ///
  /// If none opens the keybag, the attempt still succeeds: the user is authenticated, and the
  /// keybag stays closed.
  private func conversed(
    _ evidence: Evidence,
    _ verdict: Verdict,
    _ charge: DurableCharge,
    on device: LiveDevice
  ) {
    let candidates = evidence.takeCandidates()
    guard case .proven = verdict, !candidates.isEmpty, let keybag = evidence.device.sealedKeybag
    else { return judged(charge, verdict, on: device) }
    open(keybag, with: candidates, by: evidence.device.vault, for: charge) { [self] opening in
      if case .opened(let keys) = opening { evidence.keep(keys) }
      judged(charge, verdict, on: device)
    }
  }
}
