import LocalAuthCore
import Testing

@Suite struct CountTextTests {
  @Test func oneThingHasNoPlural() {
    #expect(CountText.of(1, "item") == "1 item")
    #expect(CountText.of(Int64(1), "try", "tries") == "1 try")
  }

  @Test func noneAndManyHaveOne() {
    #expect(CountText.of(0, "item") == "0 items")
    #expect(CountText.of(2, "try", "tries") == "2 tries")
  }
}
