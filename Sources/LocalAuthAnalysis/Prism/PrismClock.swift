import LocalAuthCore

/// Times of days and ages of proofs in a written chain, as whole numbers of the longest unit that
/// divides them all.
struct PrismClock {
  /// The number of the last login of a day.
  let lastLogin: UInt32
  private let rules: FreshnessRules
  private let unit: Int64
  private let calendar: Calendar

  init(_ plan: PolicyCase, _ machines: PrismMachines) {
    calendar = Calendar(plan.habits)
    lastLogin = calendar.logins - 1
    rules = plan.policy.freshness
    var times = [
      calendar.start(of: 0, on: 0), calendar.gap(after: 0), calendar.gap(after: lastLogin),
    ]
    for case .end(let end) in machines.nodes {
      times += [end.typed, end.matched].compactMap(\.self)
    }
    unit = times.reduce(0, Self.commonDivisor)
  }

  private static func commonDivisor(_ left: Int64, _ right: Int64) -> Int64 {
    right == 0 ? left : commonDivisor(right, left % right)
  }

  /// Whether the age of a proof matters.
  var hasAges: Bool { rules.memory > 0 }

  /// The age from which no rule can tell two proofs apart.
  private var oldest: Int64 { (rules.memory - 1) / unit + 1 }

  /// The predicates of time.
  var formulas: [String] {
    [
      "formula isLast = login = days * loginsPerDay - 1;",
      "formula isLastOfDay = mod(login + 1, loginsPerDay) = 0;",
    ] + (hasAges ? ages : [])
  }

  private var ages: [String] {
    let (day, night) = (calendar.gap(after: 0) / unit, calendar.gap(after: lastLogin) / unit)
    return [
      "// The time to the next login, and when the passcode is due, in \(Double(unit) / 1e9) s.",
      "const int oldest = \(oldest);",
      "formula gap = isLastOfDay ? \(night) : \(day);",
      "formula due = \(due);",
    ]
  }

  private var due: String {
    func over(_ age: String, _ limit: Duration?) -> String? {
      limit.map { "\(age) > \($0.wholeNanoseconds / unit)" }
    }
    // A match lifts the limit of the passcode only if the policy says for how long.
    let old = [
      over("sinceTyped", rules.passcodeWithin), over("sinceMatch", rules.unlessMatchedWithin),
    ]
    .compactMap(\.self)
    let hasLimit = rules.passcodeWithin != nil
    let parts = [
      over("min(sinceTyped, sinceMatch)", rules.anyWithin),
      hasLimit ? old.joined(separator: " & ") : nil,
    ]
    let due = parts.compactMap(\.self).map { "(\($0))" }.joined(separator: " | ")
    return due.isEmpty ? "false" : due
  }

  /// The declarations of the variables.
  var variables: [String] {
    let first = min(oldest, calendar.start(of: 0, on: 0) / unit)
    return ["  login : [0..days * loginsPerDay - 1] init 0;"]
      + (hasAges
        ? [
          "  // The ages of the last right passcode and the last match.",
          "  sinceTyped : [0..oldest] init \(first);", "  sinceMatch : [0..oldest] init oldest;",
        ] : [])
  }

  /// The updates from this end of a login to the next login.
  func updates(_ end: PrismEnd) -> String {
    guard hasAges else { return "(login'=login + 1)" }
    func age(_ name: String, _ stamp: Int64?) -> String {
      let age = stamp.map { $0 > 0 ? "gap - \($0 / unit)" : "gap" } ?? "\(name) + gap"
      return "(\(name)'=min(oldest, \(age)))"
    }
    return
      ["(login'=login + 1)", age("sinceTyped", end.typed), age("sinceMatch", end.matched)]
      .joined(separator: " & ")
  }

  /// The updates that make all ends of the last login one state.
  var reset: String {
    (["login"] + (hasAges ? ["sinceTyped", "sinceMatch"] : [])).map { "(\($0)'=0)" }
      .joined(separator: " & ")
  }
}
