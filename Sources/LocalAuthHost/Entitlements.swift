public import LocalAuthKeychain
import LocalAuthPolicies
public import LocalAuthUnix

/// Who a caller is to the keychain.
public struct CallerEntitlement: Hashable, Sendable {
  /// Its application identifier; nil for a caller that has no groups.
  public var applicationIdentifier: String?
  /// The groups that it may use; none where it is not known who it is.
  public var accessGroups: AccessGroups
  /// Why it has none, in one line for the log; nil when it has some.
  public var refusal: String?

  static func refused(_ reason: String) -> Self {
    Self(applicationIdentifier: nil, accessGroups: AccessGroups([]), refusal: reason)
  }
}

/// The rules that say which caller may use which access groups, read once.
///
/// Any thread may use it.
public struct EntitlementsSource: Sendable {
  /// The file that counts for everybody.
  public static let systemFile = "/etc/localauth/entitlements.json"

  /// Why nobody has any group, in one line that names file, line and what is allowed; nil when the
  /// rules hold.
  public let failure: String?

  private let entitlements: Entitlements
  private let scope: EntitlementScope

  /// Reads the rules: first those of `systemFile`, then those of `userFile`.
  ///
  /// Where neither exists the built-in rule holds: every program is `local` and has the group
  /// `local`. A file that exists and cannot be read or understood leaves nobody any group, since
  /// whatever it would have refused must not be given.
  /// - Parameters:
  ///   - systemFile: the administrator's file, or nil.
  ///   - userFile: the user's own file, for his own daemon only, or nil.
  ///   - isForEverybody: whether programs of several users are served, so that only what the kernel
  ///     and root vouch for counts: rules about executables are skipped then.
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

  /// Rules that no caller can meet, or that leave every caller they ask about without groups, each
  /// in one line for the log at start-up: files of programs that are missing or not to be trusted.
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

  /// Who `peer` is to the keychain, by what its process is now.
  ///
  /// What the rules need to know that are asked is read from `/proc` and the disk: 18 us for the
  /// unit, 12 us for an executable on the machine it was measured on, 0.3 us where no rule asks. It
  /// is meant for once a connection, when it is accepted.
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

/// What rules ask about a peer, each thing read when first asked for.
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
    // Nobody runs a file that is not there; one that was removed is no longer the rule's.
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
