import Glibc

/// `path` without trailing slashes; the root stays `/`.
///
/// `O_NOFOLLOW` would follow a symbolic link with a slash after it.
func withoutTrailingSlashes(_ path: String) -> String {
  guard let last = path.utf8.lastIndex(where: { $0 != UInt8(ascii: "/") }) else {
    return path.isEmpty ? "" : "/"
  }
  return String(path[...last])
}

/// The parent directory of `path`.
package func directory(ofPath path: String) -> String {
  let path = withoutTrailingSlashes(path)
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  let parent = withoutTrailingSlashes(String(path[..<slash]))
  return parent.isEmpty ? "/" : parent
}

/// `path` without symbolic links and dots; nil if nothing is found there.
package func realPath(_ path: String) -> String? {
  // SAFETY: realpath allocates the C string, which is copied and freed here.
  guard let resolved = unsafe realpath(path, nil) else { return nil }
  defer { unsafe free(resolved) }
  return unsafe String(cString: resolved)
}

/// The names between the slashes of `path`, also where a mark behind a slash makes one character of both.
package func components(ofPath path: String) -> [String] {
  path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
}

/// What `path` has behind its last slash; nothing if it ends with one.
func lastName(ofPath path: String) -> String {
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return path }
  return String(path[path.utf8.index(after: slash)...])
}
