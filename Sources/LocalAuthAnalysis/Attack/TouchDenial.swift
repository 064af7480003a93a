import LocalAuthCore

/// What somebody achieves who touches the sensor on purpose so that its owner cannot use it.
///
/// They never get in: their finger never matches. The cost is the owner's, who has to type a
/// passcode, or wait, as the machines demand.
public struct TouchDenial: Hashable, Sendable {
  /// How many touches a lockout takes; nil if fingers are never refused.
  public let touches: UInt32?
  /// How long a lockout takes them, from the first touch to the last.
  public let effort: Duration
  /// How long fingers are refused after the first lockout; nil if until the passcode is proven.
  public let refusal: Duration?
  /// The lockouts that can be made in a day, by somebody who touches whenever that is possible, if
  /// the owner proves the passcode at each login that finds the fingers locked.
  public let lockoutsPerDay: Double
  /// The share of a day in which fingers are refused, if the owner proves no passcode.
  public let share: Double

  /// Computes what touches do to the device of `plan`, each taking as long as `presenting`.
  public init(_ plan: PolicyCase, presenting: Duration = .seconds(1)) {
    let day = Duration.seconds(86_400)
    let first = Siege(plan, presenting, until: day, stopsAtRefusal: true)
    touches = first.lockouts > 0 ? first.touches : nil
    effort = presenting * Int(first.touches)
    let whole = Siege(plan, presenting, until: day, stopsAtRefusal: false)
    refusal = whole.firstRefusal
    share = whole.refused / day
    let logins = Double(plan.habits.loginsPerDay)
    lockoutsPerDay = whole.isLocked ? Double(whole.lockouts) - 1 + logins : Double(whole.lockouts)
  }
}

/// A day of touches that never match.
private struct Siege {
  /// Touches that were judged.
  private(set) var touches = 0 as UInt32
  /// Refusals that began.
  private(set) var lockouts = 0
  /// The length of the first; nil if it ends only with the passcode, or if there is none.
  private(set) var firstRefusal: Duration?
  /// Whether the passcode is needed at last.
  private(set) var isLocked = false
  /// How long fingers were refused.
  private(set) var refused = Duration.zero

  init(_ plan: PolicyCase, _ presenting: Duration, until end: Duration, stopsAtRefusal: Bool) {
    var attempts = DeviceAttempts()
    var now = Duration.zero
    while now < end {
      let moment = Moment.virtual(now.wholeNanoseconds)
      switch attempts.charge(.biometry, under: plan.rules, at: moment) {
      case .charged:
        touches += 1
        now += presenting
        continue
      case .refused(let left):
        lockouts += 1
        if lockouts == 1 { firstRefusal = left }
        refused += min(left, end - now)
        now += left
      case .locked:
        lockouts += 1
        isLocked = true
        refused += end - now
        now = end
      }
      if stopsAtRefusal { return }
    }
  }
}
