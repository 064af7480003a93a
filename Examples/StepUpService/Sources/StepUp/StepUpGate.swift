public import LocalAuthVerifier
import Synchronization

/// Lets an action through once the person at the machine has approved exactly that action, just now, for
/// this service.
///
/// ```swift
/// // A request without proof:
/// let challenge = gate.challenge(for: "delete release 42")        // answer 401 with it
/// // The same request with `Authorization: Bearer …`:
/// let proof = try gate.admit(bearer, for: "delete release 42")    // throws, or go ahead
/// ```
///
/// The text of the action is the service's own, made from what it is about to do and never from what the
/// client says it wants: that is what makes the approved action the one that runs.
///
/// Everything it remembers is in memory. After a restart every open challenge is unknown, so nothing that
/// was used before counts again.
public final class StepUpGate: Sendable {
  /// What an approval must be worth.
  public struct Requirement: Sendable {
    /// The `acr` values that count, the preferred first.
    public var acrValues = ["urn:localauth:acr:device-owner"]
    /// How many seconds ago the person may have proven it, between 1 and 60.
    public var maxAge: Int64 = 60
    /// How long a challenge may be answered.
    public var challengeLifetime = Duration.seconds(120)
    /// Whether a simulated device counts: for tests and demonstrations, and nothing else.
    public var allowsSimulated = false

    /// The requirement of a service that wants the owner of the machine.
    public init() {}
  }

  /// Why a request is not let through.
  public enum Refusal: Error, Hashable, Sendable {
    /// What came is no assertion.
    case unreadable
    /// The challenge was never handed out, or was answered before.
    case unknownChallenge
    /// The challenge was answered too late.
    case expiredChallenge
    /// The challenge was handed out for another action.
    case otherAction
    /// The assertion breaks one of the verifier's rules.
    case assertion(AssertionError)
  }

  /// How many challenges may be open at a time.
  public static let openMax = 1024

  private let audience: String
  private let requirement: Requirement
  private let verifier: AssertionVerifier
  private let challenges: Mutex<OpenChallenges>

  /// A gate of the service called `audience`.
  ///
  /// - Parameters:
  ///   - audience: what assertions must be made out to; the service's own address.
  ///   - issuers: whose assertions count, from where the service trusts them to come.
  ///   - requirement: what they must be worth.
  public init(
    audience: String,
    trusting issuers: [AssertionVerifier.Issuer],
    _ requirement: Requirement = Requirement()
  ) {
    self.audience = audience
    self.requirement = requirement
    verifier = AssertionVerifier(issuers)
    challenges = Mutex(
      OpenChallenges(lifetime: requirement.challengeLifetime, limit: Self.openMax)
    )
  }

  /// What a client needs to have `action` approved; each call opens a challenge of its own.
  public func challenge(
    for action: String,
    at now: ContinuousClock.Instant = .now
  ) -> ApprovalChallenge {
    ApprovalChallenge(
      action: action,
      audience: audience,
      nonce: challenges.withLock { $0.open(action, at: now) },
      acrValues: requirement.acrValues,
      maxAge: requirement.maxAge
    )
  }

  /// Whether `assertion` approves `action`; a challenge is spent by the first answer to it.
  ///
  /// - Returns: who approved it, when and how: for the service's log.
  @discardableResult
  public func admit(
    _ assertion: String,
    for action: String,
    at now: ContinuousClock.Instant = .now
  ) throws(Refusal) -> AssertionClaims {
    // Which of the open challenges is meant; nothing of the assertion is believed yet.
    guard let nonce = AssertionVerifier.unverifiedNonce(of: assertion) else { throw .unreadable }
    try spend(nonce, for: action, at: now)
    var expected = AssertionVerifier.Expectation(audience: audience, nonce: nonce, action: action)
    expected.acrValues = Set(requirement.acrValues)
    expected.maxAge = requirement.maxAge
    expected.allowsSimulated = requirement.allowsSimulated
    do throws(AssertionError) {
      return try verifier.verify(assertion, expected)
    } catch {
      throw .assertion(error)
    }
  }

  private func spend(
    _ nonce: String,
    for action: String,
    at now: ContinuousClock.Instant
  ) throws(Refusal) {
    do throws(OpenChallenges.Failure) {
      try challenges.withLock { (open) throws(OpenChallenges.Failure) in
        try open.spend(nonce, for: action, at: now)
      }
    } catch {
      switch error {
      case .unknown: throw .unknownChallenge
      case .expired: throw .expiredChallenge
      case .forAnotherAction: throw .otherAction
      }
    }
  }
}

extension StepUpGate.Refusal: CustomStringConvertible {
  /// One line that says what is wrong.
  public var description: String {
    switch self {
    case .unreadable: "That is no assertion."
    case .unknownChallenge: "This challenge is not open: ask again without an assertion."
    case .expiredChallenge: "The challenge was answered too late: ask again."
    case .otherAction: "The challenge was for another action."
    case .assertion(let error): "\(error)"
    }
  }
}
