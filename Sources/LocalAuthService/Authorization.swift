import LocalAuthCore
import LocalAuthSecret

/// An administrative act on a device: who does it, and its audit line.
struct DeviceAct {
  let device: LiveDevice
  /// Where it comes from.
  let origin: Origin
  var audit: AuditRecord
  /// The class keys that the passcode opened, where they were wanted.
  var opened: (any OpenedKeys)?
}

extension Engine {
  /// Begins an act and asks for the passcode where one is set.
  ///
  /// The passcode goes the way of every attempt: charged, made durable, judged, settled. With PAM
  /// the first question without echo is answered with it, and any further question ends the
  /// conversation: an act has nobody to ask.
  func authorize(
    _ action: String,
    on device: LiveDevice,
    passcode: SecretBox?,
    caller: Caller,
    wantsKeys: Bool = false,
    then body: @escaping (Result<DeviceAct, EngineError>) -> Void
  ) {
    let act = act(action, on: device, caller: caller)
    switch (device.record.passcode, passcode) {
    case (.none, _): body(.success(act))
    case (.device, nil), (.pam, nil): body(.failure(.passcodeRequired))
    case (.device, let passcode?):
      prove(act, .passcode(passcode), wantsKeys: wantsKeys, then: body)
    case (.pam(let service, let directory), let passcode?):
      let conversation = AttemptRun.Evidence.conversation(service: service, directory: directory)
      prove(act, conversation, answer: passcode, wantsKeys: wantsKeys, then: body)
    }
  }

  /// Takes one attempt at `evidence` for an act, at the passcode unless said otherwise; a conversation gets `answer`.
  func prove(
    _ act: DeviceAct,
    _ evidence: AttemptRun.Evidence,
    as guess: Guess? = nil,
    answer: SecretBox? = nil,
    wantsKeys: Bool,
    then body: @escaping (Result<DeviceAct, EngineError>) -> Void
  ) {
    let run = AttemptRun(
      at: guess ?? .passcode(act.origin),
      on: act.device,
      evidence: evidence,
      audit: { [self] in line(of: act, verdict: $0) },
      onReport: { _ in }
    )
    run.wantsKeys = wantsKeys
    // What a run hears is its own: nobody else keeps it.
    run.onReport = { [self, unowned run] in body(decide($0, act, opened: run.opened)) }
    if case .conversation = evidence { converse(run, with: answer) }
    interpreter.start(run)
  }

  /// The act without asking, for what needs no passcode.
  func act(_ action: String, on device: LiveDevice, caller: Caller) -> DeviceAct {
    let audit = AuditRecord(
      id: EvaluationID(using: &random),
      action: action,
      device: device.identity,
      callerUID: caller.uid,
      callerPID: caller.pid,
      isSimulated: device.record.isSimulated,
      began: device.now(clock.now()).wall
    )
    return DeviceAct(device: device, origin: caller.origin, audit: audit)
  }

  /// Makes what an act changed durable, with its audit line.
  func complete(
    _ act: DeviceAct,
    detail: String = "",
    then body: @escaping (Result<Void, EngineError>) -> Void
  ) {
    var line = act.audit
    close(&line, .success, on: act.device)
    line.detail = detail
    interpreter.commit([.audit(line)], of: act.device, .guarded) { isDurable in
      guard isDurable else {
        let outcome = act.device.unwritable
        return body(.failure(.internalError(outcome.detail ?? outcome.code.sentence)))
      }
      body(.success(()))
    }
  }

  func close(_ line: inout AuditRecord, _ outcome: OutcomeCode, on device: LiveDevice) {
    line.outcome = outcome
    line.ended = device.now(clock.now()).wall
  }

  private func line(of act: DeviceAct, verdict: Verdict?) -> AuditRecord {
    var line = act.audit
    switch verdict {
    case .none, .proven: break
    case .miss:
      line.attempts = 1
      close(&line, .authenticationFailed, on: act.device)
    case .unjudged(let outcome):
      line.detail = outcome.detail ?? ""
      close(&line, outcome.code, on: act.device)
    }
    return line
  }

  private func decide(
    _ verdict: Verdict,
    _ act: DeviceAct,
    opened: (any OpenedKeys)?
  ) -> Result<DeviceAct, EngineError> {
    switch verdict {
    case .proven:
      var proven = act
      proven.opened = opened
      proven.audit.attempts = 1
      if case .pam = act.device.record.passcode {
        proven.audit.method = "pam"
      } else {
        proven.audit.method = "passcode"
      }
      return .success(proven)
    case .miss:
      let now = act.device.now(clock.now())
      let condition = act.device.passcodeCondition(from: act.origin, at: now)
      return .failure(
        .refused(
          Outcome(
            .authenticationFailed,
            retryAfter: condition.outcome?.retryAfter,
            detail: "The passcode is wrong."
          )
        )
      )
    case .unjudged(let outcome): return .failure(.refused(outcome))
    }
  }

  private func converse(_ run: AttemptRun, with passcode: SecretBox?) {
    run.onConversation = { [unowned run] event in
      guard case .prompt(_, let echoes) = event else { return }
      guard !echoes, !run.wasSubmitted, let passcode else {
        run.conversation?.abort()
        return
      }
      run.wasSubmitted = true
      run.keep(passcode, echoes: echoes)
      run.conversation?.respond(passcode)
    }
  }
}
