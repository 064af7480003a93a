import LocalAuthCore
import LocalAuthTerminal
import LocalAuthWire
import Testing

@testable import LocalAuthDialog

/// What a dialog makes of what the daemon tells and a person does; answers are words here.
@Suite struct DialogTests {
  private let start = BootInstant(nanoseconds: 5_000_000_000)
  /// Past the time in which an agent's prompt takes no answer.
  private var later: BootInstant { start + .seconds(1) }

  private func prompt(
    _ nonce: String,
    of evaluation: String = "e1",
    asking question: String? = "Passcode: ",
    _ change: (inout AuthenticationMessages.Prompt) -> Void = { _ in }
  ) -> AuthenticationMessages.Prompt {
    var prompt = AuthenticationMessages.Prompt()
    prompt.nonce = nonce
    prompt.evaluation = evaluation
    prompt.reason = "deploy"
    prompt.caller = "sh (process 7)"
    prompt.passcode = question != nil
    prompt.passcodePrompt = question
    change(&prompt)
    return prompt
  }

  private func notice(_ kind: String, _ factor: String? = nil) -> AuthenticationMessages.Notice {
    var notice = AuthenticationMessages.Notice()
    notice.kind = kind
    notice.factor = factor
    notice.text = "That is wrong."
    return notice
  }

  private func dismissal(
    of evaluation: String,
    as outcome: String = "timeout"
  ) -> AgentMessages.Dismissal {
    var dismissal = AgentMessages.Dismissal()
    dismissal.evaluation = evaluation
    dismissal.outcome = outcome
    return dismissal
  }

  private func caller(given: String? = nil, isUnattended: Bool = false) -> Dialog<String> {
    Dialog(.caller(reason: "deploy"), given: given, isUnattended: isUnattended)
  }

  private func agent(servesOnce: Bool = false) -> Dialog<String> {
    Dialog(.agent(servesOnce: servesOnce))
  }

  // MARK: Answers

  @Test func anAnswerGoesToThePromptThatIsShownAndOnlyOnce() {
    var dialog = caller()
    #expect(dialog.answered("early", at: start) == .nothing, "nothing was asked")
    #expect(dialog.prompted(prompt("n1"), at: start) == .nothing)
    #expect(dialog.answered("2468", at: start) == .respond(nonce: "n1", "2468"))
    #expect(dialog.text(at: start)?.entry == nil)
    #expect(dialog.text(at: start)?.message?.text == "Checking the answer.")
    #expect(dialog.answered("again", at: start) == .nothing)
    #expect(dialog.fellBack(at: start) == .nothing)
  }

  @Test func anAnswerThatCameTooLateIsForThePromptThatAsksTheSame() {
    var dialog = caller()
    _ = dialog.prompted(prompt("n1"), at: start)
    _ = dialog.answered("2468", at: start)
    dialog.returned("2468")
    #expect(dialog.prompted(prompt("n2", asking: nil), at: start) == .nothing, "it waits")
    #expect(dialog.prompted(prompt("n3"), at: start) == .respond(nonce: "n3", "2468"))
    #expect(dialog.prompted(prompt("n4"), at: start) == .nothing, "it is not kept")
  }

  @Test(arguments: [("One-time code: ", false), ("Passcode: ", true)])
  func anAnswerThatCameTooLateIsForNoOtherQuestion(_ question: String, _ echoes: Bool) {
    var dialog = caller()
    _ = dialog.prompted(prompt("n1"), at: start)
    _ = dialog.answered("2468", at: start)
    dialog.returned("2468")
    let other = prompt("n2", asking: question) { $0.passcodeEchoes = echoes }
    #expect(dialog.prompted(other, at: start) == .nothing)
    #expect(dialog.prompted(prompt("n3"), at: start) == .nothing, "it is forgotten")
  }

  @Test func anAnswerToAnEarlierPromptCountsWhereTheQuestionIsTheSame() {
    var dialog = caller()
    let (first, other) = (prompt("n1"), prompt("n1", asking: "One-time code: "))
    _ = dialog.prompted(prompt("n2"), at: start)
    #expect(dialog.answered("2468", to: other, at: start) == .nothing)
    #expect(dialog.answered("2468", to: first, at: start) == .respond(nonce: "n2", "2468"))
  }

  @Test func theGivenAnswerIsForTheFirstQuestionThatShowsNone() {
    var dialog = caller(given: "1234")
    _ = dialog.prompted(prompt("n1") { $0.passcodeEchoes = true }, at: start)
    #expect(dialog.prompted(prompt("n2"), at: start) == .respond(nonce: "n2", "1234"))
  }

  @Test func theGivenPasscodeIsNoApplicationPassword() {
    var dialog = caller(given: "1234")
    let other = prompt("n1") {
      $0.passcode = false
      $0.applicationPassword = true
    }
    #expect(dialog.prompted(other, at: start) == .nothing)
  }

  @Test func anAuthenticatorBringsItsOwnWords() {
    var dialog = caller()
    let other = prompt("n1", asking: nil) {
      $0.passcode = false
      var key = AuthenticationMessages.Authenticator()
      key.instruction = "Touch your key"
      $0.authenticators = [AuthenticationMessages.Authenticator(), key]
    }
    #expect(dialog.prompted(other, at: start) == .nothing)
    #expect(dialog.text(at: start)?.authenticators.map(\.instruction) == ["Touch your key"])
  }

  @Test func whoeverCannotAnswerAnotherQuestionIsNotAsked() {
    var dialog = caller(given: "1234", isUnattended: true)
    _ = dialog.prompted(prompt("n1"), at: start)
    _ = dialog.noticed(notice("miss", "passcode"))
    #expect(dialog.prompted(prompt("n2"), at: start) == .cancel(nonce: "n2"))
    #expect(dialog.exhaustion == .authenticationFailed)
    var other = caller(isUnattended: true)
    let finger = prompt("n1", asking: nil) { $0.biometry = true }
    #expect(other.prompted(finger, at: start) == .nothing, "a finger needs no terminal")
    #expect(other.exhaustion == nil)
    #expect(other.prompted(prompt("n2"), at: start) == .cancel(nonce: "n2"))
    #expect(other.exhaustion == .notInteractive)
  }

  // MARK: No, and the fallback

  @Test func aNoIsSaidToThePromptAndToEachThatFollows() {
    var dialog = caller()
    _ = dialog.prompted(prompt("n1"), at: start)
    #expect(dialog.declined() == .cancel(nonce: "n1"))
    #expect(dialog.prompted(prompt("n2"), at: start) == .cancel(nonce: "n2"))
  }

  @Test func aNoWithoutAPromptEndsTheDialog() {
    var dialog = caller()
    #expect(dialog.declined() == .end)
    _ = dialog.queued(ahead: 2)
    #expect(dialog.declined() == .end)
    _ = dialog.prompted(prompt("n1"), at: start)
    var answered = caller()
    _ = answered.prompted(prompt("n1"), at: start)
    _ = answered.answered("2468", at: start)
    #expect(answered.declined() == .end, "while the answer is checked")
  }

  @Test func theFallbackIsChosenOnlyWhereItIsOffered() {
    var dialog = caller()
    _ = dialog.prompted(prompt("n1", asking: nil), at: start)
    #expect(dialog.fellBack(at: start) == .nothing)
    let hidden = prompt("n2", asking: nil) { ($0.fallback, $0.fallbackTitle) = (true, "") }
    _ = dialog.prompted(hidden, at: start)
    #expect(dialog.fellBack(at: start) == .nothing)
    let offering = prompt("n3", asking: nil) { ($0.fallback, $0.biometry) = (true, true) }
    _ = dialog.prompted(offering, at: start)
    #expect(dialog.fellBack(of: hidden, at: start) == .nothing, "it was offered for no finger")
    #expect(dialog.fellBack(of: offering, at: start) == .fallBack(nonce: "n3"))
  }

  // MARK: Agents

  @Test func anAgentTakesNoAnswerAtFirstButANo() {
    var dialog = agent()
    _ = dialog.prompted(prompt("n1") { $0.fallback = true }, at: start)
    #expect(dialog.text(at: start)?.entry == nil)
    #expect(dialog.answered("2468", at: start) == .nothing)
    #expect(dialog.fellBack(at: start) == .nothing)
    #expect(dialog.changes(after: start) == .milliseconds(700))
    var other = dialog
    #expect(other.declined() == .cancel(nonce: "n1"))
    #expect(dialog.text(at: later)?.entry?.label == "Passcode")
    #expect(dialog.answered("2468", at: later) == .respond(nonce: "n1", "2468"))
  }

  @Test func nothingOfOneEvaluationIsLeftForTheNext() {
    var dialog = agent()
    _ = dialog.prompted(prompt("n1"), at: start)
    _ = dialog.noticed(notice("miss"))
    _ = dialog.answered("2468", at: later)
    dialog.returned("2468")
    #expect(dialog.declined() == .nothing, "what becomes of the prompt is the daemon's to say")
    #expect(dialog.prompted(prompt("n2", of: "e2"), at: later) == .nothing)
    #expect(dialog.text(at: later)?.message == nil)
    #expect(dialog.answered("2468", at: later) == .nothing)
  }

  @Test func anotherPromptOfTheSameEvaluationTakesAnswersAtOnce() {
    var dialog = agent()
    _ = dialog.prompted(prompt("n1"), at: start)
    _ = dialog.prompted(prompt("n2"), at: later)
    #expect(dialog.answered("2468", at: later) == .respond(nonce: "n2", "2468"))
  }

  @Test func aPromptThatIsOverLeavesALine() {
    var dialog = agent()
    #expect(dialog.declined() == .end)
    dialog = agent()
    _ = dialog.prompted(prompt("n1"), at: start)
    #expect(dialog.dismissed(dismissal(of: "another")) == .nothing)
    let line = "timeout: deploy, for sh (process 7)"
    #expect(dialog.dismissed(dismissal(of: "e1")) == .note(line, isLast: false))
    #expect(dialog.text(at: later)?.message?.text.hasPrefix("Waiting for programs") == true)
    #expect(dialog.declined() == .end)
    var once = agent(servesOnce: true)
    _ = once.prompted(prompt("n1"), at: start)
    #expect(once.dismissed(dismissal(of: "e1")) == .note(line, isLast: true))
  }

  @Test func interruptIsANoToWhatAnAgentShowsAndToNothingElse() {
    var dialog = agent()
    #expect(dialog.interrupted() == .nothing)
    _ = dialog.prompted(prompt("n1"), at: start)
    #expect(dialog.interrupted() == .cancel(nonce: "n1"))
    var own = caller()
    _ = own.prompted(prompt("n1"), at: start)
    #expect(own.interrupted() == .nothing)
  }

  // MARK: What is shown

  @Test func nothingIsShownBeforeAnythingIsTold() {
    var dialog = caller()
    #expect(dialog.text(at: start) == nil && dialog.changes(after: start) == nil)
    _ = dialog.prompted(prompt("n1"), at: start)
    dialog.goOn()
    #expect(dialog.text(at: start) == nil)
  }

  @Test(arguments: [(1, "another request is"), (3, "3 other requests are")])
  func whoeverWaitsIsToldHowManyAreFirst(_ ahead: Int64, _ others: String) {
    var dialog = caller()
    _ = dialog.queued(ahead: ahead)
    #expect(dialog.text(at: start)?.reason == "deploy")
    #expect(dialog.text(at: start)?.message?.text == "Waiting: \(others) first.")
  }

  @Test func theCountdownEndsAtZero() {
    var dialog = caller()
    _ = dialog.prompted(prompt("n1") { $0.secondsLeft = 2 }, at: start)
    let seconds = [0, 500, 1000, 1001, 2000, 9000].map { milliseconds in
      dialog.text(at: start + .milliseconds(milliseconds))?.secondsLeft
    }
    #expect(seconds == [2, 2, 1, 1, 0, 0])
    #expect(dialog.changes(after: start + .milliseconds(300)) == .milliseconds(700))
    #expect(dialog.changes(after: start + .milliseconds(1999)) == .milliseconds(20))
    #expect(dialog.changes(after: start + .seconds(2)) == nil)
  }

  @Test func whatIsTypedStaysWhereTheQuestionIsTheSame() {
    var dialog = caller()
    _ = dialog.prompted(prompt("n1"), at: start)
    let first = dialog.questions
    _ = dialog.noticed(notice("miss", "biometry"))
    _ = dialog.prompted(prompt("n2"), at: start)
    #expect(dialog.questions == first)
    #expect(dialog.text(at: start)?.message?.text == "That is wrong.")
    _ = dialog.prompted(prompt("n3", asking: "One-time code: "), at: start)
    #expect(dialog.questions == first + 1)
    _ = dialog.answered("2468", at: start)
    _ = dialog.prompted(prompt("n4", asking: "One-time code: "), at: start)
    #expect(dialog.questions == first + 2, "what is typed for one is not for the next")
  }
}
