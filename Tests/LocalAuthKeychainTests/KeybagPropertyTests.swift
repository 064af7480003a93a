import LocalAuthCore
import LocalAuthKeychain
import LocalAuthTestSupport
import Testing

/// What must hold whatever happens to a keybag, in whatever order.
@Suite struct KeybagPropertyTests {
  private static let runs = 1000
  private static let steps = 60

  @Test func noKeyOfWhenUnlockedIsGivenWhileLockedBeyondTheGrace() {
    play { trial, seed in
      guard let lockedAt = trial.lockedAt, trial.now >= lockedAt + Keybag.grace else { return }
      for protection in ProtectionClassSet.whenUnlocked.classes {
        let access = trial.keybag.access(to: protection, at: trial.now)
        #expect(access != .available, "seed \(seed) after \(trial.events)")
      }
    }
  }

  @Test func nothingButAlwaysIsGivenBeforeTheFirstUnlock() {
    play { trial, seed in
      guard trial.isBeforeFirstUnlock else { return }
      for protection in ProtectionClass.allCases {
        let access = trial.keybag.access(to: protection, at: trial.now)
        let isAlways = ProtectionClassSet.always.contains(protection)
        #expect((access == .available) == isAlways, "seed \(seed) after \(trial.events)")
      }
    }
  }

  @Test func whatWasUnderAnEarlierPasscodeNeverComesBackAfterItsRemoval() {
    play { trial, seed in
      for key in trial.destroyed {
        let akpu = ProtectionClass.whenPasscodeSetThisDeviceOnly
        let access = trial.keybag.access(to: akpu, key: key, at: trial.now)
        #expect(access == .absent, "seed \(seed) after \(trial.events)")
      }
    }
  }

  @Test func theRecordChangesOnlyByACommit() {
    play { trial, seed in
      #expect(trial.keybag.record == trial.durable, "seed \(seed) after \(trial.events)")
    }
  }

  @Test func theKeysInMemoryAreThoseThatAreGivenOut() {
    play { trial, seed in
      let opened = trial.keybag.deviceState(at: trial.now).opened.subtracting(.always)
      // Without a passcode the device key opens the others whenever they are asked for.
      guard trial.durable.hasPasscode else { return }
      #expect(trial.memory.isSuperset(of: opened), "seed \(seed) after \(trial.events)")
      let isBeyondGrace = trial.keybag.deviceState(at: trial.now) == .locked && trial.timerCame
      guard isBeyondGrace else { return }
      #expect(trial.memory.subtracting(.always) == opened, "seed \(seed) after \(trial.events)")
    }
  }

  private func play(_ check: (borrowing Trial, UInt64) -> Void) {
    var random = SeededGenerator.ofThisRun
    for _ in 0..<Self.runs {
      var trial = Trial(using: &random)
      for _ in 0..<Self.steps {
        trial.step(using: &random)
        check(trial, random.seed)
      }
    }
  }
}

/// One keybag, random events, and books of its own on what is in memory and what is gone.
private struct Trial {
  var keybag: Keybag
  var durable: KeybagRecord
  var now = boot(0)
  var memory: ProtectionClassSet = []
  var events: [String] = []
  var lockedAt: BootInstant?
  var isBeforeFirstUnlock: Bool
  var timerCame = false
  var destroyed: Set<UInt64> = []
  private var tickets: [Keybag.Ticket] = []
  private var pending: KeybagRecord?

  init(using random: inout SeededGenerator) {
    let hasPasscode = Bool.random(using: &random)
    durable = KeybagRecord(hasPasscode: hasPasscode, passcodeSetKeys: hasPasscode ? 1 : 0)
    keybag = Keybag(durable)
    isBeforeFirstUnlock = hasPasscode
  }

  mutating func step(using random: inout SeededGenerator) {
    let pauses: [Int] = [0, 0, 1000, 5000, 9900, 10_000, 30_000]
    now = now + .milliseconds(pauses.randomElement(using: &random) ?? 0)
    switch Int.random(in: 0..<11, using: &random) {
    case 0: tickets.append(keybag.beginUnlock())
    case 1, 2: unlock(using: &random)
    case 3: lock()
    case 4: note("time", keybag.timePassed(at: now))
    case 5: note("revoked", keybag.fingersRevoked())
    case 6: restart(using: &random)
    case 7: note("set", keybag.setPasscode())
    case 8: note("change", keybag.changePasscode())
    case 9: note("remove", keybag.removePasscode())
    default: finish(isDurable: Bool.random(using: &random))
    }
  }

  private mutating func unlock(using random: inout SeededGenerator) {
    let ticket = tickets.randomElement(using: &random) ?? keybag.beginUnlock()
    let before = keybag.deviceState(at: now)
    if Bool.random(using: &random) {
      note("passcode", keybag.passcodeOpened(ticket))
    } else {
      note("finger", keybag.fingerMatched(ticket))
    }
    guard before != .unlocked, keybag.deviceState(at: now) == .unlocked else { return }
    lockedAt = nil
    timerCame = false
    isBeforeFirstUnlock = false
  }

  private mutating func lock() {
    if keybag.deviceState(at: now) == .unlocked { lockedAt = now }
    note("lock", keybag.lock(at: now))
  }

  private mutating func restart(using random: inout SeededGenerator) {
    guard Int.random(in: 0..<4, using: &random) == 0 else { return }
    note("restart", keybag.restarted())
    memory = []
    isBeforeFirstUnlock = durable.hasPasscode
    lockedAt = nil
    timerCame = false
  }

  private mutating func finish(isDurable: Bool) {
    guard isDurable else {
      pending = nil
      return note("failed", keybag.commitFailed())
    }
    if let next = pending {
      if durable.hasPasscode, !next.hasPasscode { destroyed.insert(durable.passcodeSetKeys) }
      let isFirst = !durable.hasPasscode && next.hasPasscode
      durable = next
      pending = nil
      note("committed", keybag.committed())
      if isFirst { isBeforeFirstUnlock = keybag.deviceState(at: now) == .beforeFirstUnlock }
      if !next.hasPasscode {
        isBeforeFirstUnlock = false
        lockedAt = nil
        timerCame = false
      }
    } else {
      note("committed", keybag.committed())
    }
  }

  private mutating func note(_ event: String, _ action: Keybag.Action) {
    events.append("\(event) at \(now.nanoseconds): \(action)")
    switch action {
    case .install(let classes), .reopen(let classes): memory.formUnion(classes)
    case .seal(let classes), .wipe(let classes):
      memory.subtract(classes)
      timerCame = true
    case .adopt(let kept, let wiped):
      memory.formUnion(durable.hasPasscode ? kept.union(held) : kept)
      memory.subtract(wiped)
    case .commit(_, let record): pending = record
    case .nothing, .discard, .sealAt, .wipeSealed, .refuse: break
    }
  }

  /// What the device key had opened on demand before the first passcode.
  private var held: ProtectionClassSet {
    keybag.deviceState(at: now) == .unlocked
      ? ProtectionClassSet.all.subtracting([.always, .passcodeSet]) : []
  }
}
