/// Questions that are answered on all processors, each by itself, until a signal comes.
struct QuestionRun<Question: Sendable> {
  private let questions: [Question]
  private let unit: String

  /// Asks `questions`, whose progress is counted in `unit`.
  init(_ questions: [Question], in unit: String) {
    (self.questions, self.unit) = (questions, unit)
  }

  /// Answers the questions.
  ///
  /// - Parameters:
  ///   - interruption: Ends the run; if it has come already, nothing is asked.
  ///   - context: Where progress is shown.
  ///   - answer: Takes a question and a function that says whether to stop; nil if it was stopped.
  /// - Returns: The answers so far in the order of the questions, and whether there is one to each.
  /// - Throws: The failure of the first question that has one, if no signal came.
  func perform<Answer: Sendable>(
    until interruption: inout Interruption,
    _ context: VerbContext,
    answer: @escaping @Sendable (Question, () -> Bool) throws(Failure) -> Answer?
  ) throws(Failure) -> (answers: [Answer], isComplete: Bool) {
    let (results, isComplete) = try results(until: &interruption, context, answer: answer)
    var answers: [Answer] = []
    for (_, result) in results.sorted(by: { $0.key < $1.key }) {
      switch result {
      case .success(let answer): answers.append(answer)
      case .failure(let failure): if isComplete { throw failure }
      }
    }
    return (answers, isComplete)
  }

  /// Answers the questions, as ``perform(until:_:answer:)`` does, and keeps what failed: by the number of the question.
  func results<Answer: Sendable>(
    until interruption: inout Interruption,
    _ context: VerbContext,
    answer: @escaping @Sendable (Question, () -> Bool) throws(Failure) -> Answer?
  ) throws(Failure) -> (result: [Int: Result<Answer, Failure>], isComplete: Bool) {
    guard !questions.isEmpty else { return ([:], !interruption.hasCome()) }
    let questions = questions
    var line = ProgressLine(in: unit, context)
    defer { line.clear() }
    return try SimulationRun<[Int: Result<Answer, Failure>]>(UInt32(questions.count), nothing: [:])
      .perform(
        threads: min(questions.count, ThreadCount.usual),
        until: &interruption,
        progress: { line.show(Double($0) / Double(questions.count), units: Double($0)) },
        piece: { number, isStopped in
          do throws(Failure) {
            let answer = try answer(questions[Int(number)], isStopped)
            return answer.map { [Int(number): .success($0)] }
          } catch { return [Int(number): .failure(error)] }
        },
        merge: { $0.merge($1) { first, _ in first } }
      )
  }
}
