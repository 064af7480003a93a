import LocalAuthJSON
import LocalAuthWire
import Testing

@Suite struct MessageTests {
  /// Reads `text` as a call and its parameters as `type`.
  private func parameters<Message: WireObject>(
    _ type: Message.Type,
    _ text: String
  ) throws(WireError) -> Message {
    let frame = Array("{\"method\":\"a.B\",\"parameters\":\(text)}".utf8)
    // SAFETY: the array stays in place in the closure.
    return try unsafe frame.span.withUnsafeBytes { (bytes) throws(WireError) in
      let call = try unsafe IncomingCall(frame: bytes)
      return try unsafe Message.read(call.parameters, of: bytes)
    }
  }

  private func call(_ text: String) throws(WireError) -> IncomingCall {
    let frame = Array(text.utf8)
    // SAFETY: the array stays in place in the closure.
    return try unsafe frame.span.withUnsafeBytes { (bytes) throws(WireError) in
      try unsafe IncomingCall(frame: bytes)
    }
  }

  @Test func aCallIsReadWhateverTheOrderOfItsMembers() throws {
    let read = try call(
      #"{"more":true,"parameters":{"a":[1,{"b":2}]},"method":"io.x.Y","upgrade":false}"#
    )
    #expect(read.method == "io.x.Y")
    #expect(read.more)
    #expect(!read.oneway)
    #expect(read.parameters != nil)
  }

  @Test(
    arguments: [
      "", "{", "[]", "null", "{}", #"{"method":1}"#, #"{"method":"a","method":"b"}"#,
      #"{"method":"a"} x"#, #"{"method":"a","more":1}"#, #"{"parameters":{}}"#,
      "{\"method\":\"\u{0}\"}",
    ]) func whatIsNoCallIsRefused(text: String)
  {
    #expect(throws: WireError.self) { try call(text) }
  }

  @Test func aFieldOfACallThatIsNotKnownIsRefusedByName() {
    #expect(throws: WireError.invalidParameter("polcy")) {
      try parameters(
        AuthenticationMessages.CanEvaluateCall.self,
        #"{"policy":"p","polcy":"p"}"#
      )
    }
  }

  @Test func aFieldThatMustBeThereIsMissedByName() {
    #expect(throws: WireError.invalidParameter("policy")) {
      try parameters(AuthenticationMessages.CanEvaluateCall.self, "{}")
    }
  }

  @Test(arguments: [#"{"policy":1}"#, #"{"policy":null}"#, #"{"policy":["p"]}"#, #"{"policy":{}}"#])
  func aFieldOfAnotherTypeIsRefusedByName(text: String) {
    #expect(throws: WireError.invalidParameter("policy")) {
      try parameters(AuthenticationMessages.CanEvaluateCall.self, text)
    }
  }

  @Test func whatIsOptionalMayBeAbsentOrNull() throws {
    let read = try parameters(
      AuthenticationMessages.CanEvaluateCall.self,
      #"{"policy":"p","device":null}"#
    )
    #expect(read.device == nil)
    #expect(read.allowSimulated == nil)
  }

  @Test func aReplyOfALaterVersionIsUnderstood() throws {
    let read = try parameters(
      SensorMessages.EnrollReply.self,
      #"{"completed":true,"colour":{"of":["finger"]}}"#
    )
    #expect(read.completed)
  }

  @Test func aReplyWithoutWhatMustBeThereIsRefused() {
    #expect(throws: WireError.invalidParameter("completed")) {
      try parameters(SensorMessages.EnrollReply.self, "{}")
    }
  }

  @Test func aWrongFieldInsideAFieldIsNamedWithItsPath() {
    #expect(throws: WireError.invalidParameter("result.exit")) {
      try parameters(
        AuthenticationMessages.EvaluateReply.self,
        #"{"result":{"outcome":"x","exit":"1"}}"#
      )
    }
  }

  @Test func whatIsWrittenIsReadAgain() throws {
    var result = AuthenticationMessages.Result()
    result.outcome = "success"
    result.policy = "bio\"metrics\n"
    result.attempts = 3
    result.laError = -1004
    result.simulated = true
    result.finger = "right-index-finger"
    var reply = AuthenticationMessages.EvaluateReply()
    reply.result = result
    var frame: [UInt8] = []
    try IncomingReply.write(reply, continues: true, to: &frame)
    #expect(frame.last == 0)
    frame.removeLast()
    // SAFETY: the array stays in place in the closure.
    let again = try unsafe frame.span.withUnsafeBytes { (bytes) throws(WireError) in
      let read = try unsafe IncomingReply(frame: bytes)
      #expect(read.continues)
      #expect(read.error == nil)
      return try unsafe AuthenticationMessages.EvaluateReply.read(read.parameters, of: bytes)
    }
    #expect(again.result?.policy == "bio\"metrics\n")
    #expect(again.result?.attempts == 3)
    #expect(again.result?.laError == -1004)
    #expect(again.result?.method == nil)
    #expect(again.result?.finger == "right-index-finger")
    #expect(again.prompt == nil)
  }

  @Test func shortAndEmptyStringsAreWrittenAsTheyAre() throws {
    var device = DeviceMessages.Device()
    device.pamService = "x"
    device.domainState = ""
    device.name = "0123456789abcde"
    var frame: [UInt8] = []
    try IncomingReply.write(device, to: &frame)
    let text = String(decoding: frame, as: UTF8.self)
    #expect(text.contains(#""pamService":"x""#))
    #expect(text.contains(#""domainState":"""#))
    #expect(text.contains(#""name":"0123456789abcde""#))
  }

  @Test func aSecretIsDecodedFromItsPlaceAndIsNeverAString() throws {
    let frame = Array(
      #"{"method":"a.B","parameters":{"nonce":"n","passcode":"a\"\u00e9\\z"}}"#.utf8
    )
    var decoded: [UInt8] = []
    // SAFETY: the array stays in place in the closure.
    try unsafe frame.span.withUnsafeBytes { (bytes) throws(WireError) in
      let call = try unsafe IncomingCall(frame: bytes)
      let read = try unsafe AuthenticationMessages.RespondCall.read(call.parameters, of: bytes)
      guard let range = call.parameters, let secret = read.passcode else { return }
      try unsafe secret.decode(from: UnsafeRawBufferPointer(rebasing: bytes[range])) { byte in
        decoded.append(byte)
        return true
      }
    }
    #expect(decoded == Array("a\"é\\z".utf8))
  }

  @Test func aSecretIsWrittenOnlyIntoMemoryOfTheCallers() throws {
    let passcode = Array("12\"34".utf8)
    var memory = [UInt8](repeating: 0xFF, count: 256)
    var span = memory.mutableSpan
    // SAFETY: both arrays stay in place in the closures.
    let size = try unsafe passcode.span.withUnsafeBytes { (secret) throws(JSONWriteError) in
      try unsafe span.withUnsafeMutableBytes { (room) throws(JSONWriteError) in
        var call = AuthenticationMessages.RespondCall()
        call.nonce = "n"
        call.passcode = unsafe WireSecret(borrowing: secret)
        return try unsafe IncomingCall.write("a.B", call, into: room)
      }
    }
    let text = String(decoding: memory[..<size], as: UTF8.self)
    #expect(
      text == "{\"method\":\"a.B\",\"parameters\":{\"nonce\":\"n\",\"passcode\":\"12\\\"34\"}}\0"
    )
  }

  @Test func aCallThatDoesNotFitIsNotWritten() {
    var memory = [UInt8](repeating: 0, count: 16)
    var span = memory.mutableSpan
    #expect(throws: JSONWriteError.self) {
      // SAFETY: the array stays in place in the closure.
      try unsafe span.withUnsafeMutableBytes { (room) throws(JSONWriteError) in
        _ = try unsafe IncomingCall.write("a.B", ServiceMessages.Empty(), into: room)
      }
    }
  }
}
