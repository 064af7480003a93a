import LocalAuthCore
import LocalAuthCrypto
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// Who decides on a circle proves to own the device, and lets in whom the prompt named.
@Suite struct SyncApprovalTests {
  /// A circle of one device, and another that answered its invitation.
  private struct Asked {
    let hub: ModelHub
    let first: SyncDevice
    let second: SyncDevice
    let place: ScratchDirectory
    let answering: SyncReport.Answering

    init(
      _ place: ScratchDirectory,
      passcode: String? = "1234",
      fingers: [Finger] = [.rightIndex],
      as name: String = "second"
    ) throws {
      self.place = place
      let code = InvitationCode.generate()
      hub = ModelHub(founder: try #require(code.hubRole()))
      first = try SyncDevice(
        hub,
        in: place.file("first"),
        passcode: passcode,
        fingers: fingers
      )
      try first.found(by: code)
      second = try SyncDevice(hub, in: place.file("second"))
      _ = try second.join(try first.invite(), as: name)
      try second.synchronize()
      answering = try #require(try first.answering())
    }

    /// Whether the first device is alone, also for the hub.
    var isAlone: Bool {
      get throws {
        try first.synchronize()
        return try first.report().peers.map(\.name) == ["first"] && hub.entries.count <= 2
      }
    }

    var isIn: Bool { get throws { try first.report().peers.count == 2 } }

    /// Locks the fingers of the first device by three misses.
    func lockFingers() throws {
      let call = first.beginApproval(script: "miss, miss, miss, cancel")
      #expect(try first.refusal(of: call) == .userCancel)
      #expect(call.misses == [.biometry, .biometry, .biometry])
    }
  }

  private func asked(
    passcode: String? = "1234",
    fingers: [Finger] = [.rightIndex]
  ) throws -> Asked {
    try Asked(ScratchDirectory(), passcode: passcode, fingers: fingers)
  }

  // MARK: By a prompt

  @Test(arguments: ["match", "fallback, passcode:1234", "passcode:1234", "miss, match"])
  func aFingerOrThePasscodeLetsADeviceIn(_ script: String) throws {
    let asked = try asked()
    let call = asked.first.beginApproval(script: script)
    _ = try asked.first.end(of: call).get()
    #expect(try asked.isIn)
    try asked.second.synchronize()
    #expect(try asked.second.report().stage == .member)
  }

  @Test func thePromptNamesTheDeviceAndItsWords() throws {
    let asked = try asked()
    let call = asked.first.beginApproval()
    let action = try #require(call.asked?.action?.text)
    #expect(action.contains("'second'"))
    #expect(action.contains(asked.answering.words.joined(separator: " ")))
    #expect(call.prompts.last?.live == .biometry)
    #expect(call.prompts.last?.offersFallback == true)
    try asked.first.answer(call, .cancel)
    #expect(try asked.first.refusal(of: call) == .userCancel)
  }

  /// A terminal could be made to show anything, and an action is shown word for word.
  @Test func aNameThatCannotBeShownIsNotShown() throws {
    let asked = try Asked(ScratchDirectory(), as: "a\u{202E}b")
    let call = asked.first.beginApproval()
    let action = try #require(call.asked?.action?.text)
    #expect(action.hasPrefix("let in a device whose name cannot be shown with the words "))
    call.cancel()
  }

  @Test func aPasscodeThatComesIsJudgedAndNobodyIsAsked() throws {
    let asked = try asked()
    let wrong = asked.first.beginApproval(passcode: "9999")
    #expect(try asked.first.refusal(of: wrong) == .authenticationFailed)
    #expect(try asked.isAlone)
    let right = asked.first.beginApproval(passcode: "1234")
    _ = try asked.first.end(of: right).get()
    #expect(try asked.isIn)
    #expect(wrong.prompts.isEmpty && right.prompts.isEmpty)
  }

  @Test func anEarlierSuccessLetsNobodyIn() throws {
    let asked = try asked()
    var request = EvaluationRequest(policy: "device-owner", reason: "test", device: "sim")
    request.allowsSimulated = true
    request.script = ScriptSource(text: .of("match"), isArgument: false)
    var outcome: OutcomeCode?
    _ = try asked.first.engine.evaluate(request, caller: asked.first.caller) { event in
      if case .finished(let result) = event { outcome = result.outcome.code }
    }
    try asked.first.turn { outcome != nil }
    #expect(outcome == .success)
    let call = asked.first.beginApproval()
    #expect(call.ended == nil && call.prompts.count == 1)
    call.cancel()
    #expect(try asked.isAlone)
  }

  // MARK: What lets nobody in

  @Test(arguments: ["cancel", "miss, miss, miss, passcode:1, passcode:2, passcode:3"])
  func whoDoesNotProveItLetsNobodyIn(_ script: String) throws {
    let asked = try asked()
    let call = asked.first.beginApproval(script: script)
    #expect(try asked.first.refusal(of: call) != nil)
    #expect(try asked.isAlone)
    // The invitation is as it was.
    try asked.first.approve()
    #expect(try asked.isIn)
  }

  @Test func whoAnswersTooLateLetsNobodyIn() throws {
    let asked = try asked()
    let call = asked.first.beginApproval()
    asked.first.clock.pass(.seconds(31))
    #expect(try asked.first.refusal(of: call) == .timeout)
    #expect(throws: EngineError.promptNotFound) {
      try asked.first.answer(call, .passcode(.of("1234")))
    }
    #expect(try asked.isAlone)
  }

  @Test func whoseCallerIsGoneLetsNobodyIn() throws {
    let asked = try asked()
    let call = asked.first.beginApproval()
    call.cancel()
    #expect(try asked.first.refusal(of: call) == .appCancel)
    #expect(throws: EngineError.promptNotFound) {
      try asked.first.answer(call, .passcode(.of("1234")))
    }
    #expect(try asked.isAlone)
  }

  @Test func anotherUserCannotApprove() throws {
    let asked = try asked()
    let stranger = Caller(uid: 1001, pid: 42, program: "test", process: LivingProcess())
    let theirs = asked.first.beginApproval(script: "match", by: stranger)
    #expect(try asked.first.end(of: theirs).isFailure && theirs.prompts.isEmpty)
    let ours = asked.first.beginApproval()
    #expect(throws: EngineError.promptNotFound) {
      try asked.first.answer(ours, .passcode(.of("1234")), by: stranger)
    }
    ours.cancel()
    #expect(try asked.isAlone)
  }

  @Test func anotherProgramCannotAnswerThePrompt() throws {
    let asked = try asked()
    let call = asked.first.beginApproval()
    let other = Caller(uid: 1000, pid: 43, program: "other", process: LivingProcess())
    #expect(throws: EngineError.promptNotFound) {
      try asked.first.answer(call, .passcode(.of("1234")), by: other)
    }
    call.cancel()
    #expect(try asked.isAlone)
  }

  @Test func whoCanAskNobodyIsToldThatThePasscodeIsNeeded() throws {
    let asked = try asked()
    #expect(throws: EngineError.passcodeRequired) { try asked.first.approve(passcode: nil) }
    #expect(try asked.isAlone)
  }

  @Test func nobodyIsAskedAboutADeviceThatDidNotAnswer() throws {
    let circle = try SyncCircle("first", in: ScratchDirectory())
    let first = circle.devices[0]
    _ = try first.invite()
    let call = first.beginApproval(script: "match")
    #expect(throws: EngineError.sync(.noInvitation)) { try first.end(of: call).get() }
    #expect(call.prompts.isEmpty)
  }

  // MARK: Who is let in is who was shown

  /// While the person looks at the prompt, another invitation is made and another device answers that.
  @Test func whoAnswersWhileThePersonIsAskedIsNotLetIn() throws {
    let asked = try asked()
    let call = asked.first.beginApproval()
    let third = try SyncDevice(asked.hub, in: asked.place.file("third"))
    _ = try third.join(try asked.first.invite(), as: "second")
    try third.synchronize()
    #expect(try asked.first.answering()?.words != asked.answering.words)
    try asked.first.answer(call, .fallback)
    try asked.first.answer(call, .passcode(.of("1234")))
    #expect(throws: EngineError.sync(.otherDevice)) { try asked.first.end(of: call).get() }
    #expect(try asked.first.report().peers.map(\.name) == ["first"])
  }

  @Test func whoComparedAnotherDeviceIsNotAskedAboutThisOne() throws {
    let asked = try asked()
    let other = try asked.first.identifier
    for passcode in [nil, "1234"] {
      let call = asked.first.beginApproval(of: other, passcode: passcode)
      #expect(throws: EngineError.sync(.otherDevice)) { try asked.first.end(of: call).get() }
      #expect(call.prompts.isEmpty)
    }
    #expect(try asked.isAlone)
    let call = asked.first.beginApproval(of: asked.answering.identifier, script: "match")
    _ = try asked.first.end(of: call).get()
    #expect(try asked.isIn)
  }

  @Test func whoDeclinesWhileThePersonIsAskedLetsNobodyIn() throws {
    let asked = try asked()
    let call = asked.first.beginApproval()
    try asked.first.engine.declineDevice(asked.first.callerDevice)
    try asked.first.answer(call, .fallback)
    try asked.first.answer(call, .passcode(.of("1234")))
    #expect(throws: EngineError.sync(.noInvitation)) { try asked.first.end(of: call).get() }
    #expect(try asked.isAlone)
  }

  @Test func aDeviceThatIsLockedWhileThePersonIsAskedLetsNobodyIn() throws {
    let asked = try asked()
    let call = asked.first.beginApproval()
    try asked.first.lock()
    #expect(try asked.first.refusal(of: call) == .systemCancel)
    #expect(try asked.first.report().peers.count == 1)
  }

  // MARK: Lockout

  @Test func threeMissesLockTheFingersForEveryEvaluation() throws {
    let asked = try asked()
    try asked.lockFingers()
    #expect(try asked.isAlone)
    var request = EvaluationRequest(policy: "biometrics", reason: "test", device: "sim")
    request.allowsSimulated = true
    request.script = ScriptSource(text: .of("match"), isArgument: false)
    var outcome: OutcomeCode?
    _ = try asked.first.engine.evaluate(request, caller: asked.first.caller) { event in
      if case .finished(let result) = event { outcome = result.outcome.code }
    }
    try asked.first.turn { outcome != nil }
    #expect(outcome == .biometryLockout)
  }

  @Test func whileFingersAreLockedThePasscodeIsAskedFor() throws {
    let asked = try asked()
    try asked.lockFingers()
    let call = asked.first.beginApproval()
    #expect(call.prompts.last?.live == .passcode)
    try asked.first.answer(call, .passcode(.of("1234")))
    _ = try asked.first.end(of: call).get()
    #expect(try asked.isIn)
  }

  // MARK: Policies

  @Test func aPolicyIsProvenBesides() throws {
    let asked = try asked()
    let half = asked.first.beginApproval(script: "match", under: "biometrics-and-passcode")
    #expect(half.ended == nil, "the passcode is missing")
    half.cancel()
    #expect(try asked.first.refusal(of: half) == .appCancel)
    #expect(try asked.isAlone)
    let whole = asked.first.beginApproval(
      script: "match, passcode:1234",
      under: "biometrics-and-passcode"
    )
    _ = try asked.first.end(of: whole).get()
    #expect(try asked.isIn)
  }

  @Test func aPolicyThatThereIsNotLetsNobodyIn() throws {
    let asked = try asked()
    let call = asked.first.beginApproval(script: "match", under: "nonsense")
    #expect(throws: EngineError.policyNotFound("nonsense")) { try asked.first.end(of: call).get() }
    #expect(try asked.isAlone)
  }

  @Test func aPolicyIsProvenWhereThereIsNothingElseToProve() throws {
    let asked = try asked(passcode: nil, fingers: [])
    let call = asked.first.beginApproval(script: "match", under: "biometrics")
    #expect(try asked.first.refusal(of: call) == .biometryNotEnrolled)
    #expect(try asked.isAlone)
  }

  // MARK: Without a passcode

  /// Each of the decisions, on a device that is in a circle with another one.
  private func decide(
    _ device: SyncDevice,
    _ decision: String,
    passcode: String? = nil,
    script: String? = nil
  ) throws -> CircleCall {
    let (engine, caller) = (device.engine, device.callerDevice)
    let peer = try #require(try device.report().peers.first { !$0.isMe }).identifier
    return device.begin(passcode: passcode, script: script) { proof, done in
      switch decision {
      case "remove": engine.removePeer(peer, caller, by: proof, then: done)
      case "roll": engine.rollKeys(caller, by: proof, then: done)
      case "repair": engine.repairSynchronization(caller, by: proof, then: done)
      case "leave": engine.leaveCircle(caller, by: proof, then: done)
      default: engine.makeRecoveryKey(caller, by: proof) { done($0.map { _ in }) }
      }
    }
  }

  @Test(arguments: ["remove", "roll", "repair", "leave", "recovery-key"])
  func aDeviceWithoutAPasscodeAsksForTheFinger(_ decision: String) throws {
    let asked = try asked(passcode: nil)
    let letIn = asked.first.beginApproval(passcode: "1234", script: "match")
    #expect(letIn.prompts.last?.live == .biometry, "no passcode stands in for the finger")
    _ = try asked.first.end(of: letIn).get()
    let refused = try decide(asked.first, decision, passcode: "1234", script: "cancel")
    #expect(try asked.first.refusal(of: refused) == .userCancel)
    #expect(try asked.isIn && asked.first.report().stage == .member)
    let done = try decide(asked.first, decision, script: "match")
    #expect(done.prompts.last?.live == .biometry)
    let end = try asked.first.end(of: done)
    if decision == "repair" {
      #expect(throws: EngineError.sync(.nothingToRepair)) { try end.get() }
    } else {
      _ = try end.get()
    }
  }

  @Test func aDeviceWithAFingerAloneIsRefusedWhereNobodyCanBeAsked() throws {
    let asked = try asked(passcode: nil)
    #expect(throws: EngineError.self) { try asked.first.approve(passcode: nil) }
    #expect(throws: EngineError.self) { try asked.first.approve(passcode: "1234") }
    #expect(try asked.isAlone)
  }

  @Test func aDeviceWithNeitherAsksForNothing() throws {
    let asked = try asked(passcode: nil, fingers: [])
    let call = asked.first.beginApproval()
    _ = try asked.first.end(of: call).get()
    #expect(try call.prompts.isEmpty && asked.isIn)
  }

  /// A finger lets in, and gives nothing away that only the passcode does.
  @Test(arguments: ["remove", "roll", "repair", "leave", "recovery-key"])
  func whereThereIsAPasscodeTheOtherDecisionsTakeThatAlone(_ decision: String) throws {
    let asked = try asked()
    try asked.first.approve()
    let call = try decide(asked.first, decision, script: "match")
    #expect(throws: EngineError.passcodeRequired) { try asked.first.end(of: call).get() }
    #expect(call.prompts.isEmpty)
  }

  // MARK: The audit

  @Test(arguments: [nil, "1234"])
  func theAuditNamesWhoWasLetInAndWhoWasRemoved(_ passcode: String?) throws {
    let asked = try asked()
    let words = asked.answering.words.joined(separator: " ")
    let call = asked.first.beginApproval(passcode: passcode, script: passcode.map { _ in nil } ?? "match")
    _ = try asked.first.end(of: call).get()
    let approval = try #require(try asked.first.lines(of: "sync approve").last)
    #expect(approval.outcome == .success && !approval.method.isEmpty)
    #expect(approval.detail == "'second' with the words \(words)")
    try asked.first.remove(asked.answering.identifier)
    let removal = try #require(try asked.first.lines(of: "sync remove").last)
    #expect(removal.outcome == .success)
    #expect(removal.detail == "'second' with the words \(words)")
    guard passcode == nil else { return }
    let evaluation = try #require(try asked.first.lines(of: "evaluate").last)
    #expect(evaluation.shownAction == "let in 'second' with the words \(words)")
    #expect(evaluation.policy == "device-owner" && evaluation.outcome == .success)
  }

  @Test func theAuditNamesWhoWasNotLetInByAWrongPasscode() throws {
    let asked = try asked()
    let call = asked.first.beginApproval(passcode: "9999")
    #expect(try asked.first.refusal(of: call) == .authenticationFailed)
    let line = try #require(try asked.first.lines(of: "sync approve").last)
    #expect(line.outcome == .authenticationFailed && line.detail.contains("'second'"))
  }

  /// A person proved it, and the hub did not do it.
  @Test func whatWasProvenByAFingerAndNotDoneIsInTheAudit() throws {
    let asked = try asked()
    asked.hub.lie = { _, request, reply in
      if case .circlePush = request { return .failed(.unreachable("cut")) }
      return reply
    }
    let call = asked.first.beginApproval(script: "match")
    #expect(try asked.first.end(of: call).isFailure)
    let line = try #require(try asked.first.lines(of: "sync approve").last)
    #expect(line.outcome == .unreachable && line.detail.contains("'second'"))
  }
}

extension Result {
  fileprivate var isFailure: Bool { if case .failure = self { true } else { false } }
}
