import LocalAuthCore

/// A device and everything pending on it, as the machine, the disk and the truth have it.
///
/// The machine is the daemon's. Time stands still and past events recede instead, so that
/// situations which differ only in their date are equal.
public struct ModelState: Hashable, Sendable {
  /// The facts about an attempt that only the environment knows.
  struct Truth: Hashable {
    /// Whether the finger or passcode is right; nil while a PAM conversation has no answer.
    var isRight: Bool?
    /// The charge, once the machine has requested a verdict.
    var charge: DurableCharge?
    /// Whether the disk has the charge.
    var isChargeDurable = false
    /// Whether it was judged right.
    var isProven = false
    /// Whether a success since the charge has cleared the count that includes it.
    var isCleared = false
    /// Nanoseconds since the charge, or since a reboot after it.
    var age: Int64 = 0
    /// The failure count that the charge led to.
    var count: UInt32 = 0
    /// Whether a conversation of PAM's asked a further question.
    var hasAskedAgain = false
    /// Whether a judge that judges by itself was told to stop, said that it is touched, and gave
    /// its verdict.
    var isAborted = false
    var isTouched = false
    var hasSpoken = false
  }

  /// What an agent does for a program without a user interface.
  enum Agent: Hashable {
    /// The program asks by itself.
    case none
    /// Nobody knows yet whether there is one.
    case wanted
    /// It has the prompt, and does not show it yet, or no longer.
    case placed
    case showing
  }

  /// The facts about an evaluation that only the environment knows.
  struct Asked: Hashable {
    let id: EvaluationID
    let client: Client
    let request: Request
    var finger: Truth?
    var passcode: Truth?
    var possession: Truth?
    /// Wrong attempts judged for it.
    var wrongTouches: UInt32 = 0
    var wrongPasscodes: UInt32 = 0
    var wrongKeys: UInt32 = 0
    /// The proofs that attempts of this evaluation really gave.
    var witnessed = Proven()
    /// Whether its last commit is durable.
    var isRecorded = false
    var agent = Agent.none
    /// Whether its prompt was shown.
    var isShown = false
    var isAnswered = false
    /// Whether the use of a grant was counted for it, and whether that grant answered for the
    /// person.
    var isRedeeming = false
    var isStoodFor = false
    /// Whether its success is remembered, as a grant or an unlock.
    var isRemembered = false
    /// Whether its success has been checked, which was decided before it is told.
    var isSuccessSeen = false
    /// Whether the unlock that replaced a touch has been checked.
    var isReuseSeen = false

    subscript(factor: Factor) -> Truth? {
      get {
        switch factor {
        case .passcode: passcode
        case .possession: possession
        case .biometry, .applicationPassword, .companion: finger
        }
      }
      set {
        switch factor {
        case .passcode: passcode = newValue
        case .possession: possession = newValue
        case .biometry, .applicationPassword, .companion: finger = newValue
        }
      }
    }
  }

  /// A pending act of the owner.
  struct Acting: Hashable {
    let act: Act
    var truth: Truth?
  }

  /// The answer to a program.
  struct Answer: Hashable {
    let client: Client
    let id: EvaluationID
    let outcome: Outcome
  }

  /// The current moment; everything that has happened lies before it.
  static let now = Moment(
    boot: BootInstant(nanoseconds: 1_000_000_000_000_000),
    bootID: BootIdentifier(high: 1, low: 1),
    wall: WallInstant(milliseconds: 1_800_000_000_000)
  )
  /// The user whose device it is; others have the numbers that follow.
  static let owner: UInt32 = 1000
  static let earlierBoot = BootIdentifier(high: 1, low: 0)
  static let sessionsMax = 3
  static let queue = Arbiter.Limits(waiting: 2, waitingPerUser: 1)
  /// The identifiers of the owner's single act, and of commits that need no passcode.
  static let act = EvaluationID(high: 1, low: 0)
  static let housekeeping = EvaluationID(high: 1, low: 1)

  /// The state of the service.
  var machine: DeviceMachine
  /// The state on the disk, which survives a crash.
  var disk: DeviceRecord {
    get { sharedDisk.value }
    set { sharedDisk.value = newValue }
  }
  /// Shared, because few events change it and every situation has it.
  private var sharedDisk: Shared<DeviceRecord>
  var isDiskDistrusted: Bool
  /// How far the wall clock is ahead of where it began, in milliseconds; told apart only while a
  /// refusal is in force, which must not notice.
  var wallAhead: Int64 = 0
  /// Pending commits, the oldest first.
  var writes: [DeviceMachine.Commit] = []
  var asked: [Asked] = []
  var acting: Acting?
  /// The authenticators that judge by themselves; nil without any.
  var outside: Outside?
  /// What really happened.
  var history = History()
  /// The answers to the last event, for comparisons.
  var answers: [Answer] = []

  /// Creates a device with two enrolled fingers and a passcode just set, or one whose state is
  /// distrusted.
  public init(_ setup: Setup, _ kind: PasscodeKind = .own, isDistrusted: Bool = false) {
    var record = DeviceRecord(
      identity: DeviceIdentity(owner: Self.owner, name: "sim"),
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
    if !setup.byThemselves.isEmpty {
      let outside = Outside()
      (record.prints, record.programs) = (outside.prints, outside.programs)
      self.outside = outside
    }
    sharedDisk = Shared(record)
    isDiskDistrusted = isDistrusted
    history.isDistrusted = isDistrusted
    machine = Self.started(setup, record, isDistrusted: isDistrusted, outside)
  }

  static func started(
    _ setup: Setup,
    _ record: DeviceRecord,
    isDistrusted: Bool,
    _ outside: Outside?
  ) -> DeviceMachine {
    var machine = DeviceMachine(
      record,
      isDistrusted: isDistrusted,
      sensor: .ready(.strong),
      rules: setup.device,
      queue: queue
    )
    if let outside { machine.see(outside, setup) }
    return machine
  }

  /// The first property violated, if any.
  public var violated: Property? { history.violated }

  // MARK: Evaluations

  func index(of id: EvaluationID) -> Int? { asked.firstIndex { $0.id == id } }

  /// Returns the evaluation of `client` that has no outcome yet.
  func running(_ client: Client) -> EvaluationID? {
    asked.first { $0.client == client && isRunning($0.id) }?.id
  }

  private func isRunning(_ id: EvaluationID) -> Bool {
    machine.index(of: id).map { machine.evaluations[$0].machine.outcome == nil } ?? false
  }

  /// The evaluation that waits longest for the prompt.
  var waiting: EvaluationID? { machine.arbiter.waiting.first }

  /// The sets of fingers that something on the device, or under way, names.
  var generations: Set<UInt64> {
    let records = [machine.record, disk] + writes.compactMap(\.record)
    var all = Set(records.map(\.enrolment.generation))
    all.formUnion(records.flatMap { $0.grants.all.compactMap(\.proven.biometryGeneration) })
    all.formUnion(asked.compactMap(\.witnessed.biometryGeneration))
    all.formUnion(machine.evaluations.compactMap(\.machine.proven.biometryGeneration))
    for attempt in machine.evaluations.compactMap(\.finger) {
      if case .proven(_, let generation?)? = attempt.machine.settling { all.insert(generation) }
    }
    if let generation = machine.unlock?.proven.biometryGeneration { all.insert(generation) }
    return all
  }

  /// An identifier that is not in use in the service, on the disk or in a pending commit.
  var freeID: EvaluationID {
    var number: UInt64 = 0
    while isTaken(number) { number += 1 }
    return EvaluationID(high: 0, low: number)
  }

  private func isTaken(_ number: UInt64) -> Bool {
    func isIn(_ record: DeviceRecord?) -> Bool {
      record?.grants.all.contains { $0.id.low == number } ?? false
    }
    return asked.indices.contains { asked[$0].id.low == number }
      || history.promises.contains { $0.id.low == number }
      || machine.unlock?.id.low == number || isIn(machine.record) || isIn(disk)
      || writes.contains { $0.purpose.owner?.low == number || isIn($0.record) }
  }

  /// The facts about an attempt.
  subscript(attempt: AttemptID) -> Truth? {
    get {
      guard attempt.owner != Self.act else { return acting?.truth }
      return index(of: attempt.owner).flatMap { asked[$0][attempt.factor] }
    }
    set {
      if attempt.owner == Self.act {
        acting?.truth = newValue
      } else if let index = index(of: attempt.owner) {
        asked[index][attempt.factor] = newValue
      }
    }
  }

  /// What the attempt is counted as.
  func counted(_ attempt: AttemptID) -> Counted {
    let index = index(of: attempt.owner)
    return Counted(attempt.factor, forOthers: index.map { asked[$0].request.isOthers } ?? false)
  }

  // MARK: Hashing

  /// Hashes the state, without what no event changes.
  public func hash(into hasher: inout Hasher) {
    machine.hash(into: &hasher)
    disk.hashDecisive(into: &hasher)
    hasher.combine(isDiskDistrusted)
    hasher.combine(wallAhead)
    hasher.combine(machine.sensor)
    hasher.combine(writes.count)
    for write in writes {
      hasher.combine(write.purpose)
      hasher.combine(write.kind)
      write.record?.hashDecisive(into: &hasher)
    }
    hasher.combine(asked)
    hasher.combine(acting)
    hasher.combine(history)
    if let outside { hash(outside, into: &hasher) }
  }

  /// Hashes the authenticators that judge by themselves, and what the records know of them.
  private func hash(_ outside: Outside, into hasher: inout Hasher) {
    hasher.combine(outside)
    eachJudges { prints, programs in
      hasher.combine(prints)
      hasher.combine(programs)
    }
  }

  /// Calls `body` with the prints and programs that each record knows.
  func eachJudges(_ body: (UInt64, UInt64) -> Void) {
    body(machine.record.prints, machine.record.programs)
    body(disk.prints, disk.programs)
    for write in writes {
      if let record = write.record { body(record.prints, record.programs) }
    }
  }
}
