import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthUnix

/// A line on the terminal that shows progress, speed and remaining time.
struct ProgressLine {
  private let unit: String
  private let line: TerminalLine
  private let start = SystemClock.bootNow()
  private var last = SystemClock.bootNow()

  /// Creates a line that counts in `unit`; it is shown only on a terminal, and not with `--quiet`.
  init(in unit: String, _ context: VerbContext) {
    self.unit = unit
    line = TerminalLine(context)
  }

  /// Shows the progress, at most ten times a second.
  ///
  /// - Parameters:
  ///   - share: The completed share, up to 1.
  ///   - units: The completed units.
  ///   - what: What is being done; empty to omit it.
  mutating func show(_ share: Double, units: Double, of what: String = "") {
    let now = SystemClock.bootNow()
    guard line.isShown, share > 0, now - last > .milliseconds(100) else { return }
    last = now
    let seconds = (now - start) / .seconds(1)
    let left = Duration.seconds(Int64(((1 - share) * seconds / share).rounded(.up)))
    let rate = RateText.significant(units / seconds)
    let end = what.isEmpty ? "" : "  " + what
    line.show("\(Int(share * 100)) %  \(rate) \(unit)/s  \(DurationText.words(left)) left\(end)")
  }

  /// Erases the line.
  func clear() { line.clear() }
}
