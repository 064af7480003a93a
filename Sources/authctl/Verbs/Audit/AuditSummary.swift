import LocalAuthCore
import LocalAuthJSON
import LocalAuthTerminal
import LocalAuthWire

/// Lines of the audit, counted by day.
struct AuditSummary {
  /// The lines of one day: what was asked for and how often it ended how, and who asked.
  struct Day: Equatable {
    /// The day, in UTC.
    let date: String
    /// The number of lines.
    private(set) var count = 0
    /// The number of lines by what was asked for and by its outcome.
    private(set) var endings: [String: [String: Int]] = [:]
    /// The number of lines by the name of the program that asked.
    private(set) var programs: [String: Int] = [:]

    init(date: String) { self.date = date }

    fileprivate mutating func add(_ line: DeviceMessages.AuditLine) {
      count += 1
      endings[line.action, default: [:]][line.outcome, default: 0] += 1
      if !line.program.isEmpty { programs[line.program, default: 0] += 1 }
    }
  }

  /// The days that have lines, the oldest first.
  private(set) var days: [Day] = []

  /// Counts `lines`, which are in the order of their times.
  init(_ lines: [DeviceMessages.AuditLine]) {
    for line in lines {
      let date = Timestamp.day(line.time)
      if days.last?.date != date { days.append(Day(date: date)) }
      days[days.count - 1].add(line)
    }
  }

  var report: Report {
    let total = days.reduce(0) { $0 + $1.count }
    let message = CountText.of(total, "line") + "."
    return Report(message, answer: days.flatMap { Self.lines($0) }) { [days] in
      $0.member("days", days) { day, writer in Self.write(day, to: &writer) }
    }
  }

  private static func lines(_ day: Day) -> [String] {
    let actions = day.endings.map { action, outcomes in
      (action, outcomes.values.reduce(0, +), listed(outcomes))
    }
    var rows = actions.sorted { ($1.1, $0.0) < ($0.1, $1.0) }
      .map { ["  \($0.0)", "\($0.1)", $0.2] }
    if !day.programs.isEmpty { rows.append(["  asked by", "", listed(day.programs)]) }
    return [day.date] + Columns.table(rows, columns: Columns.shownColumns)
  }

  /// `34 success, 2 userCancel`, the most frequent first.
  private static func listed(_ counts: [String: Int]) -> String {
    sorted(counts).map { "\($0.count) \($0.name)" }.joined(separator: ", ")
  }

  private static func sorted(_ counts: [String: Int]) -> [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }
      .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }

  private static func write(_ day: Day, to writer: inout JSONWriter<JSONGrowingBuffer>) {
    writer.member("day", day.date)
    writer.member("lines", Int64(day.count))
    let endings = sorted(day.endings.mapValues { $0.values.reduce(0, +) }).flatMap { action in
      sorted(day.endings[action.name] ?? [:]).map { (action.name, $0.name, $0.count) }
    }
    writer.member("endings", endings) { ending, writer in
      writer.member("action", ending.0)
      writer.member("outcome", ending.1)
      writer.member("count", Int64(ending.2))
    }
    writer.member("programs", sorted(day.programs)) { program, writer in
      writer.member("program", program.name)
      writer.member("count", Int64(program.count))
    }
  }
}
