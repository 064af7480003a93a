import LocalAuthCore

/// When a daemon follows what a hub's program says unasked, or says by ending.
///
/// A program can be told of news without end, by a member or by whoever took it over, and can end as soon as it was
/// started. Each is a round, and the latter a process.
///
/// | event                                         | what is due, and when                                    |
/// |-----------------------------------------------|----------------------------------------------------------|
/// | news                                          | a round, at once, but a second after the last one        |
/// | the program ended behind all that it was asked | a round, after a wait that doubles, up to five minutes   |
/// | it ended, and news is due                     | that news waits as long                                  |
/// | news of a program that runs, behind that wait | a round, as for any news: the wait was for another one   |
///
/// The wait begins anew with a program that ran for a minute. Nothing is lost: what is said while a round is due comes with it.
struct NewsPace {
  /// The least time between two rounds.
  static let interval = Duration.seconds(1)
  /// How long a program has run that is started anew without a long wait.
  static let steadyRun = Duration.seconds(60)
  /// The longest wait for another program.
  static let longestWait = Duration.seconds(300)

  /// When a round is due; nil for none.
  private(set) var due: BootInstant?
  private var last: BootInstant?
  private var started: BootInstant?
  private var backoff = Backoff(longest: longestWait)

  /// A program was started.
  mutating func begin(at now: BootInstant) { started = now }

  /// It says that there is news.
  mutating func hear(at now: BootInstant) {
    let soonest = last.map { max(now, $0 + Self.interval) } ?? now
    // A program that says something runs: what waited for another one does not wait longer.
    due = due.map { started == nil ? $0 : min($0, soonest) } ?? soonest
  }

  /// It ended, and owed answers or not: whoever waits for one tries again by itself.
  mutating func end(at now: BootInstant, owingAnswers isAwaited: Bool) {
    if let started, now - started >= Self.steadyRun { backoff.reset() }
    started = nil
    let end = now + backoff.next()
    guard due != nil || !isAwaited else { return }
    due = end
  }

  /// A round begins.
  mutating func take(at now: BootInstant) {
    due = nil
    last = now
  }
}
