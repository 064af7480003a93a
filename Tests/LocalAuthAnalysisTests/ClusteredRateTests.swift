import LocalAuthAnalysis
import Testing

@Suite struct ClusteredRateTests {
  @Test func intervalsCountPeopleAndNotLogins() throws {
    // Of ten people one misses always: a tenth, of which a thousand trials say as much as ten.
    var rate = ClusteredRate()
    for person in 0..<10 { rate.add(events: person == 0 ? 100 : 0, of: 100) }
    #expect(abs(rate.rate - 0.1) < 1e-15)
    let interval = try #require(rate.shareInterval())
    #expect(interval.lowerBound < 0.02 && interval.upperBound > 0.35)
    // Ten who do not differ say more than a thousand independent trials.
    var alike = ClusteredRate()
    for _ in 0..<10 { alike.add(events: 10, of: 100) }
    let narrow = try #require(alike.shareInterval())
    #expect(narrow.lowerBound > 0.08 && narrow.upperBound < 0.12)
  }

  @Test func whatNeverHappenedHasABoundByPeople() throws {
    var never = ClusteredRate()
    for _ in 0..<3 { never.add(events: 0, of: 1_000) }
    #expect(try #require(never.shareInterval()).lowerBound == 0)
    #expect(try #require(never.shareInterval()).upperBound > 0.5)
    // The rule of three, for people: 1 - 0.05^(1/3), over a thousand trials each.
    let bound = try #require(never.meanInterval()).upperBound
    #expect(abs(bound * 1_000 - 0.6316) < 1e-4)
    var always = ClusteredRate()
    for _ in 0..<3 { always.add(events: 1_000, of: 1_000) }
    #expect(try #require(always.shareInterval()).upperBound == 1)
    #expect(try #require(always.shareInterval()).lowerBound < 0.5)
  }

  @Test func onePersonHasNoInterval() {
    var one = ClusteredRate()
    #expect(one.shareInterval() == nil && one.meanInterval() == nil && one.rate == 0)
    one.add(events: 73, of: 365)
    #expect(one.shareInterval() == nil && one.meanInterval() == nil)
    #expect(one.rate == 0.2)
  }

  @Test func meansOfPeopleWhoDifferReachFurtherUp() throws {
    var rate = ClusteredRate()
    for events in [0, 1, 0, 7, 2, 0, 1, 1] as [UInt64] { rate.add(events: events, of: 1) }
    let interval = try #require(rate.meanInterval())
    #expect(interval.lowerBound > 0 && interval.lowerBound < 1.5)
    #expect(interval.upperBound - rate.rate > rate.rate - interval.lowerBound)
  }
}
