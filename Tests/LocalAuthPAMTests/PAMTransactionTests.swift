import LocalAuthPAM
import LocalAuthWire
import Testing

/// Transactions without a worker, in the process of the test.
@Suite struct PAMTransactionTests {
  private let stack: PAMStack

  init() throws {
    stack = try PAMStack()
  }

  @Test func asksAndProves() throws {
    try stack.script(auth: "ask-two [ask=Three: ] expect=three")
    let conversation = ScriptedConversation("one", "two", "three")
    let transaction = try PAMTransaction(stack.request(), conversation: conversation)
    #expect(transaction.judge().verdict == .success)
    #expect(
      conversation.texts == ["first a word", "One: ", "then a warning", "Two: ", "Three: "]
    )
  }

  @Test func conversationThatFailsInTheMiddleOfACallProvesNothing() throws {
    try stack.script(auth: "ignore-errors ask-two return=0")
    let transaction = try PAMTransaction(
      stack.request(),
      conversation: ScriptedConversation("one")
    )
    #expect(transaction.judge().verdict == .aborted(afterAnswer: true))
  }

  @Test func wrongAnswersAreMisses() throws {
    try stack.script(auth: "ask-two")
    let transaction = try PAMTransaction(
      stack.request(),
      conversation: ScriptedConversation("two", "one")
    )
    #expect(transaction.judge().verdict == .wrongCredential)
  }

  @Test func missingServiceNamesItsPath() throws {
    #expect(throws: PAMError.serviceMissing(path: "\(stack.folder)/service")) {
      _ = try PAMTransaction(stack.request(), conversation: ScriptedConversation())
    }
    #expect(throws: PAMError.serviceMissing(path: "/etc/pam.d/localauth-of-nobody")) {
      let request = try PAMRequest(service: "localauth-of-nobody", user: "somebody")
      _ = try PAMTransaction(request, conversation: ScriptedConversation())
    }
  }

  @Test func unusedTransactionEndsQuietly() throws {
    try stack.script(auth: "crash")
    _ = try PAMTransaction(stack.request(), conversation: ScriptedConversation())
  }
}
