/// `path` without the slashes at its end, except that the root stays the root.
///
/// `O_NOFOLLOW` follows a symbolic link after which a slash is written.
func withoutTrailingSlashes(_ path: String) -> String {
  guard let last = path.utf8.lastIndex(where: { $0 != UInt8(ascii: "/") }) else {
    return path.isEmpty ? "" : "/"
  }
  return String(path[...last])
}

/// The directory that `path` lies in.
func directory(ofPath path: String) -> String {
  let path = withoutTrailingSlashes(path)
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  let parent = withoutTrailingSlashes(String(path[..<slash]))
  return parent.isEmpty ? "/" : parent
}
