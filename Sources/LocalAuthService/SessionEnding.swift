import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSensor
import LocalAuthToken

/// How a session ends: its audit line, what a success unlocks, and the answer.
extension Session {
  func finish(_ decided: Outcome) {
    let outcome = decided == .success && request.purpose == .unlock ? unlock() : decided
    if let timeoutToken { device.timers.cancel(timeoutToken) }
    // A keychain call may have more to prove, and stops its script itself.
    if outcome != .success || request.purpose != .keychain { script?.stop() }
    device.sensor?.disarm(for: id)
    // A passcode that lost the race to a finger is still judged: its success gives its charge back.
    if let run = passcodeRun, outcome != .success || !run.wasSubmitted {
      run.conversation?.abort()
    }
    let isRemembered = outcome == .success && remember()
    guard isRemembered || auditedOutcome != outcome else {
      engine.ended(self)
      return answer(outcome)
    }
    audit.attempts = machine.judgedCount
    audit.finger = finger
    close(&audit, outcome, outcome == .success ? machine.proven : Proven())
    if isRemembered {
      return engine.interpreter.commit([.audit(audit)], of: device, .ordinary) { [self] isDurable in
        if !isDurable { _ = device.record.grants.revoke(id) }
        // Not before: whoever waited for the same is answered by this.
        engine.ended(self)
        answer(isDurable ? outcome : Outcome(.internalError))
      }
    }
    engine.ended(self)
    engine.interpreter.commit([.audit(audit)], .ordinary) { [self] result in
      // A denial stands whether or not its audit line does; a success without one does not count.
      if case .failure = result, outcome == .success { return answer(Outcome(.internalError)) }
      answer(outcome)
    }
  }

  /// Unlocks; the outcome is another than success where the keybag does not let it.
  private func unlock() -> Outcome {
    let now = device.now(engine.clock.now())
    guard device.record.passcode != .none else { return noteFinger(at: now) }
    guard machine.proven.factors.contains(.biometry) else {
      return engine.open(device, ticket, with: opened)
    }
    switch device.follow(device.keybag.fingerMatched(ticket)) {
    case nil: return noteFinger(at: now)
    case .late, .busy: return Outcome(.systemCancel)
    case .passcodeNeeded, .passcodeNotSet, .passcodeAlreadySet:
      return Outcome(.biometryLockout, detail: Engine.firstUnlock)
    }
  }

  private func noteFinger(at now: Moment) -> Outcome {
    guard machine.proven.biometryGeneration != nil, provenAt?.era == device.grantEra else {
      return .success
    }
    device.unlockGrant = grant(of: nil, GrantRule(maxAge: Engine.unlockReuseMax), provenAt: now)
    return .success
  }

  static let unsigned = "Nothing can be signed: the keys of assertions cannot be used."

  private func answer(_ decided: Outcome) {
    var outcome = decided
    let assertion =
      outcome == .success ? request.assertion.flatMap { self.assertion(for: $0) } : nil
    if outcome == .success, request.assertion != nil, assertion == nil {
      outcome = Outcome(.internalError, detail: Self.unsigned)
    }
    let now = device.now(engine.clock.now())
    onEvent(
      .finished(
        EvaluationResult(
          id: id,
          outcome: outcome,
          policy: policy.name,
          device: device.identity.name,
          method: outcome == .success ? method(machine.proven) : nil,
          finger: finger,
          attempts: machine.judgedCount,
          attemptsLeft: device.attemptsLeft(and: policyProfile, from: caller.origin, at: now),
          isSimulated: device.record.isSimulated,
          scriptEventsLeft: script?.left ?? 0,
          grant: redeemed.map { ($0.grant.id, $0.age) },
          actionDigest: actionDigest,
          assertion: assertion
        )
      )
    )
  }

  // MARK: The audit line

  /// Writes the audit line of an attempt: as it begins, or with what its verdict will lead to.
  ///
  /// The outcome is found by applying the verdict to a copy of the machine, so that the verdict
  /// and the outcome it leads to become durable in one commit. A line that has its outcome already is
  /// not written again.
  func auditLine(_ factor: Factor) -> (Verdict?) -> AuditRecord? {
    if audit.detail.isEmpty { audit.detail = detail() }
    return { [self] verdict in
      guard machine.outcome == nil else { return nil }
      guard let verdict else { return audit }
      var copy = machine
      _ = apply(verdict: verdict, of: factor, on: &copy)
      var line = audit
      line.attempts = copy.judgedCount
      guard let outcome = copy.outcome else { return line }
      if case .proven(let finger, _) = verdict { line.finger = finger ?? self.finger }
      close(&line, outcome, copy.proven)
      auditedOutcome = outcome
      return line
    }
  }

  func close(_ line: inout AuditRecord, _ outcome: Outcome, _ proven: Proven) {
    line.outcome = outcome.code
    line.ended = device.now(engine.clock.now()).wall
    line.method = method(proven) ?? ""
    line.detail = detail(outcome)
  }

  /// What the line says besides: the digest of the action, and why it ended so.
  func detail(_ outcome: Outcome? = nil) -> String {
    let action = actionDigest.map { "action sha256 \(String(hexadecimal: $0))" }
    let audience = request.assertion.map { "assertion for \($0.audience)" }
    let grant = redeemed.map { "grant \($0.grant.id.text)" }
    return [action, audience, grant, conversation?.remark, outcome?.detail].compactMap { $0 }
      .joined(separator: "; ")
  }

  private func method(_ proven: Proven) -> String? {
    if redeemed != nil { return proven.factors.isEmpty ? nil : "grant" }
    let words = proven.factors.factors.map { factor in
      switch factor {
      case .biometry: machine.isUnlockReused ? "reuse" : "fingerprint"
      case .passcode:
        if case .pam = device.record.passcode { "pam" } else { "passcode" }
      case .applicationPassword: "applicationPassword"
      case .companion: "companion"
      }
    }
    return words.isEmpty ? nil : words.joined(separator: "+")
  }
}
