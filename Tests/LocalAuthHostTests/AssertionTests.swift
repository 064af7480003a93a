import LocalAuthCore
import LocalAuthKeychain
import LocalAuthService
import LocalAuthStore
import LocalAuthToken
import Testing

@testable import LocalAuthHost

/// What the engine signs, with real keys and a clock of the test's.
@Suite struct AssertionTests {
  private let rig: KeychainRig

  init() throws { rig = try KeychainRig() }

  private func evaluate(
    _ script: String = "match",
    policy: String = "biometrics",
    reuse: Duration = .zero,
    assertion: AssertionRequest? = AssertionRequest(audience: "a", nonce: "n"),
    grant: GrantRequest? = nil
  ) throws -> EvaluationResult {
    var request = EvaluationRequest(policy: policy, reason: "test", device: "sim")
    request.script = ScriptSource(text: .of(script), isArgument: true)
    request.allowsSimulated = true
    request.action = ActionText("pay 10")
    request.assertion = assertion
    request.reuse = reuse
    request.grant = grant
    var result: EvaluationResult?
    _ = try rig.engine.evaluate(request, caller: rig.caller) { event in
      if case .finished(let ended) = event { result = ended }
    }
    rig.turn { result != nil }
    return try #require(result)
  }

  private func keys(_ simulated: Bool = true, as caller: Caller? = nil) throws -> PublishedKeys {
    var keys: Result<PublishedKeys, EngineError>?
    rig.engine.assertionKeys(simulated: simulated, caller: caller ?? rig.caller) { keys = $0 }
    rig.turn { keys != nil }
    return try #require(keys).get()
  }

  private func rotate() throws -> PublishedKeys {
    var keys: Result<PublishedKeys, EngineError>?
    rig.engine.rotateAssertionKey(simulated: true, caller: rig.caller) { keys = $0 }
    rig.turn { keys != nil }
    return try #require(keys).get()
  }

  private func claims(_ result: EvaluationResult) throws -> AssertionClaims {
    try AssertionClaims(json: SignedToken(try #require(result.assertion)).claims)
  }

  @Test func claimsAreThoseOfTheEvaluation() throws {
    let result = try evaluate()
    let claims = try claims(result)
    #expect(claims.issuer == (try keys().issuer))
    #expect(claims.subject == "uid:1000")
    #expect(claims.audience == "a")
    #expect(claims.nonce == "n")
    #expect(claims.identifier == result.id.text)
    #expect(claims.actionDigest == result.actionDigest)
    #expect(claims.issuedAt == 1_800_000_000)
    #expect(claims.expires == 1_800_000_060)
    #expect(claims.authTime == 1_800_000_000)
    #expect(claims.isSimulated)
  }

  @Test func clockOfASimulatedDeviceIsNotTheVerifiers() throws {
    try rig.wait {
      rig.engine.advanceClock("sim", by: .seconds(3600), caller: rig.caller, then: $0)
    }
    #expect(try claims(try evaluate()).issuedAt == 1_800_000_000)
  }

  @Test func whatAGrantAnswersHasTheTimeOfItsProof() throws {
    let process = CallerScope.ProcessStamp(id: 7, start: 0)
    let scope = CallerScope(uid: 1000, bounds: .process(process), program: nil)
    let grant = GrantRequest(caller: scope, maxAge: .seconds(300))
    let first = try claims(try evaluate(grant: grant))
    rig.clock.pass(.milliseconds(42_500))
    let answered = try evaluate("cancel", grant: grant)
    #expect(answered.grant != nil)
    let claims = try claims(answered)
    #expect(claims.issuedAt == first.issuedAt + 42)
    #expect(claims.authTime == first.authTime)
  }

  @Test func nothingIsSignedBeforeTheOutcomeIsDurable() throws {
    _ = try keys()
    let failures = rig.disk.failing { changes in
      changes.contains { if case .audit(let line) = $0 { line.outcome == .success } else { false } }
    }
    let result = try evaluate()
    #expect(failures.count == 1, "the commit of the outcome, and no other")
    #expect(result.outcome.code == .internalError)
    #expect(result.assertion == nil)
    rig.disk.heal()
    #expect(try evaluate().assertion != nil)
  }

  @Test func nothingIsSignedWhereTheChargeIsNotDurable() throws {
    _ = try keys()
    let failures = rig.disk.failing { _ in true }
    let result = try evaluate()
    #expect(failures.count > 0)
    #expect(result.outcome.code == .internalError)
    #expect(result.assertion == nil)
  }

  @Test func nothingIsSignedThatWasNotAskedFor() throws {
    #expect(try evaluate(assertion: nil).assertion == nil)
  }

  @Test(arguments: ["miss,cancel", "cancel", "error:general", "miss,miss,miss"])
  func nothingButASuccessIsSigned(_ script: String) throws {
    let result = try evaluate(script)
    #expect(result.outcome != .success)
    #expect(result.assertion == nil)
  }

  @Test func unlockDoesNotStandInForIt() throws {
    var unlock = EvaluationRequest(
      purpose: .unlock,
      policy: "biometrics",
      reason: "test",
      device: "sim"
    )
    unlock.allowsSimulated = true
    unlock.script = ScriptSource(text: .of("match"), isArgument: true)
    var isDone = false
    _ = try rig.engine.unlockWithFinger(unlock, caller: rig.caller) { event in
      if case .finished = event { isDone = true }
    }
    rig.turn { isDone }
    #expect(try evaluate("cancel", reuse: .seconds(60)).outcome.code == .userCancel)
  }

  @Test func keysAreMadeOnceAndKept() throws {
    let first = try keys()
    #expect(first.keys.keys.count == 1)
    #expect(try keys().keys == first.keys)
    _ = try evaluate()
    #expect(try keys().keys == first.keys)
    #expect(try keys(false).keys != first.keys)
    #expect(try keys(false).issuer != first.issuer)
  }

  @Test func usersHaveKeysOfTheirOwn() throws {
    let other = Caller(uid: 1001, pid: 43, program: "test", process: LivingProcess())
    let (ours, theirs) = (try keys(), try keys(as: other))
    #expect(ours.issuer != theirs.issuer)
    #expect(ours.keys != theirs.keys)
  }

  @Test func replacedKeyStaysUntilWhatItSignedHasExpired() throws {
    let first = try #require(try keys().keys.keys.first)
    let both = try rotate()
    #expect(both.keys.keys.count == 2)
    #expect(both.keys.keys.last == first)
    #expect(
      try SignedToken(try #require(try evaluate().assertion)).keyIdentifier
        == both.keys.keys.first?.identifier
    )
    rig.clock.pass(.seconds(359))
    #expect(try keys().keys.keys.contains(first))
    rig.clock.pass(.seconds(1))
    #expect(try keys().keys.keys == both.keys.keys.dropLast())
  }

  @Test func keysAreReplacedOnlySoOften() throws {
    for _ in 0..<8 { _ = try rotate() }
    #expect(throws: EngineError.self) { try rotate() }
    rig.clock.pass(.seconds(360))
    #expect(try rotate().keys.keys.count == 2)
  }

  @Test func keychainOfTheKeysIsNobodys() throws {
    _ = try keys()
    rig.groups = AccessGroups(["*"])
    var query: QueryDictionary = ["class": .text("keys"), "m_Limit": .text("m_LimitAll")]
    query["r_Attributes"] = .boolean(true)
    #expect(rig.call(.copy(query, after: nil)).error == .itemNotFound)
    for name in ["localauth.issuer", "localauth.simulated-issuer"] {
      #expect(throws: EngineError.deviceNotFound(name)) {
        try rig.engine.status(of: name, caller: rig.caller)
      }
    }
    #expect(rig.engine.statuses(of: rig.caller).map(\.record.identity.name) == ["default", "sim"])
  }

  @Test func auditSaysForWhomAndWhatWasSigned() throws {
    let result = try evaluate()
    let lines = try rig.store.audit(owner: 1000, device: "sim", limit: 10)
    let line = try #require(lines.first { $0.id == result.id })
    #expect(line.outcome == .success)
    #expect(line.detail.contains("action sha256 "))
    #expect(line.detail.hasSuffix("; assertion for a"))
  }
}
