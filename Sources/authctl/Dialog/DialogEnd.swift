import LocalAuthClient
import LocalAuthCore
import LocalAuthTerminal
import LocalAuthWire

/// Turns the end of a dialog into a report.
enum DialogEnd {
  /// What a dialog came to.
  enum Conclusion<Value> {
    case value(Value)
    /// A signal came and its old effect did not end the process.
    case interrupted(Report)
  }

  /// Waits for the end of an evaluation.
  static func report(
    of dialog: consuming EvaluationDialog<EvaluationEnding>,
    _ context: VerbContext,
    _ device: DeviceChoice
  ) throws(Failure) -> Report {
    switch try conclusion(of: &dialog, context) {
    case .value(let result): Report(result, advice: context.advice(for: result, device))
    case .interrupted(let report): report
    }
  }

  /// Waits for the end of `dialog`.
  ///
  /// After a signal the report is printed at once, because the signal's old effect ends the process.
  static func conclusion<Ending>(
    of dialog: inout EvaluationDialog<Ending>,
    _ context: VerbContext
  ) throws(Failure) -> Conclusion<Ending.Value> {
    do throws(DialogError) {
      switch try dialog.run() {
      case .result(let value): return .value(value)
      case .cancelled:
        throw .client(.remote(name: "io.localauth.Devices.Refused", cancelled))
      case .interrupted(let signal):
        let failure = Failure(.appCancel, "Interrupted by a signal; nothing was allowed.")
        if context.output.wantsJSON { _ = context.output.writeLine(failure.report) }
        dialog.reraise(signal)
        return .interrupted(Report(failure.outcome, failure.message) { _ in })
      }
    } catch {
      throw failure(error, context)
    }
  }

  /// Why a dialog came to no end of its own.
  static func failure(_ error: DialogError, _ context: VerbContext) -> Failure {
    switch error {
    case .client(let error): Failure(error, typed: context.typed())
    case .terminal(let error): Failure(error)
    }
  }

  private static var cancelled: ServiceMessages.ErrorParameters {
    var parameters = ServiceMessages.ErrorParameters()
    parameters.outcome = OutcomeCode.userCancel.rawValue
    return parameters
  }
}
