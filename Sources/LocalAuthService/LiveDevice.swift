import LocalAuthCore
import LocalAuthKeychain
import LocalAuthPolicies
import LocalAuthSensor

/// One device in memory: its record, its keys, its sensor, its prompt and its clock.
///
/// Only ``Interpreter`` makes changes of ``record`` durable. A record in memory is never laxer than
/// the durable one while a commit is under way, and ``failure`` closes the device when one fails.
final class LiveDevice {
  var record: DeviceRecord
  var sensor: SensorDriver?
  var arbiter: Arbiter
  /// Which class keys there are, and when they come and go.
  var keybag: Keybag
  /// The class keys; only ``follow(_:with:)`` moves them.
  let vault: any KeyVault
  /// The keybag as it is stored; nil where none was made yet.
  var sealedKeybag: [UInt8]? {
    didSet { isKeybagStored = false }
  }
  /// Whether ``sealedKeybag`` is durable; if not, the next commit of the device makes it so.
  var isKeybagStored = true
  /// Changes of items, one at a time, so that each begins with what the last one left.
  let mutations = MutationQueue()
  /// Items whose damage was written to the audit since the start.
  var damagedItems: Set<ItemIdentifier> = []
  /// What contexts have proven and may use.
  var authorizations = Authorizations()
  /// How often whatever answers again was forgotten: what was proven before is not remembered after.
  var grantEra: UInt64 = 0
  /// The last unlock by finger, which stands in for a touch for a while; no restart outlives it.
  var unlockGrant: Grant?
  /// Whether the durable state did not authenticate; only a proven passcode ends it.
  var isDistrusted: Bool
  /// How often counts of passwords were added to or cleared.
  private var passcodeChanges: UInt64 = 0
  /// How often counts of touches were.
  private var touchChanges: UInt64 = 0
  /// The user's own machine, where PAM judges the passcode of this simulated device too.
  ///
  /// One account's password is counted in one place. Nil where this device counts for itself.
  let account: LiveDevice?
  /// The delays of what must never be locked for good: passwords of single items, and of PAM's keybags.
  let lastingDelays: PasscodeDelays
  /// Why the last commit failed: memory and disk may differ, and nothing is allowed that must be stored.
  var failure: StorageError?
  /// Whether it was deleted: from then on nothing of it is written.
  var isRemoved = false
  /// Whether an erasure destroyed the keys and could not be stored yet.
  var isErasureDue = false
  var profile: LockoutProfile
  var delays: PasscodeDelays
  let timers = DeviceTimers()
  /// The enrolment that has the sensor.
  weak var enrolmentRun: EnrolmentRun?
  /// Touches that wait for a prompt, the oldest first.
  var awaitedTouches: ArraySlice<AwaitedTouch> = []
  /// Scripts for evaluations to come.
  var scripts = ScriptQueue<LoadedScript>()
  private(set) var clock: DeviceClock
  /// The token that stands for the enrolled set, and the generation it was made for.
  var domainState: (generation: UInt64, token: [UInt8])?

  init(
    record: DeviceRecord,
    account: LiveDevice?,
    profile: LockoutProfile,
    delays: PasscodeDelays,
    lastingDelays: PasscodeDelays,
    isDistrusted: Bool,
    vault: any KeyVault,
    keybag stored: [UInt8]?,
    limits: Arbiter.Limits,
    stoppedAt moment: Moment?
  ) {
    self.record = record
    self.account = account
    self.vault = vault
    sealedKeybag = stored
    let known = stored.flatMap { vault.load($0) }
    keybag = Keybag(known ?? Self.keybagRecord(of: record))
    // Nobody gets around a passcode by taking it out of the record.
    if known?.hasPasscode == true, record.passcode == .none {
      self.record.passcode = .device
    }
    self.profile = profile
    self.delays = delays
    self.lastingDelays = lastingDelays
    self.isDistrusted = isDistrusted
    arbiter = Arbiter(limits: limits)
    clock = DeviceClock(offset: record.clockOffset, reboots: record.reboots, stoppedAt: moment)
  }

  var identity: DeviceIdentity { record.identity }

  /// What a keybag is taken for that is not there or damaged: it has a passcode where the device has.
  private static func keybagRecord(of record: DeviceRecord) -> KeybagRecord {
    record.passcode == .none
      ? KeybagRecord() : KeybagRecord(hasPasscode: true, passcodeSetKeys: 1)
  }

  /// Whether losing the process would lose what only a passcode brings back.
  var holdsUnlock: Bool { record.passcode != .none && !keybag.isBeforeFirstUnlock }

  /// Whether it is locked, as it is shown.
  func lockState(at now: BootInstant) -> LockState { keybag.deviceState(at: now).lockState }

  func now(_ machine: Moment) -> Moment { clock.now(machine) }

  /// Moves the clock forward; refusals of passcodes are no shorter for it where `keepsWaits` says so.
  func advanceClock(by duration: Duration, keepsWaits: Bool) {
    clock.advance(by: duration)
    record.clockOffset = clock.offset
    if keepsWaits { record.postponePasscodes(by: duration) }
  }

  // MARK: What decides about fingers and passcode

  private func facts(from origin: Origin, at now: Moment) -> DeviceFacts {
    var facts = DeviceFacts(
      record,
      sensor: sensor?.presence ?? .absent,
      isDistrusted: isDistrusted
    )
    facts.attempts = record.attempts(from: origin, under: rules(), at: now)
    if let account {
      let theirs = account.record.attempts(
        from: origin,
        under: account.rules(),
        at: clock.machine(now)
      )
      facts.attempts.throttle = theirs.throttle
    }
    return facts
  }

  private func rules(
    for guess: Guess? = nil,
    and policyProfile: LockoutProfile? = nil
  ) -> DeviceAttempts.Rules {
    let table: PasscodeDelays
    switch guess {
    case nil, .touch, .passcode: table = account?.delays ?? delays
    case .keybag, .item: table = lastingDelays
    }
    return DeviceAttempts.Rules(lockout: profile, and: policyProfile, delays: table)
  }

  func conditions(
    for policy: Policy,
    and policyProfile: LockoutProfile? = nil,
    from origin: Origin = .owner,
    at now: Moment
  ) -> Conditions {
    let rules = rules(and: policyProfile)
    var conditions = facts(from: origin, at: now).conditions(for: policy, under: rules, at: now)
    if account != nil { conditions.passcode = passcodeCondition(from: origin, at: now) }
    return conditions
  }

  func attemptsLeft(
    and policyProfile: LockoutProfile? = nil,
    from origin: Origin = .owner,
    at now: Moment
  ) -> UInt32? {
    facts(from: origin, at: now).attemptsLeft(under: rules(and: policyProfile), at: now)
  }

  func wrongPasscodes(from origin: Origin, at now: Moment) -> UInt32 {
    facts(from: origin, at: now).attempts.throttle.tally.failures
  }

  func passcodesLeft(from origin: Origin = .owner, at now: Moment) -> UInt32? {
    facts(from: origin, at: now)
      .passcodesLeft(under: rules().delays, at: account == nil ? now : clock.machine(now))
  }

  func passcodeCondition(from origin: Origin = .owner, at now: Moment) -> PasscodeCondition {
    facts(from: origin, at: now)
      .passcode(under: rules().delays, at: account == nil ? now : clock.machine(now))
  }

  // MARK: The order of effects

  /// The device that counts `guess`: an account's password is the user's own machine's.
  func counting(_ guess: Guess) -> LiveDevice {
    if case .passcode = guess { account ?? self } else { self }
  }

  /// Counts a guess as wrong; nil when it may be judged, once that is durable.
  func charge(_ guess: Guess, and policyProfile: LockoutProfile?, at now: Moment) -> Outcome? {
    let charge = record.charge(guess, under: rules(for: guess, and: policyProfile), at: now)
    if charge == .charged { noteChange(of: guess) }
    return charge.refusal(of: guess.factor)
  }

  /// Raises counts that cannot be believed.
  func raiseCounts(to doubt: CountDoubt, at now: Moment) {
    record.raise(to: doubt, under: delays, lasting: lastingDelays, at: now)
  }

  /// Takes the last charge back, because it could not be made durable and so nothing was judged.
  func refund(_ guess: Guess) { record.refund(guess, under: rules(for: guess)) }

  /// Applies what a verdict changes on this device.
  func settle(_ guess: Guess, _ verdict: Verdict, isRefundable: Bool, at now: Moment) {
    record.settle(
      guess,
      verdict,
      isRefundable: isRefundable,
      under: rules(for: guess),
      at: now
    )
    if case .proven = verdict {
      noteChange(of: guess)
      if case .passcode = guess { passcodeWasProven() }
    }
    if case .touch = guess, record.attempts.isLockedOut(under: rules(), at: now) {
      follow(keybag.fingersRevoked())
    }
  }

  /// The passcode was newly set: throttle, lockout and distrust end.
  func passcodeWasSet(at now: Moment) {
    record.passcodeWasSet(at: now)
    passcodeWasProven()
  }

  /// Which change of the counts that `guess` is charged to was the last: a charge is given back only while it was
  /// that, for otherwise what would be given back is another's.
  func changes(of guess: Guess) -> UInt64 {
    if case .touch = guess { touchChanges } else { passcodeChanges }
  }

  private func noteChange(of guess: Guess) {
    if case .touch = guess { touchChanges += 1 } else { passcodeChanges += 1 }
  }

  /// What is to be stored of this device with a commit of `other`.
  func beside(_ other: LiveDevice) -> [StateChange] { self === other ? [] : [.device(record)] }

  private func passcodeWasProven() {
    passcodeChanges += 1
    touchChanges += 1
    isDistrusted = false
    sensor?.update { $0.passcodeProven() }
  }

  /// Starts refusals from an earlier boot over; true when that must be made durable.
  func noteBoot(at now: Moment) -> Bool { record.booted(at: now) }

  /// Restarts a simulated device: another boot, locked, and no unlock to reuse.
  func reboot() {
    // A refusal that had passed starts over with the boot, so what was charged before is not given back any more.
    passcodeChanges += 1
    touchChanges += 1
    record.reboots += 1
    clock.reboot()
    follow(keybag.restarted())
    closed()
  }
}
