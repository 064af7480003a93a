import Glibc

/// The daemon's program: found in fixed places, never through PATH, and trusted only when nobody
/// else could have written it.
struct DaemonExecutable {
  /// Where it really is, with no symbolic link on the way.
  let path: String

  /// Beside the running program, then where packages put it.
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

  /// The first candidate that exists.
  ///
  /// - Throws: ``LaunchError``: none exists, or the first one is not to be trusted. A later one is
  ///   not taken instead, because the user would not notice.
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
