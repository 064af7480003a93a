import Glibc
import LocalAuthUnix

/// A directory of one test's own, with a path short enough for a socket; removed with the value.
final class ScratchDirectory: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/la-XXXXXX".utf8CString)
    // SAFETY: the template is terminated and mkdtemp writes in place.
    path = try unsafe template.withUnsafeMutableBufferPointer { buffer in
      guard let start = buffer.baseAddress, let made = unsafe mkdtemp(start) else {
        throw SystemError("mkdtemp", code: errno)
      }
      return unsafe String(cString: made)
    }
  }

  /// Makes a file in it that only its owner can write.
  func write(_ text: String, to name: String) throws {
    let file = unsafe open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    guard file >= 0 else { throw SystemError("open", code: errno) }
    defer { close(file) }
    let bytes = Array(text.utf8)
    let written = unsafe bytes.withUnsafeBytes {
      unsafe Glibc.write(file, $0.baseAddress, $0.count)
    }
    guard written == bytes.count else { throw SystemError("write", code: errno) }
  }

  deinit {
    guard let listing = unsafe opendir(path) else { return }
    defer { unsafe closedir(listing) }
    while let entry = unsafe readdir(listing) {
      // SAFETY: the name is a C string inside the entry, which lives until the next call.
      let name = unsafe withUnsafePointer(to: &entry.pointee.d_name) { tuple in
        unsafe tuple.withMemoryRebound(to: CChar.self, capacity: 256) { unsafe String(cString: $0) }
      }
      if name != ".", name != ".." { unsafe unlink("\(path)/\(name)") }
    }
    unsafe rmdir(path)
  }
}
