import Glibc
import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthSensor

// The pure machines at full speed, for the comparison with machine.c: the same events, drawn by the
// same generator, and the same checksum.

/// SplitMix64, and the sum of everything that was drawn and answered.
struct Course {
  private var state: UInt64 = 42
  private(set) var checksum: UInt64 = 0

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  mutating func note(_ value: UInt64) {
    checksum = (checksum << 5 | checksum >> 59) ^ value
  }
}

/// The shipped profile `android`: delays from the fifth miss on and a lock at the twentieth.
let android = LockoutProfile(
  name: "android",
  delays: DelayTable(
    rows: [
      .init(from: 5, through: 5, delay: .seconds(30)),
      .init(from: 10, through: 10, delay: .seconds(60)),
      .init(from: 15, through: 15, delay: .seconds(120), doublesEvery: 5),
    ],
    locksAt: 20
  ),
  missesPerEvaluation: 5
)

func moment(_ nanoseconds: Int64) -> Moment {
  Moment(
    boot: BootInstant(nanoseconds: nanoseconds),
    bootID: BootIdentifier(high: 1, low: 2),
    wall: WallInstant(milliseconds: 0)
  )
}

/// One step is one touch that is charged, and its verdict or refusal.
func lockoutSteps(_ count: Int) -> UInt64 {
  var course = Course()
  var lockout = Lockout()
  var now: Int64 = 0
  for _ in 0..<count {
    let draw = course.next()
    now += Int64(draw & 0x3FFF_FFFF)
    switch lockout.charge(under: android, at: moment(now)) {
    case .charged:
      if draw >> 32 & 15 == 0 { lockout.matched() }
      course.note(UInt64(lockout.tally.failures))
    case .refused(let remaining):
      let nanoseconds = remaining.wholeNanoseconds
      course.note(UInt64(nanoseconds))
      if draw >> 40 & 3 == 0 { now += nanoseconds }
    case .locked:
      course.note(99)
      if draw >> 44 & 3 == 0 { lockout.passcodeProven() }
    }
  }
  return course.checksum
}

/// The shipped policy `device-owner`.
let deviceOwner = Policy(
  name: "device-owner",
  requirement: .anyOf([.biometry(.any), .passcode]),
  needsPasscodeSet: true
)

extension Course {
  /// Takes an action into the sum; false when the evaluation is over.
  mutating func note(_ action: EvaluationMachine.Action, _ code: OutcomeCode?) -> Bool {
    switch action {
    case .enqueue: note(1)
    case .present(let live): note(2 + UInt64(live.rawValue) << 8)
    case .attempt(let factor): note(3 + UInt64(factor.alone.rawValue) << 8)
    case .ignore: note(4)
    case .redeem: note(6)
    case .finish:
      note(5 + UInt64(code?.exit ?? 255) << 8)
      return false
    }
    return true
  }
}

/// One step is one event of an evaluation; a finished one is followed by the next.
func evaluationSteps(_ count: Int) -> UInt64 {
  var course = Course()
  let rules = EvaluationMachine.Rules(policy: deviceOwner, profile: android, isInteractive: true)
  var evaluation = EvaluationMachine(rules: rules)
  var isUnderWay = false
  var steps = 0
  while steps < count {
    steps += 1
    let draw = course.next()
    let conditions = Conditions(
      biometry: draw & 63 == 0 ? .lockedOut(retryAfter: nil) : .usable,
      passcode: draw & 127 == 1 ? .throttled(retryAfter: .seconds(1)) : .usable
    )
    let action: EvaluationMachine.Action
    if !isUnderWay {
      evaluation = EvaluationMachine(rules: rules)
      let first = evaluation.begin(conditions: conditions)
      isUnderWay = course.note(first, evaluation.outcome?.code)
      guard isUnderWay else { continue }
      action = evaluation.armed(conditions: conditions)
      steps += 1
    } else {
      let factor = draw >> 8 & 1 == 0 ? Factor.biometry : .passcode
      switch draw >> 16 & 7 {
      case 0, 1, 2: action = evaluation.offered(factor, conditions: conditions)
      case 3, 4: action = evaluation.judged(factor, .miss, conditions: conditions)
      case 5:
        action = evaluation.judged(
          factor,
          .proven(finger: nil, generation: 7),
          conditions: conditions
        )
      case 6: action = evaluation.fallback(conditions: conditions)
      default: action = evaluation.changed(conditions: conditions)
      }
    }
    isUnderWay = course.note(action, evaluation.outcome?.code)
  }
  return course.checksum
}

/// One step is one simulated login: policy device-owner, three strikes, Apple's delays, the standard sensor.
func simulatedLogins(_ count: Int) -> (checksum: UInt64, logins: Int) {
  let hour = Duration.seconds(3600)
  var policy = deviceOwner
  policy.freshness = FreshnessRules(
    anyWithin: hour * 48,
    passcodeWithin: hour * 156,
    unlessMatchedWithin: hour * 4
  )
  let delays = [(4, 60), (5, 300), (6, 900), (7, 3_600), (8, 10_800), (9, 28_800)]
  let rows = delays.map {
    DelayTable.Row(from: UInt32($0.0), through: UInt32($0.0), delay: .seconds($0.1))
  }
  let rules = DeviceAttempts.Rules(
    lockout: LockoutProfile(name: "three-strikes", delays: DelayTable(locksAt: 3)),
    delays: PasscodeDelays(name: "apple", delays: DelayTable(rows: rows, locksAt: 10))
  )
  let plan = PolicyCase(policy: policy, rules: rules, sensor: SensorModel.standard)
  let simulation = Simulation(plan, seed: 1, days: 365)
  var seen = simulation.nobody
  simulation.run(0..<UInt32(count / 3650), into: &seen)
  let counts = [
    seen.presentations, seen.fingers, seen.rejected.events, seen.fallbacks.events,
    seen.denied.events, seen.lockouts.events,
  ]
  return (counts.reduce(0) { $0 &* 1_000_003 &+ $1 }, Int(seen.logins))
}

let machine = CommandLine.arguments.dropFirst().first
let steps = CommandLine.arguments.dropFirst(2).first.flatMap { Int($0) } ?? 1_000_000
let clock = ContinuousClock()
var checksum: UInt64 = 0
var taken = steps
let time = clock.measure {
  switch machine {
  case "lockout": checksum = lockoutSteps(steps)
  case "simulate": (checksum, taken) = simulatedLogins(steps)
  default: checksum = evaluationSteps(steps)
  }
}
print(Double(time.wholeNanoseconds) / Double(taken), String(checksum, radix: 16))
