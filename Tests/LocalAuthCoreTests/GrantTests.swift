import LocalAuthCore
import Testing

/// When a success answers again, and when it does no more.
@Suite struct GrantTests {
  private static let start = Moment(
    boot: BootInstant(nanoseconds: 1_000_000_000_000),
    bootID: BootIdentifier(high: 1, low: 2),
    wall: WallInstant(milliseconds: 1_800_000_000_000)
  )

  private static let caller = CallerScope(
    uid: 1000,
    bounds: .session(.init(id: 40, start: 7), terminal: 34816),
    program: .init(device: 1, inode: 2)
  )

  private static let scope = Grant.Scope(
    caller: caller,
    policy: [1],
    action: [2],
    audience: "https://pay.example"
  )

  private static func grant(
    _ rule: GrantRule = GrantRule(maxAge: .seconds(300)),
    id: UInt64 = 1,
    scope: Grant.Scope? = scope
  ) -> Grant {
    Grant(
      id: EvaluationID(high: 0, low: id),
      scope: scope,
      rule: rule,
      proven: Proven(factors: .biometry, biometryGeneration: 3),
      provenAt: start,
      origin: Grant.Origin(policy: "device-owner", action: nil, callerPID: 4, program: "test")
    )
  }

  private static func moment(
    boot: Duration = .zero,
    wall: Duration? = nil,
    another: Bool = false
  ) -> Moment {
    var moment = start
    moment.boot = start.boot + boot
    moment.wall.milliseconds += (wall ?? boot).wholeNanoseconds / 1_000_000
    if another { moment.bootID.generation += 1 }
    return moment
  }

  private static func answers(
    _ grant: Grant,
    _ scope: Grant.Scope = scope,
    within maxAge: Duration = .seconds(300),
    at now: Moment
  ) -> Bool { grant.answers(scope, within: maxAge, at: now) }

  @Test func answersTheSameScopeUntilItIsTooOld() {
    #expect(Self.answers(Self.grant(), at: Self.start))
    #expect(Self.answers(Self.grant(), at: Self.moment(boot: .seconds(299))))
    #expect(!Self.answers(Self.grant(), at: Self.moment(boot: .seconds(300))))
  }

  @Test func callerMayWantAYoungerProofThanTheGrantAllows() {
    let now = Self.moment(boot: .seconds(60))
    #expect(Self.answers(Self.grant(), within: .seconds(61), at: now))
    #expect(!Self.answers(Self.grant(), within: .seconds(60), at: now))
  }

  /// One thing is another, everything else is the same.
  static var otherScopes: [(String, Grant.Scope)] {
    var others: [(String, Grant.Scope)] = []
    func add(_ name: String, _ change: (inout Grant.Scope) -> Void) {
      var other = scope
      change(&other)
      others.append((name, other))
    }
    add("uid") { $0.caller.uid = 1001 }
    add("session") { $0.caller.bounds = .session(.init(id: 41, start: 7), terminal: 34816) }
    add("session of the same number") {
      $0.caller.bounds = .session(.init(id: 40, start: 8), terminal: 34816)
    }
    add("terminal") { $0.caller.bounds = .session(.init(id: 40, start: 7), terminal: 34817) }
    add("process") { $0.caller.bounds = .process(.init(id: 40, start: 7)) }
    add("program's file") { $0.caller.program = .init(device: 1, inode: 3) }
    add("program's file system") { $0.caller.program = .init(device: 2, inode: 2) }
    add("unknown program") { $0.caller.program = nil }
    add("policy") { $0.policy = [9] }
    add("action") { $0.action = [3] }
    add("no action") { $0.action = nil }
    add("audience") { $0.audience = "https://pay.examplf" }
    add("no audience") { $0.audience = nil }
    return others
  }

  @Test(arguments: GrantTests.otherScopes)
  func answersNoOtherScope(_ name: String, _ other: Grant.Scope) {
    #expect(!Self.answers(Self.grant(), other, at: Self.start), "another \(name)")
  }

  @Test func wallClockCanOnlyShorten() {
    // Set forward past the end, though only a second went by.
    #expect(!Self.answers(Self.grant(), at: Self.moment(boot: .seconds(1), wall: .seconds(300))))
    // Set back: what is left is counted by the boot clock, and behind the proof nothing is.
    #expect(!Self.answers(Self.grant(), at: Self.moment(boot: .seconds(300), wall: .seconds(10))))
    #expect(!Self.answers(Self.grant(), at: Self.moment(boot: .seconds(10), wall: .seconds(-1))))
    #expect(Self.answers(Self.grant(), at: Self.moment(boot: .seconds(10), wall: .seconds(0))))
  }

  @Test func anotherBootEndsIt() {
    #expect(!Self.answers(Self.grant(), at: Self.moment(boot: .seconds(1), another: true)))
    #expect(!Self.answers(Self.grant(), at: Self.moment(boot: .seconds(-1))))
  }

  @Test func endsAfterAPauseAndEachUseBeginsItAnew() {
    var grant = Self.grant(GrantRule(maxAge: .seconds(300), idle: .seconds(60)))
    #expect(!Self.answers(grant, at: Self.moment(boot: .seconds(60))))
    #expect(grant.use(at: Self.moment(boot: .seconds(59))) == false)
    #expect(Self.answers(grant, at: Self.moment(boot: .seconds(118))))
    #expect(!Self.answers(grant, at: Self.moment(boot: .seconds(119))))
  }

  @Test func noUseMakesItLiveLonger() {
    var grant = Self.grant(GrantRule(maxAge: .seconds(300), idle: .seconds(60)))
    for second in stride(from: 50, to: 300, by: 50) {
      #expect(Self.answers(grant, at: Self.moment(boot: .seconds(second))))
      _ = grant.use(at: Self.moment(boot: .seconds(second)))
    }
    #expect(!Self.answers(grant, at: Self.moment(boot: .seconds(300))))
    #expect(grant.timeLeft(at: Self.moment(boot: .seconds(299))) == .seconds(1))
  }

  @Test func eachCountedUseMustBeDurable() {
    var grant = Self.grant(GrantRule(maxAge: .seconds(300), uses: 2))
    #expect(grant.use(at: Self.start) == true)
    #expect(Self.answers(grant, at: Self.start))
    #expect(grant.use(at: Self.start) == true)
    #expect(grant.usesLeft == 0)
    #expect(!Self.answers(grant, at: Self.start))
    #expect(grant.timeLeft(at: Self.start) == nil)
    // Nobody should ask, and nothing wraps.
    #expect(grant.use(at: Self.start) == true)
    #expect(grant.usesLeft == 0)
  }

  @Test func callerCanOnlyNarrowTheRule() {
    let rule = GrantRule(maxAge: .seconds(300), idle: .seconds(60), uses: 5)
    #expect(rule.narrowed(maxAge: .seconds(600), uses: 9) == rule)
    #expect(
      rule.narrowed(maxAge: .seconds(10), uses: 1)
        == GrantRule(maxAge: .seconds(10), idle: .seconds(60), uses: 1)
    )
    #expect(rule.narrowed(maxAge: .seconds(600), uses: nil).uses == 5)
    #expect(GrantRule(maxAge: .seconds(1)).narrowed(maxAge: .seconds(9), uses: 3).uses == 3)
  }

  @Test func unlockAnswersNoCaller() {
    #expect(!Self.answers(Self.grant(scope: nil), at: Self.start))
  }

  // MARK: All of a device

  @Test func newProofTakesThePlaceOfTheOneBefore() {
    var grants = Grants()
    grants.add(Self.grant(id: 1), at: Self.start)
    grants.add(Self.grant(id: 2), at: Self.start)
    #expect(grants.all.map(\.id.low) == [2])
  }

  @Test func endedOnesMakeRoomAndThenTheOldest() {
    var grants = Grants()
    for number in 1...UInt64(Grants.countMax + 1) {
      var scope = Self.scope
      scope.policy = [UInt8(number)]
      grants.add(Self.grant(id: number, scope: scope), at: Self.start)
    }
    #expect(grants.all.map(\.id.low) == Array(2...UInt64(Grants.countMax + 1)))
    let later = Self.moment(boot: .seconds(400))
    grants.add(
      Grant(
        id: EvaluationID(high: 0, low: 99),
        scope: Self.scope,
        rule: GrantRule(maxAge: .seconds(300)),
        proven: Proven(factors: .passcode),
        provenAt: later,
        origin: Grant.Origin(policy: "passcode", action: nil, callerPID: 1, program: "")
      ),
      at: later
    )
    #expect(grants.all.map(\.id.low) == [99])
  }

  @Test func revocationTakesOneOrAll() {
    var grants = Grants()
    grants.add(Self.grant(id: 1), at: Self.start)
    var scope = Self.scope
    scope.action = nil
    grants.add(Self.grant(id: 2, scope: scope), at: Self.start)
    #expect(grants.revoke(EvaluationID(high: 0, low: 3)) == false)
    #expect(grants.revoke(EvaluationID(high: 0, low: 1)) == true)
    #expect(grants.use(EvaluationID(high: 0, low: 1), at: Self.start) == nil)
    #expect(grants.answering(Self.scope, within: .seconds(300), at: Self.start) == nil)
    #expect(grants.answering(scope, within: .seconds(300), at: Self.start)?.id.low == 2)
    grants.revokeAll()
    #expect(grants.isEmpty)
  }
}
