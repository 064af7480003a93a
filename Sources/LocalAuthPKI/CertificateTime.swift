/// The times of a certificate's validity.
enum CertificateTime {
  /// Converts a UTCTime or a GeneralizedTime to seconds since 1970-01-01 UTC.
  ///
  /// Besides the required forms, `YYMMDDhhmmssZ` and `YYYYMMDDhhmmssZ`, old certificates have an
  /// offset from UTC in place of the `Z`; a UTCTime in UTC may also lack the seconds.
  static func seconds(_ element: DERElement) throws(PKIError) -> Int64 {
    var digits = element.content
    let isShort = element.tag == DERTag.utcTime
    guard isShort || element.tag == DERTag.generalizedTime else { throw .malformed }
    let difference = try takeZone(&digits)
    var year = try number(&digits)
    if isShort {
      // RFC 5280, 4.1.2.5.1.
      year += year < 50 ? 2000 : 1900
    } else {
      year = 100 * year + (try number(&digits))
    }
    let month = try number(&digits)
    let day = try number(&digits)
    let hour = try number(&digits)
    let minute = try number(&digits)
    let second = isShort && difference == 0 && digits.isEmpty ? 0 : try number(&digits)
    guard digits.isEmpty, (1...12).contains(month), (1...days(in: month, of: year)).contains(day),
      hour < 24, minute < 60, second <= 60
    else { throw .malformed }
    let days = Int64(daysSince1970(year, month, day))
    return ((days * 24 + Int64(hour)) * 60 + Int64(minute - difference)) * 60 + Int64(second)
  }

  /// Removes the time zone at the end; returns its offset from UTC in minutes.
  private static func takeZone(_ digits: inout ArraySlice<UInt8>) throws(PKIError) -> Int {
    if digits.last == UInt8(ascii: "Z") {
      digits = digits.dropLast()
      return 0
    }
    var zone = digits.suffix(5)
    guard zone.count == 5, let sign = zone.popFirst(),
      sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-")
    else { throw .malformed }
    digits = digits.dropLast(5)
    let minutes = try 60 * number(&zone) + number(&zone)
    return sign == UInt8(ascii: "+") ? minutes : -minutes
  }

  /// Removes the next two digits; returns their number.
  private static func number(_ digits: inout ArraySlice<UInt8>) throws(PKIError) -> Int {
    guard let tens = digits.popFirst(), let ones = digits.popFirst(),
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(tens),
      (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(ones)
    else { throw .malformed }
    return 10 * Int(tens - UInt8(ascii: "0")) + Int(ones - UInt8(ascii: "0"))
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Converts a date to days since 1970-01-01.
  ///
  /// Years begin in March, so that a leap day is the last of its year, and are grouped into cycles
  /// of 400 years with 146,097 days.
  private static func daysSince1970(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let year = month > 2 ? year : year - 1
    let turn = year >= 0 ? year / 400 : -1
    let yearOfTurn = year - 400 * turn
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfTurn = 365 * yearOfTurn + yearOfTurn / 4 - yearOfTurn / 100 + dayOfYear
    return 146_097 * turn + dayOfTurn - 719_468
  }
}
