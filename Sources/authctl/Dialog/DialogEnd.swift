import LocalAuthClient
import LocalAuthCore
import LocalAuthDialog
import LocalAuthTerminal
import LocalAuthWire

/// A dialog's result that can state why nobody was left to answer.
protocol Refusable {
  /// Whether the person, or the program on their behalf, refused.
  var isUserCancel: Bool { get }
  /// Returns the same result with another outcome, and without what was proven.
  func refused(as outcome: OutcomeCode) -> Self
}

extension AuthenticationMessages.Result: Refusable {
  var isUserCancel: Bool { code == .userCancel }
}

extension RemoteAnswer: Refusable {
  var isUserCancel: Bool { outcome == .userCancel }
}

/// Turns the end of a dialog into a report.
enum DialogEnd {
  /// The conclusion of a dialog.
  enum Conclusion<Value> {
    case value(Value)
    /// A signal arrived, and its default action did not end the process.
    case interrupted(Report)
  }

  /// Waits for an evaluation to end, and reports it.
  static func report(
    of run: consuming DialogRun<EvaluationEnding>,
    _ context: VerbContext,
    _ device: DeviceChoice
  ) throws(Failure) -> Report {
    switch try conclusion(of: &run, context) {
    case .value(let result): Report(result, advice: context.advice(for: result, device))
    case .interrupted(let report): report
    }
  }

  /// Waits for `run` to end.
  ///
  /// After a signal the report is printed at once, because re-raising the signal normally ends the
  /// process.
  static func conclusion<Ending>(
    of run: inout DialogRun<Ending>,
    _ context: VerbContext
  ) throws(Failure) -> Conclusion<Ending.Value> where Ending.Value: Refusable {
    let end: DialogRun<Ending>.End
    do throws(DialogError) { end = try run.run() } catch { throw failure(error, context) }
    switch end {
    case .result(let value):
      guard let exhaustion = run.exhaustion, value.isUserCancel else { return .value(value) }
      return .value(value.refused(as: exhaustion))
    case .closed, .abandoned: throw Failure(.userCancel, OutcomeCode.userCancel.sentence)
    case .interrupted(let signal):
      let failure = Failure(.appCancel, "Interrupted by a signal; nothing was allowed.")
      if context.output.wantsJSON { _ = context.output.writeLine(failure.report) }
      run.reraise(signal)
      return .interrupted(Report(failure.outcome, failure.message) { _ in })
    }
  }

  /// Returns why a dialog failed.
  static func failure(_ error: DialogError, _ context: VerbContext) -> Failure {
    switch error {
    case .client(let error): Failure(error, typed: context.typed())
    case .terminal(let error): Failure(error)
    }
  }
}
