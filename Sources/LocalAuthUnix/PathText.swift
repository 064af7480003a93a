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
func directory(ofPath path: String) -> String {
  let path = withoutTrailingSlashes(path)
  guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
  let parent = withoutTrailingSlashes(String(path[..<slash]))
  return parent.isEmpty ? "/" : parent
}
