import LocalAuthCore
import LocalAuthSensor

/// Whatever the bytes are, the parser returns; what it accepts stays within its limits, means the
/// same when written and read again, and can be played at a sensor.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzzScript(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // SAFETY: the fuzzer keeps `count` bytes at `start` during the call.
  let text = unsafe UnsafeBufferPointer(start: start, count: count)
  guard let script = parse(unsafe text.span) else { return 0 }
  precondition(script.events.count <= SensorScript.mostEvents, "too many events")
  checkRanges(script, count)
  checkRoundTrip(script)
  play(script)
  return 0
}

private func parse(_ text: Span<UInt8>) -> SensorScript? {
  do throws(ScriptError) {
    return try SensorScript(parsing: text)
  } catch {
    precondition(error.line >= 1 && error.column >= 1 && error.event >= 1, "an error nowhere")
    precondition(error.column <= text.count + 1, "an error beyond the end")
    return nil
  }
}

private func checkRanges(_ script: SensorScript, _ count: Int) {
  for event in script.events {
    switch event {
    case .passcode(.some(let range)), .answer(let range):
      precondition(range.lowerBound >= 0 && range.upperBound <= count, "a secret beyond the end")
    case .present, .sleep, .cancel, .fallback, .passcode(nil), .unplug, .plug, .busy, .free,
      .fingerDown, .fingerUp, .lockout, .set, .insert, .remove, .list:
      continue
    }
  }
}

private func checkRoundTrip(_ script: SensorScript) {
  let shown = script.events.filter {
    switch $0 {
    case .passcode(.some), .answer: false
    case .present, .sleep, .cancel, .fallback, .passcode(nil), .unplug, .plug, .busy, .free,
      .fingerDown, .fingerUp, .lockout, .set, .insert, .remove, .list:
      true
    }
  }
  let written = Array(shown.map(\.description).joined(separator: "\n").utf8)
  // A script of short words can be longer when it is written in full.
  guard written.count <= SensorScript.longest else { return }
  guard let again = parse(written.span) else { fatalError("cannot be read again") }
  precondition(again.events == shown, "reads differently after being written")
}

private func play(_ script: SensorScript) {
  let now = Moment(
    boot: BootInstant(nanoseconds: 1),
    bootID: BootIdentifier(high: 0, low: 0),
    wall: WallInstant(milliseconds: 0)
  )
  let evaluation = EvaluationID(high: 0, low: 1)
  var sensor = SimulatedSensor(
    enrolment: EnrolmentSet(fingers: [.rightIndex, .leftThumb], generation: 2)
  )
  var random = SensorRandomness(seed: 1)
  for event in script.events {
    _ = sensor.arm(for: evaluation, at: now)
    perform(event, &sensor, now)
    guard case .present(let presentation) = event,
      case .sampling(let sample, _) = sensor.present(presentation, at: now, using: &random),
      case .captured(let capture, _) = sensor.sampled(sample)
    else { continue }
    if case .match(let finger, _) = sensor.judge(capture, at: now) {
      precondition(sensor.enrolment.fingers.contains(finger), "matched a finger not enrolled")
    }
    precondition(sensor.judge(capture, at: now) == .stale, "judged twice")
  }
}

private func perform(_ event: ScriptEvent, _ sensor: inout SimulatedSensor, _ now: Moment) {
  switch event {
  case .unplug: _ = sensor.unplug()
  case .plug: sensor.plug()
  case .busy: _ = sensor.setBusy(true)
  case .free: _ = sensor.setBusy(false)
  case .fingerDown: sensor.fingerDown()
  case .fingerUp: sensor.fingerUp()
  case .lockout(let timed): _ = timed ? sensor.lockTimed(at: now) : sensor.lock()
  case .set(let key, let value):
    // Which profiles there are, only a service knows.
    guard (try? sensor.set(key.rawValue, value)) != nil || key == .model else {
      fatalError("a setting it refused")
    }
  case .present, .sleep, .cancel, .fallback, .passcode, .answer, .insert, .remove, .list: return
  }
}
