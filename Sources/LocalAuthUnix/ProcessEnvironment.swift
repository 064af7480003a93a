import CLocalAuthLinux
import Glibc

/// The environment variables and user data that this program may trust.
///
/// A program with more rights than its caller (setuid, setgid, file capabilities) trusts no
/// variable, because the caller chose them.
public struct ProcessEnvironment: Sendable {
  /// Whether this program has more rights than its caller (AT_SECURE).
  public let isPrivileged: Bool

  private let lookup: @Sendable (String) -> String?
  private let userHome: @Sendable () -> String?
  private let workingDirectory: @Sendable () -> String?

  /// Creates an environment with fixed values, for tests and for programs that embed the engine.
  public init(
    variables: [String: String],
    isPrivileged: Bool = false,
    userHome: String? = nil,
    workingDirectory: String? = nil
  ) {
    self.isPrivileged = isPrivileged
    lookup = { variables[$0] }
    self.userHome = { userHome }
    self.workingDirectory = { workingDirectory }
  }

  private init(current isPrivileged: Bool) {
    self.isPrivileged = isPrivileged
    lookup = { name in
      // SAFETY: the C string is copied at once; nothing here changes variables.
      guard let value = unsafe getenv(name) else { return nil }
      return unsafe String(cString: value)
    }
    userHome = ProcessEnvironment.homeInPasswd
    workingDirectory = ProcessEnvironment.currentDirectory
  }

  /// The environment of this process, read anew on each access.
  public static let current = ProcessEnvironment(current: la_is_privileged_execution())

  /// The value of a variable; nil if it is unset, empty or not trusted.
  public subscript(name: String) -> String? {
    guard !isPrivileged, let value = lookup(name), !value.isEmpty else { return nil }
    return value
  }

  /// The value of a variable that must be an absolute path.
  ///
  /// A relative path counts as unset, as the XDG base directory specification demands.
  public func absolutePath(_ name: String) -> String? {
    guard let value = self[name], value.utf8.first == UInt8(ascii: "/") else { return nil }
    return value
  }

  /// The user's home directory: `$HOME` if it is trusted, else the one in `/etc/passwd`.
  public var homeDirectory: String? {
    if let home = absolutePath("HOME") { return home }
    guard let home = userHome(), home.utf8.first == UInt8(ascii: "/") else { return nil }
    return home
  }

  /// The user's LocalAuth configuration directory, by the XDG base directory specification.
  ///
  /// Nil for a user without a home directory.
  public var configurationDirectory: String? {
    if let configuration = absolutePath("XDG_CONFIG_HOME") { return configuration + "/localauth" }
    return homeDirectory.map { $0 + "/.config/localauth" }
  }

  /// `path` made absolute; nil if it is relative and the current directory no longer exists.
  public func absolute(_ path: String) -> String? {
    if path.utf8.first == UInt8(ascii: "/") { return path }
    guard let directory = workingDirectory() else { return nil }
    return directory == "/" ? "/" + path : directory + "/" + path
  }

  private static func homeInPasswd() -> String? {
    unsafe withCString { buffer, size in unsafe la_home_directory(geteuid(), buffer, size) == 0 }
  }

  private static func currentDirectory() -> String? {
    unsafe withCString { buffer, size in unsafe getcwd(buffer, size) != nil }
  }

  private static func withCString(
    _ fill: (UnsafeMutablePointer<CChar>, Int) -> Bool
  ) -> String? {
    // SAFETY: `fill` gets the size of the buffer, and leaves a C string in it if it returns true.
    unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(PATH_MAX)) { buffer in
      guard let start = buffer.baseAddress, unsafe fill(start, buffer.count) else { return nil }
      return unsafe String(cString: start)
    }
  }
}
