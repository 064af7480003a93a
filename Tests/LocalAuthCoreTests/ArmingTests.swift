import LocalAuthCore
import LocalAuthTestSupport
import Testing

@Suite struct ArmingTests {
  private func armed() -> Arming {
    var arming = Arming("one")
    #expect(arming.said(.armed) == .nothing)
    return arming
  }

  @Test(arguments: [true, false]) func aVerdictOfTheArmedAttemptEndsIt(_ isMatch: Bool) {
    var arming = armed()
    let action = arming.said(.verdict(attempt: "one", isMatch: isMatch))
    #expect(action == .end(isMatch ? .match : .miss))
    #expect(arming.isOver)
  }

  @Test func aSecondVerdictCountsForNothing() {
    var arming = armed()
    _ = arming.said(.verdict(attempt: "one", isMatch: false))
    #expect(arming.said(.verdict(attempt: "one", isMatch: true)) == .nothing)
  }

  @Test(arguments: [
    Arming.Word.touched, .asks(text: "?", echoes: true), .tells(text: "!", isError: false),
    .verdict(attempt: "one", isMatch: true), .refuses("expired"),
  ])
  func nothingCountsBeforeItIsArmed(_ word: Arming.Word) {
    var arming = Arming("one")
    #expect(arming.said(word) == .end(.fault(.early)))
    #expect(arming.said(.armed) == .nothing)
    #expect(arming.said(.verdict(attempt: "one", isMatch: true)) == .nothing)
  }

  @Test func aVerdictOfAnotherAttemptIsAFault() {
    var arming = armed()
    #expect(
      arming.said(.verdict(attempt: "two", isMatch: true)) == .end(.fault(.otherAttempt))
    )
  }

  @Test func itIsArmedOnce() {
    var arming = armed()
    #expect(arming.said(.armed) == .end(.fault(.armedTwice)))
  }

  @Test func whileItsQuestionIsOpenOnlyWordsToThePersonCount() {
    var arming = armed()
    #expect(arming.said(.asks(text: "Code:", echoes: true)) == .ask(text: "Code:", echoes: true))
    #expect(
      arming.said(.tells(text: "wait", isError: false)) == .tell(text: "wait", isError: false)
    )
    #expect(arming.said(.verdict(attempt: "one", isMatch: true)) == .end(.fault(.impatient)))
  }

  @Test func anAnswerLetsItJudge() {
    var arming = armed()
    let isEarly = arming.answered()
    _ = arming.said(.asks(text: "Code:", echoes: true))
    let isTaken = arming.answered()
    #expect(!isEarly && isTaken)
    #expect(arming.said(.verdict(attempt: "one", isMatch: true)) == .end(.match))
  }

  @Test func itSaysSoManyWordsAndNoMore() {
    var arming = armed()
    for _ in 1..<Arming.wordsMax {
      #expect(arming.said(.tells(text: "x", isError: false)) == .tell(text: "x", isError: false))
    }
    #expect(arming.said(.verdict(attempt: "one", isMatch: true)) == .end(.fault(.tooManyWords)))
  }

  @Test func anAccountIsRefusedWhereAVerdictCouldBe() {
    var arming = armed()
    #expect(arming.said(.refuses("expired")) == .end(.refused("expired")))
    #expect(arming.said(.verdict(attempt: "one", isMatch: true)) == .nothing)
    var asking = armed()
    _ = asking.said(.asks(text: "Code:", echoes: true))
    #expect(asking.said(.refuses("expired")) == .end(.fault(.impatient)))
  }

  @Test func whatCannotJudgeSaysSoAtAnyTime() {
    var arming = Arming("one")
    #expect(arming.said(.failed("gone")) == .end(.failed("gone")))
    var asking = armed()
    _ = asking.said(.asks(text: "Code:", echoes: true))
    #expect(asking.said(.failed("gone")) == .end(.failed("gone")))
  }

  /// Whatever it says in whatever order: a match needs `armed` before it, the attempt's name, and no open question.
  @Test func noOrderOfWordsIsAMatchButTheRightOne() {
    var random = SeededGenerator.ofThisRun
    let words: [Arming.Word] = [
      .armed, .touched, .asks(text: "?", echoes: false), .tells(text: "!", isError: true),
      .verdict(attempt: "one", isMatch: true), .verdict(attempt: "one", isMatch: false),
      .verdict(attempt: "two", isMatch: true), .failed("x"), .refuses("y"),
    ]
    for _ in 0..<20_000 {
      var arming = Arming("one")
      var (wasArmed, isOpen, ended) = (false, false, 0)
      for _ in 0..<Int.random(in: 1...8, using: &random) {
        if isOpen, Bool.random(using: &random) {
          isOpen = !arming.answered()
          continue
        }
        guard let word = words.randomElement(using: &random) else { continue }
        let action = arming.said(word)
        if action == .end(.match) {
          #expect(word == .verdict(attempt: "one", isMatch: true) && wasArmed && !isOpen)
        }
        if case .end = action { ended += 1 }
        if word == .armed { wasArmed = true }
        if case .ask = action { isOpen = true }
      }
      #expect(ended <= 1)
    }
  }
}
