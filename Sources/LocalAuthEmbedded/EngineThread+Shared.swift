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

  /// The process's one engine for ephemeral devices, started with the first of them.
  package static func ephemeral() throws(DeviceError) -> EngineThread {
    try shared.withLock { (shared) throws(DeviceError) in
      if let shared { return shared }
      var options = HostOptions(owner: geteuid())
      options.pam = InstalledWorker.path.map(PAMSource.program) ?? .none
      options.userEntitlements = OwnRules.path
      // An administrator's policies would make tests depend on the machine they run on.
      options.systemPolicies = nil
      options.devicesMax = 65_536
      options.limits.connectionsMax = 65_536
      options.limits.connectionsPerUserMax = 65_536
      let engine = try EngineThread(directory: nil, options)
      shared = engine
      return engine
    }
  }

  /// The process's engine over the state in `directory`, shared by all who name the same path.
  static func serving(_ directory: String) throws(DeviceError) -> EngineThread {
    try directories.withLock { (directories) throws(DeviceError) in
      if let engine = directories[directory]?.engine { return engine }
      // A relative path would mean another place after the next change of directory.
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

/// Who this program is to the keychain, and which access groups it has: `entitlements.json` beside it.
private enum OwnRules {
  static var path: String? { ThisProgram.directory.map { "\($0)/entitlements.json" } }
}

/// Where PAM conversations are held: the worker beside the program, or where packages put it.
private enum InstalledWorker {
  static var path: String? {
    let name = "localauth-pam-worker"
    let candidates = [
      ThisProgram.directory.map { "\($0)/\(name)" }, "/usr/local/libexec/localauth/\(name)",
      "/usr/libexec/localauth/\(name)",
    ]
    // SAFETY: the string is a C string for the length of the call.
    return candidates.compactMap(\.self).first { unsafe access($0, X_OK) == 0 }
  }
}
