import LocalAuthPAM
import LocalAuthWire
import Testing

/// Transactions without a worker, in the process of the test.
@Suite struct PAMTransactionTests {
  private let stack: PAMStack

  init() throws {
    stack = try PAMStack()
  }

  private func transaction(
    _ conversation: ScriptedConversation
  ) throws -> PAMTransaction {
    try PAMTransaction(for: "somebody", at: stack.service(), conversation: conversation)
  }

  @Test func asksAndProves() throws {
    try stack.script(auth: "ask-two [ask=Three: ] expect=three")
    let conversation = ScriptedConversation("one", "two", "three")
    let transaction = try self.transaction(conversation)
    #expect(transaction.judge().verdict == .success)
    #expect(
      conversation.texts == ["first a word", "One: ", "then a warning", "Two: ", "Three: "]
    )
  }

  @Test func conversationThatFailsInTheMiddleOfACallProvesNothing() throws {
    try stack.script(auth: "ignore-errors ask-two return=0")
    let transaction = try self.transaction(ScriptedConversation("one"))
    #expect(transaction.judge().verdict == .aborted(afterAnswer: true))
  }

  @Test func wrongAnswersAreMisses() throws {
    try stack.script(auth: "ask-two")
    let transaction = try self.transaction(ScriptedConversation("two", "one"))
    #expect(transaction.judge().verdict == .wrongCredential)
  }

  @Test func missingServiceNamesItsPath() throws {
    #expect(throws: PAMError.serviceMissing(path: "\(stack.folder)/service")) {
      _ = try transaction(ScriptedConversation())
    }
    #expect(throws: PAMError.serviceMissing(path: "/etc/pam.d/localauth-of-nobody")) {
      let service = try #require(PAMService("localauth-of-nobody"))
      _ = try PAMTransaction(
        for: "somebody",
        at: service,
        conversation: ScriptedConversation()
      )
    }
  }

  @Test func modulesSeeWhoIsAuthenticated() throws {
    try stack.script(auth: "item-user=somebody")
    let transaction = try self.transaction(ScriptedConversation())
    #expect(transaction.judge() == PAMJudgement(verdict: .success, message: "Success"))
  }

  @Test func changedUserIsNoProof() throws {
    try stack.script(auth: "user=root")
    let transaction = try self.transaction(ScriptedConversation())
    #expect(transaction.judge() == PAMJudgement(verdict: .userChanged, message: "Success"))
  }

  @Test func unusedTransactionEndsQuietly() throws {
    try stack.script(auth: "crash")
    _ = try transaction(ScriptedConversation())
  }
}
