import LocalAuthCore
public import LocalAuthSecret

/// How whoever calls proves to be the owner of the device: by the passcode that came with the call, or by what a person
/// answers to a prompt.
///
/// It belongs to one call, which cancels it when it ends early.
public final class OwnersProof {
  /// The passcode that came with the call; with it nobody is asked.
  let passcode: SecretBox?
  /// How a person is asked; nil if nobody can be.
  let asking: EvaluationRequest?
  private let onEvent: (SessionEvent, EvaluationRequest) -> Void
  /// Ends the evaluation in progress.
  private var end: (() -> Void)?

  /// The proof of a call.
  ///
  /// - Parameters:
  ///   - passcode: The passcode that came with it; nil if none did.
  ///   - asking: How a person is asked where none came; nil if nobody can be.
  ///   - onEvent: Called with every event of the evaluation but its end, and what is asked.
  public init(
    _ passcode: SecretBox?,
    asking: EvaluationRequest? = nil,
    onEvent: @escaping (SessionEvent, EvaluationRequest) -> Void = { _, _ in }
  ) {
    self.passcode = passcode
    self.asking = asking
    self.onEvent = onEvent
  }

  /// Ends an evaluation in progress, because its caller went away; what was proven before stays so.
  public func cancel() { end?() }

  /// Evaluates `policy` for a decision; `body` gets how that ended.
  fileprivate func evaluate(
    _ policy: Policy,
    for decision: CircleDecision,
    on device: LiveDevice,
    of caller: Caller,
    by engine: Engine,
    then body: @escaping (EvaluationResult) -> Void
  ) throws(EngineError) {
    var request = asking ?? EvaluationRequest(policy: policy.name, reason: decision.reason)
    request.isInteractive = asking?.isInteractive ?? false
    request.purpose = .evaluate
    request.policy = policy.name
    request.reason = decision.reason
    // The person approves this and nothing else: so no earlier success stands in for it.
    request.action = decision.action
    request.reuse = .zero
    request.grant = nil
    // The call was refused where a simulated device does not count.
    request.allowsSimulated = true
    let asked = request.answeredByScript(on: device) ?? request
    let id = EvaluationID(using: &engine.random)
    end = { [weak engine] in engine?.cancel(id) }
    try engine.begin(asked, as: id, under: policy, on: device, of: caller) { [self] event in
      guard case .finished(let result) = event else { return onEvent(event, asked) }
      end = nil
      body(result)
    }
  }
}

extension Engine {
  /// Begins an act on a circle, by the owner's proof.
  ///
  /// A passcode that came is judged. Otherwise a person is asked: for a finger or the passcode where the decision takes
  /// either, and on a device without a passcode for a finger. A device that has neither asks for nothing.
  func authorize(
    _ decision: CircleDecision,
    on device: LiveDevice,
    by proof: OwnersProof,
    of caller: Caller,
    then body: @escaping (Result<DeviceAct, EngineError>) -> Void
  ) {
    guard asks(decision, device, proof) else {
      return authorize(
        decision.act,
        about: decision.object,
        on: device,
        passcode: proof.passcode,
        caller: caller,
        then: body
      )
    }
    var act = act(decision.act, about: decision.object, on: device, caller: caller)
    do throws(EngineError) {
      let policy = try ownersPolicy(decision.policy)
      try proof.evaluate(policy, for: decision, on: device, of: caller, by: self) { result in
        guard result.outcome.code == .success else {
          return body(.failure(.refused(result.outcome)))
        }
        act.audit.method = result.method ?? ""
        body(.success(act))
      }
    } catch {
      body(.failure(error))
    }
  }

  /// Whether a decision is proven by a prompt.
  func asks(_ decision: CircleDecision, _ device: LiveDevice, _ proof: OwnersProof) -> Bool {
    guard decision.policy == nil else { return true }
    guard device.record.passcode != .none else { return !device.record.enrolment.fingers.isEmpty }
    // Who can ask nobody is told that the passcode is needed.
    return decision.takesFinger && proof.passcode == nil && proof.asking?.isInteractive == true
  }

  /// The policy by which a device's owner proves to be that: `device-owner`, also on a device without a passcode, and
  /// the one called `name` besides it.
  private func ownersPolicy(_ name: String?) throws(EngineError) -> Policy {
    var owners = try policy(named: "device-owner")
    owners.needsPasscodeSet = false
    guard let name else { return owners }
    return try policy(named: name).atLeast(owners)
  }
}
