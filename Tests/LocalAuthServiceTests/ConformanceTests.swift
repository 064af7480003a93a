import LocalAuthCore
import LocalAuthPolicies
import LocalAuthSecret
import LocalAuthService
import LocalAuthTestSupport
import Synchronization
import Testing

@testable import LocalAuthProver

/// What is proven is proven about the prover's world; here the engine goes the same ways, event by event.
@Suite(.timeLimit(.minutes(25))) struct ConformanceTests {
  private static let policies = [
    "biometrics", "biometrics-and-passcode", "device-owner", "device-owner-parallel", "passcode",
  ]
  private static let lockouts = ["three-strikes", "apple", "android", "faillock", "tpm", "fido"]

  @Test(arguments: policies, lockouts)
  func theEngineGoesTheWayOfTheWorld(_ policy: String, _ lockout: String) throws {
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

/// An engine and a world that meet the same events.
final class TwinRun {
  private var rig: Rig
  private var scene: Scene
  /// By the number that the world has for the evaluation: a program may ask again before it is answered.
  private var hearings: [UInt8: Hearing] = [:]
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
    scene = Scene(setup, World())
    rig = Rig(queue: World.queue)
    rig.makeDevice(fingers: [.rightIndex] + fingersLeft, lockout: lockout)
  }

  /// Lets `count` events happen that `seed` chooses; what differs first, or nil.
  func run(seed: UInt64, events count: Int) throws -> String? {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<count {
      // What goes on is likelier than what ends it, so that there are grants to lose.
      let all = scene.events(.free).filter(isPlayable).flatMap {
        Array(repeating: $0, count: Self.weight(of: $0))
      }
      guard let event = all.randomElement(using: &generator) else { break }
      steps.append("\(event)")
      let before = scene
      scene.apply(event)
      try play(event, before)
      finishWhatTheWorldLeavesOut()
      if let violated = scene.world.violated { return "\(violated) is broken: \(trail)" }
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

  /// Whether the rig can do it in the order that the world has.
  private func isPlayable(_ event: Event) -> Bool {
    switch event {
    case .request(_, let request): !request.isUnlock && !request.takesUnlock
    case .act(.fingers, _): fingersLeft.count > 1
    case .settle, .fault, .refusal, .commit(.failedButKept): false
    case .verdict(let number): number == 0 && scene.events(.free).count(where: Self.isVerdict) == 1
    case .lock, .reboot:
      // Who is cancelled first is nobody's business.
      scene.world.session(of: .first) == nil || scene.world.session(of: .second) == nil
    case .crash(let kept, _):
      // A simulated restart that was not durable did not happen, boot and all.
      (kept == 0 || kept == scene.world.writes.count) && reboots == rebootsOnDisk(keeping: kept)
    // The world lets a person do what the machine would take, also before the prompt says so.
    case .touch: shown?.live.contains(.biometry) ?? false
    // Wrapping keys waits behind a passcode that is judged, which the world does not know.
    case .passcode:
      shown?.live.contains(.passcode) ?? false && scene.world.act?.act != .passcode
    case .act(.passcode, _): scene.world.sessions.allSatisfy { $0.passcode == nil }
    case .fallback, .cancel, .commit(.durable), .commit(.failed), .act,
      .revoke, .pass, .wall:
      true
    }
  }

  /// The prompt as it was shown last.
  private var shown: ShownPrompt? {
    scene.world.armed.flatMap { hearings[$0.slot]?.prompts.last }
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

  private func play(_ event: Event, _ before: Scene) throws {
    switch event {
    case .request(_, let request): try ask(before.world.freeSlot, request)
    case .touch(let isRight): rig.touch(isRight ? .rightIndex : .rightLittle)
    case .passcode(let isRight):
      answer(.passcode(.of(isRight ? "1234" : "0000")), before)
    case .fallback: answer(.fallback, before)
    case .cancel(let client):
      if let slot = before.world.session(of: client)?.slot, let id = hearings[slot]?.id {
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

  private func ask(_ slot: UInt8, _ request: Request) throws {
    requests += 1
    // A reason of its own: else the audit of an answer that a grant gives again comes later.
    var asked = EvaluationRequest(
      policy: scene.setup.policy.name,
      reason: "request \(requests)",
      device: "sim"
    )
    asked.allowsSimulated = true
    asked.timeout = .seconds(1_000_000_000)
    asked.grant = request.wish.map {
      GrantRequest(caller: Scene.scope($0).caller, maxAge: $0.maxAge, uses: $0.uses)
    }
    let hearing = Hearing()
    hearings[slot] = hearing
    hearing.id = try rig.engine.evaluate(asked, caller: rig.caller) { hearing.events.append($0) }
  }

  private func answer(_ answer: PromptResponse, _ before: Scene) {
    guard let slot = before.world.armed?.slot, let prompt = hearings[slot]?.prompts.last else {
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
    rig = Rig(state: state, at: moment, queue: World.queue)
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
  private func finishWhatTheWorldLeavesOut() {
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
      if rig.vaults.isAsked, !scene.events(.free).contains(where: Self.isVerdict) {
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
    for answer in scene.world.answers {
      guard let heard = hearings[answer.slot]?.result else {
        return "the engine has not answered \(answer.client)"
      }
      let code = answer.outcome.code == .userCancel ? .appCancel : answer.outcome.code
      guard heard.outcome.code == code else {
        return "the engine answered \(heard.outcome.code), the world \(code)"
      }
      hearings[answer.slot] = nil
    }
    for (slot, hearing) in hearings {
      if let result = hearing.result {
        return "only the engine answered evaluation \(slot): \(result.outcome)"
      }
    }
    return nil
  }

  private func record() -> String? {
    guard let engine = rig.store.device else { return "the engine's device is gone" }
    let world = scene.world.disk
    var engineNow = rig.clock.moment
    engineNow.bootID.generation = reboots
    for (name, left, right) in [
      ("lockout", engine.attempts.lockout.tally, world.attempts.lockout.tally),
      ("throttle", engine.attempts.throttle.tally, world.attempts.throttle.tally),
    ] {
      let leftWait = left.refusal?.remaining(at: engineNow) ?? .zero
      let rightWait = right.refusal?.remaining(at: World.now) ?? .zero
      guard left.failures == right.failures, leftWait == rightWait else {
        return "\(name): \(left.failures), \(leftWait) against \(right.failures), \(rightWait)"
      }
    }
    let grants = engine.grants.all.map { [$0.usesLeft] }
    guard grants == world.grants.all.map({ [$0.usesLeft] }) else {
      return "grants: \(grants.count) against \(world.grants.all.count)"
    }
    let waiting = rig.store.waiting.withLock { $0.filter { !Self.isDenial($0) }.count }
    guard waiting == scene.world.writes.count else {
      return "commits under way: \(waiting) against \(scene.world.writes.count)"
    }
    return nil
  }
}
