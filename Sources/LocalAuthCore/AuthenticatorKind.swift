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
/// The kinds below are those that LocalAuth judges itself. A plugged-in authenticator may bring
/// another one: nothing depends on more than the kind's own description.
public struct AuthenticatorKind: Hashable, Sendable {
  /// Its name in messages and files: ASCII letters, digits and `-`.
  public let name: String
  /// What it rests on.
  public let evidence: AuthenticatorClass
  /// The factor it proves, which attempts are counted by.
  public let factor: Factor

  /// A kind called `name` that proves `factor`.
  public init(name: String, evidence: AuthenticatorClass, factor: Factor) {
    self.name = name
    self.evidence = evidence
    self.factor = factor
  }

  /// A finger.
  public static let fingerprint = Self(name: "fingerprint", evidence: .biometry, factor: .biometry)
  /// Something that a person touches or plugs in.
  public static let key = Self(name: "key", evidence: .possession, factor: .possession)
  /// A short code that something which the person has computes.
  public static let code = Self(name: "code", evidence: .possession, factor: .possession)
  /// The password of an account, which PAM judges; no manifest may claim it.
  public static let password = Self(name: "password", evidence: .knowledge, factor: .passcode)
  /// The passcode of a device.
  public static let passcode = Self(name: "passcode", evidence: .knowledge, factor: .passcode)
  /// The password that an application keeps for its own items.
  public static let applicationPassword = Self(
    name: "application-password",
    evidence: .knowledge,
    factor: .applicationPassword
  )

  /// The kinds that programs outside LocalAuth may judge.
  public static let outside: [Self] = [.key, .code, .fingerprint]
}

/// Whether an authenticator that is a program can be asked, in the words of its `Watch`.
public enum AuthenticatorState: String, Hashable, Sendable {
  case available
  case busy
  case gone
  case suspended
  case lidClosed = "lid-closed"

  /// Why it cannot be asked, one sentence; nil if it can.
  public var message: String? {
    switch self {
    case .available: nil
    case .busy: "It is busy."
    case .gone: "It is not connected."
    case .suspended: "It is asleep."
    case .lidClosed: "Its lid is closed."
    }
  }

  /// Why a sensor that is there cannot be asked; nil if it can, or if it is gone.
  public var hindrance: SensorHindrance? {
    switch self {
    case .available, .gone: nil
    case .busy: .busy
    case .suspended: .suspended
    case .lidClosed: .lidClosed
    }
  }
}

/// Which of the things that a person has count for a requirement.
public enum Possession: Hashable, Sendable {
  /// Any of them.
  case any
  /// Those of the kind with this name.
  case kind(String)
  /// The authenticator with this name.
  case authenticator(String)

  /// Whether proof by this authenticator counts.
  public func includes(_ authenticator: AuthenticatorDescription) -> Bool {
    authenticator.kind.factor == .possession
      && includes(authenticator.name, kind: authenticator.kind.name)
  }

  /// Whether proof by the authenticator with this name counts, which judges something that the
  /// person has, of this kind.
  public func includes(_ authenticator: String, kind: String) -> Bool {
    switch self {
    case .any: true
    case .kind(let name): kind == name
    case .authenticator(let name): authenticator == name
    }
  }
}

/// Everything known of one authenticator except how it judges.
public struct AuthenticatorDescription: Hashable, Sendable {
  /// How an attempt reaches its judge; the order of effects is the same.
  public enum Judging: String, Hashable, Sendable {
    /// It captures or receives a sample, and is asked to judge it once that is charged.
    case onRequest
    /// It captures and judges by itself, so it is started once an attempt is charged.
    case byItself
  }

  /// What it asks of the person.
  public enum Asking: String, CaseIterable, Hashable, Sendable {
    case nothing
    case text
    case touch
  }

  /// Its name, unique among the authenticators of its device.
  public var name: String
  /// What kind of evidence it judges.
  public var kind: AuthenticatorKind
  /// How it judges.
  public var judging: Judging
  /// What it asks of the person.
  public var asking: Asking
  /// The instruction to the person, one sentence; nil if the client knows it.
  public var instruction: String?
  /// The name of its proof in results and in the audit.
  public var method: String
  /// Its authentication method reference of RFC 8176, or nil.
  public var reference: String?
  /// Whether its proof is simulated.
  public var isSimulated: Bool
  /// Whether it reports that it has something to judge; an attempt that stops before that costs
  /// nothing.
  public var reportsPresence: Bool
  /// How strong its proof is, for biometry; nil where that is not fixed.
  public var strength: SensorStrength?

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
    reportsPresence: Bool = false,
    strength: SensorStrength? = nil
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
    self.strength = strength
  }
}
