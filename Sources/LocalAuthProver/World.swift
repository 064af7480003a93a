import LocalAuthCore

/// A device with everything under way on it, as the machines, the disk and the truth have it.
///
/// The machines are those of the daemon. What the daemon's interpreter does between them is done here
/// in the same order: charge in memory, commit, judge only when durable, settle, commit, report. Time
/// stands still and what has happened recedes, so that situations that differ only in their date are
/// the same value.
public struct World: Hashable, Sendable {
  /// A commit under way.
  struct Write: Hashable, Sendable {
    indirect enum Purpose: Hashable, Sendable {
      case charge(UInt8, Factor)
      case settle(UInt8, Factor)
      case redeem(UInt8)
      case remember(UInt8)
      case close(UInt8)
      /// Writes the whole record anew after a failure, and then goes on.
      case reopen(Continuation)
      case actCharge
      case actSettle
      case act
      case housekeeping
    }

    /// What waits for the storage to work again.
    enum Continuation: Hashable, Sendable {
      case begin(UInt8)
      case charge(UInt8, Factor)
      case actCharge
      case commit(Purpose)

      var slot: UInt8? {
        switch self {
        case .begin(let slot), .charge(let slot, _): slot
        case .commit(let purpose): purpose.slot
        case .actCharge: nil
        }
      }
    }

    let purpose: Purpose
    /// The record that becomes durable; nil when it is an audit line alone.
    var record: DeviceRecord?

    /// The evaluation that waits for it, which may be over.
    var slot: UInt8? { purpose.slot }

    /// Whether a failure may leave it on the disk all the same.
    var isGuarded: Bool {
      switch purpose {
      case .charge, .reopen, .actCharge, .act, .redeem: true
      case .settle, .remember, .close, .actSettle, .housekeeping: false
      }
    }
  }

  /// Administration under way, which goes past the prompt.
  struct ActRun: Hashable {
    let act: Act
    var run: Run
    var isCommitting = false
  }

  /// The moment at which everything is told; what has happened lies before it.
  static let now = Moment(
    boot: BootInstant(nanoseconds: 1_000_000_000_000_000),
    bootID: BootIdentifier(high: 1, low: 1),
    wall: WallInstant(milliseconds: 1_800_000_000_000)
  )
  static let earlierBoot = BootIdentifier(high: 1, low: 0)
  static let sessionsMax = 3
  static let writesMax = 4
  static let queue = Arbiter.Limits(waiting: 2, waitingPerUser: 1)

  /// What a crash leaves.
  var disk: DeviceRecord
  var isDiskDistrusted: Bool
  /// What the service has.
  var memory: DeviceRecord
  var isDistrusted: Bool
  var hasFailed = false
  var arbiter = Arbiter(limits: queue)
  var sessions: [Session] = []
  var writes: [Write] = []
  var act: ActRun?
  var unlock: Grant?
  /// What really happened.
  var history = History()
  /// The answers of the last event, for comparing.
  var answers: [Answer] = []

  /// An answer to a program.
  struct Answer: Hashable {
    let client: Client
    let slot: UInt8
    let outcome: Outcome
    /// What was proven for it.
    let proven: Proven
  }

  /// A device with two enrolled fingers whose passcode was just set, or that cannot be trusted.
  public init(_ kind: PasscodeKind = .own, isDistrusted: Bool = false) {
    var record = DeviceRecord(
      identity: DeviceIdentity(owner: 1000, name: "sim"),
      isSimulated: true
    )
    record.enrolment = EnrolmentSet(fingers: [.rightIndex, .leftIndex], generation: 2)
    switch kind {
    case .own: record.passcode = .device
    case .pam: record.passcode = .pam(service: "localauth", directory: nil)
    case .none: record.passcode = .none
    }
    if kind != .none, !isDistrusted {
      record.attempts.freshness.passcodeUsed(at: Self.now)
      history.sincePasscode = 0
    }
    disk = record
    memory = record
    isDiskDistrusted = isDistrusted
    self.isDistrusted = isDistrusted
    history.isDistrusted = isDistrusted
  }

  /// The first property that did not hold, if one did not.
  public var violated: Property? { history.violated }

  // MARK: Sessions

  func index(of slot: UInt8) -> Int? { sessions.firstIndex { $0.slot == slot } }

  func session(of client: Client) -> Session? {
    sessions.first { $0.client == client && $0.machine.outcome == nil }
  }

  /// The evaluation that has the prompt.
  var armed: Session? {
    guard let id = arbiter.armed else { return nil }
    return sessions.first { $0.id == id && $0.machine.outcome == nil }
  }

  var freeSlot: UInt8 {
    var slot: UInt8 = 0
    while index(of: slot) != nil || writes.contains(where: { $0.slot == slot }) { slot += 1 }
    return slot
  }

  // MARK: Hashing

  /// Leaves out what no event changes.
  public func hash(into hasher: inout Hasher) {
    Self.combine(disk, &hasher)
    Self.combine(memory, &hasher)
    hasher.combine(
      (isDiskDistrusted ? 1 : 0) | (isDistrusted ? 2 : 0) | (hasFailed ? 4 : 0)
    )
    hasher.combine(arbiter)
    hasher.combine(sessions)
    hasher.combine(writes.count)
    for write in writes {
      hasher.combine(write.purpose)
      if let record = write.record { Self.combine(record, &hasher) }
    }
    hasher.combine(act)
    hasher.combine(unlock)
    hasher.combine(history)
  }

  private static func combine(_ record: DeviceRecord, _ hasher: inout Hasher) {
    hasher.combine(record.enrolment.generation)
    switch record.passcode {
    case .none: hasher.combine(0)
    case .device: hasher.combine(1)
    case .pam: hasher.combine(2)
    }
    hasher.combine(record.attempts)
    hasher.combine(record.grants)
  }
}

extension World.Write.Purpose {
  /// The evaluation that waits for it.
  var slot: UInt8? {
    switch self {
    case .charge(let slot, _), .settle(let slot, _), .redeem(let slot), .remember(let slot),
      .close(let slot):
      slot
    case .reopen(let continuation): continuation.slot
    case .actCharge, .actSettle, .act, .housekeeping: nil
    }
  }
}
