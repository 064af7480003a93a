import LocalAuthKeychain
import LocalAuthService

/// Which access groups a caller has, and as what it is known to the keychain.
struct CallerGroups {
  /// The caller's application identifier, where it is known.
  let applicationIdentifier: String?
  /// Its groups.
  let groups: AccessGroups

  /// The groups of `caller`: the one place that decides.
  static func of(_ caller: Caller) -> CallerGroups {
    CallerGroups(applicationIdentifier: "local", groups: AccessGroups(["local"]))
  }
}
