import LocalAuthCore
import LocalAuthKeychain
import LocalAuthPolicies
import LocalAuthSensor

/// One device in memory: its machine, keys, sensor and clock.
///
/// Only ``EffectRunner`` feeds events to the machine and performs its effects.
final class LiveDevice {
  /// The machine that decides; see ``current(_:)`` for what depends on the time.
  private(set) var machine: DeviceMachine
  /// The machine's effects that have not been performed yet.
  var effects: [DeviceMachine.Effect] = []
  /// Closures to run once ``effects`` is empty.
  ///
  /// Not a slice: a slice would keep removed closures, and their secrets, alive.
  var followUps: [() -> Void] = []
  /// Whether an effect is being performed.
  var isInEffect = false
  var sensor: SensorDriver?
  /// The plugged-in authenticators besides the sensor.
  private(set) var pluggedIn: [any Authenticator] = []
  /// The reader that judges fingers; nil where there is a simulated sensor.
  private(set) var reader: (any FingerprintReader)?
  /// Whether something judges fingers.
  var hasSensor: Bool { sensor != nil || reader != nil }
  /// Moves when an erasure of its keys begins, and when it takes place.
  var erasures = 0
  /// How many erasures have taken place.
  var keybagsErased = 0
  /// Whether an act of the device changes what is enrolled at the reader.
  var isChangingPrints = false
  /// Tracks which class keys exist and when they are available.
  var keybag: Keybag
  /// The class keys; only ``follow(_:with:)`` installs or removes them.
  let vault: any KeyVault
  /// The keybag as stored; nil if none has been made yet.
  var sealedKeybag: [UInt8]? {
    didSet { isKeybagStored = false }
  }
  /// Whether ``sealedKeybag`` is durable; if not, the device's next commit writes it.
  var isKeybagStored = true
  /// Serializes changes of items, so that each starts from the result of the previous one.
  let mutations = MutationQueue()
  /// What the audit of the device has no lines of.
  var unwritten = UnwrittenLines()
  /// Items whose damage has been recorded in the audit since the start.
  var damagedItems: Set<ItemIdentifier> = []
  /// The authorizations that contexts have obtained.
  var authorizations = Authorizations()
  /// The user's own machine, if PAM judges the passcode of this simulated device too.
  ///
  /// One account's password is counted in one place. Nil if this device counts for itself.
  let account: LiveDevice?
  /// Who is told of each change of the lock.
  var lockWatches = LockWatches()
  /// The device's part in its circle; nil for a device that is in none, and before its first unlock.
  var synchronizer: Synchronizer?
  /// How far it had verified what others sent, until that is taken up at its first unlock; nil in no circle.
  var keptWatermarks: [UInt8]?
  /// Whether what it kept of its synchronization cannot be read.
  var isSyncDamaged = false
  /// Who is told of each change of a key-value store.
  var keyValueWatches = GroupWatches<KeyValueReport>()
  /// Who is told of each change of a document.
  var documentWatches = GroupWatches<DocumentReport>()
  /// Who is told of changes of rows.
  var tableWatches = GroupWatches<TableToken>()
  /// The numbers of changes of rows; nil before they are needed.
  var tableRevisions: TableRevisions?
  /// Whether an erasure destroyed the keys but has not been made durable yet.
  var isErasureDue = false
  let timers = DeviceTimers()
  /// The enrolment that occupies the sensor.
  weak var enrolmentRun: EnrolmentRun?
  /// Touches waiting for a prompt, the oldest first.
  var awaitedTouches: [AwaitedTouch] = []
  /// Scripts queued for later evaluations.
  var scripts = ScriptQueue<LoadedScript>()
  private(set) var clock: DeviceClock
  /// The token of the enrolled set, and the generation it was made for.
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
    // Removing the passcode from the record must not bypass it.
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

  /// Ends its part in its circle, because its keys or the device itself are gone.
  func endSynchronization() {
    synchronizer?.end()
    synchronizer = nil
    keptWatermarks = nil
    isSyncDamaged = false
  }

  /// The device's durable record, as held in memory.
  var record: DeviceRecord { machine.record }
  var identity: DeviceIdentity { record.identity }

  /// The keybag record assumed if the keybag is missing or damaged: with a passcode if the device
  /// has one.
  private static func keybagRecord(of record: DeviceRecord) -> KeybagRecord {
    record.passcode == .none
      ? KeybagRecord() : KeybagRecord(hasPasscode: true, passcodeSetKeys: 1)
  }

  /// Whether ending the process would lose keys that only a passcode brings back.
  var holdsUnlock: Bool { record.passcode != .none && !keybag.isBeforeFirstUnlock }

  /// The lock state, for display.
  func lockState(at now: BootInstant) -> LockState { keybag.deviceState(at: now).lockState }

  func now(_ machine: Moment) -> Moment { clock.now(machine) }

  /// Moves the clock forward by `duration`.
  func advanceClock(by duration: Duration) { clock.advance(by: duration) }

  /// Starts a new boot of a simulated device.
  func rebootClock() { clock.reboot() }

  // MARK: The machine

  /// Feeds the machine an event at `moment` of the machine's clock, and keeps its effects.
  func meet<Answer>(
    _ event: (inout DeviceMachine, Moment) -> Answer,
    at moment: Moment
  ) -> Answer {
    refresh(at: moment)
    defer { effects += machine.takeEffects() }
    return event(&machine, now(moment))
  }

  /// The machine, up to date as of `moment`.
  func current(_ moment: Moment) -> DeviceMachine {
    refresh(at: moment)
    return machine
  }

  /// Plugs in exactly these authenticators.
  func plug(_ authenticators: [any Authenticator], _ hash: any MessageHashing) {
    pluggedIn = authenticators
    reader =
      sensor == nil ? authenticators.lazy.compactMap { $0 as? any FingerprintReader }.first : nil
    machine.authenticators = []
    let origins = authenticators.map(\.provenance).filter { !$0.isEmpty }.sorted()
    machine.programs =
      origins.isEmpty
      ? 0
      : hash.sha256(of: Array(origins.joined(separator: "\n").utf8)).prefix(8)
        .reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Lists the authenticators that can be asked now.
  private func listAuthenticators() {
    // A sensor alone is always the same list, which every event of every device would make anew.
    guard !pluggedIn.isEmpty || machine.authenticators.isEmpty else { return }
    machine.authenticators =
      (sensor.map { [$0.description] } ?? []) + pluggedIn.filter(\.isReady).map(\.description)
  }

  /// Updates the machine's view of the connected authenticators and of its account's counts.
  private func refresh(at moment: Moment) {
    machine.sensor = sensor?.presence ?? reader?.presence ?? .absent
    listAuthenticators()
    guard let account else { return }
    machine.account = DeviceMachine.Account(
      record: account.record,
      rules: account.machine.rules,
      now: account.now(moment)
    )
  }
}
