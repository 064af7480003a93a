/// The entitlement of one program: its application identifier and its keychain access groups.
public struct Entitlement: Hashable, Sendable {
  /// The program's identity in the keychain; also the name of its private access group.
  public var applicationIdentifier: String
  /// The shared keychain groups; new items go to the first one, and `*` means all groups.
  public var groups: [String]
  /// The groups that the program shares for other purposes, which are access groups too.
  public var applicationGroups: [String]

  /// Creates an entitlement with these names.
  public init(applicationIdentifier: String, groups: [String], applicationGroups: [String] = []) {
    self.applicationIdentifier = applicationIdentifier
    self.groups = groups
    self.applicationGroups = applicationGroups
  }

  /// The entitlement if no file exists: all programs of a user share the group `local`.
  public static let builtIn = Entitlement(applicationIdentifier: "local", groups: ["local"])

  /// The caller's access groups in the keychain's order, each once: the keychain groups, the
  /// application identifier, the application groups.
  public var accessGroups: [String] {
    var names: [String] = []
    for name in groups + [applicationIdentifier] + applicationGroups where !names.contains(name) {
      names.append(name)
    }
    return names
  }
}

/// The users whose programs a daemon serves, which decides what its rules may rely on.
public enum EntitlementScope: CaseIterable, Hashable, Sendable {
  /// One user: rules may tell the user's programs apart by facts those programs could forge.
  case user
  /// All users: only facts that the kernel and root guarantee count.
  case system
}

/// Why a fact about a program could not be determined.
public struct UnknownFact: Error, Hashable, Sendable, CustomStringConvertible {
  /// The reason, in one line.
  public var description: String

  /// Creates the error with its `reason`.
  public init(_ reason: String) { description = reason }
}

/// The facts about a program that rules ask for; each is read only when a rule needs it.
public protocol ProgramFacts {
  /// The user the program ran as when it connected.
  var userID: UInt32 { get }
  /// Returns the program's control group.
  mutating func controlGroup() throws(UnknownFact) -> ControlGroupPath
  /// Whether the program currently runs the file at `path`.
  mutating func runs(_ path: String) throws(UnknownFact) -> Bool
}

/// Rules that assign entitlements to programs; the first match wins.
public struct Entitlements: Hashable, Sendable {
  /// Conditions, all of which must hold, and the entitlement; a rule without conditions always
  /// matches.
  public struct Rule: Hashable, Sendable {
    /// The users; nil for all.
    public var users: Set<UInt32>?
    /// The systemd unit; nil for any or none.
    public var unit: String?
    /// The control group itself, not what is below it; nil for any.
    public var controlGroup: ControlGroupPath?
    /// The program's executable file; nil for any.
    public var executable: String?
    /// The entitlement of a program that meets all conditions.
    public var entitlement: Entitlement

    /// Creates a rule without conditions, which always matches.
    public init(_ entitlement: Entitlement) { self.entitlement = entitlement }
  }

  /// The decision of the rules about one program.
  public enum Decision: Hashable, Sendable {
    /// The first matching rule grants this entitlement.
    case entitled(Entitlement)
    /// No rule matches.
    case noRule
    /// A fact needed by a rule is unknown; later rules are not evaluated.
    case unknown(UnknownFact)
  }

  /// The rules in their order.
  public var rules: [Rule]

  /// Creates rules in this order.
  public init(_ rules: [Rule]) { self.rules = rules }

  /// The rules if no file exists.
  public static let builtIn = Entitlements([Rule(.builtIn)])

  /// Evaluates the rules for the program that `facts` describe.
  public func decide(
    _ facts: inout some ProgramFacts,
    in scope: EntitlementScope
  ) -> Decision {
    for rule in rules {
      do throws(UnknownFact) {
        if try rule.matches(&facts, in: scope) { return .entitled(rule.entitlement) }
      } catch {
        return .unknown(error)
      }
    }
    return .noRule
  }
}

extension Entitlements.Rule {
  /// Whether all conditions hold; a condition that fails decides even if another is unknown.
  fileprivate func matches(
    _ facts: inout some ProgramFacts,
    in scope: EntitlementScope
  ) throws(UnknownFact) -> Bool {
    if let users, !users.contains(facts.userID) { return false }
    // A program can always run as another file by copying its own. Failing to match such a rule
    // therefore gains a program nothing, and the rule can be skipped safely.
    if executable != nil, scope == .system { return false }
    var unknown: UnknownFact?
    do throws(UnknownFact) {
      if try !isGroup(of: &facts, in: scope) { return false }
    } catch { unknown = error }
    if let executable, try !facts.runs(executable) { return false }
    if let unknown { throw unknown }
    return true
  }

  private func isGroup(
    of facts: inout some ProgramFacts,
    in scope: EntitlementScope
  ) throws(UnknownFact) -> Bool {
    guard unit != nil || controlGroup != nil else { return true }
    let found = try facts.controlGroup()
    if let controlGroup, found != controlGroup { return false }
    guard let unit else { return true }
    switch scope {
    case .system: return found.systemUnit == unit
    case .user: return (found.userUnit ?? found.systemUnit) == unit
    }
  }

  /// Whether this rule matches every program that `other` matches.
  func covers(_ other: Self) -> Bool {
    if let users {
      guard let others = other.users, others.isSubset(of: users) else { return false }
    }
    return (unit == nil || unit == other.unit)
      && (controlGroup == nil || controlGroup == other.controlGroup)
      && (executable == nil || executable == other.executable)
  }
}
