public import LocalAuthKeychain
import LocalAuthPolicies
public import LocalAuthUnix

/// A caller's identity in the keychain.
public struct CallerEntitlement: Hashable, Sendable {
  /// The application identifier; nil for a caller that has no groups.
  public var applicationIdentifier: String?
  /// The groups that the caller may use; none if it could not be identified or no rule matches it.
  public var accessGroups: AccessGroups
  /// Why the caller has no group, in one line for the log; nil if it has some.
  public var refusal: String?

  static func refused(_ reason: String) -> Self {
    Self(applicationIdentifier: nil, accessGroups: AccessGroups([]), refusal: reason)
  }
}

/// The rules for which caller may use which access groups, read once.
///
/// Safe to use from any thread.
public struct EntitlementsSource: Sendable {
  /// The system-wide rules file.
  public static let systemFile = "/etc/localauth/entitlements.json"

  /// Why no caller has a group, in one line with the file, the line number and the allowed values;
  /// nil if the rules are valid.
  public let failure: String?

  private let entitlements: Entitlements
  private let scope: EntitlementScope

  /// Reads the rules: first those of `systemFile`, then those of `userFile`.
  ///
  /// If neither exists, the built-in rule applies: every program is `local` and has the group
  /// `local`. If a file exists but cannot be read or parsed, no caller has any group: the file
  /// might have refused any of them.
  /// - Parameters:
  ///   - systemFile: the administrator's file, or nil.
  ///   - userFile: the user's own file, for that user's daemon only, or nil.
  ///   - isForEverybody: whether programs of several users are served. Then only what the kernel
  ///     and root vouch for counts, and rules about executables are skipped.
  public init(systemFile: String?, userFile: String?, isForEverybody: Bool = false) {
    scope = isForEverybody ? .system : .user
    var rules: [Entitlements.Rule]?
    do throws(PolicyError) {
      for path in [systemFile, userFile].compactMap(\.self) {
        guard let found = try Self.read(path) else { continue }
        rules = (rules ?? []) + found.rules
      }
      entitlements = rules.map(Entitlements.init) ?? .builtIn
      failure = nil
    } catch {
      entitlements = Entitlements([])
      failure = "\(error); until it is mended no program has an access group"
    }
  }

  /// Rules that no caller can match, or that leave every caller they test without groups, each in
  /// one line for the log at start-up.
  ///
  /// These are rules about program files that are missing or not to be trusted.
  public var warnings: [String] {
    guard scope == .user else { return [] }
    return entitlements.rules.compactMap(\.executable).compactMap { path in
      do throws(ExecutableFileError) {
        return try ExecutableFile(trusted: path) == nil ? "\(path) is not there" : nil
      } catch {
        return "\(error)"
      }
    }
  }

  /// The identity of `peer` in the keychain, from the current state of its process.
  ///
  /// Reads from `/proc` and the disk only what the rules test: 18 us for the unit and 12 us for an
  /// executable on the machine where it was measured, 0.3 us if no rule tests either. Call it once
  /// per connection, when it is accepted.
  public func entitlement(of peer: PeerIdentity) -> CallerEntitlement {
    if let failure { return .refused(failure) }
    var facts = PeerFacts(peer: peer)
    switch entitlements.decide(&facts, in: scope) {
    case .entitled(let entitlement):
      return CallerEntitlement(
        applicationIdentifier: entitlement.applicationIdentifier,
        accessGroups: AccessGroups(entitlement.accessGroups)
      )
    case .noRule: return .refused("no rule in the entitlements matches the caller")
    case .unknown(let fact): return .refused(fact.description)
    }
  }

  private static func read(_ path: String) throws(PolicyError) -> Entitlements? {
    let bytes: [UInt8]?
    do throws(ConfigurationFileError) {
      bytes = try ConfigurationFile.read(path, sizeLimit: EntitlementsFile.sizeLimit)
    } catch {
      throw PolicyError(.unreadable("\(error)"), file: path)
    }
    guard let bytes else { return nil }
    return try EntitlementsFile.parse(bytes, file: path)
  }
}

/// What rules test about a peer; each fact is read on first use.
private struct PeerFacts: ProgramFacts {
  let peer: PeerIdentity
  private var program: PeerProgram?
  private var group: ControlGroupPath?

  init(peer: PeerIdentity) { self.peer = peer }

  var userID: UInt32 { peer.userID }

  mutating func controlGroup() throws(UnknownFact) -> ControlGroupPath {
    if let group { return group }
    do throws(PeerProgramError) {
      guard let found = ControlGroupPath(try read().controlGroup()) else {
        throw PeerProgramError.noControlGroup
      }
      group = found
      return found
    } catch {
      throw UnknownFact(error.description)
    }
  }

  mutating func runs(_ path: String) throws(UnknownFact) -> Bool {
    let file: ExecutableFile?
    do throws(ExecutableFileError) {
      file = try ExecutableFile(trusted: path)
    } catch {
      throw UnknownFact(error.description)
    }
    // No process runs a file that is not there; a file that was removed no longer matches its rule.
    guard let file else { return false }
    do throws(PeerProgramError) {
      return try read().runs(file)
    } catch {
      throw UnknownFact(error.description)
    }
  }

  private mutating func read() throws(PeerProgramError) -> PeerProgram {
    if let program { return program }
    let program = try PeerProgram(of: peer)
    self.program = program
    return program
  }
}
