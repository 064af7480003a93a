import LocalAuthCore
import Testing

/// Attempts of others use up nobody's own, and many others gain no more than one.
@Suite struct OtherAttemptsTests {
  private let rules = DeviceAttempts.Rules(
    lockout: LockoutProfile(name: "three", delays: DelayTable(locksAt: 3)),
    delays: PasscodeDelays(
      name: "test",
      delays: DelayTable(
        rows: [DelayTable.Row(from: 4, through: nil, delay: .seconds(60))],
        locksAt: 10
      )
    )
  )
  private var record: DeviceRecord {
    DeviceRecord(identity: DeviceIdentity(owner: 1000, name: "default"), isSimulated: false)
  }

  private func at(_ seconds: Int64, boot: UInt64 = 1) -> Moment {
    Moment(
      boot: BootInstant(nanoseconds: seconds * 1_000_000_000),
      bootID: BootIdentifier(high: 0, low: boot),
      wall: WallInstant(milliseconds: 0)
    )
  }

  /// Guesses of `origin` that are judged when each waits as long as it is told to.
  private func judged(
    _ record: inout DeviceRecord,
    _ origin: Origin,
    _ now: inout Int64
  ) -> Int {
    var count = 0
    while count < 100 {
      switch record.charge(.passcode(origin), under: rules, at: at(now)) {
      case .charged: count += 1
      case .refused(let left): now += left.components.seconds + 1
      case .locked: return count
      }
    }
    return .max
  }

  @Test func wrongPasscodesOfAnotherUserDoNotRefuseTheOwner() {
    var record = record
    for _ in 1...4 { _ = record.charge(.passcode(.user(1001)), under: rules, at: at(0)) }
    #expect(
      record.standing(of: .passcode(.user(1001)), under: rules, at: at(0)) == .refused(.seconds(60))
    )
    #expect(
      record.standing(of: .passcode(.owner), under: rules, at: at(0)) == .open(attemptsLeft: 10)
    )
    #expect(record.heights.passcode == 0)
  }

  @Test func manyUsersAndHostsTogetherGetNoMoreThanOne() {
    var record = record
    var now: Int64 = 0
    var charged = 0
    for number in 0..<200 {
      let origin = number % 2 == 0 ? Origin.user(UInt32(number)) : .host("host\(number)")
      if record.charge(.passcode(origin), under: rules, at: at(now)) == .charged { charged += 1 }
      now += 61
    }
    #expect(charged == 10)
    #expect(record.standing(of: .passcode(.host("new")), under: rules, at: at(now)) == .locked)
    #expect(
      record.standing(of: .passcode(.owner), under: rules, at: at(now)) == .open(attemptsLeft: 10)
    )
  }

  @Test func theOwnersProcessesElsewhereAreNotRefusedByOthersAndDoNotRefuseThem() {
    var record = record
    for number in UInt32(1)...40 {
      _ = record.charge(.passcode(.user(number)), under: rules, at: at(Int64(number) * 61))
    }
    let own = Guess.passcode(.user(record.identity.owner))
    #expect(record.standing(of: own, under: rules, at: at(9999)) == .open(attemptsLeft: 10))
    for _ in 1...4 { _ = record.charge(own, under: rules, at: at(9999)) }
    #expect(record.standing(of: own, under: rules, at: at(9999)) == .refused(.seconds(60)))
    #expect(record.others.together.tally.failures == 10)
  }

  /// Anybody may be behind a service that says neither who asks nor from where.
  @Test func whoComesFromAnUnknownHostGetsNoGuessesBeyondThoseOfOthers() {
    var record = record
    var now: Int64 = 0
    let strangers = judged(&record, .user(1001), &now)
    #expect(strangers == 10)
    #expect(record.standing(of: .passcode(.host("")), under: rules, at: at(now)) == .locked)
  }

  @Test func whatTheOwnerProvesClearsWhatOthersDid() {
    var record = record
    var now: Int64 = 0
    _ = judged(&record, .user(1), &now)
    record.settle(
      .passcode(.owner),
      .proven(finger: nil, generation: nil),
      refunding: .nothing,
      under: rules,
      at: at(now)
    )
    #expect(record.others.isEmpty)
  }

  @Test func whatAnotherProvesClearsOnlyWhatCameFromThere() {
    var record = record
    for origin in [Origin.user(1), .user(1), .host("a")] {
      _ = record.charge(.passcode(origin), under: rules, at: at(0))
    }
    record.settle(
      .passcode(.user(1)),
      .proven(finger: nil, generation: nil),
      refunding: .nothing,
      under: rules,
      at: at(0)
    )
    #expect(record.others.origins[.user(1)].tally.failures == 0)
    #expect(record.others.origins[.host("a")].tally.failures == 1)
    #expect(record.others.together.tally.failures == 1)
  }

  @Test func whatAnotherProvesLeavesNoRefusalThatItsOwnChargeBegan() {
    var record = record
    for _ in 1...3 { _ = record.charge(.passcode(.user(1)), under: rules, at: at(0)) }
    let charge = record.charge(.passcode(.user(2)), under: rules, at: at(1))
    #expect(charge == .charged)
    record.settle(
      .passcode(.user(2)),
      .proven(finger: nil, generation: nil),
      refunding: .all,
      under: rules,
      at: at(1)
    )
    #expect(record.others.together.tally.failures == 3)
    for origin in [Origin.user(2), .user(3), .host("a")] {
      #expect(
        record.standing(of: .passcode(origin), under: rules, at: at(1)) == .open(attemptsLeft: 7)
      )
    }
  }

  /// The count of a new host begins with the highest that was dropped, which is not its own.
  @Test func proofsFromANewHostGiveOthersNoGuessBack() {
    var record = record
    let rules = DeviceAttempts.Rules(
      lockout: LockoutProfile(name: "three", delays: DelayTable(locksAt: 3)),
      delays: PasscodeDelays(name: "test", delays: DelayTable(locksAt: 100))
    )
    let attackers = UInt32(OtherAttempts.originsMax + 1)
    for number in 1...attackers {
      for _ in 1...2 { _ = record.charge(.passcode(.user(number)), under: rules, at: at(0)) }
    }
    #expect(record.others.origins.floor.tally.failures == 2)
    for host in ["home", "home", "office", "train"] {
      let charge = record.charge(.passcode(.host(host)), under: rules, at: at(1))
      #expect(charge == .charged)
      record.settle(
        .passcode(.host(host)),
        .proven(finger: nil, generation: nil),
        refunding: .nothing,
        under: rules,
        at: at(1)
      )
      #expect(record.others.together.tally.failures == 2 * attackers)
    }
  }

  @Test(arguments: [Tally.Refund.nothing, .failure, .all])
  func aProofEndsTheRefusalThatItsOwnGuessBeganAndNoOther(_ refund: Tally.Refund) {
    var record = record
    // All are judged at once, and the last one began the refusal.
    for host in ["home", "attacker", "attacker", "attacker"] {
      #expect(record.charge(.passcode(.host(host)), under: rules, at: at(0)) == .charged)
    }
    record.settle(
      .passcode(.host("home")),
      .proven(finger: nil, generation: nil),
      refunding: refund,
      under: rules,
      at: at(1)
    )
    let together = record.others.together
    #expect(together.tally.failures == 3)
    let left = refund == .all ? Standing.open(attemptsLeft: 7) : .refused(.seconds(59))
    #expect(together.standing(under: rules.delays, at: at(1)) == left)
  }

  @Test func aPasscodeThatIsLockedForTheOwnerIsLockedForOthers() {
    var record = record
    var now: Int64 = 0
    _ = judged(&record, .owner, &now)
    #expect(record.standing(of: .passcode(.owner), under: rules, at: at(now)) == .locked)
    let charge = record.charge(.passcode(.user(7)), under: rules, at: at(now))
    #expect(charge == .locked)
  }

  @Test func touchesThatOthersAskedForDoNotLockTheOwnersFinger() {
    var record = record
    for _ in 1...3 { _ = record.charge(.touch(.user(1)), under: rules, at: at(0)) }
    let charge = record.charge(.touch(.user(2)), under: rules, at: at(0))
    #expect(charge == .locked)
    #expect(
      record.standing(of: .touch(.owner), under: rules, at: at(0)) == .open(attemptsLeft: 3)
    )
  }

  @Test func aFingerThatIsLockedForTheOwnerIsLockedForOthers() {
    var record = record
    for _ in 1...3 { _ = record.charge(.touch(.owner), under: rules, at: at(0)) }
    let charge = record.charge(.touch(.user(2)), under: rules, at: at(0))
    #expect(charge == .locked)
  }

  @Test func passwordsOfKeybagsAndItemsAreCountedByThemselves() {
    var record = record
    for _ in 1...4 {
      _ = record.charge(.keybag, under: rules, at: at(0))
      _ = record.charge(.item(1), under: rules, at: at(0))
    }
    record.settle(
      .passcode(.owner),
      .proven(finger: nil, generation: nil),
      refunding: .nothing,
      under: rules,
      at: at(0)
    )
    for guess in [Guess.keybag, .item(1)] {
      #expect(record.standing(of: guess, under: rules, at: at(0)) == .refused(.seconds(60)))
    }
    #expect(record.standing(of: .item(2), under: rules, at: at(0)) == .open(attemptsLeft: 10))
  }

  @Test func anAttemptWithoutAnythingToJudgeIsGivenBack() {
    for guess in [Guess.passcode(.owner), .passcode(.user(1)), .keybag, .item(1)] {
      var record = record
      _ = record.charge(guess, under: rules, at: at(0))
      let charged = record
      record.settle(
        guess,
        .unjudged(Outcome(.timeout)),
        refunding: .nothing,
        under: rules,
        at: at(0)
      )
      #expect(record == charged)
      record.settle(
        guess,
        .unjudged(Outcome(.timeout)),
        refunding: .all,
        under: rules,
        at: at(0)
      )
      #expect(record == self.record)
    }
  }

  @Test func aClockThatIsTurnedShortensNoRefusalOfPasscodes() {
    for guess in [Guess.passcode(.owner), .passcode(.user(1)), .keybag, .item(1)] {
      var record = record
      for _ in 1...4 { _ = record.charge(guess, under: rules, at: at(0)) }
      record.postponePasscodes(by: .seconds(1000))
      #expect(record.standing(of: guess, under: rules, at: at(1000)) == .refused(.seconds(60)))
    }
  }

  @Test func anotherBootStartsEveryRefusalOver() {
    for guess in [Guess.passcode(.owner), .passcode(.user(1)), .keybag, .item(1)] {
      var record = record
      for _ in 1...4 { _ = record.charge(guess, under: rules, at: at(0)) }
      let now = at(5000, boot: 2)
      let isChanged = record.booted(at: now)
      #expect(isChanged)
      #expect(record.standing(of: guess, under: rules, at: now) == .refused(.seconds(60)))
    }
  }

  @Test(arguments: [
    CountDoubt.unknown, .atLeast(CountHeights(passcode: 9, others: 9, keybag: 9, items: 9)),
  ])
  func doubtRaisesEveryCountAndRefusesAnew(_ doubt: CountDoubt) {
    for guess in [Guess.passcode(.owner), .passcode(.user(1)), .keybag, .item(1)] {
      var record = record
      record.raise(to: doubt, under: rules.delays, lasting: rules.delays, at: at(0))
      #expect(record.standing(of: guess, under: rules, at: at(0)) == .refused(.seconds(60)))
      let last = record.charge(guess, under: rules, at: at(61))
      let further = record.charge(guess, under: rules, at: at(1000))
      #expect(last == .charged && further == .locked, "the tenth is final")
    }
  }

  @Test func doubtLowersNothing() {
    var record = record
    var now: Int64 = 0
    _ = judged(&record, .owner, &now)
    record.raise(to: .unknown, under: rules.delays, lasting: rules.delays, at: at(now))
    #expect(record.standing(of: .passcode(.owner), under: rules, at: at(now + 999)) == .locked)
  }
}
