import Glibc

/// The daemon's program, found in fixed places and never through PATH.
///
/// It is trusted only if it and its directory belong to root or this user and nobody else may write
/// to them.
struct DaemonExecutable {
  /// The real path, with symbolic links resolved.
  let path: String

  /// The places to search: next to the running program, then where packages install the daemon.
  static var standardCandidates: [String] {
    var candidates: [String] = []
    if let program = resolve("/proc/self/exe") {
      let directory = directory(ofPath: program)
      candidates = [
        directory + "/localauthd", directory + "/../libexec/localauth/localauthd",
      ]
    }
    return candidates + [
      "/usr/local/libexec/localauth/localauthd", "/usr/libexec/localauth/localauthd",
    ]
  }

  /// Returns the first candidate that exists.
  ///
  /// - Throws: ``LaunchError``, if none exists or the first one is not trusted. A later candidate
  ///   does not replace an untrusted one, because the user would not notice.
  static func find(among candidates: [String]) throws(LaunchError) -> DaemonExecutable {
    for candidate in candidates {
      guard let path = resolve(candidate) else { continue }
      try check(path, isDirectory: false)
      try check(directory(ofPath: path), isDirectory: true)
      return DaemonExecutable(path: path)
    }
    throw .noExecutable(searched: candidates)
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

  private static func resolve(_ path: String) -> String? {
    // SAFETY: realpath allocates the C string, which is copied and freed here.
    guard let resolved = unsafe realpath(path, nil) else { return nil }
    defer { unsafe free(resolved) }
    return unsafe String(cString: resolved)
  }
}
