import LocalAuthUnix

/// Where the daemon finds what belongs to it.
enum Installation {
  /// The PAM worker: beside this program, in a build directory as in an installation.
  static var pamWorker: String? { sibling("localauth-pam-worker") }

  /// The user's own policies.
  static var userPolicies: String? {
    let environment = ProcessEnvironment.current
    if let configuration = environment.absolutePath("XDG_CONFIG_HOME") {
      return configuration + "/localauth/policies"
    }
    return environment.homeDirectory.map { $0 + "/.config/localauth/policies" }
  }

  private static func sibling(_ name: String) -> String? {
    ThisProgram.directory.map { "\($0)/\(name)" }
  }
}
