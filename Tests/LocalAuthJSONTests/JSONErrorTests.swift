import LocalAuthJSON
import Testing

@Suite struct JSONErrorTests {
  @Test func turnsItsOffsetIntoLineAndColumn() throws {
    let text = Array("{\n  \"é\": 1,\n  \"b\": x\n}".utf8)
    let error = try #require(complaint(text))
    #expect(error.position(in: text.span).description == "3:8")
  }

  @Test func doesNotRepeatTheText() throws {
    let error = try #require(complaint(#"{"passcode":"1234" "hunter2"}"#))
    #expect(!error.description.contains("1234"))
    #expect(!error.description.contains("hunter2"))
  }

  @Test func saysWhatIsNeededAndWhere() {
    #expect(JSONError(.expected(.object), at: 7).description == "an object is needed here (byte 7)")
  }
}

@Suite struct JSONPositionTests {
  private func position(_ offset: Int, _ text: String) -> String {
    JSONPosition(offset: offset, in: Array(text.utf8).span).description
  }

  @Test func beginsAtLineOneColumnOne() { #expect(position(0, "x") == "1:1") }

  @Test func countsScalarsAndNotBytes() { #expect(position(7, "é😀x") == "1:4") }

  @Test func startsALineAfterEachLineFeed() {
    #expect(position(2, "a\nb") == "2:1")
    #expect(position(3, "a\r\nb") == "2:1")
    #expect(position(3, "\n\n\n") == "4:1")
  }

  @Test func takesAnOffsetBeyondTheEndAsTheEnd() { #expect(position(99, "ab") == "1:3") }
}
