import LocalAuthCore
import LocalAuthSecret

/// An administrative act on a device: its origin and its audit line.
struct DeviceAct {
  let device: LiveDevice
  /// The origin that attempts are counted by.
  let origin: Origin
  var audit: AuditRecord
  /// The class keys that the passcode opened, if they were wanted.
  var opened: (any OpenedKeys)?
}

extension Engine {
  /// Begins an act, requiring the passcode if one is set.
  ///
  /// The passcode is treated as any attempt: charged, made durable, judged, settled. With PAM it
  /// answers the first question without echo, and any other question ends the conversation because
  /// an act has no person to ask. `object` is what the act is about, as its audit line names it.
  func authorize(
    _ action: String,
    about object: String = "",
    on device: LiveDevice,
    passcode: SecretBox?,
    caller: Caller,
    wantsKeys: Bool = false,
    then body: @escaping (Result<DeviceAct, EngineError>) -> Void
  ) {
    let act = act(action, about: object, on: device, caller: caller)
    guard device.record.passcode != .none else { return body(.success(act)) }
    guard let passcode else { return body(.failure(.passcodeRequired)) }
    let judge = runner.passcode(of: device, from: caller.origin)
    let isGiven = judge.description.judging == .onRequest
    let evidence = Evidence(
      judge,
      isGiven ? .text(passcode) : .none,
      on: device,
      wantsKeys: wantsKeys
    )
    if !isGiven { evidence.prepared = passcode }
    prove(act, evidence, then: body)
  }

  /// Makes one attempt for an act, at the passcode unless `guess` says otherwise.
  ///
  /// What is too long for a passcode is refused before it is charged.
  func prove(
    _ act: DeviceAct,
    _ evidence: Evidence,
    as guess: Guess? = nil,
    then body: @escaping (Result<DeviceAct, EngineError>) -> Void
  ) {
    do throws(EngineError) {
      if let given = evidence.given { try checkPasscode(given, mayBeEmpty: true) }
    } catch {
      return refuse(act, error, body)
    }
    runner.prove(
      act.audit.id,
      from: act.origin,
      as: guess,
      by: evidence
    ) { [self] in
      line(of: act, verdict: $0)
    } then: { [self] in
      let result = decide($0, act)
      // The machine of a device that is gone writes nothing more, not even how its attempts end.
      guard case .failure(let error) = result, act.device.machine.isRemoved else {
        return body(result)
      }
      end(act, error.ending) { body(result) }
    }
  }

  /// Goes on with an act that was proven, or fails; an act that fails after that ends its line of the audit first.
  ///
  /// `next` is given the act, and what to call in place of `body`.
  func whenProven<Value>(
    _ result: Result<DeviceAct, EngineError>,
    _ body: @escaping (Result<Value, EngineError>) -> Void,
    _ next: (DeviceAct, @escaping (Result<Value, EngineError>) -> Void) -> Void
  ) {
    switch result {
    case .failure(let error): body(.failure(error))
    case .success(let act): next(act, ending(act, body))
    }
  }

  /// `body`, before which an act that fails ends its line of the audit.
  func ending<Value>(
    _ act: DeviceAct,
    _ body: @escaping (Result<Value, EngineError>) -> Void
  ) -> (Result<Value, EngineError>) -> Void {
    { [self] result in
      guard case .failure(let error) = result else { return body(result) }
      refuse(act, error, body)
    }
  }

  /// An act that needs no passcode.
  func act(
    _ action: String,
    about object: String = "",
    on device: LiveDevice,
    caller: Caller
  ) -> DeviceAct {
    var audit = AuditRecord(
      id: EvaluationID(using: &random),
      action: action,
      device: device.identity,
      callerUID: caller.uid,
      callerPID: caller.pid,
      isSimulated: device.record.isSimulated,
      began: device.now(clock.now()).wall
    )
    caller.sign(&audit)
    audit.detail = object
    audit.note(caller.askedFor ?? "")
    return DeviceAct(device: device, origin: caller.origin, audit: audit)
  }

  /// Makes an act's changes and its audit line durable; `event` is for changes that the machine
  /// must make itself.
  func complete(
    _ act: DeviceAct,
    detail: String = "",
    by event: ((inout DeviceMachine, EvaluationID, Moment) -> Void)? = nil,
    then body: @escaping (Result<Void, EngineError>) -> Void
  ) {
    var line = act.audit
    close(&line, .success, on: act.device)
    line.note(detail)
    let store = ActStore(line: line) { isDurable in
      body(isDurable ? .success(()) : .failure(.unwritable(act.device)))
    }
    let id = act.audit.id
    runner.store(act.device, as: id, store) { machine, now in
      if let event { event(&machine, id, now) } else { machine.store(id, at: now) }
    }
  }

  /// Fails an act that changed nothing; if something was proven for it, its line says from then on how it ended: as
  /// `error` has it, or so.
  func refuse<Value>(
    _ act: DeviceAct,
    _ error: EngineError,
    as ending: Outcome? = nil,
    _ body: @escaping (Result<Value, EngineError>) -> Void
  ) {
    guard act.audit.attempts > 0 || !act.audit.method.isEmpty else { return body(.failure(error)) }
    end(act, ending ?? error.ending) { body(.failure(error)) }
  }

  private func end(_ act: DeviceAct, _ ending: Outcome, then body: @escaping () -> Void) {
    var line = act.audit
    close(&line, ending.code, on: act.device)
    line.note(ending.detail ?? "")
    runner.store([line]) { _ in body() }
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
      line.note(outcome.detail ?? "")
      close(&line, outcome.code, on: act.device)
    }
    return line
  }

  private func decide(
    _ result: Result<Evidence?, ActRefusal>,
    _ act: DeviceAct
  ) -> Result<DeviceAct, EngineError> {
    switch result {
    case .success(let evidence):
      var proven = act
      proven.opened = evidence?.opened
      proven.audit.attempts = 1
      proven.audit.method = runner.passcode(of: act.device, from: act.origin).description.method
      return .success(proven)
    case .failure(let refusal): return .failure(.refused(outcome(of: refusal, act)))
    }
  }

  private func outcome(of refusal: ActRefusal, _ act: DeviceAct) -> Outcome {
    if case .unjudged(let outcome) = refusal.verdict { return outcome }
    let now = clock.now()
    let condition = act.device.current(now)
      .passcodeCondition(from: act.origin, at: act.device.now(now))
    return Outcome(
      .authenticationFailed,
      retryAfter: condition.outcome?.retryAfter,
      detail: "The passcode is wrong."
    )
  }
}

extension AuditRecord {
  /// Adds `text` to the detail.
  fileprivate mutating func note(_ text: String) {
    detail = [detail, text].filter { !$0.isEmpty }.joined(separator: "; ")
  }
}
