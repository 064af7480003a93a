/// Wall-clock times in RFC 3339 format, in UTC: `2026-08-01T11:02:03Z`.
enum Timestamp {
  private static let secondsPerDay: Int64 = 86_400

  /// Formats milliseconds since 1970-01-01, in whole seconds.
  static func text(_ milliseconds: Int64) -> String {
    let seconds = floor(milliseconds, 1000)
    let day = floor(seconds, secondsPerDay)
    let time = seconds - day * secondsPerDay
    let (year, month, date) = civil(day)
    let clock = [time / 3600, time / 60 % 60, time % 60].map { padded($0, 2) }
    return [padded(year, 4), padded(month, 2), padded(date, 2)].joined(separator: "-")
      + "T" + clock.joined(separator: ":") + "Z"
  }

  /// Converts days since 1970-01-01 to year, month and day in the Gregorian calendar.
  ///
  /// Internally years start in March, so that a leap day is the last day of its year.
  private static func civil(_ day: Int64) -> (year: Int64, month: Int64, day: Int64) {
    let shifted = day + 719_468
    let era = floor(shifted, 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
  }

  /// Divides, rounding down for negative values too.
  private static func floor(_ value: Int64, _ divisor: Int64) -> Int64 {
    value >= 0 ? value / divisor : (value - divisor + 1) / divisor
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
