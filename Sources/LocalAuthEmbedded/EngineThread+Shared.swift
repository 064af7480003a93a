import Glibc
import LocalAuthHost
import LocalAuthUnix
import LocalAuthWire
import Synchronization

extension EngineThread {
  private static let shared = Mutex<EngineThread?>(nil)
  private static let directories = Mutex<[String: WeakEngine]>([:])

  private struct WeakEngine: Sendable {
    weak let engine: EngineThread?
  }

  /// The process's single engine for ephemeral devices, started on first use.
  package static func ephemeral() throws(DeviceError) -> EngineThread {
    try shared.withLock { (shared) throws(DeviceError) in
      if let shared { return shared }
      var options = HostOptions(owner: geteuid())
      options.pam = InstalledWorker.path.map(PAMSource.program) ?? .none
      options.userEntitlements = OwnRules.path
      // With an administrator's policies, tests would depend on the machine they run on.
      options.systemPolicies = nil
      options.devicesMax = 65_536
      options.limits.connectionsMax = 65_536
      options.limits.connectionsPerUserMax = 65_536
      let engine = try EngineThread(directory: nil, options)
      shared = engine
      return engine
    }
  }

  /// The process's engine for the state in `directory`, shared by all users of the same path.
  static func serving(_ directory: String) throws(DeviceError) -> EngineThread {
    try directories.withLock { (directories) throws(DeviceError) in
      if let engine = directories[directory]?.engine { return engine }
      // A relative path would change its meaning with the working directory.
      guard directory.utf8.first == UInt8(ascii: "/") else {
        throw .invalid("the directory '\(directory)' is no absolute path")
      }
      var options = HostOptions(owner: geteuid())
      options.pam = InstalledWorker.path.map(PAMSource.program) ?? .none
      options.userEntitlements = OwnRules.path
      let engine = try EngineThread(directory: directory, options)
      directories[directory] = WeakEngine(engine: engine)
      return engine
    }
  }
}

/// This program's keychain identity and access groups: `entitlements.json` in the program's
/// directory.
private enum OwnRules {
  static var path: String? { ThisProgram.directory.map { "\($0)/entitlements.json" } }
}

/// The program that runs PAM conversations: next to this program, or where packages install it.
private enum InstalledWorker {
  static var path: String? {
    let name = "localauth-pam-worker"
    let candidates = [
      ThisProgram.directory.map { "\($0)/\(name)" }, "/usr/local/libexec/localauth/\(name)",
      "/usr/libexec/localauth/\(name)",
    ]
    // SAFETY: the C string is valid for the duration of the call.
    return candidates.compactMap(\.self).first { unsafe access($0, X_OK) == 0 }
  }
}
