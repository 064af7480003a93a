import LocalAuthSensor
import Testing

@Suite struct ChanceTests {
  @Test func smallRatesKeepTheirDigits() {
    // To first order n q; the naive formula has lost all but one digit of 1e-16.
    #expect(abs(Chance.any(of: 3, each: 1e-16) / 3e-16 - 1) < 1e-15)
    #expect(abs(Chance.each(of: 3, any: 3e-16) / 1e-16 - 1) < 1e-15)
  }

  @Test func eachIsTheInverseOfAny() {
    for count in [1, 2, 15, 500] as [UInt64] {
      for rate in [1e-12, 1e-4, 1e-2] {
        let any = Chance.any(of: count, each: rate)
        #expect(abs(Chance.each(of: count, any: any) / rate - 1) < 1e-9)
      }
    }
  }

  @Test func powersAreProducts() {
    for count in 0...40 as ClosedRange<UInt64> {
      let product = (0..<count).reduce(1.0) { power, _ in power * 0.7 }
      #expect(abs(Chance.all(of: count, each: 0.7) / product - 1) < 1e-13)
    }
  }

  @Test func endsAreExact() {
    #expect(Chance.any(of: 0, each: 0.5) == 0)
    #expect(Chance.any(of: 5, each: 0) == 0)
    #expect(Chance.any(of: 5, each: 1) == 1)
    #expect(Chance.any(of: .max, each: 1e-3) == 1)
    #expect(Chance.each(of: 0, any: 0.5) == 0)
    #expect(Chance.all(of: 0, each: 0) == 1)
    #expect(Chance.all(of: .max, each: 0.5) == 0)
  }
}
