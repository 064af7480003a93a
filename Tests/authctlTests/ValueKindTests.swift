import LocalAuthPropertyList
import Testing

@testable import authctl

@Suite struct ValueKindTests {
  @Test(arguments: [
    "9223372036854775808", "-9223372036854775809", "[1,\n 18446744073709551615]",
    #"{"é": {"n": 12345678901234567890}}"#,
  ])
  func wholeNumbersOfJSONThatDoNotFitAreNotRounded(_ text: String) {
    #expect(ValueKind.json.value(text) == nil)
  }

  @Test func otherLargeNumbersOfJSONAreReals() {
    #expect(
      ValueKind.json.value("[1e20,\n 18446744073709551616.0]")
        == .array([.real(1e20), .real(0x1p64)])
    )
    #expect(ValueKind.json.value("[-0]") == .array([.real(-0.0)]))
    #expect(ValueKind.json.value("9223372036854775807") == .integer(.max))
  }

  @Test func nullIsNoValue() { #expect(ValueKind.json.value(#"{"a": [null]}"#) == nil) }
}
