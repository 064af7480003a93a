import LocalAuthCore
import LocalAuthSensor
import LocalAuthTestSupport
import Testing

/// Whatever happens in whatever order, what the sensor promises stays true.
@Suite struct SensorPropertyTests {
  @Test(arguments: 0..<20) func keepsItsPromisesUnderAnyEvents(_ run: UInt64) throws {
    var player = Player(seed: seed &+ run)
    for step in 0..<5000 {
      try player.step()
      if let broken = player.broken {
        Issue.record("\(broken) at step \(step), SEED=\(seed &+ run)")
        return
      }
    }
    #expect(player.matches > 0 && player.misses > 0 && player.adopted > 0, "SEED=\(seed &+ run)")
  }

  @Test(arguments: 0..<20) func readsWhatItWritesOfAnyScript(_ run: UInt64) throws {
    var random = SeededGenerator(seed: seed &+ run)
    let events = (0..<200).map { _ in Player.anyEvent(using: &random) }
    let separator = ["\n", ",", " , ", "\r\n", ",\n"].randomElement(using: &random) ?? "\n"
    let text = events.map(\.description).joined(separator: separator)
    #expect(try parse(text) == events, "SEED=\(seed &+ run)")
  }

  @Test(arguments: 0..<20) func neverTrapsOnAnyText(_ run: UInt64) {
    var random = SeededGenerator(seed: seed &+ run)
    let pieces =
      ScriptWord.allCases.map(\.rawValue) + FprintWord.allCases.map(\.rawValue)
      + SettingKey.allCases.map(\.rawValue)
      + [
        ",", ",", ":", ":", "=", "\"", "'", "#", " ", "\n", "\r", "\t", "1", "0x100", "\u{0}",
        "\u{fc}",
      ]
    for _ in 0..<500 {
      let text = (0..<Int.random(in: 0...12, using: &random))
        .map { _ in pieces.randomElement(using: &random) ?? "" }.joined()
      let source = Array(text.utf8)
      guard let script = try? SensorScript(parsing: source.span) else { continue }
      for event in script.events {
        switch event {
        case .passcode(.some(let range)), .answer(let range):
          #expect(source.indices.contains(range) || range.isEmpty, "SEED=\(seed &+ run)")
        default: continue
        }
      }
    }
  }
}

/// Plays random events at one sensor and keeps its own books.
private struct Player {
  var sensor = SimulatedSensor(settings: SensorRig.settings, enrolment: EnrolmentSet())
  var random: SeededGenerator
  var matches = 0
  var misses = 0
  var adopted = 0
  var broken: String?
  private var now = moment()
  private var sample: Sample?
  private var capture: Capture?
  private var old: [Capture] = []
  private var proposed: EnrolmentSet?
  private var timer: NoInputTimer?
  private var isJudgeable = false

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  mutating func step() throws {
    let generation = sensor.enrolment.generation
    let set = sensor.enrolment
    try act()
    if sensor.enrolment.generation < generation { broken = "the generation went back" }
    if sensor.enrolment != set && sensor.enrolment.generation == generation {
      broken = "the set changed and its generation did not"
    }
  }

  private mutating func act() throws {
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1, 2: arm()
    case 3: interrupt { _ = $0.disarm(for: evaluation) }
    case 4, 5, 6, 7: present()
    case 8, 9, 10: read()
    case 11, 12, 13: judge()
    case 14: judgeAnOldOne()
    case 15: try condition()
    case 16:
      _ = sensor.beginEnrolment(
        of: Finger.allCases.randomElement(using: &random) ?? .leftThumb,
        at: now
      )
    case 17: change()
    case 18: time()
    default: discard()
    }
  }

  private mutating func arm() {
    _ = sensor.arm(for: evaluation, at: now)
    timer = sensor.timer ?? timer
  }

  private mutating func interrupt(_ event: (inout SimulatedSensor) -> Void) {
    event(&sensor)
    if sensor.operation != .evaluation(evaluation) { isJudgeable = false }
  }

  private mutating func present() {
    let presentation = Self.anyPresentation(using: &random)
    if case .sampling(let sample, _) = sensor.present(presentation, at: now, using: &random) {
      self.sample = sample
    }
    if sensor.operation == nil { isJudgeable = false }
  }

  private mutating func read() {
    guard let sample else { return }
    switch sensor.sampled(sample) {
    case .captured(let capture, _):
      if isJudgeable { broken = "captured twice" }
      self.capture = capture
      isJudgeable = true
    case .enrolment(.completed(let set)): proposed = set
    case .retry, .interaction, .enrolment, .fault, .stale: return
    }
  }

  private mutating func judge() {
    guard let capture else { return }
    let fingers = sensor.enrolment.fingers
    switch sensor.judge(capture, at: now) {
    case .match(let finger, let generation):
      matches += 1
      if !isJudgeable { broken = "matched without a capture in this arming" }
      if !fingers.contains(finger) { broken = "matched a finger that is not enrolled" }
      if generation != sensor.enrolment.generation { broken = "matched another generation" }
    case .miss:
      misses += 1
      if !isJudgeable { broken = "missed without a capture in this arming" }
    case .stale: if isJudgeable { broken = "refused a good capture" }
    }
    isJudgeable = false
    old.append(capture)
  }

  private mutating func judgeAnOldOne() {
    guard let capture = old.randomElement(using: &random) else { return }
    if sensor.judge(capture, at: now) != .stale { broken = "judged a capture twice" }
  }

  private mutating func discard() {
    guard let capture else { return }
    if sensor.discard(capture) != isJudgeable { broken = "discarded what it had not" }
    isJudgeable = false
    old.append(capture)
  }

  private mutating func condition() throws {
    let key = SettingKey.allCases.randomElement(using: &random) ?? .latency
    let values = SensorSettingsTests.good.filter { $0.0 == key.rawValue }.map(\.1)
    let value =
      Bool.random(using: &random) ? SensorSettings()[key] : values.randomElement(using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: interrupt { _ = $0.unplug() }
    case 1: sensor.plug()
    case 2: interrupt { _ = $0.setBusy(false) }
    case 3: interrupt { _ = $0.lockTimed(at: moment()) }
    case 4: sensor.passcodeProven()
    case 5: Bool.random(using: &random) ? sensor.fingerDown() : sensor.fingerUp()
    case 6: sensor.reset()
    default:
      _ = try sensor.set(key.rawValue, value ?? "")
      if sensor.operation != .evaluation(evaluation) { isJudgeable = false }
    }
  }

  private mutating func change() {
    let finger = Finger.allCases.randomElement(using: &random) ?? .leftThumb
    switch Int.random(in: 0..<6, using: &random) {
    case 0: proposed = sensor.removing(finger)
    case 1: proposed = Int.random(in: 0..<5, using: &random) == 0 ? sensor.removingAll() : proposed
    case 2: _ = sensor.cancelEnrolment()
    case 3:
      if case .completed(let set) = sensor.inserting(finger) { proposed = set }
    default:
      if let set = proposed, sensor.adopt(set) { adopted += 1 }
    }
  }

  private mutating func time() {
    now = moment(Int64.random(in: 0...10_000, using: &random))
    now.bootID.generation = UInt32.random(in: 0...2, using: &random)
    if let timer { interrupt { _ = $0.timedOut(timer) } }
  }

  static func anyPresentation(using random: inout SeededGenerator) -> Presentation {
    let finger = Finger.allCases.randomElement(using: &random) ?? .leftThumb
    let label = PrintLabel("p\(Int.random(in: 0..<5, using: &random))")
    switch Int.random(in: 0..<13, using: &random) {
    case 0: return .miss
    case 12: return .matching(finger)
    case 1: return .retry(Acquisition.named.randomElement(using: &random)?.code ?? .general)
    case 2: return .interaction
    case 3: return .stage(EnrolmentSample.allCases.randomElement(using: &random) ?? .good)
    case 4: return .fault(SensorFault.named.randomElement(using: &random)?.fault ?? .general)
    case 5: return label.map { .touch(.label($0)) } ?? .miss
    case 6, 7, 8: return .touch(.finger(finger))
    default: return .match
    }
  }

  static func anyEvent(using random: inout SeededGenerator) -> ScriptEvent {
    let setting = SensorSettingsTests.good.randomElement(using: &random)
    switch Int.random(in: 0..<8, using: &random) {
    case 0: return .sleep(.milliseconds(Int64.random(in: 0...3_600_000, using: &random)))
    case 1: return .cancel(Canceler.allCases.randomElement(using: &random) ?? .user)
    case 2: return .passcode(nil)
    case 3: return .lockout(timed: .random(using: &random))
    case 4:
      guard let setting, let key = SettingKey(rawValue: setting.0) else { return .list }
      return .set(key, setting.1)
    case 5:
      return [.unplug, .plug, .busy, .free, .fingerDown, .fingerUp].randomElement(using: &random)
        ?? .list
    default: return .present(anyPresentation(using: &random))
    }
  }
}
