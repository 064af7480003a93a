import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthService
import LocalAuthTestSupport
import Synchronization
import Testing

@testable import LocalAuthProver

/// What is proven is proven about the prover's model; here the engine goes the same ways, event by event.
@Suite(.timeLimit(.minutes(25))) struct ConformanceTests {
  private static let policies = [
    "biometrics", "biometrics-and-passcode", "device-owner", "device-owner-parallel", "passcode",
  ]
  private static let lockouts = ["three-strikes", "apple", "android", "faillock", "tpm", "fido"]

  @Test(arguments: policies, lockouts)
  func theEngineGoesTheWayOfTheModel(_ policy: String, _ lockout: String) throws {
    var generator = SeededGenerator.ofThisRun
    let runSeed = generator.seed
    for _ in 0..<8 {
      let seed = generator.next()
      let pair = try TwinRun(policy, lockout)
      let difference = try pair.run(seed: seed, events: 60)
      #expect(difference == nil, "\(difference ?? "") (seed \(runSeed), run \(seed))")
      guard difference == nil else { return }
    }
  }
}

/// An engine and a model that meet the same events.
final class TwinRun {
  private var rig: Rig
  private var model: Model
  /// By the number that the model has for the evaluation: a program may ask again before it is answered.
  private var hearings: [EvaluationID: Hearing] = [:]
  private var requests = 0
  /// Restarts of the simulated device that the engine knows of.
  private var reboots: UInt32 = 0
  private var fingersLeft: [Finger] = [.leftIndex, .leftThumb, .leftMiddle, .leftRing]
  private var steps: [String] = []

  init(_ policy: String, _ lockout: String) throws {
    let catalog = PolicyCatalog()
    let setup = Setup(
      policy: try catalog.policy(named: policy).get(),
      lockout: try catalog.lockoutProfile(named: lockout).get(),
      delays: try catalog.passcodeDelays(named: DeviceRecord.ownPasscodeDelays).get()
    )
    model = Model(setup)
    rig = Rig(queue: ModelState.queue)
    rig.makeDevice(fingers: [.rightIndex] + fingersLeft, lockout: lockout)
  }

  /// Lets `count` events happen that `seed` chooses; what differs first, or nil.
  func run(seed: UInt64, events count: Int) throws -> String? {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<count {
      // What goes on is likelier than what ends it, so that there are grants to lose.
      let all = model.events(.free).filter(isPlayable).flatMap {
        Array(repeating: $0, count: Self.weight(of: $0))
      }
      guard let event = all.randomElement(using: &generator) else { break }
      steps.append("\(event)")
      let before = model
      model.apply(event)
      try play(event, before)
      finishWhatTheModelLeavesOut()
      if let violated = model.state.violated { return "\(violated) is broken: \(trail)" }
      if let difference = difference() { return "\(difference): \(trail)" }
    }
    return nil
  }

  private static func weight(of event: Event) -> Int {
    switch event {
    case .commit(.durable), .verdict: 12
    case .touch(isRight: true), .passcode(isRight: true): 8
    case .request(_, let request): request.wish == nil ? 2 : 8
    case .touch, .passcode, .fallback, .lock, .revoke, .act: 2
    case .commit, .cancel, .pass, .wall, .reboot, .crash, .settle, .fault, .refusal: 1
    }
  }

  private var trail: String { steps.joined(separator: "; ") }

  /// Whether the rig can do it in the order that the model has.
  private func isPlayable(_ event: Event) -> Bool {
    switch event {
    case .request(_, let request): !request.isUnlock && !request.takesUnlock
    case .act(.fingers, _): fingersLeft.count > 1
    case .settle, .fault, .refusal, .commit(.failedButKept): false
    case .verdict(let number): number == 0 && model.events(.free).count(where: Self.isVerdict) == 1
    case .lock, .reboot:
      // Who is cancelled first is nobody's business.
      model.state.running(.first) == nil || model.state.running(.second) == nil
    case .crash(let kept, _):
      // A simulated restart that was not durable did not happen, boot and all.
      (kept == 0 || kept == model.state.writes.count) && reboots == rebootsOnDisk(keeping: kept)
    // The model lets a person do what the machine would take, also before the prompt says so.
    case .touch: shown?.live.contains(.biometry) ?? false
    // Wrapping keys waits behind a passcode that is judged, which the model does not know.
    case .passcode:
      shown?.live.contains(.passcode) ?? false && model.state.acting?.act != .passcode
    case .act(.passcode, _): model.state.machine.evaluations.allSatisfy { $0.passcode == nil }
    case .fallback, .cancel, .commit(.durable), .commit(.failed), .act,
      .revoke, .pass, .wall:
      true
    }
  }

  /// The prompt as it was shown last.
  private var shown: ShownPrompt? {
    model.state.machine.armed.flatMap { hearings[$0.id]?.prompts.last }
  }

  private func rebootsOnDisk(keeping kept: Int) -> UInt32? {
    let waiting = kept == 0 ? [] : rig.store.waiting.withLock { $0 }
    let records = waiting.flatMap(\.changes).compactMap { change in
      if case .device(let record) = change { record } else { nil }
    }
    return records.last?.reboots ?? rig.store.device?.reboots
  }

  private static func isVerdict(_ event: Event) -> Bool {
    if case .verdict = event { true } else { false }
  }

  // MARK: Playing

  private func play(_ event: Event, _ before: Model) throws {
    switch event {
    case .request(_, let request): try ask(before.state.freeID, request)
    case .touch(let isRight): rig.touch(isRight ? .rightIndex : .rightLittle)
    case .passcode(let isRight):
      answer(.passcode(.of(isRight ? "1234" : "0000")), before)
    case .fallback: answer(.fallback, before)
    case .cancel(let client):
      if let running = before.state.running(client), let id = hearings[running]?.id {
        rig.engine.cancel(id)
      }
    case .commit(let end):
      _ = rig.store.finishNext(end == .durable ? .success(()) : .failure(.full))
      rig.engine.completionsArrived()
    case .verdict:
      _ = rig.vaults.finishNext()
      rig.engine.completionsArrived()
    case .act(let act, let isRight): administer(act, isRight ? "1234" : "0000")
    case .lock: rig.engine.lock("sim", caller: rig.caller) { _ in }
    case .revoke: rig.engine.revokeGrants(nil, on: "sim", caller: rig.caller) { _ in }
    case .reboot:
      reboots += 1
      rig.engine.reboot("sim", caller: rig.caller) { _ in }
    case .pass(let time):
      rig.clock.moment.wall.milliseconds += time.wholeNanoseconds / 1_000_000
      rig.clock.pass(time)
    case .wall(let time):
      rig.clock.moment.wall.milliseconds += time.wholeNanoseconds / 1_000_000
    case .crash(let kept, let isReboot): restart(kept: kept, isReboot: isReboot)
    case .settle, .fault, .refusal: break
    }
  }

  private func ask(_ id: EvaluationID, _ request: Request) throws {
    requests += 1
    // A reason of its own: else the audit of an answer that a grant gives again comes later.
    var asked = EvaluationRequest(
      policy: model.setup.policy.name,
      reason: "request \(requests)",
      device: "sim"
    )
    asked.allowsSimulated = true
    asked.timeout = .seconds(1_000_000_000)
    asked.grant = request.wish.map {
      GrantRequest(caller: $0.grantScope.caller, maxAge: $0.maxAge, uses: $0.uses)
    }
    let hearing = Hearing()
    hearings[id] = hearing
    hearing.id = try rig.engine.evaluate(asked, caller: rig.caller) { hearing.events.append($0) }
  }

  private func answer(_ answer: PromptResponse, _ before: Model) {
    guard let id = before.state.machine.armed?.id, let prompt = hearings[id]?.prompts.last else {
      return
    }
    _ = rig.respond(prompt.nonce, answer)
  }

  private func administer(_ act: Act, _ passcode: String) {
    switch act {
    case .fingers:
      rig.engine.remove(
        fingersLeft.removeLast(),
        on: "sim",
        passcode: .of(passcode),
        caller: rig.caller
      ) { _ in }
    case .passcode:
      rig.engine.setPasscode(
        .of("1234"),
        on: "sim",
        passcode: .of(passcode),
        caller: rig.caller
      ) { _ in }
    case .other:
      rig.engine.unlock("sim", passcode: .of(passcode), caller: rig.caller) { _ in }
    }
  }

  private func restart(kept: Int, isReboot: Bool) {
    if kept > 0 { while rig.store.finishNext(.success(())) {} }
    var moment = rig.clock.moment
    if isReboot { moment.bootID.high += 1 }
    let state = rig.store.state
    rig = Rig(state: state, at: moment, queue: ModelState.queue)
    rig.store.devices.withLock { devices in
      for record in state.devices { devices[record.identity] = record }
    }
    rig.store.keybags.withLock { keybags in
      for keybag in state.keybags { keybags[keybag.device] = keybag.sealed }
    }
    reboots = rig.store.device?.reboots ?? 0
    hearings = [:]
  }

  /// Audit lines of denials, which change no answer, and the wrapping of keys.
  private func finishWhatTheModelLeavesOut() {
    var isMore = true
    while isMore {
      isMore = false
      let denial = rig.store.waiting.withLock { waiting in
        waiting.firstIndex(where: Self.isDenial).map { waiting.remove(at: $0) }
      }
      if let denial {
        denial.completion(.success(()))
        rig.engine.completionsArrived()
        isMore = true
      }
      if rig.vaults.isAsked, !model.events(.free).contains(where: Self.isVerdict) {
        _ = rig.vaults.finishNext()
        rig.engine.completionsArrived()
        isMore = true
      }
    }
  }

  private static func isDenial(_ commit: HeldStore.Commit) -> Bool {
    commit.changes.allSatisfy { change in
      guard case .audit(let line) = change, let outcome = line.outcome else { return false }
      return outcome != .success
    }
  }

  // MARK: Comparing

  private func difference() -> String? {
    answers() ?? record()
  }

  private func answers() -> String? {
    for answer in model.state.answers {
      guard let heard = hearings[answer.id]?.result else {
        return "the engine has not answered \(answer.client)"
      }
      let code = answer.outcome.code == .userCancel ? .appCancel : answer.outcome.code
      guard heard.outcome.code == code else {
        return "the engine answered \(heard.outcome.code), the model \(code)"
      }
      hearings[answer.id] = nil
    }
    for (id, hearing) in hearings {
      if let result = hearing.result {
        return "only the engine answered evaluation \(id.low): \(result.outcome)"
      }
    }
    return nil
  }

  private func record() -> String? {
    guard let engine = rig.store.device else { return "the engine's device is gone" }
    let modelled = model.state.disk
    var engineNow = rig.clock.moment
    engineNow.bootID.generation = reboots
    for (name, left, right) in [
      ("lockout", engine.attempts.lockout.tally, modelled.attempts.lockout.tally),
      ("throttle", engine.attempts.throttle.tally, modelled.attempts.throttle.tally),
    ] {
      let leftWait = left.refusal?.remaining(at: engineNow) ?? .zero
      let rightWait = right.refusal?.remaining(at: ModelState.now) ?? .zero
      guard left.failures == right.failures, leftWait == rightWait else {
        return "\(name): \(left.failures), \(leftWait) against \(right.failures), \(rightWait)"
      }
    }
    let grants = engine.grants.all.map { [$0.usesLeft] }
    guard grants == modelled.grants.all.map({ [$0.usesLeft] }) else {
      return "grants: \(grants.count) against \(modelled.grants.all.count)"
    }
    let waiting = rig.store.waiting.withLock { $0.filter { !Self.isDenial($0) }.count }
    guard waiting == model.state.writes.count else {
      return "commits under way: \(waiting) against \(model.state.writes.count)"
    }
    return nil
  }
}
