public import LocalAuthCore
import LocalAuthKeychain

/// An evaluation that has its device's prompt, or waits for it, for display.
///
/// It has no nonce, so that whoever sees it can answer nothing, and no names of items, which only
/// their prompt shows.
public struct AskedEvaluation: Sendable {
  /// Who asks for what; without an outcome.
  public var line: AuditRecord
  /// The factors that would answer now.
  public var live: FactorSet
  /// Time left to answer.
  public var timeLeft: Duration
}

extension Engine {
  /// What is asked on a device of the caller: the evaluation that has the prompt, then those that
  /// wait for it, in their order.
  public func asked(
    on name: String?,
    caller: Caller
  ) throws(EngineError) -> [AskedEvaluation] {
    let device = try device(named: name, of: caller)
    let now = device.now(clock.now())
    return device.current(clock.now()).promptOrder.compactMap { session($0) }
      .filter { $0.outcome == nil }
      .map { session in
        AskedEvaluation(
          line: session.askedLine,
          live: session.live,
          timeLeft: max(.zero, session.deadline - now.boot)
        )
      }
  }
}

extension Session {
  /// The audit line of what is asked, with the words of the action or the number of items.
  fileprivate var askedLine: AuditRecord {
    var line = audit
    line.shownAction = request.action?.text ?? request.items?.summary ?? ""
    return line
  }
}
