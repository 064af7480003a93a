import LocalAuthJSON
import LocalAuthWire
import Testing

@Suite struct AddressedTests {
  private typealias Call = Addressed<DeviceMessages.DeviceCall>

  private func read(_ text: String) throws(WireError) -> Call {
    let bytes = Array(text.utf8)
    return try JSONReader.read(bytes.span) { (reader) throws(WireError) in
      try Call.read(&reader)
    }
  }

  @Test func theUserStandsAmongTheFieldsOfTheCall() throws {
    let call = try read(#"{"user": 7, "device": "sim"}"#)
    #expect(call.user == 7 && call.call.device == "sim")
    #expect(try read(#"{"device": "sim"}"#).user == nil)
    #expect(try read(#"{"user": null}"#).user == nil)
  }

  @Test func theOriginStandsAmongTheFieldsOfTheCall() throws {
    let call = try read(#"{"origin": "host:192.0.2.1", "device": "sim", "user": 7}"#)
    #expect(call.origin == "host:192.0.2.1" && call.user == 7 && call.call.device == "sim")
    #expect(try read(#"{"user": 7}"#).origin == nil)
    for wrong in ["7", "true", "[]", "{}"] {
      #expect(throws: WireError.invalidParameter("origin")) { try read("{\"origin\": \(wrong)}") }
    }
  }

  @Test(arguments: [#"{"user": "7"}"#, #"{"user": 1.5}"#, #"{"user": [7]}"#, #"{"user": {}}"#])
  func aUserIsANumber(_ text: String) {
    #expect(throws: WireError.invalidParameter("user")) { try read(text) }
  }

  @Test func otherFieldsAreRefusedAsEver() {
    #expect(throws: WireError.invalidParameter("users")) { try read(#"{"users": 7}"#) }
  }

  @Test func itIsWrittenAsItIsRead() throws {
    var call = DeviceMessages.DeviceCall()
    call.device = "sim"
    var frame: [UInt8] = []
    try IncomingCall.write("a.B", Addressed(call, to: 4_294_967_294), to: &frame)
    let text = String(decoding: frame, as: UTF8.self)
    #expect(
      text == #"{"method":"a.B","parameters":{"device":"sim","user":4294967294}}"# + "\u{0}"
    )
  }
}
