import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSensor
import LocalAuthToken

/// Ending a session: what a success unlocks, its audit line, and the answer.
extension Session {
  /// Unlocks the device; any outcome but success means that the keybag refused.
  func unlock(_ proven: Proven) -> Outcome {
    guard device.record.passcode != .none else { return .success }
    guard proven.factors.contains(.biometry) else {
      return engine.open(device, ticket, with: passcodeEvidence?.opened)
    }
    switch device.follow(device.keybag.fingerMatched(ticket)) {
    case nil: return .success
    case .late, .busy: return Outcome(.systemCancel)
    case .passcodeNeeded, .passcodeNotSet, .passcodeAlreadySet:
      return Outcome(.biometryLockout, detail: Engine.firstUnlock)
    }
  }

  static let unsigned = "Nothing can be signed: the keys of assertions cannot be used."

  /// Sends the caller the result.
  func finish(_ answer: DeviceMachine.Answer) {
    var outcome = answer.outcome
    let assertion =
      outcome == .success ? request.assertion.flatMap { self.assertion(for: $0) } : nil
    if outcome == .success, request.assertion != nil, assertion == nil {
      outcome = Outcome(.internalError, detail: Self.unsigned)
    }
    let machine = answer.evaluation
    onEvent(
      .finished(
        EvaluationResult(
          id: id,
          outcome: outcome,
          policy: policy.name,
          device: device.identity.name,
          method: outcome == .success
            ? method(of: machine, machine.proven, isRedeemed: answer.redeemed != nil) : nil,
          finger: answer.finger,
          attempts: machine.judgedCount,
          attemptsLeft: attemptsLeft,
          isSimulated: answer.isSimulated,
          scriptEventsLeft: script?.left ?? 0,
          grant: answer.redeemed.flatMap { _ in redemption.map { ($0.grant.id, $0.age) } },
          actionDigest: actionDigest,
          assertion: assertion
        )
      )
    )
  }

  /// Ends the line of an evaluation whose device is gone: its machine writes nothing more.
  func endLineOfTheGone(_ answer: DeviceMachine.Answer) {
    guard device.machine.isRemoved, isLineOpen else { return }
    var line = audit
    line.shownAction = shownAction(nil)
    line.detail = detail(answer.outcome, nil)
    line.attempts = answer.evaluation.judgedCount
    close(&line, answer.outcome, answer.evaluation, Proven(), isRedeemed: false)
    engine.runner.store([line])
  }

  // MARK: What is only counted

  /// Whether nothing of the commit is written, because it is only counted: a repeated answer of a grant
  /// in a line that is there, a refusal of somebody else among those without a line.
  func isOnlyCounted(_ commit: DeviceMachine.Commit) -> Bool {
    switch commit.purpose {
    case .redeem: isCountedLater(commit)
    case .close: isRefusalCounted(commit)
    case .charge, .answer, .settle, .remember, .act, .housekeeping, .reopen: false
    }
  }

  /// Whether a refusal is among those of others that have no line; what was charged or proven has one.
  private func isRefusalCounted(_ commit: DeviceMachine.Commit) -> Bool {
    guard let outcome = commit.audit?.outcome, outcome != .success, !hasLine,
      caller.origin.isAmongOthers(of: device.identity.owner)
    else { return false }
    return device.unwritten.counts(id, outcome.code, at: device.now(engine.clock.now()))
  }

  /// Whether a commit of a prompt of somebody else has no line, because nothing was typed: its charge covers the first
  /// answer, before which there is nothing to judge.
  private func isPutOff(
    _ told: DeviceMachine.Audit,
    _ purpose: DeviceMachine.Purpose
  ) -> Bool {
    guard !hasLine, caller.origin.isAmongOthers(of: device.identity.owner) else { return false }
    let now = device.now(engine.clock.now())
    switch purpose {
    case .charge(let attempt):
      let judge = engine.runner.passcode(of: device, from: caller.origin).description
      isLinePutOff =
        attempt.factor == .passcode && judge.judging == .byItself
        && device.unwritten.putsOff(id, at: now)
      return isLinePutOff
    case .settle:
      guard isLinePutOff, case .unjudged = told.verdict else { return false }
      return told.outcome.map { device.unwritten.counts(id, $0.code, at: now) } ?? true
    case .answer, .redeem, .remember, .close, .act, .housekeeping, .reopen: return false
    }
  }

  /// The line that was put off; nil if none was, or it is there by now.
  func takeLinePutOff() -> AuditRecord? {
    guard isLinePutOff, !hasLine else { return nil }
    (hasLine, isLineOpen) = (true, true)
    var line = audit
    line.shownAction = shownAction(nil)
    line.detail = detail(nil, nil)
    return line
  }

  // MARK: Grants

  /// Notes the grant that is about to answer; returns whether its audit line is durable already and
  /// the answer is only counted in it later.
  private func isCountedLater(_ commit: DeviceMachine.Commit) -> Bool {
    guard let id = commit.audit?.redeemed, let grant = device.record.grants[id] else {
      return false
    }
    let now = device.now(engine.clock.now())
    redemption = (grant, grant.age(at: now) ?? grant.rule.maxAge)
    return commit.kind == .ordinary && engine.grantUsage.repeats(grant.id, audit)
  }

  /// Starts counting a grant's answers in its audit line, if the line became durable.
  func redemptionWritten(_ line: AuditRecord?, _ result: Result<Void, StorageError>) {
    guard case .success = result, let line, let grant = redemption?.grant, grant.rule.uses == nil,
      device.record.grants[grant.id] != nil
    else { return }
    engine.grantUsage.began(grant.id, line)
  }

  // MARK: The audit line

  /// The audit line of a commit: when an attempt begins, when it has its verdict, or when the
  /// evaluation ends.
  ///
  /// Nil where nothing was proven yet, and where it is put off.
  func line(_ told: DeviceMachine.Audit, _ purpose: DeviceMachine.Purpose) -> AuditRecord? {
    guard !isPutOff(told, purpose) else { return nil }
    var line = audit
    line.shownAction = shownAction(told.redeemed)
    line.detail = detail(told.outcome, told.redeemed)
    guard let machine = told.evaluation else { return line }
    if case .redeem = purpose {
      close(&line, .success, machine, redemption?.grant.proven ?? Proven(), isRedeemed: true)
      return line
    }
    if told.verdict != nil || told.outcome != nil { line.attempts = machine.judgedCount }
    guard let outcome = told.outcome else { return line }
    line.finger = finger(of: told)
    if isUndecided(outcome) { return line }
    var proven = told.verdict != nil || outcome == .success ? machine.proven : Proven()
    if outcome == .success, request.typesPasswordLater {
      proven.factors.remove(.applicationPassword)
      guard !proven.factors.isEmpty else { return nil }
    }
    close(&line, outcome, machine, proven, isRedeemed: told.redeemed != nil)
    return line
  }

  /// Whether a success depends on an application password that is there, and that its items have yet
  /// to judge.
  func isUndecided(_ outcome: Outcome) -> Bool {
    let isGiven = request.given.contains(.applicationPassword) && !request.typesPasswordLater
    return outcome == .success && (request.password != nil || isGiven)
  }

  /// Tells the agent that asked what came of the application password on which this success depends,
  /// and returns the line of the audit that says so.
  func passwordJudged(_ code: OutcomeCode) -> AuditRecord {
    var line = audit
    let outcome = Outcome(code)
    line.shownAction = shownAction(nil)
    line.detail = detail(outcome, nil)
    line.attempts = code == .success || code == .authenticationFailed ? 1 : 0
    let proven = code == .success ? evaluation.proven : Proven()
    close(&line, outcome, evaluation, proven, isRedeemed: false)
    conversation?.passwordJudged(outcome)
    return line
  }

  /// The words of the action, or the number of items, if a person was shown what it is about: by this
  /// evaluation's prompt, or by that of the grant that answers.
  private func shownAction(_ redeemed: EvaluationID?) -> String {
    guard wasActionShown || redeemed != nil else { return "" }
    return request.action?.text ?? request.items?.summary ?? ""
  }

  /// The finger that matched, in this attempt or an earlier one.
  private func finger(of told: DeviceMachine.Audit) -> Finger? {
    let matched = device.machine[evaluation: id]?.matched
    guard let verdict = told.verdict else { return matched }
    guard case .proven(let finger, _) = verdict else { return nil }
    return finger ?? matched
  }

  private func close(
    _ line: inout AuditRecord,
    _ outcome: Outcome,
    _ machine: EvaluationMachine,
    _ proven: Proven,
    isRedeemed: Bool
  ) {
    line.outcome = outcome.code
    line.ended = device.now(engine.clock.now()).wall
    line.method = method(of: machine, proven, isRedeemed: isRedeemed) ?? ""
  }

  /// The detail of the audit line: action digest, audience, grant, agent, who asked through
  /// the caller, and the reason of the outcome.
  private func detail(_ outcome: Outcome?, _ redeemed: EvaluationID?) -> String {
    let action = actionDigest.map { "action sha256 \(String(hexadecimal: $0))" }
    let audience = request.assertion.map { "assertion for \($0.audience)" }
    let grant = redeemed.map { "grant \($0.text)" }
    let judges = started.filter { $0.key != .passcode }.values.map { told($0.description) }.sorted()
    let judge = judges.isEmpty ? nil : "authenticator \(judges.joined(separator: ", "))"
    return [action, audience, grant, judge, conversation?.remark, caller.askedFor, outcome?.detail]
      .compactMap { $0 }
      .joined(separator: "; ")
  }

  /// How strong the authenticator is; nil for one that is no biometry.
  func strength(of description: AuthenticatorDescription) -> SensorStrength? {
    guard description.kind.evidence == .biometry else { return nil }
    if let strength = description.strength { return strength }
    // The simulated sensor's strength is a setting, so its description does not tell.
    guard case .ready(let strength)? = device.sensor?.presence else { return nil }
    return strength
  }

  private func told(_ description: AuthenticatorDescription) -> String {
    let strength = strength(of: description).map { ", \($0.rawValue)" } ?? ""
    return "\(description.name) (\(description.kind.name)\(strength))"
  }

  private func method(
    of machine: EvaluationMachine,
    _ proven: Proven,
    isRedeemed: Bool
  ) -> String? {
    if isRedeemed { return proven.factors.isEmpty ? nil : "grant" }
    let words = proven.factors.factors.map { factor in
      factor == .biometry && machine.isUnlockReused
        ? "reuse" : describing(factor)?.method ?? factor.rawValue
    }
    return words.isEmpty ? nil : words.joined(separator: "+")
  }
}
