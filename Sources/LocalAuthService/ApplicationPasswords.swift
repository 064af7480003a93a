import LocalAuthCore
import LocalAuthKeychain
import LocalAuthSecret

/// The application password of one keychain call: what was given or typed, the keys made from it, and what the
/// items said about it.
struct ApplicationPasswords {
  /// Wrong passwords after which a call ends, where they are typed.
  private static let wrongMax = 3

  private let given: SecretBox?
  private var typed: SecretBox?
  private var wrongCount = 0
  private var keys: [ItemIdentifier: SecretBox] = [:]
  /// Guesses that were charged, and what became of each.
  private var guesses: [ItemIdentifier: (charge: DurableCharge, verdict: Verdict)] = [:]

  /// The passwords of a call with which `given` came, if any did.
  init(given: SecretBox?) { self.given = given }

  /// The password, once there is one.
  var password: SecretBox? { typed ?? given }

  /// Somebody typed it.
  mutating func type(_ password: SecretBox?) { typed = password }

  /// Whether the key for this item is still to be made.
  func lacksKey(of item: ItemIdentifier) -> Bool { keys[item] == nil }

  /// A copy of the key for this item.
  func key(of item: ItemIdentifier) -> Secret? { keys[item]?.copied()?.take() }

  /// A guess at this item was charged.
  mutating func charged(_ item: ItemIdentifier, _ charge: DurableCharge) {
    guesses[item] = (charge, .unjudged(Outcome(.appCancel)))
  }

  /// The key for an item was made.
  mutating func made(_ key: SecretBox, of item: ItemIdentifier) { keys[item] = key }

  /// What opening an item said about the password; the first word counts.
  mutating func judged(_ item: ItemIdentifier, opens: Bool) {
    guard case (let charge, .unjudged)? = guesses[item] else { return }
    guesses[item] = (charge, opens ? .proven(finger: nil, generation: nil) : .miss)
  }

  /// The verdicts on what was charged, each given out once.
  mutating func takeVerdicts() -> [(DurableCharge, Verdict)] {
    defer { guesses = [:] }
    return guesses.values.map { ($0.charge, $0.verdict) }
  }

  /// Forgets a password that was typed and opened nothing; false where it is not to be typed again.
  mutating func forgetTyped() -> Bool {
    guard typed != nil else { return false }
    wrongCount += 1
    guard wrongCount < Self.wrongMax else { return false }
    typed = nil
    keys = [:]
    return true
  }
}

/// Items whose application password is needed, and how somebody may be asked for it.
struct PasswordDemand {
  /// The items, of which each is a guess of its own.
  var items: ArraySlice<ItemIdentifier>
  /// What a person is told of them.
  let named: NamedItems
  /// Whether it becomes their password, and is asked for twice.
  let isNew: Bool
  /// Whether the call may ask somebody.
  let interface: InterfaceMode
}

extension KeychainRun {
  /// Whether the key of the application password for this item is still to be made.
  func lacksPasswordKey(_ accessControl: AccessControl, of item: ItemIdentifier) -> Bool {
    accessControl.keyInputs.contains(.applicationPassword) && passwords.lacksKey(of: item)
  }

  /// Whether a person is asked for an application password that did not come with the request: where a clock
  /// stands still, only a script answers; before a proof beforehand nothing would judge it.
  var asksForPassword: Bool {
    guard request.asking.isInteractive else { return false }
    if case .evaluate = request.operation { return false }
    return script != nil || device.hasScript || !device.clock.isStopped
  }

  /// Charges a guess at each item of `demand` and makes the key of the application password for it, one after the
  /// other; where there is no password, somebody is asked for it first.
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
        guard !isFinished else { return engine.runner.dismiss(charge, on: device) }
        passwords.charged(item, charge)
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
      try ask(.applicationPassword, asking, naming: demand.named) { [self] _ in
        passwords.type(password.password)
        body()
      }
    }
  }

  /// Whether a wrong password may be typed again; what was guessed so far is settled then.
  func retriesPassword() -> Bool {
    guard passwords.forgetTyped() else { return false }
    settlePasswords()
    onEvent(.asking(.miss(.applicationPassword)))
    return true
  }

  /// Settles the guesses that were charged.
  func settlePasswords() { engine.runner.settle(passwords.takeVerdicts(), on: device) }
}
