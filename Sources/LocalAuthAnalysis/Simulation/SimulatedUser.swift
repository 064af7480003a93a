import LocalAuthCore
import LocalAuthSensor

/// One person and their device.
struct SimulatedUser {
  private let number: UInt32
  /// The finger that they always use; nil if none could be enrolled.
  private let finger: EnrolledFinger?
  private var state: FingerState
  private let changes: FingerChanges
  private var login: Login
  private(set) var counts = UserCounts()

  init(_ number: UInt32, _ simulation: borrowing Simulation) {
    let sensor = simulation.plan.sensor
    let random = simulation.random
    finger = Self.finger(number, simulation)
    var settling = random.stream(.fingerState, user: number)
    state = sensor.fingerState.settled(using: &settling)
    changes = FingerChanges(simulation.plan)
    self.number = number
    login = Login(
      simulation.plan.device(hasFinger: finger != nil, at: .virtual(0)),
      under: simulation.plan.evaluationRules
    )
  }

  /// Draws the finger of a person of the stratum.
  private static func finger(
    _ number: UInt32,
    _ simulation: borrowing Simulation
  ) -> EnrolledFinger? {
    let (sensor, random) = (simulation.plan.sensor, simulation.random)
    var stream = random.stream(.person, user: number)
    switch simulation.sample[number].kind {
    case .everybody:
      let person = sensor.population.person(using: &stream)
      return sensor.enrol(person, user: number, count: simulation.plan.prints, from: random).first
    case .unenrolled: return nil
    case .recognized(let shares):
      let share =
        shares.lowerBound + (shares.upperBound - shares.lowerBound) * stream.uniform()
      return sensor.finger(at: share).calibrated(sensor.fingerState, sensor.scores.effects)
    }
  }

  /// Simulates one day.
  mutating func live(
    _ day: UInt32,
    _ plan: borrowing PolicyCase,
    _ random: EventRandom,
    _ times: inout DurationHistogram
  ) {
    let calendar = Calendar(plan.habits)
    for event in 0..<calendar.logins {
      var stream = random.stream(.transaction, user: number, day: day, event: event)
      logIn(at: calendar.start(of: event, on: day), plan, &stream, &times)
      state = changes.pausing(after: event).next(after: state, using: &stream)
    }
  }

  private mutating func logIn(
    at start: Int64,
    _ plan: borrowing PolicyCase,
    _ stream: inout EventStream,
    _ times: inout DurationHistogram
  ) {
    var now = start
    var presentations = 0 as UInt32
    var step = login.begin(plan, at: .virtual(now))
    steps: while true {
      switch step {
      case .finger:
        let presentation = present(plan.sensor, &stream, &now)
        presentations += 1
        if presentation.isJudged {
          step = login.finger(matches: presentation.matches, plan, at: .virtual(now))
        } else if presentations - login.result.fingers >= SensorModel.presentationLimit {
          break steps
        }
      case .passcode:
        now += plan.habits.typing.wholeNanoseconds
        state = changes.typing.next(after: state, using: &stream)
        step = login.passcode(
          isRight: !stream.happens(plan.habits.mistyped),
          plan,
          at: .virtual(now)
        )
      case .wait(let time):
        now += time.wholeNanoseconds
        state = changes.waiting(time).next(after: state, using: &stream)
        step = login.waited(plan, at: .virtual(now))
      case .ended: break steps
      }
    }
    count(login.result, presentations, plan.isFingerEnough)
    if login.result.isAccepted { times.add(microseconds: UInt64((now - start) / 1000)) }
  }

  private mutating func present(
    _ sensor: borrowing SensorModel,
    _ stream: inout EventStream,
    _ now: inout Int64
  ) -> SensorModel.Presentation {
    guard let finger else { return .notAcquired }
    let presentation = sensor.present(
      finger,
      in: CaptureConditions(finger: state),
      using: &stream
    )
    now += sensor.latency.nanoseconds(using: &stream)
    state = changes.presenting.next(after: state, using: &stream)
    return presentation
  }

  private mutating func count(_ result: Login.Result, _ presentations: UInt32, _ isFallback: Bool) {
    if result.lockouts > 0, counts.firstLockout == nil { counts.firstLockout = counts.logins }
    counts.logins += 1
    counts.transactions += result.isTransaction ? 1 : 0
    counts.rejected += result.isRejected ? 1 : 0
    counts.fallbacks += isFallback && result.passcodes > 0 ? 1 : 0
    counts.denied += result.isAccepted ? 0 : 1
    counts.lockouts += UInt64(result.lockouts)
    counts.presentations += UInt64(presentations)
    counts.fingers += UInt64(result.fingers)
  }
}
