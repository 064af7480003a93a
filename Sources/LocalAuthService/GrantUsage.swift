import LocalAuthCore

/// The audit of grants that answer often.
///
/// A process's first answer from a grant is in the audit before it is given. Its next ones are counted
/// in that same line, which is brought up to date once a second at most: or each answer would wait for
/// the disk.
final class GrantUsage {
  /// A class, so that counting copies no line.
  private final class Uses {
    var line: AuditRecord
    var count: UInt32 = 1
    var isDue = false

    init(_ line: AuditRecord) { self.line = line }
  }

  /// How long a line may be behind.
  private static let delay = Duration.seconds(1)
  /// Lines that are kept for grants which may have ended long ago.
  private static let linesMax = 256

  private let runner: EffectRunner
  private let clock: any Scheduling
  private var uses: [EvaluationID: Uses] = [:]
  private var flushing: ScheduleToken?

  init(runner: EffectRunner, clock: any Scheduling) {
    self.runner = runner
    self.clock = clock
  }

  /// Whether no line is behind.
  var isIdle: Bool { flushing == nil }

  /// A process has its first answer from `grant`, and `line` says so on the disk.
  func began(_ grant: EvaluationID, _ line: AuditRecord) {
    if uses.count >= Self.linesMax { uses = uses.filter(\.value.isDue) }
    if let previous = uses[grant], previous.isDue { flush() }
    uses[grant] = Uses(line)
  }

  /// Counts an answer to the process that had the last one, for the same reason; false when that was
  /// another, which gets a line of its own.
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

  /// Brings all lines up to date.
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
