import LocalAuthCore
import LocalAuthSecret
import LocalAuthService

/// A key that does what the test says, and writes down for which charges it was started.
final class HeldKey: Authenticator {
  final class Touch: Judgment {
    let charge: DurableCharge
    private let onEvent: (AuthenticatorEvent) -> Void
    private(set) var isAborted = false
    private(set) var hasEnded = false

    init(_ charge: DurableCharge, _ onEvent: @escaping (AuthenticatorEvent) -> Void) {
      self.charge = charge
      self.onEvent = onEvent
    }

    private(set) var answers = 0

    func respond(_ answer: SecretBox) { answers += 1 }
    func abort() { isAborted = true }

    func say(_ event: AuthenticatorEvent) {
      if case .ended = event { hasEnded = true }
      onEvent(event)
    }

    func end(_ verdict: Verdict) { say(.ended(verdict)) }
    func touch() { end(.proven(finger: nil, generation: nil)) }
  }

  let description: AuthenticatorDescription
  var provenance: String
  var isReady = true
  private(set) var touches: [Touch] = []

  init(
    name: String = "work-key",
    asking: AuthenticatorDescription.Asking = .touch,
    provenance: String = "",
    isSimulated: Bool = false,
    reportsPresence: Bool = true
  ) {
    self.provenance = provenance
    description = AuthenticatorDescription(
      name: name,
      kind: .badge,
      judging: .byItself,
      asking: asking,
      instruction: "Touch your key",
      method: "key",
      reference: "hwk",
      isSimulated: isSimulated,
      reportsPresence: reportsPresence
    )
  }

  func judge(
    _: Submission,
    for charge: DurableCharge,
    onEvent: @escaping (AuthenticatorEvent) -> Void
  ) -> (any Judgment)? {
    let touch = Touch(charge, onEvent)
    touches.append(touch)
    return touch
  }
}
