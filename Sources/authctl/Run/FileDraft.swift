import Glibc
import LocalAuthCore

/// An unfinished file: a temporary one beside the file that it replaces when complete.
struct FileDraft: ~Copyable {
  private let path: String
  private let draft: String
  /// The descriptor to write into.
  let descriptor: Int32
  private var isKept = false

  /// Creates a draft of the file at `path`; it fails before anything is computed if that cannot be
  /// written.
  init(_ path: String) throws(Failure) {
    self.path = path
    var directory = "."
    var name = path[...]
    if let slash = path.lastIndex(of: "/") {
      directory = String(path[...slash])
      name = path[path.index(after: slash)...]
    }
    draft = "\(directory)/.\(name).\(getpid())"
    // SAFETY: the string is a C string for the duration of the call.
    descriptor = unsafe open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o644)
    guard descriptor >= 0 else { throw Self.unwritable(path, errno) }
  }

  /// Writes `text` to it and moves it to its final place.
  mutating func keep(_ text: String) throws(Failure) {
    guard Output.write(Array(text.utf8), to: descriptor) else { throw Self.unwritable(path, errno) }
    try keep()
  }

  /// Moves the draft to its final place.
  mutating func keep() throws(Failure) {
    // SAFETY: the strings are C strings for the duration of the call.
    guard unsafe rename(draft, path) == 0 else { throw Self.unwritable(path, errno) }
    isKept = true
  }

  private static func unwritable(_ path: String, _ number: Int32) -> Failure {
    Failure(.badConfiguration, errno: number, "\(path) cannot be written")
  }

  deinit {
    close(descriptor)
    // SAFETY: the string is a C string for the duration of the call.
    if !isKept { _ = unsafe unlink(draft) }
  }
}
