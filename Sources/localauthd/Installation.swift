import LocalAuthPolicyFiles
import LocalAuthUnix

/// The paths of files that belong to the daemon.
enum Installation {
  /// The PAM worker, next to this program both in a build directory and when installed.
  static var pamWorker: String? { sibling("localauth-pam-worker") }

  /// The program that is connected to hubs, likewise.
  static var syncWorker: String? { sibling("localauth-sync") }

  /// The directory of the user's own policies.
  static var userPolicies: String? { PolicyFiles.userDirectory() }

  /// The file of the user's own rules for access groups.
  static var userEntitlements: String? { configuration("entitlements.json") }

  private static func configuration(_ name: String) -> String? {
    ProcessEnvironment.current.configurationDirectory.map { "\($0)/\(name)" }
  }

  private static func sibling(_ name: String) -> String? {
    ThisProgram.directory.map { "\($0)/\(name)" }
  }
}
