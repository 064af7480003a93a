import LocalAuthCore
import LocalAuthSensor

/// How a person's finger changes its state during a login and between two.
///
/// A presentation counts with its mean duration and a pause with the time from the beginning of one
/// login to that of the next, in the simulation as in the solution.
struct FingerChanges {
  /// The change during a presentation.
  let presenting: FingerStateStep
  /// The change while a passcode is typed.
  let typing: FingerStateStep
  /// The change between two logins of a day.
  private let pause: FingerStateStep
  /// The change between the last login of a day and the first of the next.
  private let night: FingerStateStep
  private let lastLogin: UInt32
  private let process: FingerStateProcess

  init(_ plan: borrowing PolicyCase) {
    process = plan.sensor.fingerState
    presenting = process.step(over: plan.sensor.latency.mean)
    typing = process.step(over: plan.habits.typing)
    let calendar = Calendar(plan.habits)
    lastLogin = calendar.logins - 1
    pause = process.step(over: .nanoseconds(calendar.gap(after: 0)))
    night = process.step(over: .nanoseconds(calendar.gap(after: lastLogin)))
  }

  /// Returns the change during a wait.
  func waiting(_ time: Duration) -> FingerStateStep { process.step(over: time) }

  /// Returns the change from login `number` of a day to the next login.
  func pausing(after number: UInt32) -> FingerStateStep { number < lastLogin ? pause : night }
}
