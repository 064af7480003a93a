/// A rule for what must be proven: a requirement and how it is asked for.
public struct Policy: Hashable, Sendable {
  /// The order in which the parts of a requirement are asked for.
  public enum Presentation: String, CaseIterable, Hashable, Sendable {
    /// One after the other.
    case sequential
    /// All that make progress at once; the first verdict decides.
    case parallel
  }

  /// Whether the passcode may be used instead of a finger.
  public enum FallbackMode: String, CaseIterable, Hashable, Sendable {
    /// The person may ask for it.
    case allowed
    /// The fallback is not offered.
    case forbidden
    /// The passcode is asked for from the start, and a finger only on a device without a passcode.
    case forced
  }

  /// The name; `user/…` for a policy of the user's own.
  public var name: String
  /// One sentence on what it is for.
  public var summary: String
  /// What must be proven.
  public var requirement: Requirement
  /// How it is asked for.
  public var presentation: Presentation
  /// Whether the person may switch to the passcode.
  public var fallback: FallbackMode
  /// The button's text, or nil for the default.
  public var fallbackTitle: String?
  /// The longest an evaluation may take, whatever the caller asks for.
  public var timeLimit: Duration?
  /// Wrong passcodes that end one evaluation.
  public var passcodeTries: UInt32
  /// Whether a device without a passcode is refused outright.
  public var needsPasscodeSet: Bool
  /// When a finger is not enough.
  public var freshness: FreshnessRules
  /// The weakest sensor that is accepted.
  public var minimumStrength: SensorStrength
  /// A second lockout profile; the stricter of it and the device's holds.
  public var lockout: String?
  /// The longest time a device unlock by finger may stand in for a touch; zero for never.
  public var reuseLimit: Duration
  /// What may be remembered of a success if the caller wants that; nil for nothing.
  public var grant: GrantRule?
  /// The authentication context class (acr) of a success.
  public var acr: String

  /// The policy with these rules.
  public init(
    name: String,
    summary: String = "",
    requirement: Requirement,
    presentation: Presentation = .sequential,
    fallback: FallbackMode = .allowed,
    fallbackTitle: String? = nil,
    timeLimit: Duration? = nil,
    passcodeTries: UInt32 = 3,
    needsPasscodeSet: Bool = false,
    freshness: FreshnessRules = FreshnessRules(),
    minimumStrength: SensorStrength = .weak,
    lockout: String? = nil,
    reuseLimit: Duration = .seconds(300),
    grant: GrantRule? = nil,
    acr: String = ""
  ) {
    self.name = name
    self.summary = summary
    self.requirement = requirement
    self.presentation = presentation
    self.fallback = fallback
    self.fallbackTitle = fallbackTitle
    self.timeLimit = timeLimit
    self.passcodeTries = passcodeTries
    self.needsPasscodeSet = needsPasscodeSet
    self.freshness = freshness
    self.minimumStrength = minimumStrength
    self.lockout = lockout
    self.reuseLimit = reuseLimit
    self.grant = grant
    self.acr = acr
  }
}
