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
  /// The lockouts on the second day of somebody who touches from a midnight on whenever that is possible, if
  /// the owner proves the passcode at each login that finds the fingers locked.
  ///
  /// The passcode opens a lock, and delays begin anew; a refusal that passes by itself is waited for. On
  /// the first day there is also what a device allows that nobody has tried.
  public let lockoutsPerDay: Double
  /// The share of a day in which fingers are refused, if the owner proves no passcode.
  public let share: Double

  /// Computes what touches do to the device of `plan`, each taking as long as `presenting`.
  ///
  /// Nobody is denied a finger by a policy that asks for none.
  public init(_ plan: PolicyCase, presenting: Duration = .seconds(1)) {
    guard plan.asksForFinger else {
      (touches, effort, refusal) = (nil, .zero, nil)
      (lockoutsPerDay, share) = (0, 0)
      return
    }
    let first = Siege(plan, presenting, stopsAtRefusal: true)
    touches = first.lockouts > 0 ? first.touches : nil
    effort = presenting * Int(first.touches)
    let closed = Siege(plan, presenting)
    refusal = closed.firstRefusal
    share = closed.refused / .nanoseconds(Calendar.day)
    let opened = Siege(plan, presenting, days: 2, openedAt: Calendar(plan.habits))
    lockoutsPerDay = Double(opened.lockoutsOfLastDay)
  }
}

/// Touches that never match, for days from a midnight on.
private struct Siege {
  /// Touches that were judged.
  private(set) var touches = 0 as UInt32
  /// Refusals that began.
  private(set) var lockouts = 0
  /// Those of them that began on the last day.
  private(set) var lockoutsOfLastDay = 0
  /// The length of the first; nil if it ends only with the passcode, or if there is none.
  private(set) var firstRefusal: Duration?
  /// How long fingers were refused.
  private(set) var refused = Duration.zero

  /// A lock is opened at the next login of `calendar`; never if there is none.
  init(
    _ plan: PolicyCase,
    _ presenting: Duration,
    days: Int64 = 1,
    openedAt calendar: Calendar? = nil,
    stopsAtRefusal: Bool = false
  ) {
    let end = days * Calendar.day
    var attempts = DeviceAttempts()
    var now = 0 as Int64
    while now < end {
      let next: Int64
      switch attempts.charge(.biometry, under: plan.rules, at: .virtual(now)) {
      case .charged:
        touches += 1
        now += presenting.wholeNanoseconds
        continue
      case .refused(let left):
        if lockouts == 0 { firstRefusal = left }
        next = now + min(left.wholeNanoseconds, end)
      case .locked:
        next = calendar?.login(from: now) ?? end
        attempts.passcodeProven(at: .virtual(next))
      }
      lockouts += 1
      if now >= end - Calendar.day { lockoutsOfLastDay += 1 }
      refused += .nanoseconds(min(next, end) - now)
      now = next
      if stopsAtRefusal { return }
    }
  }
}
