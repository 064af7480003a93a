import Glibc
import LocalAuthAnalysis
import LocalAuthCore
import LocalAuthUnix

/// A line on the terminal that says how far something is, how fast, and how much longer it takes.
struct ProgressLine {
  private let unit: String
  private let isShown: Bool
  private let start = SystemClock.bootNow()
  private var last = SystemClock.bootNow()

  /// A line that counts in `unit`; shown on a terminal only, and not with `--quiet`.
  init(in unit: String, _ context: VerbContext) {
    self.unit = unit
    isShown = !context.output.isQuiet && isatty(STDERR_FILENO) != 0
  }

  /// Shows how far it is, ten times a second at most.
  ///
  /// - Parameters:
  ///   - share: What is done of all, up to 1.
  ///   - units: What is done, in units.
  ///   - what: What is being done, or nothing to say that of.
  mutating func show(_ share: Double, units: Double, of what: String = "") {
    let now = SystemClock.bootNow()
    guard isShown, share > 0, now - last > .milliseconds(100) else { return }
    last = now
    let seconds = (now - start) / .seconds(1)
    let left = Duration.seconds(Int64(((1 - share) * seconds / share).rounded(.up)))
    let rate = RateText.significant(units / seconds)
    let end = what.isEmpty ? "" : "  " + what
    write(
      "\r\(Int(share * 100)) %  \(rate) \(unit)/s  \(DurationText.format(left)) left\(end)\u{1B}[K"
    )
  }

  /// Takes the line away.
  func clear() { if isShown { write("\r\u{1B}[K") } }

  private func write(_ text: String) {
    let bytes = Array(text.utf8)
    // SAFETY: the array is valid for the call; a line that cannot be shown is not missed.
    _ = unsafe Glibc.write(STDERR_FILENO, bytes, bytes.count)
  }
}
