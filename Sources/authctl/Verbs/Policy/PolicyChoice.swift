import LocalAuthCore
import LocalAuthPolicies
import LocalAuthPolicyFiles

/// A policy and the device to consider it on, as given to `policy simulate`, `solve`, `prove`,
/// `explain` and `diff`.
///
/// Names are looked up here instead of in a daemon, but in the same directories: the shipped files,
/// the administrator's, and the user's own unless `--system` is given.
struct PolicyChoice: Sendable {
  static let name = Argument<String>("NAME", source: .policies, help: "the policy's name")
  static let profile = Option<String>(
    "profile",
    "LOCKOUT",
    default: DeviceRecord.ownLockoutProfile,
    source: .lockoutProfiles,
    help: "the device's lockout profile"
  )
  static let delays = Option<String>(
    "delays",
    "TABLE",
    default: DeviceRecord.ownPasscodeDelays,
    source: .passcodeDelays,
    help: "the device's passcode delay table"
  )

  /// The policy.
  let policy: Policy
  /// The lockout profiles of the device and the policy, and the device's passcode delays.
  let rules: DeviceAttempts.Rules

  /// Looks up what the command line of `context` names.
  init(_ context: VerbContext) throws(Failure) {
    try self.init(
      policy: context.arguments[Self.name],
      profile: context.arguments[Self.profile],
      delays: context.arguments[Self.delays],
      in: Self.catalog(context)
    )
  }

  /// Looks up these names in `catalog`; fails with one line if one is missing or unusable.
  init(
    policy: String,
    profile: String,
    delays: String,
    in catalog: PolicyCatalog
  ) throws(Failure) {
    let policy = try Self.usable(catalog.policy(named: policy))
    let own = policy.lockout
    self.policy = policy
    rules = DeviceAttempts.Rules(
      lockout: try Self.usable(catalog.lockoutProfile(named: profile)),
      and: try own.map { (name) throws(Failure) in
        try Self.usable(catalog.lockoutProfile(named: name))
      },
      delays: try Self.usable(catalog.passcodeDelays(named: delays))
    )
  }

  /// Returns all policies, lockout profiles and passcode delay tables in force for the caller.
  static func catalog(_ context: VerbContext) -> PolicyCatalog {
    let isSystem = context.arguments[GlobalOptions.system]
    return PolicyFiles.catalog(
      system: PolicyFiles.systemDirectory,
      user: isSystem ? nil : PolicyFiles.userDirectory(in: context.environment)
    )
  }

  private static func usable<Value>(_ found: Result<Value, PolicyError>) throws(Failure) -> Value {
    switch found {
    case .success(let value): return value
    case .failure(let error):
      // A policy's own file may name a lockout profile that is not there.
      if case .noSuchName(.policy, let name, _) = error.problem { throw Failure(noPolicy: name) }
      throw Failure(.badConfiguration, "\(error)")
    }
  }
}
