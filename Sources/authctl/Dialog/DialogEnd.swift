import LocalAuthClient
import LocalAuthCore
import LocalAuthTerminal
import LocalAuthWire

/// Turns the end of a dialog into a report.
enum DialogEnd {
  /// Waits for the end of `dialog`.
  ///
  /// After a signal the report is printed at once, because the signal's old effect ends the process.
  static func report(
    of dialog: consuming EvaluationDialog,
    _ context: VerbContext,
    _ device: DeviceChoice
  ) throws(Failure) -> Report {
    do throws(DialogError) {
      switch try dialog.run() {
      case .result(let result):
        return Report(result, advice: context.advice(for: result, device))
      case .cancelled:
        throw .client(.remote(name: "io.localauth.Devices.Refused", cancelled))
      case .interrupted(let signal):
        let failure = Failure(.appCancel, "Interrupted by a signal; nothing was allowed.")
        if context.output.wantsJSON { _ = context.output.writeLine(failure.report) }
        dialog.reraise(signal)
        return Report(failure.outcome, failure.message) { _ in }
      }
    } catch {
      switch error {
      case .client(let error): throw Failure(error, typed: context.typed())
      case .terminal(let error): throw Failure(error)
      }
    }
  }

  private static var cancelled: ServiceMessages.ErrorParameters {
    var parameters = ServiceMessages.ErrorParameters()
    parameters.outcome = OutcomeCode.userCancel.rawValue
    return parameters
  }
}
