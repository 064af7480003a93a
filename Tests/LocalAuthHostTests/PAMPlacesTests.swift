import LocalAuthCore
import Testing

@testable import LocalAuthHost

/// Who has a conversation with PAM while there are too many.
@Suite struct PAMPlacesTests {
  private static let places = PAMPlaces(ofOne: 4)
  private static let owner: UInt32 = 1000
  private static let here = PAMAsker(.owner, of: owner)

  /// Conversations in which nothing was typed.
  private static func waiting(_ askers: [PAMAsker], yields: Bool = true) -> [PAMPlaces.Holder] {
    askers.map { PAMPlaces.Holder(asker: $0, yields: yields) }
  }

  /// Strangers at one account each, from as many users or hosts.
  private static func strangers(_ numbers: [UInt32]) -> [PAMAsker] {
    numbers.map { PAMAsker(.user($0), of: owner) }
  }

  private static func owners(_ numbers: [UInt32]) -> [PAMAsker] {
    numbers.map { PAMAsker(.owner, of: $0) }
  }

  private func room(for asker: PAMAsker, beside holders: [PAMPlaces.Holder]) -> PAMPlaces.Room {
    Self.places.room(for: asker, beside: holders)
  }

  @Test func theShareIsThatOfWhoAsksAndNotOfTheAccountThatIsAskedAbout() {
    let greedy: [PAMAsker] = (1...4).map { PAMAsker(.user(7), of: $0) }
    let holders = Self.waiting(greedy)
    #expect(room(for: PAMAsker(.user(7), of: 5), beside: holders) == .none)
    #expect(room(for: PAMAsker(.user(8), of: 1), beside: holders) == .free)
    // As the owner of one account and as a stranger at others it is the same one.
    #expect(PAMAsker(.owner, of: 7).origin == greedy[0].origin)
    #expect(PAMAsker(.host(""), of: 7).origin == greedy[0].origin)
  }

  @Test(arguments: [Origin.owner, .user(1000), .user(0)])
  func whoIsSurelyTheOwnerIsNoStranger(_ origin: Origin) {
    #expect(PAMAsker(origin, of: Self.owner).standing == .owner)
  }

  @Test(arguments: [Origin.user(1001), .host("192.0.2.1")])
  func anybodyElseIsAStranger(_ origin: Origin) {
    #expect(PAMAsker(origin, of: Self.owner).standing == .stranger)
  }

  @Test func aHostWithoutANameIsLessSureThanTheOwnerAndMoreThanAStranger() {
    let unknown = PAMAsker(.host(""), of: Self.owner).standing
    #expect(.stranger < unknown && unknown < .owner)
  }

  @Test(arguments: [true, false]) func strangersLeaveHalfOfThePlacesWhateverTheyHaveTyped(
    yields: Bool
  ) {
    let holders = Self.waiting(Self.strangers([1, 2, 3, 4, 5, 6, 7, 8]), yields: yields)
    #expect(room(for: PAMAsker(.user(9), of: Self.owner), beside: holders) == .none)
    #expect(room(for: PAMAsker(.host("a"), of: Self.owner), beside: holders) == .none)
    #expect(room(for: Self.here, beside: holders) == .free)
    #expect(room(for: PAMAsker(.host(""), of: Self.owner), beside: holders) == .free)
  }

  @Test(arguments: [
    ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"],
    ["2001:db8:1:2::7", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"],
    ["2001:db8::1", "2001:db8::2:1", "2001:db8:0:0:9::"], ["192.0.2.1"], ["192.0.2.2"],
    ["host.example"], ["2001:db8:1:3::7"],
  ])
  func addressesThatOneMachineHasForItselfHaveOneShare(_ hosts: [String]) {
    let others = ["203.0.113.5", "2001:db8:ffff::1", "other.example"]
    let shares = Set(hosts.map { PAMAsker(.host($0), of: Self.owner).origin })
    #expect(shares.count == 1)
    for other in others {
      #expect(!shares.contains(PAMAsker(.host(other), of: Self.owner).origin))
    }
  }

  @Test func otherMachinesLeavePlacesToUsersOfThisOne() {
    let hosts = (1...6).map { PAMAsker(.host("192.0.2.\($0)"), of: Self.owner) }
    let holders = Self.waiting(hosts)
    #expect(room(for: PAMAsker(.host("192.0.2.9"), of: Self.owner), beside: holders) == .none)
    #expect(room(for: PAMAsker(.user(7), of: Self.owner), beside: holders) == .free)
  }

  @Test func aQuestionThatNobodyAnsweredForAWhileGivesWayToOneOfTheSameStanding() {
    let hosts = (1...6).map { PAMAsker(.host("192.0.2.\($0)"), of: Self.owner) }
    var holders = Self.waiting(hosts)
    let other = PAMAsker(.host("192.0.2.9"), of: Self.owner)
    holders[2].isOld = true
    #expect(room(for: other, beside: holders) == .behind(2))
    // Not to who has more already.
    let more = holders + Self.waiting([other])
    #expect(room(for: other, beside: more) == .none)
    #expect(room(for: other, beside: Self.old(Self.waiting(hosts, yields: false))) == .none)
    // Of owners, too: sixteen who only wait keep nobody out.
    let owners = Self.old(Self.waiting(Self.owners((1...16).map { $0 })))
    #expect(room(for: Self.here, beside: owners) == .behind(0))
  }

  private static func old(_ holders: [PAMPlaces.Holder]) -> [PAMPlaces.Holder] {
    holders.map { PAMPlaces.Holder(asker: $0.asker, yields: $0.yields, isOld: true) }
  }

  @Test func aStrangerWithTheMostGivesWayToOneWithNone() {
    let holders = Self.waiting(Self.strangers([1, 1, 2, 2, 2, 3, 4, 4]))
    #expect(room(for: PAMAsker(.host("a"), of: Self.owner), beside: holders) == .behind(2))
    // Who has one already takes nothing from who has two.
    let even = Self.waiting(Self.strangers([1, 1, 2, 2, 3, 3, 4, 5]))
    #expect(room(for: PAMAsker(.user(5), of: Self.owner), beside: even) == .none)
  }

  @Test func strangersGiveWayToTheOwnerWhenAllPlacesAreTaken() {
    let first = Self.waiting(Self.owners([1, 2, 3, 4, 5, 6, 7, 8]))
    let holders = first + Self.waiting(Self.strangers([11, 11, 11, 11, 12, 12, 12, 12]))
    #expect(room(for: Self.here, beside: holders) == .behind(8))
    #expect(room(for: PAMAsker(.host(""), of: Self.owner), beside: holders) == .behind(8))
  }

  @Test func ownersWithTheMostGiveWayToOneWithNone() {
    let holders = Self.waiting(Self.owners([1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]))
    #expect(room(for: Self.here, beside: holders) == .behind(0))
    // A stranger takes nothing from an owner, whatever that one has.
    #expect(room(for: PAMAsker(.user(9), of: Self.owner), beside: holders) == .none)
  }

  @Test func programsThatNameNobodyGiveWayToTheOwner() {
    let unknown = (1...16).map { PAMAsker(.host(""), of: $0) }
    #expect(room(for: Self.here, beside: Self.waiting(unknown)) == .behind(0))
  }

  @Test func whatOneLeftAtOthersGivesWayToWhatIsOnesOwn() {
    let holders = Self.waiting((1...4).map { PAMAsker(.user(Self.owner), of: $0) })
    #expect(room(for: Self.here, beside: holders) == .behind(0))
  }

  @Test func nothingGivesWayInWhichSomethingWasTyped() {
    let owners = Self.waiting(Self.owners([1, 2, 3, 4, 5, 6, 7, 8]), yields: false)
    let typed = Self.waiting(Self.strangers([11, 11, 11, 11, 12, 12, 12, 12]), yields: false)
    #expect(room(for: Self.here, beside: owners + typed) == .none)
  }

  @Test(arguments: 0..<400) func neverAreThereMoreThanTheBoundsSay(seed: Int) {
    var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func roll(_ sides: UInt64) -> UInt64 {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return (state >> 33) % sides
    }
    var holders: [PAMPlaces.Holder] = []
    for _ in 0..<60 {
      let origins: [Origin] = [.owner, .host(""), .host("a"), .user(UInt32(roll(6)) + 1)]
      let asker = PAMAsker(origins[Int(roll(4))], of: UInt32(roll(6)) + 1)
      let next = PAMPlaces.Holder(asker: asker, yields: roll(3) > 0)
      switch room(for: asker, beside: holders) {
      case .free: holders.append(next)
      case .behind(let index):
        #expect(holders[index].yields)
        #expect(holders[index].asker.standing <= asker.standing)
        holders.remove(at: index)
        holders.append(next)
      case .none: if !holders.isEmpty { holders.remove(at: Int(roll(UInt64(holders.count)))) }
      }
      #expect(holders.count <= 16)
      #expect(holders.count { $0.asker.standing == .stranger } <= 8)
      for holder in holders {
        #expect(holders.count { $0.asker.origin == holder.asker.origin } <= 4)
      }
    }
  }
}
