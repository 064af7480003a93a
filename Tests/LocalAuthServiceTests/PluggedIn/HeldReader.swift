import LocalAuthCore
import LocalAuthService

/// A fingerprint reader that does what the test says.
final class HeldReader: FingerprintReader {
  let description = AuthenticatorDescription(
    name: "reader",
    kind: .fingerprint,
    judging: .byItself,
    asking: .touch,
    method: "fingerprint",
    isSimulated: false,
    reportsPresence: true
  )
  var provenance = ""
  var presence = SensorPresence.ready(.weak)
  var prints: EnrolledPrints? = EnrolledPrints(fingers: [.rightIndex], token: 1)
  var noticesChanges = true
  private(set) var touches: [HeldKey.Touch] = []
  private(set) var enrolments: [(finger: Finger, onEvent: (ReaderEnrolmentEvent) -> Void)] = []
  private(set) var cancelled = 0
  var removal: String?

  var isReady: Bool {
    if case .ready = presence { prints?.fingers.isEmpty == false } else { false }
  }

  func judge(
    _: Submission,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> (any Judgment)? {
    let touch = HeldKey.Touch(charge, onEvent)
    touches.append(touch)
    return touch
  }

  func enroll(
    _ finger: Finger,
    onEvent: @escaping (ReaderEnrolmentEvent) -> Void
  ) -> () -> Void {
    enrolments.append((finger, onEvent))
    return { self.cancelled += 1 }
  }

  func remove(_ finger: Finger?, then body: @escaping (String?) -> Void) { body(removal) }
}
