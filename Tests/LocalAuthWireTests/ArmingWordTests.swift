import LocalAuthCore
import LocalAuthWire
import Testing

@Suite struct ArmingWordTests {
  private func question(_ text: String) -> Arming.Word? {
    var reply = AuthenticatorMessages.ArmReply()
    var question = AuthenticatorMessages.Question()
    question.text = text
    reply.question = question
    return Arming.Word(reply)
  }

  @Test func aQuestionMayEndWithOneBlank() {
    #expect(question("Password: ") == .asks(text: "Password: ", echoes: false))
    #expect(question("Password:") == .asks(text: "Password:", echoes: false))
    for wrong in ["Password:  ", " Password:", " ", "", "a\nb", "a\u{A0}", "a\u{1B}[2J"] {
      #expect(question(wrong) == nil, "\(wrong)")
    }
  }

  @Test func theErrorsOfTheInterfaceAreWords() {
    #expect(
      Arming.Word(error: AuthenticatorMessages.unavailable, message: "Gone.") == .failed("Gone.")
    )
    #expect(
      Arming.Word(error: AuthenticatorMessages.accountRefused, message: "The account has expired.")
        == .refuses("The account has expired.")
    )
    #expect(Arming.Word(error: AuthenticatorMessages.noSuchAttempt, message: "x") == nil)
    #expect(Arming.Word(error: "org.varlink.service.MethodNotFound", message: "") == nil)
  }

  @Test func aReasonThatIsNoPlainLineIsNotShown() {
    let failed = Arming.Word(error: AuthenticatorMessages.unavailable, message: "\u{1B}[2J")
    #expect(failed == .failed("It cannot judge now."))
    let refused = Arming.Word(error: AuthenticatorMessages.accountRefused, message: "")
    #expect(refused == .refuses("The account may not be used."))
  }
}
