/// What evidence rests on.
public enum AuthenticatorClass: String, CaseIterable, Hashable, Sendable {
  /// What a person is.
  case biometry
  /// What a person has.
  case possession
  /// What a person knows.
  case knowledge
}

/// A kind of evidence: what it rests on, what a policy calls it, and how its proof is named.
///
/// The kinds below are those that LocalAuth judges itself. An authenticator that is plugged in may bring another one
/// along: nothing but the kind's own description depends on it.
public struct AuthenticatorKind: Hashable, Sendable {
  /// Its name in messages and files: letters of ASCII, digits and `-`.
  public let name: String
  /// What it rests on.
  public let evidence: AuthenticatorClass
  /// The factor that a proof of it is, which attempts are counted by.
  public let factor: Factor

  /// A kind called `name`, whose proof is one of `factor`.
  public init(name: String, evidence: AuthenticatorClass, factor: Factor) {
    self.name = name
    self.evidence = evidence
    self.factor = factor
  }

  /// A finger.
  public static let fingerprint = Self(name: "fingerprint", evidence: .biometry, factor: .biometry)
  /// The passcode of a device.
  public static let passcode = Self(name: "passcode", evidence: .knowledge, factor: .passcode)
  /// The password that an application keeps for its own items.
  public static let applicationPassword = Self(
    name: "application-password",
    evidence: .knowledge,
    factor: .applicationPassword
  )
}

/// What is known of one authenticator: everything but how it judges.
public struct AuthenticatorDescription: Hashable, Sendable {
  /// How an attempt reaches its judge, in the same order of effects.
  public enum Judging: String, Hashable, Sendable {
    /// It captures or is given something, and is asked to judge it once that is charged.
    case onRequest
    /// It captures and judges by itself, and so is started once an attempt is charged.
    case byItself
  }

  /// What it asks of the person.
  public enum Asking: String, Hashable, Sendable {
    case nothing
    case text
    case touch
  }

  /// Its name, which tells it from the others of its device.
  public var name: String
  /// What kind of evidence it judges.
  public var kind: AuthenticatorKind
  /// How it judges.
  public var judging: Judging
  /// What it asks of the person.
  public var asking: Asking
  /// What the person is told to do, in a sentence; nil where the client knows.
  public var instruction: String?
  /// How a proof of it is called in results and in the audit.
  public var method: String
  /// Its authentication method reference of RFC 8176, or nil.
  public var reference: String?
  /// Whether its proof is simulated.
  public var isSimulated: Bool
  /// Whether it says when it has something to judge, and that it stopped before: such an attempt costs nothing.
  public var reportsPresence: Bool

  /// The authenticator with these properties.
  public init(
    name: String,
    kind: AuthenticatorKind,
    judging: Judging,
    asking: Asking,
    instruction: String? = nil,
    method: String,
    reference: String? = nil,
    isSimulated: Bool,
    reportsPresence: Bool = false
  ) {
    self.name = name
    self.kind = kind
    self.judging = judging
    self.asking = asking
    self.instruction = instruction
    self.method = method
    self.reference = reference
    self.isSimulated = isSimulated
    self.reportsPresence = reportsPresence
  }
}
