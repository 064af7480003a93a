import LocalAuthWire
import Testing

@Suite struct AuthenticatorCallTests {
  private static let name = "io.localauth.Authenticator."

  /// What is read, in words; of an answer also its bytes.
  private func read(_ text: String) throws -> String {
    try unsafe Array(text.utf8).withUnsafeBytes { frame in
      switch try unsafe AuthenticatorCall(frame: frame) {
      case .describe: return "describe"
      case .watch: return "watch"
      case .enrolled(let user): return "enrolled \(user)"
      case .arm(let attempt, let user): return "arm \(attempt) \(user)"
      case .answer(let attempt, let secret, let range):
        var bytes: [UInt8] = []
        let parameters = unsafe UnsafeRawBufferPointer(rebasing: frame[range])
        try unsafe secret.decode(from: parameters) { byte in
          bytes.append(byte)
          return true
        }
        return "answer \(attempt) \(String(decoding: bytes, as: UTF8.self))"
      case .other: return "other"
      }
    }
  }

  private func call(_ method: String, _ parameters: String) -> String {
    #"{"method":"\#(Self.name)\#(method)","parameters":\#(parameters)}"#
  }

  @Test func readsEachMethod() throws {
    #expect(try read(call("Describe", "{}")) == "describe")
    #expect(try read(#"{"method":"\#(Self.name)Watch","more":true}"#) == "watch")
    #expect(try read(call("Enrolled", #"{"user":"ann"}"#)) == "enrolled ann")
    let arm = call("Arm", #"{"attempt":"1","user":"ann","milliseconds":5}"#)
    #expect(try read(arm) == "arm 1 ann")
    #expect(try read(#"{"method":"org.varlink.service.GetInfo"}"#) == "other")
  }

  @Test func answerStaysInTheFrame() throws {
    let answer = call("Answer", #"{"attempt":"1","answer":"t\u0075lip"}"#)
    #expect(try read(answer) == "answer 1 tulip")
  }

  @Test(arguments: [
    "", "[]", "{}", #"{"method":7}"#, #"{"method":"io.localauth.Authenticator.Arm"}"#,
    #"{"method":"io.localauth.Authenticator.Describe","parameters":{"x":1}}"#,
    #"{"method":"io.localauth.Authenticator.Answer"}"#,
    #"{"method":"io.localauth.Authenticator.Answer","parameters":{"attempt":"1","answer":7}}"#,
    #"{"method":"io.localauth.Authenticator.Describe"} "x""#,
  ])
  func whatIsNoCallIsRefused(text: String) {
    #expect(throws: WireError.self) { try read(text) }
  }
}
