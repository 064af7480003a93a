import Glibc

/// The daemon's program, found in fixed places and never through PATH.
///
/// `LOCALAUTH_DAEMON` names it for a program that was not installed with it. That gives nobody
/// anything: whoever sets this process's variables could name a socket of their own as well, the
/// daemon gets this user's rights alone, and a program with more rights than its caller reads no
/// variable and starts no daemon.
///
/// It is trusted only if it and its directory belong to root or this user and nobody else may write
/// to them.
struct DaemonExecutable {
  /// The real path, with symbolic links resolved.
  let path: String

  /// The file of root's in which an installation says where it put the daemon.
  static let installationFile = "/etc/localauth/daemon"

  /// The places to search: the one that `LOCALAUTH_DAEMON` names, and no other; else next to the
  /// running program, then the one that ``installationFile`` names, then where packages install it.
  ///
  /// - Throws: ``LaunchError``, if a name is no absolute path or others could have written the file.
  static func candidates(
    in environment: ProcessEnvironment,
    installedBy file: String = installationFile
  ) throws(LaunchError) -> [String] {
    if let named = environment["LOCALAUTH_DAEMON"] {
      guard named.hasPrefix("/") else { throw .relativeName(named, in: "LOCALAUTH_DAEMON") }
      return [named]
    }
    return besideThisProgram + (try installed(by: file).map { [$0] } ?? []) + packaged
  }

  /// The longest file that an installation writes, in bytes.
  static let installationFileSizeMax = Int(PATH_MAX)

  /// The path in the only line of `file`; nil if there is no such file.
  private static func installed(by file: String) throws(LaunchError) -> String? {
    let bytes: [UInt8]?
    do throws(ConfigurationFileError) {
      bytes = try ConfigurationFile.read(file, sizeLimit: installationFileSizeMax)
    } catch {
      throw .installation(error)
    }
    guard let bytes else { return nil }
    let text = String(decoding: bytes, as: UTF8.self)
    let path = String(text.prefix { $0 != "\n" })
    guard bytes.count <= installationFileSizeMax, path.hasPrefix("/"),
      text == path || text == path + "\n"
    else { throw .relativeName(String(path.prefix(100)), in: file) }
    return path
  }

  /// The places that need nothing to be configured: next to the running program, then where packages
  /// install the daemon.
  static var standardCandidates: [String] { besideThisProgram + packaged }

  private static let packaged = [
    "/usr/local/libexec/localauth/localauthd", "/usr/libexec/localauth/localauthd",
  ]

  private static var besideThisProgram: [String] {
    guard let program = realPath("/proc/self/exe") else { return [] }
    let directory = directory(ofPath: program)
    return [directory + "/localauthd", directory + "/../libexec/localauth/localauthd"]
  }

  /// Returns the daemon in the first of the places to search where it is.
  ///
  /// - Throws: ``LaunchError``, as ``candidates(in:installedBy:)`` and ``find(among:)`` do.
  static func find(in environment: ProcessEnvironment) throws(LaunchError) -> DaemonExecutable {
    // One beside this program needs no file, which may be unusable for reasons of its own.
    if environment["LOCALAUTH_DAEMON"] == nil, let beside = try first(of: besideThisProgram) {
      return beside
    }
    return try find(among: candidates(in: environment))
  }

  /// Returns the first candidate that exists.
  ///
  /// - Throws: ``LaunchError``, if none exists or the first one is not trusted. A later candidate
  ///   does not replace an untrusted one, because the user would not notice.
  static func find(among candidates: [String]) throws(LaunchError) -> DaemonExecutable {
    guard let found = try first(of: candidates) else {
      throw .noExecutable(searched: candidates)
    }
    return found
  }

  static func first(of candidates: [String]) throws(LaunchError) -> DaemonExecutable? {
    for candidate in candidates {
      guard let path = realPath(candidate) else { continue }
      try check(path, isDirectory: false)
      try check(directory(ofPath: path), isDirectory: true)
      return DaemonExecutable(path: path)
    }
    return nil
  }

  private static func check(_ path: String, isDirectory: Bool) throws(LaunchError) {
    var status = stat()
    // SAFETY: the string and the pointer are valid for the call.
    guard unsafe lstat(path, &status) == 0 else {
      throw .system(SystemError("lstat", code: errno, subject: path))
    }
    guard status.st_mode & S_IFMT == (isDirectory ? S_IFDIR : S_IFREG) else {
      throw .untrustedExecutable(path: path, reason: "it is not a regular file")
    }
    guard status.st_uid == 0 || status.st_uid == geteuid() else {
      throw .untrustedExecutable(path: path, reason: "it belongs to user \(status.st_uid)")
    }
    guard status.st_mode & 0o022 == 0 else {
      throw .untrustedExecutable(path: path, reason: "others can write to it; run chmod go-w")
    }
    // SAFETY: the string is a C string for the length of the call.
    guard isDirectory || (unsafe access(path, X_OK)) == 0 else {
      throw .untrustedExecutable(path: path, reason: "it cannot be executed")
    }
  }
}
