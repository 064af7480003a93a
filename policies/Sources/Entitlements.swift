/// What one program is entitled to: a name of its own and the access groups of the keychain.
public struct Entitlement: Hashable, Sendable {
  /// Who the program is, to the keychain; also the name of a group that is its own.
  public var applicationIdentifier: String
  /// The groups that it shares with others, the first one being where it adds items; `*` for all.
  public var groups: [String]
  /// Groups that it shares for other things than the keychain, and that it may name here too.
  public var applicationGroups: [String]

  /// The entitlement with these names.
  public init(applicationIdentifier: String, groups: [String], applicationGroups: [String] = []) {
    self.applicationIdentifier = applicationIdentifier
    self.groups = groups
    self.applicationGroups = applicationGroups
  }

  /// What every program has where nobody wrote a file: the group `local`, shared by all of a user.
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

/// Whose programs a daemon answers, which decides what its rules may rely on.
public enum EntitlementScope: CaseIterable, Hashable, Sendable {
  /// One user's: rules may tell his programs apart by what he could fake.
  case user
  /// Everybody's: only what the kernel and root vouch for counts.
  case system
}

/// Why something about a program could not be learnt.
public struct UnknownFact: Error, Hashable, Sendable, CustomStringConvertible {
  /// One line.
  public var description: String

  /// Something that is unknown because of `reason`.
  public init(_ reason: String) { description = reason }
}

/// What rules ask about a program; nothing is read before a rule asks for it.
public protocol ProgramFacts {
  /// The user that it ran as when it connected.
  var userID: UInt32 { get }
  /// The control group that it is in.
  mutating func controlGroup() throws(UnknownFact) -> ControlGroupPath
  /// Whether it runs the file at `path` now.
  mutating func runs(_ path: String) throws(UnknownFact) -> Bool
}

/// Rules that say what which program is entitled to: the first one that matches holds.
public struct Entitlements: Hashable, Sendable {
  /// Conditions, all of which must hold, and what follows; without any condition it always matches.
  public struct Rule: Hashable, Sendable {
    /// The users; nil for all.
    public var users: Set<UInt32>?
    /// The systemd unit; nil for any or none.
    public var unit: String?
    /// The control group itself, not what is below it; nil for any.
    public var controlGroup: ControlGroupPath?
    /// The program's file; nil for any.
    public var executable: String?
    /// What a program is entitled to that meets all of these.
    public var entitlement: Entitlement

    /// A rule that always matches, until conditions are set.
    public init(_ entitlement: Entitlement) { self.entitlement = entitlement }
  }

  /// What the rules say about one program.
  public enum Decision: Hashable, Sendable {
    /// The first rule that matches entitles it to this.
    case entitled(Entitlement)
    /// No rule matches.
    case noRule
    /// Whether a rule matches could not be learnt, and no later one is asked.
    case unknown(UnknownFact)
  }

  /// The rules in their order.
  public var rules: [Rule]

  /// The rules in this order.
  public init(_ rules: [Rule]) { self.rules = rules }

  /// What holds where nobody wrote a file.
  public static let builtIn = Entitlements([Rule(.builtIn)])

  /// What the program is entitled to that `facts` are about.
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
  /// Whether all conditions hold; one that does not is enough for a no, whatever is unknown.
  fileprivate func matches(
    _ facts: inout some ProgramFacts,
    in scope: EntitlementScope
  ) throws(UnknownFact) -> Bool {
    if let users, !users.contains(facts.userID) { return false }
    // A program can always run as another file, by copying its own; so whoever fails to match such
    // a rule gets nothing that it could not have had, and skipping the rule gives nothing away.
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

  /// Whether every program that meets `other` meets this rule too.
  func covers(_ other: Self) -> Bool {
    if let users {
      guard let others = other.users, others.isSubset(of: users) else { return false }
    }
    return (unit == nil || unit == other.unit)
      && (controlGroup == nil || controlGroup == other.controlGroup)
      && (executable == nil || executable == other.executable)
  }
}
