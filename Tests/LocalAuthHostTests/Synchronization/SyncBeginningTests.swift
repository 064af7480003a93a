import LocalAuthCore
import LocalAuthCrypto
import LocalAuthSecret
import LocalAuthService
import LocalAuthSync
import LocalAuthTestSupport
import Testing

@testable import LocalAuthHost

/// A circle gets everything that is synchronized, so whoever has a device come into one proves to own the device first.
@Suite struct SyncBeginningTests {
  /// How a device comes into a circle.
  enum Way: String, CaseIterable {
    case found
    case join
    case recover
  }

  /// A circle of one device with a recovery key and an invitation, and a device that is in no circle.
  private struct Outside {
    let hub: ModelHub
    /// Where the other device may found a circle of its own.
    let own: ModelHub
    let first: SyncDevice
    let second: SyncDevice
    /// Its files go with it.
    private let place: ScratchDirectory
    private let founding = InvitationCode.generate()
    private let invitation: String
    private let paper: String

    init(
      _ place: ScratchDirectory,
      passcode: String? = "1234",
      fingers: [Finger] = [.rightIndex]
    ) throws {
      self.place = place
      let circle = try SyncCircle("first", in: place)
      (hub, first) = (circle.hub, circle.devices[0])
      own = ModelHub(founder: try #require(founding.hubRole()))
      hub.elsewhere["/run/own"] = own
      paper = try first.makeRecoveryKey().text
      try first.synchronize()
      invitation = try first.invite().text
      second = try SyncDevice(hub, in: place.file("second"), passcode: passcode, fingers: fingers)
      try second.add("mail", "1")
    }

    func host(_ way: Way) -> String { way == .found ? "/run/own" : "/run/hub" }

    var foundingCode: SecretBox { SecretBox(founding.printed) }

    private func code(_ way: Way) -> SecretBox {
      switch way {
      case .found: foundingCode
      case .join: .of(invitation)
      case .recover: .of(paper)
      }
    }

    /// Begins to come into a circle, by this code or the right one.
    func begin(
      _ way: Way,
      by typed: String? = nil,
      passcode: String? = nil,
      script: String? = nil,
      under policy: String? = nil
    ) -> CircleCall {
      let beginning = second.beginning("second", at: host(way), under: policy)
      let (engine, device) = (second.engine, second.callerDevice)
      let code = typed.map { SecretBox.of($0) } ?? code(way)
      return second.begin(passcode: passcode, script: script) { proof, done in
        switch way {
        case .found: engine.foundCircle(beginning, code: code, device, by: proof, then: done)
        case .join:
          engine.joinCircle(beginning, code: code, device, by: proof) { done($0.map { _ in }) }
        case .recover: engine.recoverCircle(beginning, key: code, device, by: proof, then: done)
        }
      }
    }

    /// How often a hub was asked, and by how many connections.
    private var heard: [Int] {
      [hub, own].flatMap { [$0.requests.count, $0.passwords.count] }
    }

    /// Nothing of what `body` does begins anything, and no hub hears of it.
    func expectNothing(_ body: () throws -> Void) throws {
      let before = heard
      try body()
      #expect(heard == before, "the hub heard of it")
      #expect(throws: EngineError.sync(.notMember)) { try second.report() }
      #expect(second.synchronizer == nil)
    }

    func expectBegun(_ way: Way) throws {
      try second.synchronize()
      #expect(try second.report().stage == (way == .join ? .joining : .member))
    }
  }

  // MARK: By a prompt

  @Test(
    arguments: Way.allCases,
    ["match", "miss, match", "fallback, passcode:1234", "passcode:1234"]
  )
  func aFingerOrThePasscodeBegins(_ way: Way, _ script: String) throws {
    let outside = try Outside(ScratchDirectory())
    _ = try outside.second.end(of: outside.begin(way, script: script)).get()
    try outside.expectBegun(way)
  }

  @Test func thePromptSaysWhatGoesWhereAndHasTheWordsToCompare() throws {
    let outside = try Outside(ScratchDirectory())
    let texts = try Way.allCases.map { way in
      let call = outside.begin(way)
      let action = try #require(call.asked?.action?.text)
      #expect(call.prompts.last?.live == .biometry && call.prompts.last?.offersFallback == true)
      try outside.second.answer(call, .cancel)
      #expect(try outside.second.refusal(of: call) == .userCancel)
      return action
    }
    #expect(
      texts[0]
        == "send what is synchronized here, sealed, to '/run/own', and found a circle there as 'second'"
    )
    let given =
      "give what is synchronized here to the circle at '/run/hub', and join it as 'second'"
    #expect(texts[1].hasPrefix(given + " with the words "))
    #expect(texts[2] == given)
    let call = outside.begin(.join)
    let shown = try #require(call.asked?.action?.text)
    try outside.second.answer(call, .fallback)
    try outside.second.answer(call, .passcode(.of("1234")))
    _ = try outside.second.end(of: call).get()
    let words = try #require(outside.second.peerKeys?.words(MessageHash()))
    #expect(shown == "\(given) with the words \(words.joined(separator: " "))")
    #expect(shown != texts[1], "the keys that nobody approved are gone")
    try outside.second.synchronize()
    #expect(try outside.first.answering()?.words == words, "the sponsor compares the same")
  }

  @Test(arguments: Way.allCases)
  func aPasscodeThatComesIsJudgedAndNobodyIsAsked(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory())
    let call = outside.begin(way, passcode: "1234")
    _ = try outside.second.end(of: call).get()
    #expect(call.prompts.isEmpty)
    try outside.expectBegun(way)
  }

  // MARK: What begins nothing

  @Test(arguments: Way.allCases) func whoProvesNothingBeginsNothing(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory())
    let second = outside.second
    try outside.expectNothing { () throws in
      #expect(try second.refusal(of: outside.begin(way, passcode: "9999")) == .authenticationFailed)
      for script in ["cancel", "miss, cancel", "fallback, passcode:1, cancel"] {
        #expect(try second.refusal(of: outside.begin(way, script: script)) == .userCancel)
      }
      let late = outside.begin(way)
      second.clock.pass(.seconds(31))
      #expect(try second.refusal(of: late) == .timeout)
      let gone = outside.begin(way)
      gone.cancel()
      #expect(try second.refusal(of: gone) == .appCancel)
      #expect(throws: EngineError.promptNotFound) {
        try second.answer(gone, .passcode(.of("1234")))
      }
    }
    // What was typed is good as before.
    _ = try second.end(of: outside.begin(way, passcode: "1234")).get()
    try outside.expectBegun(way)
  }

  /// A program of the user's own that has a code, and neither the finger nor the passcode.
  @Test(arguments: Way.allCases) func whoCanAskNobodyNeedsThePasscode(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory())
    let (engine, device) = (outside.second.engine, outside.second.callerDevice)
    let beginning = outside.second.beginning("second", at: outside.host(way))
    try outside.expectNothing { () throws in
      var ended: Result<Void, EngineError>?
      let code = SecretBox(InvitationCode.generate().printed)
      switch way {
      case .found:
        engine.foundCircle(beginning, code: code, device, by: OwnersProof(nil)) { ended = $0 }
      case .join:
        engine.joinCircle(beginning, code: code, device, by: OwnersProof(nil)) {
          ended = $0.map { _ in }
        }
      case .recover:
        engine.recoverCircle(beginning, key: code, device, by: OwnersProof(nil)) { ended = $0 }
      }
      try outside.second.turn { ended != nil }
      #expect(throws: EngineError.passcodeRequired) { try ended?.get() }
    }
  }

  @Test(arguments: Way.allCases) func wrongPasscodesAreChargedAndLockOut(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory())
    try outside.expectNothing { () throws in
      let refusals = try (1...10).map { number in
        try outside.second.refusal(of: outside.begin(way, passcode: "999\(number)"))
      }
      #expect(refusals.first == .authenticationFailed && refusals.last == .passcodeThrottled)
      let right = outside.begin(way, passcode: "1234")
      #expect(try outside.second.refusal(of: right) == .passcodeThrottled)
      // It is the count of the device, as for every other act.
      #expect(throws: EngineError.self) { try outside.second.unlock() }
    }
    let lines = try outside.second.lines(of: "sync \(way.rawValue)")
    #expect(lines.first?.outcome == .authenticationFailed)
    #expect(lines.first?.detail.contains("'\(outside.host(way))' as 'second'") == true)
  }

  /// Whoever guesses learns nothing of the code, nor whether the device is in a circle.
  @Test(arguments: Way.allCases) func thePasscodeIsJudgedBeforeTheCode(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory())
    try outside.expectNothing { () throws in
      let guess = outside.begin(way, by: "nonsense", passcode: "9999")
      #expect(try outside.second.refusal(of: guess) == .authenticationFailed)
      let owner = outside.begin(way, by: "nonsense", passcode: "1234")
      #expect(throws: EngineError.sync(.wrongCode)) { try outside.second.end(of: owner).get() }
      let asked = outside.begin(way, by: "nonsense", script: "match")
      #expect(throws: EngineError.sync(.wrongCode)) { try outside.second.end(of: asked).get() }
      #expect(asked.prompts.isEmpty, "nobody is asked about what cannot be")
    }
  }

  @Test(arguments: Way.allCases) func aMemberIsRefusedOnceThePasscodeIsJudged(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory())
    _ = try outside.second.end(of: outside.begin(.recover, passcode: "1234")).get()
    let typed = SecretBox(InvitationCode.generate().printed).text
    let guess = outside.begin(way, by: typed, passcode: "9999")
    #expect(try outside.second.refusal(of: guess) == .authenticationFailed)
    for call in [
      outside.begin(way, by: typed, passcode: "1234"),
      outside.begin(way, by: typed, script: "match"),
    ] {
      #expect(throws: EngineError.sync(.alreadyMember)) { try outside.second.end(of: call).get() }
      #expect(call.prompts.isEmpty)
    }
  }

  @Test(arguments: Way.allCases) func aLockedDeviceBeginsNothing(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory())
    try outside.second.lock()
    try outside.expectNothing { () throws in
      for passcode in ["1234", "9999", nil] {
        let call = outside.begin(way, passcode: passcode, script: passcode == nil ? "match" : nil)
        #expect(try outside.second.refusal(of: call) == .itemLocked)
        #expect(call.prompts.isEmpty)
      }
    }
    #expect(try outside.second.lines(of: "sync \(way.rawValue)").isEmpty, "nothing was judged")
  }

  @Test(arguments: Way.allCases)
  func aDeviceThatIsLockedWhileThePersonIsAskedBeginsNothing(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory())
    try outside.expectNothing { () throws in
      let call = outside.begin(way)
      try outside.second.lock()
      #expect(try outside.second.refusal(of: call) == .systemCancel)
    }
  }

  @Test(arguments: Way.allCases)
  func anotherProgramCannotAnswerThePrompt(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory())
    let other = Caller(uid: 1000, pid: 43, program: "other", process: LivingProcess())
    try outside.expectNothing { () throws in
      let call = outside.begin(way)
      #expect(throws: EngineError.promptNotFound) {
        try outside.second.answer(call, .passcode(.of("1234")), by: other)
      }
      call.cancel()
      #expect(try outside.second.refusal(of: call) == .appCancel)
    }
  }

  // MARK: Interruptions

  /// The owner proved it, and the daemon is killed before the hub answered.
  @Test(arguments: [Way.join, .recover])
  func aDaemonThatIsKilledBehindTheProofHasBegunNothing(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory())
    outside.hub.passage = { _, request in
      if case .offer = request { .waits } else { .arrives }
    }
    let before = outside.hub.requests.count
    let call = outside.begin(way, script: "match")
    try outside.second.turn {
      let line = try? outside.second.lines(of: "evaluate").last
      return line?.outcome == .success
    }
    #expect(call.ended == nil)
    try outside.second.restart()
    #expect(throws: EngineError.sync(.notMember)) { try outside.second.report() }
    #expect(outside.hub.requests.count == before, "it never arrived")
    outside.hub.passage = nil
    let refused = outside.begin(way, passcode: "9999")
    #expect(try outside.second.refusal(of: refused) == .authenticationFailed, "it is proven anew")
    _ = try outside.second.end(of: outside.begin(way, passcode: "1234")).get()
    try outside.expectBegun(way)
  }

  @Test func whoTypesTheSameCodeAgainIsAskedForNothing() throws {
    for way in [Way.found, .join] {
      let outside = try Outside(ScratchDirectory())
      _ = try outside.second.end(of: outside.begin(way, passcode: "1234")).get()
      let keys = outside.second.peerKeys
      let again = outside.begin(way)
      _ = try outside.second.end(of: again).get()
      #expect(again.prompts.isEmpty && outside.second.peerKeys == keys)
      let guess = outside.begin(way, passcode: "9999")
      #expect(try outside.second.refusal(of: guess) == .authenticationFailed, "a guess is charged")
      #expect(outside.second.peerKeys == keys)
    }
  }

  /// A circle that the hub has not heard of is founded at another hub by the same code.
  @Test func whoFoundsElsewhereProvesItAnew() throws {
    let outside = try Outside(ScratchDirectory())
    outside.own.isDown = true
    _ = try outside.second.end(of: outside.begin(.found, passcode: "1234")).get()
    try outside.second.synchronize()
    let code = try #require(outside.second.role)
    func move(_ passcode: String?, _ script: String? = nil) -> CircleCall {
      let device = outside.second
      return device.begin(passcode: passcode, script: script) { proof, done in
        device.engine.foundCircle(
          device.beginning("second", at: "/run/other"),
          code: outside.foundingCode,
          device.callerDevice,
          by: proof,
          then: done
        )
      }
    }
    #expect(try outside.second.refusal(of: move("9999")) == .authenticationFailed)
    #expect(try outside.second.refusal(of: move(nil, "cancel")) == .userCancel)
    #expect(try outside.second.report().address.host == "/run/own")
    let moved = move(nil, "match")
    _ = try outside.second.end(of: moved).get()
    #expect(moved.asked?.action?.text.contains("'/run/other'") == true)
    #expect(try outside.second.report().address.host == "/run/other")
    #expect(outside.second.role == code)
  }

  // MARK: Policies, and devices without a passcode

  @Test(arguments: Way.allCases) func aPolicyIsProvenBesides(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory())
    let policy = "biometrics-and-passcode"
    try outside.expectNothing { () throws in
      let half = outside.begin(way, script: "match", under: policy)
      #expect(half.ended == nil, "the passcode is missing")
      half.cancel()
      #expect(try outside.second.refusal(of: half) == .appCancel)
      let none = outside.begin(way, script: "match", under: "nonsense")
      #expect(throws: EngineError.policyNotFound("nonsense")) {
        try outside.second.end(of: none).get()
      }
    }
    let whole = outside.begin(way, script: "match, passcode:1234", under: policy)
    _ = try outside.second.end(of: whole).get()
    try outside.expectBegun(way)
  }

  @Test(arguments: Way.allCases)
  func aDeviceWithoutAPasscodeAsksForTheFinger(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory(), passcode: nil)
    try outside.expectNothing { () throws in
      let call = outside.begin(way, passcode: "1234", script: "cancel")
      #expect(call.prompts.last?.live == .biometry, "no passcode stands in for the finger")
      #expect(try outside.second.refusal(of: call) == .userCancel)
    }
    _ = try outside.second.end(of: outside.begin(way, script: "match")).get()
    try outside.expectBegun(way)
  }

  @Test(arguments: Way.allCases) func aDeviceWithNeitherAsksForNothing(_ way: Way) throws {
    let outside = try Outside(ScratchDirectory(), passcode: nil, fingers: [])
    let call = outside.begin(way)
    _ = try outside.second.end(of: call).get()
    #expect(call.prompts.isEmpty)
    try outside.expectBegun(way)
  }

  // MARK: The audit

  @Test(arguments: Way.allCases) func theAuditSaysWhereAndAsWhoAndWhatBecameOfIt(_ way: Way) throws
  {
    let outside = try Outside(ScratchDirectory())
    let call = outside.begin(way, script: "match")
    _ = try outside.second.end(of: call).get()
    let act = try #require(try outside.second.lines(of: "sync \(way.rawValue)").last)
    #expect(act.outcome == .success && !act.method.isEmpty)
    #expect(act.detail.hasPrefix("'\(outside.host(way))' as 'second'"))
    let evaluation = try #require(try outside.second.lines(of: "evaluate").last)
    #expect(evaluation.shownAction == call.asked?.action?.text)
    #expect(evaluation.policy == "device-owner" && evaluation.outcome == .success)
  }

  /// A person proved it, and the hub did not do it.
  @Test(arguments: [Way.join, .recover], ["match", nil])
  func whatWasProvenAndNotDoneIsInTheAudit(_ way: Way, _ script: String?) throws {
    let outside = try Outside(ScratchDirectory())
    outside.hub.isDown = true
    let call = outside.begin(way, passcode: script == nil ? "1234" : nil, script: script)
    #expect(throws: EngineError.self) { try outside.second.end(of: call).get() }
    #expect(throws: EngineError.sync(.notMember)) { try outside.second.report() }
    let act = try #require(try outside.second.lines(of: "sync \(way.rawValue)").last)
    #expect(act.outcome != .success && act.ended != nil)
    #expect(act.detail.contains("'/run/hub' as 'second'"))
  }
}
