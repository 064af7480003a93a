import LocalAuthCore
import LocalAuthKeychain
import LocalAuthPolicies
import LocalAuthSensor

/// One device in memory: its record, its keys, its sensor, its prompt and its clock.
///
/// Only ``Interpreter`` makes changes of ``record`` durable. A record in memory is never laxer than
/// the durable one while a commit is under way, and ``failure`` closes the device when one fails.
final class Device {
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
  /// How often the count of passcodes was added to or cleared: a charge is given back only while it was
  /// the last change, for otherwise what would be given back is another's.
  private(set) var passcodeCounts: UInt64 = 0
  /// Why the last commit failed: memory and disk may differ, and nothing is allowed that must be stored.
  var failure: StorageError?
  /// Whether it was deleted: from then on nothing of it is written.
  var isRemoved = false
  /// Whether an erasure destroyed the keys and could not be stored yet.
  var isErasureDue = false
  var profile: LockoutProfile
  var delays: PasscodeDelays
  let timers = DeviceTimers()
  /// Scripts for evaluations to come.
  var scripts = ScriptQueue<LoadedScript>()
  private(set) var clock: DeviceClock
  /// The token that stands for the enrolled set, and the generation it was made for.
  var domainState: (generation: UInt64, token: [UInt8])?

  init(
    record: DeviceRecord,
    profile: LockoutProfile,
    delays: PasscodeDelays,
    isDistrusted: Bool,
    vault: any KeyVault,
    keybag stored: [UInt8]?,
    limits: Arbiter.Limits,
    stoppedAt moment: Moment?
  ) {
    self.record = record
    self.vault = vault
    sealedKeybag = stored
    let known = stored.flatMap { vault.load($0) }
    keybag = Keybag(known ?? Self.keybagRecord(of: record))
    // Nobody gets around a passcode by taking it out of the record.
    if known?.hasPasscode == true, record.passcode == .none {
      self.record.passcode = .device(verifier: nil)
    }
    self.profile = profile
    self.delays = delays
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

  func advanceClock(by duration: Duration) {
    clock.advance(by: duration)
    record.clockOffset = clock.offset
  }

  // MARK: What decides about fingers and passcode

  private var facts: DeviceFacts {
    DeviceFacts(record, sensor: sensor?.presence ?? .absent, isDistrusted: isDistrusted)
  }

  private func rules(and policyProfile: LockoutProfile? = nil) -> DeviceAttempts.Rules {
    DeviceAttempts.Rules(lockout: profile, and: policyProfile, delays: delays)
  }

  func conditions(
    for policy: Policy,
    and policyProfile: LockoutProfile? = nil,
    at now: Moment
  ) -> Conditions {
    facts.conditions(for: policy, under: rules(and: policyProfile), at: now)
  }

  func touchesLeft(and policyProfile: LockoutProfile? = nil, at now: Moment) -> UInt32? {
    facts.touchesLeft(under: rules(and: policyProfile), at: now)
  }

  func passcodesLeft(at now: Moment) -> UInt32? { facts.passcodesLeft(under: delays, at: now) }

  func passcodeCondition(at now: Moment) -> PasscodeCondition {
    facts.passcode(under: delays, at: now)
  }

  // MARK: The order of effects

  /// Counts an attempt as failed; nil when it may be judged, once that is durable.
  func charge(_ factor: Factor, and policyProfile: LockoutProfile?, at now: Moment) -> Outcome? {
    let charge = record.attempts.charge(factor, under: rules(and: policyProfile), at: now)
    if charge == .charged, factor == .passcode { passcodeCounts += 1 }
    return charge.refusal(of: factor)
  }

  /// Applies what a verdict changes.
  func settle(_ factor: Factor, _ verdict: Verdict, wasSubmitted: Bool, at now: Moment) {
    record.attempts.settle(factor, verdict, wasSubmitted: wasSubmitted, under: rules(), at: now)
    if case (.passcode, .proven) = (factor, verdict) { passcodeWasProven() }
    if factor == .biometry, record.attempts.isLockedOut(under: rules(), at: now) {
      follow(keybag.fingersRevoked())
    }
  }

  /// The passcode was proven or newly set: throttle, lockout and distrust end.
  func passcodeProven(at now: Moment) {
    record.attempts.passcodeProven(at: now)
    passcodeWasProven()
  }

  private func passcodeWasProven() {
    passcodeCounts += 1
    isDistrusted = false
    sensor?.update { $0.passcodeProven() }
  }

  /// Starts refusals from an earlier boot over; true when that must be made durable.
  func noteBoot(at now: Moment) -> Bool { record.attempts.booted(at: now) }

  /// Restarts a simulated device: another boot, locked, and no unlock to reuse.
  func reboot() {
    record.reboots += 1
    clock.reboot()
    follow(keybag.restarted())
    closed()
  }
}
