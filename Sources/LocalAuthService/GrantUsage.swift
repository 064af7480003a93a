import LocalAuthCore

/// The audit of grants that are redeemed often.
///
/// A process's first answer from a grant is in the audit before it is given. Later answers are
/// counted in the same line, which is updated at most once a second so that not every answer waits
/// for the disk.
final class GrantUsage {
  /// A class, so that counting copies no audit line.
  private final class Uses {
    var line: AuditRecord
    var count: UInt32 = 1
    var isDue = false

    init(_ line: AuditRecord) { self.line = line }
  }

  /// How long a line may lag behind.
  private static let delay = Duration.seconds(1)
  /// The number of lines at which those with nothing to write are dropped: their grants may have
  /// ended long ago.
  private static let linesMax = 256

  private let runner: EffectRunner
  private let clock: any Scheduling
  private var uses: [EvaluationID: Uses] = [:]
  private var flushing: ScheduleToken?

  init(runner: EffectRunner, clock: any Scheduling) {
    self.runner = runner
    self.clock = clock
  }

  /// Whether every line is up to date.
  var isIdle: Bool { flushing == nil }

  /// Starts counting in `line`, which records a process's first answer from `grant` and is durable.
  func began(_ grant: EvaluationID, _ line: AuditRecord) {
    if uses.count >= Self.linesMax { uses = uses.filter(\.value.isDue) }
    if let previous = uses[grant], previous.isDue { flush() }
    uses[grant] = Uses(line)
  }

  /// Counts another answer to the process of the last one, given for the same reason.
  ///
  /// Returns false for any other, which needs an audit line of its own.
  func repeats(_ grant: EvaluationID, _ line: AuditRecord) -> Bool {
    guard let known = uses[grant], known.line.callerPID == line.callerPID,
      known.line.callerUID == line.callerUID, known.line.reason == line.reason
    else { return false }
    known.count += 1
    known.line.ended = line.began
    known.isDue = true
    if flushing == nil {
      flushing = clock.schedule(at: clock.now().boot + Self.delay) { [weak self] in
        self?.flushing = nil
        self?.flush()
      }
    }
    return true
  }

  /// Writes every line that lags behind.
  func flush() {
    if let flushing { clock.cancel(flushing) }
    flushing = nil
    for known in uses.values where known.isDue {
      var line = known.line
      line.detail += "; answered \(known.count) times"
      known.isDue = false
      runner.store([line])
    }
  }
}
