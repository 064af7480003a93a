import LocalAuthPolicies
import LocalAuthPolicyFiles

/// What a host reads from files that may change while it runs.
struct HostConfiguration {
  private(set) var audience: Server.Audience
  private(set) var entitlements: EntitlementsSource
  private let policies: PolicySource
  private let options: HostOptions
  private let isEphemeral: Bool

  /// Reads the files that `options` name.
  ///
  /// The only client of an ephemeral host is the process that hosts it, so the administrator's rules
  /// for access groups do not apply to it.
  init(_ options: HostOptions, isEphemeral: Bool) {
    self.options = options
    self.isEphemeral = isEphemeral
    policies = PolicySource(
      system: options.systemPolicies,
      user: options.isForEverybody ? nil : options.userPolicies
    )
    audience = Self.audience(options, isEphemeral)
    entitlements = Self.entitlements(options, isEphemeral)
  }

  /// The policies in force.
  var catalog: PolicyCatalog { policies.catalog }

  /// What is wrong with the files, one line each, for the log.
  var problems: [String] {
    [entitlements.failure, audience.failure].compactMap(\.self) + entitlements.warnings
      + catalog.problems.map(\.description)
  }

  /// Reads the policies again if their files changed; returns whether they did.
  func refreshPolicies() -> Bool { policies.refresh() }

  /// Reads everything again.
  mutating func read() {
    policies.read()
    audience = Self.audience(options, isEphemeral)
    entitlements = Self.entitlements(options, isEphemeral)
  }

  private static func audience(_ options: HostOptions, _ isEphemeral: Bool) -> Server.Audience {
    if options.isForEverybody {
      return .everybody(AdministrationSource(file: options.administration))
    }
    return isEphemeral ? .ownProcess : .user(options.owner)
  }

  private static func entitlements(
    _ options: HostOptions,
    _ isEphemeral: Bool
  ) -> EntitlementsSource {
    EntitlementsSource(
      systemFile: isEphemeral ? nil : options.systemEntitlements,
      userFile: options.isForEverybody ? nil : options.userEntitlements,
      isForEverybody: options.isForEverybody
    )
  }
}
