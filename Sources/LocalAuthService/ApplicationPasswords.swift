import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// The application password of one keychain call: the password given or typed, the keys derived
/// from it, and the verdicts on it.
struct ApplicationPasswords {
  /// The number of wrong typed passwords that ends a call.
  private static let wrongMax = 3
  /// The number of items at which one call guesses before it has them judged.
  static let mostAtOnce = 32

  private let given: SecretBox?
  private var typed: SecretBox?
  /// The evaluations whose success depends on the password; each is told once what came of it.
  private var dependents: [Session] = []
  private var wrongCount = 0
  /// How many items the password did not open, and whether it opened one, since ``takeEnd()``.
  private var misses = 0
  private var opensOne = false
  private var keys: [ItemIdentifier: SecretBox] = [:]
  /// The charged guesses and their verdicts.
  private var guesses: [ItemIdentifier: (charge: DurableCharge, verdict: Verdict)] = [:]

  /// The passwords of a call whose request brought `given`, if any.
  init(given: SecretBox?) { self.given = given }

  /// The password, if there is one yet.
  var password: SecretBox? { typed ?? given }

  /// Sets the password that the person typed.
  mutating func type(_ password: SecretBox?) { typed = password }

  /// Notes an evaluation whose success depends on the password.
  mutating func decide(_ session: Session) { dependents.append(session) }

  /// Whether the key for this item has not been made yet.
  func lacksKey(of item: ItemIdentifier) -> Bool { keys[item] == nil }

  /// A copy of the key for this item.
  func key(of item: ItemIdentifier) -> Secret? { keys[item]?.copied()?.take() }

  /// Records that a guess at this item was charged.
  mutating func charged(_ item: ItemIdentifier, _ charge: DurableCharge) {
    guesses[item] = (charge, .unjudged(Outcome(.appCancel)))
  }

  /// Records the key made for an item.
  mutating func made(_ key: SecretBox, of item: ItemIdentifier) { keys[item] = key }

  /// Records whether the password opened an item; only the first verdict counts.
  mutating func judged(_ item: ItemIdentifier, opens: Bool) {
    guard case (let charge, .unjudged)? = guesses[item] else { return }
    guesses[item] = (charge, opens ? .proven(finger: nil, generation: nil) : .miss)
    if opens { opensOne = true } else { misses += 1 }
  }

  /// The verdicts on the charged guesses; each is returned once.
  mutating func takeVerdicts() -> [(DurableCharge, Verdict)] {
    defer { guesses = [:] }
    return guesses.values.map { ($0.charge, $0.verdict) }
  }

  /// What came of the password so far, and the evaluations that depend on it; each is returned once.
  mutating func takeEnd() -> (misses: Int, opensOne: Bool, dependents: [Session]) {
    defer { (misses, opensOne, dependents) = (0, false, []) }
    return (misses, opensOne, dependents)
  }

  /// Forgets a typed password that opened nothing; returns false if it may not be typed again.
  mutating func forgetTyped() -> Bool {
    guard typed != nil else { return false }
    wrongCount += 1
    guard wrongCount < Self.wrongMax else { return false }
    typed = nil
    keys = [:]
    return true
  }
}

/// Items whose application password is needed, and how to ask for it.
struct PasswordDemand {
  /// The items; each is charged as a separate guess.
  var items: ArraySlice<ItemIdentifier>
  /// How the prompt names the items.
  let named: NamedItems
  /// Whether this sets a new password, which is asked for twice.
  let isNew: Bool
  /// Whether the call may prompt.
  let interface: InterfaceMode
}

extension KeychainRun {
  /// Whether the key of the application password for this item has not been made yet.
  func lacksPasswordKey(_ accessControl: AccessControl, of item: ItemIdentifier) -> Bool {
    accessControl.keyInputs.contains(.applicationPassword) && passwords.lacksKey(of: item)
  }

  /// Whether to prompt for an application password that the request did not bring.
  ///
  /// If the clock is stopped, only a script can answer. Before
  /// ``KeychainRequest/Operation/evaluate(_:_:)`` nothing would judge the password.
  var asksForPassword: Bool {
    guard request.asking.isInteractive else { return false }
    if case .evaluate = request.operation { return false }
    return script != nil || device.hasScript || !device.clock.isStopped
  }

  /// Charges a guess at each item of `demand` in turn and makes the item's key from the application
  /// password, prompting for the password first if there is none.
  func makePasswordKeys(
    _ demand: PasswordDemand,
    then body: @escaping () throws(KeychainError) -> Void
  ) {
    guard let item = demand.items.first else { return attempting(body) }
    guard passwords.password != nil else {
      return askPassword(demand) { [self] in makePasswordKeys(demand, then: body) }
    }
    engine.runner.charge(item, on: device) { [self] result in
      switch result {
      case .failure(let refusal): refused(refusal)
      case .success(let charge):
        if demand.isNew {
          // A new password is judged by nothing.
          engine.runner.settle([(charge, .unjudged(Outcome(.appCancel)))], on: device)
        }
        guard !isFinished else { return engine.runner.dismiss(charge, on: device) }
        if !demand.isNew { passwords.charged(item, charge) }
        makePasswordKey(of: item, charge) { [self] in
          var rest = demand
          rest.items.removeFirst()
          makePasswordKeys(rest, then: body)
        }
      }
    }
  }

  private func refused(_ refusal: ActRefusal) {
    guard case .unjudged(let outcome) = refusal.verdict else { return }
    fail(.authentication(outcome.code))
  }

  private func makePasswordKey(
    of item: ItemIdentifier,
    _ charge: DurableCharge,
    then body: @escaping () -> Void
  ) {
    guard let password = passwords.password?.copied() else {
      return fail(.authentication(.authenticationFailed))
    }
    engine.runner.stretch(password, of: item, on: device, for: charge) { [self] key in
      guard !isFinished else { return }
      guard let key else { return fail(.authentication(.internalError)) }
      passwords.made(key, of: item)
      body()
    }
  }

  private func askPassword(_ demand: PasswordDemand, then body: @escaping () -> Void) {
    guard demand.interface == .allow, asksForPassword else {
      return fail(.authentication(.authenticationFailed))
    }
    attempting { () throws(KeychainError) in
      let password = PasswordAsking(isNew: demand.isNew)
      var asking = request.asking
      asking.password = password
      try ask(.applicationPassword, asking, naming: demand.named) { [self] session in
        passwords.type(password.password)
        passwords.decide(session)
        body()
      }
    }
  }

  /// Settles the guesses and allows another try if the wrong password was typed; returns false if
  /// the call ends.
  func retriesPassword() -> Bool {
    guard passwords.forgetTyped() else { return false }
    engine.runner.store(settlePasswords(.authenticationFailed))
    onEvent(.asking(.miss(.applicationPassword, locks: false)))
    return true
  }

  /// Settles the guesses that were charged.
  func settleJudged() { engine.runner.settle(passwords.takeVerdicts(), on: device) }

  /// Settles the guesses that were charged, and returns the lines of the audit that say what came of
  /// them; `outcome` is that of the call.
  func settlePasswords(_ outcome: OutcomeCode) -> [AuditRecord] {
    settleJudged()
    let (misses, opensOne, dependents) = passwords.takeEnd()
    let end = misses > 0 ? .authenticationFailed : opensOne ? .success : outcome
    if misses > 0, dependents.isEmpty { return [missedLine(misses)] }
    return dependents.map { $0.passwordJudged(end) }
  }

  /// The audit line of `count` wrong guesses by a password that came with the call.
  private func missedLine(_ count: Int) -> AuditRecord {
    var line = AuditRecord(
      id: EvaluationID(using: &engine.random),
      action: EvaluationRequest.Purpose.keychain.rawValue,
      device: device.identity,
      callerUID: caller.uid,
      callerPID: caller.pid,
      reason: request.asking.reason,
      isSimulated: device.record.isSimulated,
      began: now.wall
    )
    caller.sign(&line)
    line.outcome = .authenticationFailed
    line.ended = line.began
    line.attempts = UInt32(clamping: count)
    line.detail = "wrong application password"
    return line
  }
}
