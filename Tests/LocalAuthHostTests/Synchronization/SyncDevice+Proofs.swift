import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import LocalAuthStore
import LocalAuthSync
import LocalAuthTestSupport
import Testing

/// A decision on a circle that is under way: what its caller is shown, and how it ended.
final class CircleCall {
  private(set) var prompts: [ShownPrompt] = []
  /// What the last prompt was about.
  private(set) var asked: EvaluationRequest?
  private(set) var misses: [Factor] = []
  fileprivate(set) var ended: Result<Void, EngineError>?
  private weak var proof: OwnersProof?

  /// Its caller goes away.
  func cancel() { proof?.cancel() }

  /// A proof of this call, for which a person or a script may answer.
  fileprivate func proof(_ passcode: String?, script: String?) -> OwnersProof {
    var asking = EvaluationRequest(policy: "", reason: "", device: "sim")
    asking.allowsSimulated = true
    asking.script = script.map { ScriptSource(text: .of($0), isArgument: false) }
    let proof = OwnersProof(passcode.map { .of($0) }, asking: asking) { [weak self] in
      self?.hear($0, $1)
    }
    self.proof = proof
    return proof
  }

  private func hear(_ event: SessionEvent, _ request: EvaluationRequest) {
    switch event {
    case .prompt(let prompt):
      prompts.append(prompt)
      asked = request
    case .miss(let factor, _): misses.append(factor)
    case .queued, .retry, .message, .finished: break
    }
  }
}

extension SyncDevice {
  /// Begins a decision by its program, or by that of another caller.
  func begin(
    passcode: String? = nil,
    script: String? = nil,
    _ decision: (OwnersProof, @escaping Engine.Completion) -> Void
  ) -> CircleCall {
    let call = CircleCall()
    decision(call.proof(passcode, script: script)) { call.ended = $0 }
    return call
  }

  /// Begins to let the device in that answered.
  func beginApproval(
    of peer: PeerIdentifier? = nil,
    passcode: String? = nil,
    script: String? = nil,
    under policy: String? = nil,
    by other: Caller? = nil
  ) -> CircleCall {
    var device = callerDevice
    device.caller = other ?? caller
    return begin(passcode: passcode, script: script) {
      engine.approveDevice(device, comparing: peer, by: $0, under: policy, then: $1)
    }
  }

  /// Answers the last prompt of a call.
  func answer(
    _ call: CircleCall,
    _ answer: PromptResponse,
    by other: Caller? = nil
  ) throws {
    let nonce = try #require(call.prompts.last).nonce
    try engine.respond(nonce: nonce, caller: other ?? caller, answer: answer)
  }

  /// How a call ended.
  func end(of call: CircleCall) throws -> Result<Void, EngineError> {
    try turn { call.ended != nil }
    return try #require(call.ended)
  }

  /// The outcome with which a call was refused; nil for none.
  func refusal(of call: CircleCall) throws -> OutcomeCode? {
    guard case .failure(.refused(let outcome)) = try end(of: call) else { return nil }
    return outcome.code
  }

  /// The lines of the audit for an act, the oldest first.
  func lines(of act: String) throws -> [AuditRecord] {
    try store.audit(owner: 1000, device: "sim", before: nil, limit: 100)
      .filter { $0.action == act }.sorted { $0.began < $1.began }
  }
}
