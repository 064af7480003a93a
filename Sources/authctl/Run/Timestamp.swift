/// Wall-clock times in RFC 3339 format, in UTC: `2026-08-01T11:02:03Z`.
enum Timestamp {
  /// The length of a day.
  static let millisecondsPerDay = secondsPerDay * 1000
  private static let secondsPerDay: Int64 = 86_400

  /// The day of milliseconds since 1970-01-01: `2026-08-01`.
  static func day(_ milliseconds: Int64) -> String {
    String(text(milliseconds).prefix { $0 != "T" })
  }

  /// The beginning of the day of `milliseconds`.
  static func beginningOfDay(_ milliseconds: Int64) -> Int64 {
    floor(milliseconds, millisecondsPerDay) * millisecondsPerDay
  }

  /// Reads a day with or without a time, as ``text(_:)`` writes it or shorter: `2026-08-01`,
  /// `2026-08-01T11:02`; a blank may stand for the `T`, and the `Z` may be left out.
  ///
  /// Nil if it is anything else, or no day of the calendar in `years`.
  static func milliseconds(_ text: String, years: ClosedRange<Int64> = 1970...9999) -> Int64? {
    let parts = text.split(
      maxSplits: 1,
      omittingEmptySubsequences: false,
      whereSeparator: { $0 == "T" || $0 == " " }
    )
    let day = parts[0].split(separator: "-", omittingEmptySubsequences: false)
    guard day.count == 3, let year = number(day[0], digits: 4, years),
      let month = number(day[1], digits: 2, 1...12), let date = number(day[2], digits: 2, 1...31)
    else { return nil }
    let days = dayNumber(year, month, date)
    guard civil(days) == (year, month, date) else { return nil }
    let begins = days * millisecondsPerDay
    guard parts.count == 2 else { return begins }
    let clock = parts[1].hasSuffix("Z") ? parts[1].dropLast() : parts[1]
    return timeOfDay(clock).map { begins + $0 }
  }

  /// Reads a time of day, `11:02` or `11:02:03`, in milliseconds.
  static func timeOfDay(_ text: some StringProtocol) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard (2...3).contains(parts.count), let hour = number(parts[0], digits: 2, 0...23),
      let minute = number(parts[1], digits: 2, 0...59),
      let second = parts.count == 2 ? 0 : number(parts[2], digits: 2, 0...59)
    else { return nil }
    return (hour * 3600 + minute * 60 + second) * 1000
  }

  private static func number(
    _ text: some StringProtocol,
    digits: Int,
    _ range: ClosedRange<Int64>
  ) -> Int64? {
    guard text.utf8.count == digits, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      let number = Int64(text), range.contains(number)
    else { return nil }
    return number
  }

  /// Days since 1970-01-01; the inverse of ``civil(_:)``.
  private static func dayNumber(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = floor(shiftedYear, 400)
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

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
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? quotient - 1 : quotient
  }

  private static func padded(_ value: Int64, _ width: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.utf8.count)) + digits
  }
}
