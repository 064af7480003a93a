import LocalAuthPolicyFiles
import LocalAuthUnix

/// Where the daemon finds what belongs to it.
enum Installation {
  /// The PAM worker: beside this program, in a build directory as in an installation.
  static var pamWorker: String? { sibling("localauth-pam-worker") }

  /// The user's own policies.
  static var userPolicies: String? { PolicyFiles.userDirectory() }

  /// The user's own rules for access groups.
  static var userEntitlements: String? { configuration("entitlements.json") }

  private static func configuration(_ name: String) -> String? {
    ProcessEnvironment.current.configurationDirectory.map { "\($0)/\(name)" }
  }

  private static func sibling(_ name: String) -> String? {
    ThisProgram.directory.map { "\($0)/\(name)" }
  }
}
