import LocalAuthCore
import LocalAuthPolicies
import LocalAuthTestSupport
import Testing

@Suite struct ShippedPoliciesTests {
  private let catalog = PolicyCatalog()

  private func policy(_ name: String) throws -> Policy { try catalog.policy(named: name).get() }

  @Test func everyShippedFileLoads() {
    #expect(catalog.problems.map(\.description) == [])
  }

  @Test func everyFileInTheFoldersIsShippedAsItIs() {
    let names: [(PolicyKind, [String])] = [
      (.policy, catalog.names), (.lockout, catalog.lockoutProfileNames),
      (.passcodeDelay, catalog.passcodeDelayNames), (.sensor, catalog.sensorProfileNames),
    ]
    for (kind, names) in names {
      let folder = "policies/\(kind.rawValue)"
      let shipped = names.compactMap { catalog.origin(of: $0, kind: kind)?.path }
      #expect(
        shipped.sorted()
          == RepositoryFiles.names(in: folder).map { "\(kind.rawValue)/\($0)" }
      )
      for name in names {
        let path = catalog.origin(of: name, kind: kind)?.path ?? ""
        let text = String(decoding: RepositoryFiles.bytes("policies/\(path)"), as: UTF8.self)
        #expect(!text.isEmpty && catalog.source(of: name, kind: kind) == text, "\(path)")
      }
    }
  }

  @Test func shipsTheNamesThatPeopleRelyOn() {
    #expect(
      catalog.names == [
        "biometrics", "biometrics-and-passcode", "device-owner", "device-owner-parallel",
        "passcode", "second-factor", "work-laptop",
      ]
    )
    #expect(
      catalog.lockoutProfileNames == [
        "android", "apple", "faillock", "fido", "nist-800-63b", "three-strikes", "tpm",
      ]
    )
    #expect(catalog.passcodeDelayNames == ["apple", "apple-2023", "gatekeeper"])
  }

  @Test func aNewDeviceNamesWhatIsShipped() throws {
    let record = DeviceRecord(
      identity: DeviceIdentity(owner: 1000, name: "default"),
      isSimulated: true
    )
    _ = try catalog.lockoutProfile(named: record.lockoutProfile).get()
    _ = try catalog.passcodeDelays(named: record.passcodeDelays).get()
    #expect(record.lockoutProfile == "three-strikes" && record.passcodeDelays == "apple")
    _ = try catalog.passcodeDelays(named: DeviceRecord.accountPasscodeDelays).get()
  }

  @Test func requirementsAreWhatTheNamesSay() throws {
    let either = Requirement.anyOf([.biometry(.any), .passcode])
    #expect(try policy("biometrics").requirement == .biometry(.any))
    #expect(try policy("passcode").requirement == .passcode)
    #expect(try policy("device-owner").requirement == either)
    #expect(try policy("device-owner").presentation == .sequential)
    #expect(try policy("device-owner-parallel").requirement == either)
    #expect(try policy("device-owner-parallel").presentation == .parallel)
    #expect(
      try policy("biometrics-and-passcode").requirement == .allOf([.biometry(.any), .passcode])
    )
    let code = Requirement.possession(.kind("code"))
    #expect(try policy("second-factor").requirement == .allOf([.passcode, code]))
    let key = Requirement.possession(.kind("key"))
    #expect(try policy("work-laptop").requirement == .anyOf([.biometry(.any), key, .passcode]))
    #expect(try policy("work-laptop").presentation == .parallel)
  }

  @Test func aFingerAloneIsBoundToApplesFreshness() throws {
    let rules = FreshnessRules(
      anyWithin: .seconds(48 * 3600),
      passcodeWithin: .seconds(156 * 3600),
      unlessMatchedWithin: .seconds(4 * 3600)
    )
    for name in ["biometrics", "device-owner", "device-owner-parallel", "work-laptop"] {
      #expect(try policy(name).freshness == rules, "\(name)")
    }
  }

  @Test func everyPolicyThatTakesThePasscodeNeedsOneSet() throws {
    for name in catalog.names {
      let policy = try policy(name)
      #expect(policy.needsPasscodeSet == policy.requirement.factors.contains(.passcode), "\(name)")
    }
  }

  @Test func everyPolicyIsWorthAnACROfItsOwn() throws {
    for name in catalog.names { #expect(try policy(name).acr == "urn:localauth:acr:\(name)") }
  }

  @Test func lockoutProfilesHaveTheirPlatformsNumbers() throws {
    let strikes = try catalog.lockoutProfile(named: "three-strikes").get()
    #expect(
      strikes == LockoutProfile(name: "three-strikes", delays: DelayTable(locksAt: 3))
    )
    let apple = try catalog.lockoutProfile(named: "apple").get()
    #expect(
      apple
        == LockoutProfile(
          name: "apple",
          delays: DelayTable(locksAt: 5),
          missesPerEvaluation: 3,
          fallbackAfterMisses: 1,
          needsPasscode: true
        )
    )
    let android = try catalog.lockoutProfile(named: "android").get()
    let refused = (UInt32(1)...20).filter { android.delays.refusal(after: $0) != .none }
    #expect(refused == [5, 10, 15, 20])
    #expect(android.delays.refusal(after: 15) == .wait(.seconds(30)))
    #expect(android.delays.refusal(after: 20) == .locked)
  }

  @Test func lockoutProfilesHaveTheirStandardsNumbers() throws {
    let half = Duration.seconds(30)
    let nist = DelayTable(rows: [.init(from: 5, through: 49, delay: half)], locksAt: 50)
    let fido = DelayTable(rows: [.init(from: 3, through: nil, delay: half, doublesEvery: 1)])
    let faillock = DelayTable(
      rows: [.init(from: 3, through: 3, delay: .seconds(600))],
      forgets: .all(after: .seconds(900), withRefusal: true)
    )
    let tpm = DelayTable(
      rows: [.init(from: 32, through: nil, delay: .seconds(600))],
      forgets: .one(every: .seconds(600))
    )
    for (name, table) in [
      ("nist-800-63b", nist), ("fido", fido), ("faillock", faillock), ("tpm", tpm),
    ] {
      #expect(
        try catalog.lockoutProfile(named: name).get() == LockoutProfile(name: name, delays: table)
      )
    }
  }

  /// Touches that can be begun within a time, as soon as each may be: FIDO's 9, 14 and 18.
  @Test(arguments: [
    ("fido", Int64(3600), 9), ("fido", 86_400, 14), ("fido", 1_105_920, 18),
    ("nist-800-63b", 1_105_920, 50), ("faillock", 3599, 18), ("faillock", 86_400, 435),
    ("tpm", 3599, 37), ("tpm", 86_400, 176),
  ])
  func admitsSoManyTouches(_ name: String, _ seconds: Int64, _ touches: Int) throws {
    let profile = try catalog.lockoutProfile(named: name).get()
    var lockout = ProfiledLockout(tally: Tally(), profile: profile)
    var now = Moment(
      boot: BootInstant(nanoseconds: 0),
      bootID: BootIdentifier(high: 0, low: 1),
      wall: WallInstant(milliseconds: 0)
    )
    var charged = 0
    while now.boot <= BootInstant(nanoseconds: seconds * 1_000_000_000) {
      switch lockout.charge(at: now) {
      case .charged: charged += 1
      case .refused(let remaining): now.boot = now.boot + remaining
      case .locked: now.boot = BootInstant(nanoseconds: .max)
      }
    }
    #expect(charged == touches)
  }

  @Test(arguments: [
    ("apple", [0, 0, 0, 1, 5, 15, 60, 180, 480, -1, -1]),
    ("apple-2023", [0, 0, 0, 0, 1, 5, 15, 15, 60, -1, -1]),
  ])
  func passcodeDelaysAreApples(_ name: String, _ minutes: [Int]) throws {
    let table = try catalog.passcodeDelays(named: name).get().delays
    for (index, minutes) in minutes.enumerated() {
      let expected: DelayTable.Refusal =
        minutes < 0 ? .locked : minutes == 0 ? .none : .wait(.seconds(minutes * 60))
      #expect(table.refusal(after: UInt32(index) + 1) == expected, "\(index + 1) failures")
    }
  }

  @Test(arguments: [
    (UInt32(20), Int64(360)), (50, 1650), (80, 10_890), (100, 42_570), (120, 169_290),
    (139, 614_730),
  ])
  func gatekeeperAddsUpToItsPublishedTimes(_ failures: UInt32, _ seconds: Int64) throws {
    let table = try catalog.passcodeDelays(named: "gatekeeper").get().delays
    var total = Duration.zero
    for count in 1...failures {
      if case .wait(let delay) = table.refusal(after: count) { total += delay }
    }
    #expect(total == .seconds(seconds))
    #expect(table.refusal(after: 140) == .wait(.seconds(86_400)))
    #expect(table.refusal(after: .max) == .wait(.seconds(86_400)))
  }
}
