import LocalAuthCore
import LocalAuthKeychain
import LocalAuthPolicies
import LocalAuthSensor

/// One device in memory: its machine, its keys, its sensor and its clock.
///
/// Only ``EffectRunner`` lets the machine meet events, and does what it asks for.
final class LiveDevice {
  /// Decides; see ``current(_:)`` for what depends on the time.
  private(set) var machine: DeviceMachine
  /// What the machine asked for and nobody has done yet.
  var effects: [DeviceMachine.Effect] = []
  /// What is done once all of that is.
  ///
  /// No slice: one keeps what was taken from it, and with a closure its secrets.
  var followUps: [() -> Void] = []
  /// Whether something of it is being done.
  var isInEffect = false
  var sensor: SensorDriver?
  /// The authenticators that are plugged in besides, at most one for each factor.
  var pluggedIn: [any Authenticator] = []
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
  /// The user's own machine, where PAM judges the passcode of this simulated device too.
  ///
  /// One account's password is counted in one place. Nil where this device counts for itself.
  let account: LiveDevice?
  /// Whether an erasure destroyed the keys and could not be stored yet.
  var isErasureDue = false
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
    rules: DeviceAttempts.Rules,
    lasting: PasscodeDelays,
    isDistrusted: Bool,
    vault: any KeyVault,
    keybag stored: [UInt8]?,
    limits: Arbiter.Limits,
    stoppedAt moment: Moment?
  ) {
    self.account = account
    self.vault = vault
    sealedKeybag = stored
    let known = stored.flatMap { vault.load($0) }
    keybag = Keybag(known ?? Self.keybagRecord(of: record))
    var record = record
    // Nobody gets around a passcode by taking it out of the record.
    if known?.hasPasscode == true, record.passcode == .none { record.passcode = .device }
    machine = DeviceMachine(
      record,
      isDistrusted: isDistrusted,
      sensor: .absent,
      rules: rules,
      lasting: lasting,
      queue: limits
    )
    clock = DeviceClock(offset: record.clockOffset, reboots: record.reboots, stoppedAt: moment)
  }

  /// What is durable of it, as memory has it.
  var record: DeviceRecord { machine.record }
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

  /// Moves the clock forward by `duration`.
  func advanceClock(by duration: Duration) { clock.advance(by: duration) }

  /// Begins another boot of a simulated device.
  func rebootClock() { clock.reboot() }

  // MARK: The machine

  /// Lets the machine meet an event at the machine's `moment`, and keeps what it asks for.
  func meet<Answer>(
    _ event: (inout DeviceMachine, Moment) -> Answer,
    at moment: Moment
  ) -> Answer {
    refresh(at: moment)
    defer { effects += machine.takeEffects() }
    return event(&machine, now(moment))
  }

  /// The machine as the device stands at `moment`.
  func current(_ moment: Moment) -> DeviceMachine {
    refresh(at: moment)
    return machine
  }

  /// Tells the machine what is connected, and what its account has counted.
  private func refresh(at moment: Moment) {
    machine.sensor = sensor?.presence ?? .absent
    let others = pluggedIn.filter(\.isReady).map(\.description)
    machine.authenticators = (sensor.map { [$0.description] } ?? []) + others
    guard let account else { return }
    machine.account = DeviceMachine.Account(
      record: account.record,
      rules: account.machine.rules,
      now: account.now(moment)
    )
  }
}
