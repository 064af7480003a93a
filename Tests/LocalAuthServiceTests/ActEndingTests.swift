import LocalAuthCore
import LocalAuthSecret
import LocalAuthService
import Synchronization
import Testing

/// What an attempt began in the audit ends there, however the act goes on.
@Suite struct ActEndingTests {
  private typealias Answer = Result<Void, EngineError>

  /// What was heard of an act.
  private final class Heard {
    var answer: Answer?
    var error: EngineError? {
      if case .failure(let error) = answer { error } else { nil }
    }
  }

  private func begin(_ act: (@escaping (Answer) -> Void) -> Void) -> Heard {
    let heard = Heard()
    act { heard.answer = $0 }
    return heard
  }

  /// Begins to change the passcode, or the password that PAM judges.
  private func change(_ rig: Rig, to new: String, from old: String? = "1234") -> Heard {
    begin { then in
      let old = old.map { SecretBox.of($0) }
      rig.engine.setPasscode(.of(new), on: "sim", passcode: old, caller: rig.caller, then: then)
    }
  }

  private func delete(_ rig: Rig) -> Heard {
    begin { rig.engine.delete("sim", passcode: .of("1234"), caller: rig.caller, then: $0) }
  }

  private func unlock(_ rig: Rig, with passcode: String) -> Heard {
    begin {
      rig.engine.unlock("sim", passcode: .of(passcode), caller: rig.caller, then: $0)
    }
  }

  /// Begins to enrol a finger by hand.
  private func enroll(_ rig: Rig) -> (id: EnrolmentID, heard: Heard) {
    let heard = Heard()
    let id = rig.engine.enroll(
      .leftThumb,
      on: "sim",
      isManual: true,
      passcode: .of("1234"),
      caller: rig.caller,
      onEvent: { _ in },
      then: { heard.answer = $0 }
    )
    return (id, heard)
  }

  /// Has PAM judge what it is given next.
  private func converse(_ rig: Rig, _ verdict: Verdict) throws {
    rig.run()
    let conversation = try #require(rig.pam.conversations.last)
    conversation.say(.prompt(text: "Password:", echoes: false))
    rig.run()
    conversation.say(.ended(verdict))
    rig.run()
  }

  private let proven = Verdict.proven(finger: nil, generation: nil)

  /// A device whose passcode PAM judges, with a keybag that was made with this password.
  private func deviceOfPAM(_ password: String) throws -> Rig {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "login")
    let first = change(rig, to: password, from: nil)
    try converse(rig, proven)
    #expect(first.answer != nil && first.error == nil)
    return rig
  }

  /// How the act of this name ended last, as the audit says; no line may be without an end.
  private func ending(_ action: String, _ rig: Rig) throws -> AuditRecord {
    let lines = rig.store.auditLines
    #expect(lines.allSatisfy { $0.outcome != nil && $0.ended != nil }, "\(lines)")
    return try #require(lines.last { $0.action == action })
  }

  // MARK: Unlocks

  @Test func unlockOfAKeybagThatAnotherPasswordMadeEnds() throws {
    let rig = try deviceOfPAM("first")
    _ = begin { rig.engine.reboot("sim", caller: rig.caller, then: $0) }
    rig.run()
    let heard = unlock(rig, with: "second")
    try converse(rig, proven)
    guard case .refused(let outcome) = heard.error else {
      Issue.record("\(String(describing: heard.answer))")
      return
    }
    let line = try ending("unlock", rig)
    #expect(line.outcome == .authenticationFailed && line.outcome == outcome.code)
    #expect(line.detail == outcome.detail && line.attempts == 1)
  }

  @Test func unlockThatALockOvertookEnds() throws {
    let rig = Rig()
    rig.makeDevice()
    let heard = unlock(rig, with: "1234")
    rig.engine.lock("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(heard.error != nil)
    let line = try ending("unlock", rig)
    #expect(line.outcome == .systemCancel && line.detail == "The device was locked meanwhile.")
  }

  // MARK: Enrolments

  @Test(arguments: [true, false])
  func enrolmentThatIsCalledOffEnds(_ hasBegun: Bool) throws {
    let rig = Rig()
    rig.makeDevice()
    let mine = enroll(rig)
    if hasBegun { rig.run() } else { _ = rig.step() }
    rig.engine.cancelEnrolment(mine.id)
    rig.run()
    #expect(mine.heard.error != nil)
    #expect(try ending("enroll left-thumb", rig).outcome == .appCancel)
  }

  @Test(arguments: [true, false])
  func enrolmentThatTheDeviceInterruptsEnds(_ isLock: Bool) throws {
    let rig = Rig()
    rig.makeDevice()
    let mine = enroll(rig)
    rig.run()
    if isLock { rig.engine.lock("sim", caller: rig.caller) { _ in } } else { _ = delete(rig) }
    rig.run()
    #expect(mine.heard.error != nil)
    #expect(try ending("enroll left-thumb", rig).outcome == .systemCancel)
  }

  @Test func enrolmentAtTheEndOfTheServiceEnds() throws {
    let rig = Rig()
    rig.makeDevice()
    let mine = enroll(rig)
    rig.run()
    rig.engine.shutDown()
    rig.run()
    #expect(mine.heard.error != nil)
    #expect(try ending("enroll left-thumb", rig).outcome == .systemCancel)
    #expect(rig.engine.isAtRest)
  }

  @Test func enrolmentThatFindsTheSensorInUseEnds() throws {
    let rig = Rig()
    rig.makeDevice()
    let (first, second) = (enroll(rig), enroll(rig))
    rig.run()
    #expect(second.heard.error != nil)
    let lines = rig.store.auditLines.filter { $0.outcome != nil }
    #expect(lines.map(\.outcome) == [.busy])
    rig.engine.cancelEnrolment(first.id)
    rig.run()
    #expect(try ending("enroll left-thumb", rig).outcome == .appCancel)
  }

  @Test func enrolmentWithoutAPasscodeThatIsCalledOffBeganNoLine() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil)
    let mine = enroll(rig)
    rig.engine.cancelEnrolment(mine.id)
    rig.run()
    #expect(mine.heard.error != nil && rig.store.auditLines.isEmpty)
  }

  // MARK: Changes of the passcode

  @Test func secondOfTwoChangesEnds() throws {
    let rig = Rig()
    rig.makeDevice()
    let both = [change(rig, to: "5678"), change(rig, to: "9999")]
    rig.run()
    #expect(both.count { $0.error != nil } == 1)
    _ = try ending("passcode change", rig)
    let ends = rig.store.auditLines.compactMap(\.outcome)
    #expect(Set(ends) == [.success, .busy])
  }

  @Test func changeThatAnErasureOvertookEnds() throws {
    let rig = Rig()
    rig.makeDevice()
    let heard = change(rig, to: "5678")
    // The charge and the verdict; the keybag is being sealed.
    while !rig.isSealing, rig.step() {}
    rig.engine.erase("sim", caller: rig.caller) { _ in }
    rig.run()
    #expect(heard.error != nil)
    #expect(try ending("passcode change", rig).outcome == .busy)
  }

  /// What was lost at first is not missing then.
  @Test func changeThatCouldNotBeStoredEndsOnceThereIsRoom() throws {
    let rig = Rig()
    rig.makeDevice()
    let heard = change(rig, to: "5678")
    while !rig.isSealing, rig.step() {}
    #expect(rig.step())
    rig.finishCommit(.failure(.full))
    rig.run()
    #expect(heard.error != nil)
    #expect(try ending("passcode change", rig).outcome == .internalError)
    #expect(rig.store.auditLines.map(\.action) == ["passcode change"])
  }

  @Test func passwordThatPAMRefusesEndsTheChange() throws {
    let rig = try deviceOfPAM("first")
    let heard = change(rig, to: "second", from: "first")
    try converse(rig, .miss)
    #expect(heard.error != nil)
    #expect(try ending("passcode change", rig).outcome == .authenticationFailed)
  }

  @Test func oldPasswordThatDoesNotOpenTheKeybagEndsTheChange() throws {
    let rig = try deviceOfPAM("first")
    let heard = change(rig, to: "second", from: "another")
    try converse(rig, proven)
    #expect(heard.error != nil)
    #expect(try ending("passcode change", rig).outcome == .authenticationFailed)
  }

  @Test func oldPasswordThatIsTooLongEndsTheChange() throws {
    let rig = try deviceOfPAM("first")
    let heard = change(rig, to: "second", from: String(repeating: "1", count: 512))
    try converse(rig, proven)
    #expect(heard.error == .invalidArgument("A passcode has at most 511 bytes."))
    #expect(try ending("passcode change", rig).outcome == .usage)
  }

  @Test func secondOfTwoFirstPasswordsEnds() throws {
    let rig = Rig()
    rig.makeDevice(passcode: nil, pam: "login")
    let both = (1...2).map { _ in change(rig, to: "first", from: nil) }
    rig.run()
    for conversation in rig.pam.conversations {
      conversation.say(.prompt(text: "Password:", echoes: false))
      rig.run()
      conversation.say(.ended(proven))
      rig.run()
    }
    #expect(both.count { $0.error != nil } == 1)
    _ = try ending("passcode set", rig)
    #expect(Set(rig.store.auditLines.compactMap(\.outcome)) == [.success, .busy])
  }

  // MARK: Circles

  @Test func departureThatCouldNotBeStoredEndsOnceThereIsRoom() throws {
    let source = Rig()
    source.makeDevice()
    var state = source.store.state
    state.watermarks = [DeviceIdentity(owner: 1000, name: "sim"): [1]]
    let rig = Rig(state: state)
    rig.run()
    rig.store.commits.withLock { $0.removeAll() }
    let device = CallerDevice(of: "sim", allowsSimulated: true, rig.caller)
    let heard = begin { rig.engine.leaveCircle(device, by: OwnersProof(.of("1234")), then: $0) }
    // The charge and the verdict.
    while rig.store.commits.withLock({ $0.count < 2 }), rig.step() {}
    rig.finishCommit(.failure(.full))
    rig.run()
    #expect(heard.error != nil)
    #expect(try ending("sync leave", rig).outcome == .internalError)
  }

  // MARK: Devices that are deleted meanwhile

  @Test func actsOfADeviceThatIsDeletedMeanwhileEnd() throws {
    let rig = Rig()
    rig.makeDevice()
    let first = delete(rig)
    // With one more the passcode would be refused.
    let acts = [delete(rig), change(rig, to: "5678"), unlock(rig, with: "1234")]
    rig.run()
    #expect(first.answer != nil && first.error == nil)
    #expect(acts.allSatisfy { $0.error != nil })
    let lines = rig.store.auditLines
    #expect(try ending("device delete", rig).outcome != nil)
    #expect(lines.count == 4 && lines.count { $0.outcome == .success } == 1, "\(lines)")
  }

  @Test func evaluationOfADeviceThatIsDeletedMeanwhileEnds() throws {
    let rig = Rig()
    rig.makeDevice()
    let hearing = try rig.evaluate()
    rig.touch(.leftThumb)
    rig.run()
    _ = delete(rig)
    rig.run()
    #expect(hearing.misses == 1 && hearing.result?.outcome.code == .systemCancel)
    let line = try ending("evaluate", rig)
    #expect(line.outcome == .systemCancel && line.attempts == 1)
  }
}

extension Rig {
  /// Whether a vault is at work.
  fileprivate var isSealing: Bool {
    store.waiting.withLock { $0.isEmpty } && vaults.isAsked
      && store.commits.withLock { $0.count >= 2 }
  }
}
